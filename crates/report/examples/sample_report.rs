//! Writes a report with every kind of block into the folder given as argument (`sample-report`
//! otherwise). The numbers are made up: the point is how they look.
//!
//! `cargo run -p carom-report --example sample_report -- FOLDER`

use std::error::Error;

use carom_report::{
    Axis, Cell, Fit, MapCell, Plot, Point, Report, Section, Series, StackedBars, Table, WinnerMap,
};

/// Names, factor, exponent and up to how many bodies.
const METHODS: [(&str, f64, f64, f64); 6] = [
    ("brute force", 1.1e-6, 2.0, 2e4),
    ("sweep and prune", 4e-5, 1.18, 1e6),
    ("grid with a sweep in each cell", 1.2e-4, 1.02, 1e6),
    ("dynamic tree", 1.5e-4, 1.08, 1e6),
    ("kd-tree of sweeps", 7e-5, 1.05, 1e6),
    ("Bullet dbvt", 4e-4, 1.15, 1e6),
];

/// A number between −1 and 1 that looks random and is the same in every run.
fn noise(seed: usize) -> f64 {
    let mixed = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed >> 40) as f64 / (1u64 << 23) as f64) - 1.0
}

fn scaling() -> Plot {
    let mut plot = Plot::new(
        "scaling",
        "Time per frame of six methods on a swarm of which every box moves; bars are intervals of 95 %.",
        Axis::log("boxes"),
        Axis::log("median time per frame (ms)"),
    )
    .line("60 frames per second", 1000.0 / 60.0);
    for (at, (name, factor, exponent, last)) in METHODS.into_iter().enumerate() {
        let points = [1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6].into_iter().enumerate();
        let points = points.filter(|(_, x)| *x <= last * 2.6).map(|(k, x)| {
            let y = factor * x.powf(exponent) * (1.0 + 0.08 * noise(at * 31 + k));
            let width = 0.05 + 0.12 * noise(at * 17 + k).abs();
            let point = Point::new(x, y).between(y * (1.0 - width), y * (1.0 + width));
            if x > last { point.over_budget() } else { point }
        });
        let fit = Fit { exponent, low: exponent - 0.02, high: exponent + 0.03, factor };
        plot = plot.series(Series::new(name, points).fitted(fit));
    }
    plot
}

fn frames() -> Plot {
    let curve = |at: usize, level: f64| {
        (0..300).map(move |frame| {
            let swell = 1.0 + 0.6 * (f64::from(frame as u32) / 45.0 + at as f64).sin();
            let y = level * swell * (1.0 + 0.15 * noise(at * 1000 + frame));
            Point::new(frame as f64, y).between(0.9 * y, 1.15 * y)
        })
    };
    Plot::new("frames", "Time of every frame.", Axis::linear("frame"), Axis::linear("time (ms)"))
        .series(Series::new("dynamic tree", curve(0, 2.0)))
        .series(Series::new("sweep and prune", curve(3, 4.5)))
        .line("budget", 8.0)
}

fn phases() -> StackedBars {
    StackedBars::new(
        "phases",
        "Where a step spends its time.",
        "time per step (ms)",
        ["broad phase", "narrow phase", "solver", "sleep", "rest"],
    )
    .bar("large pyramid", [0.8, 1.9, 4.2, 0.3, 0.2])
    .bar("ten thousand capsules that fall into a funnel and stay there", [1.6, 3.9, 2.1, 0.0, 0.4])
    .bar("washer", [2.2, 2.4, 5.8, 0.1, 0.35])
    .bar("at rest", [0.02, 0.0, 0.0, 0.11, 0.05])
}

fn winners() -> WinnerMap {
    let contenders = METHODS.map(|(name, ..)| name);
    let (xs, ys) = ([1e3, 4e3, 16e3, 64e3, 256e3, 1e6], [0.0, 0.01, 0.1, 0.5, 1.0]);
    let mut map = WinnerMap::new(
        "winners",
        "The fastest method by number of boxes and by share of boxes that move.",
        Axis::log("boxes"),
        Axis::linear("share that moves"),
        contenders,
    )
    .columns(xs);
    for (row, y) in ys.into_iter().enumerate() {
        let cells = (0..xs.len()).map(|column| {
            let margin = 1.0 + (0.1 + noise(row * 7 + column).abs()) * (1.0 + column as f64) * 0.7;
            match (row, column) {
                (4, 5) => MapCell::default(),
                (0, _) => MapCell::won(3, 3.0 * margin),
                (_, 0) => MapCell::won(1, margin),
                (r, c) if r + c == 4 => MapCell::undecided(2, 1.02),
                (r, c) if r + c > 4 => MapCell::won(4, margin),
                _ => MapCell::won(1, margin),
            }
        });
        map = map.row(y, cells);
    }
    map
}

fn medians() -> Table {
    let mut table = Table::new("medians", "Medians at 100 000 boxes with intervals of 95 %.")
        .column("method", "")
        .column("time per frame", "ms")
        .column("against the best", "×")
        .column("pairs", "")
        .column("memory", "MiB")
        .column("verified", "");
    for (at, (name, factor, exponent, last)) in METHODS.into_iter().enumerate() {
        let y = factor * 1e5f64.powf(exponent);
        let time = if last < 1e5 { Cell::Empty } else { Cell::interval(y, 0.96 * y, 1.05 * y) };
        table = table.row([
            name.into(),
            time,
            Cell::number(y / 12.4),
            Cell::Count(1_144_045),
            Cell::Number { value: 3.1 * (at + 1) as f64, digits: 2 },
            "exact".into(),
        ]);
    }
    table
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "sample-report".to_owned());
    let report = Report::new("Broad phases on a moving swarm")
        .paragraph("Up to 16 000 boxes a sweep is the fastest; above, a kd-tree of sweeps. At rest a dynamic tree wins everywhere. All pairs were checked against the oracle.")
        .paragraph("The numbers of this sample are made up.")
        .fact("machine", "two cores of an AMD EPYC, 16 GiB")
        .fact("system", "Linux 6.1, governor: performance")
        .fact("version", "carom 0.1.0 (c97429b, clean)")
        .fact("compiler", "rustc 1.95.0, release, fat LTO")
        .fact("samples", "30 frames after 10 of warm-up, 5 runs")
        .fact("seed", "7")
        .command("carom pairs swarm --boxes 1000..1000000 --broad all --verify")
        .command("carom report results/swarm")
        .section(Section::new("How time grows").text("Each method gets the same boxes and the list of those that moved. A method is stopped once a frame takes longer than its budget; what was measured until then is shown hollow.").block(scaling()).block(medians()))
        .section(Section::new("Who wins where").block(winners()))
        .section(Section::new("Frame by frame").block(frames()).block(phases()))
        .section(Section::new("Remarks").text("Hashes of the runs:").code("swarm-1k   8f2a 11c0\nswarm-64k  03bb 97e1"));
    let written = report.write(&folder)?;
    println!("{} files, look at {}", written.files.len(), written.html.display());
    Ok(())
}
