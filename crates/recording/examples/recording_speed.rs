//! How fast and how small recordings are: bodies that fly, bounce and tumble in a box, written,
//! read through and read at random.
//!
//! `cargo run --release -p carom-recording --example recording_speed -- [BODIES FRAMES]`, 10 000
//! and 600 if not given. With `CAROM_HEADLESS` set, as in the tests, few bodies and frames.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use carom_core::random::Random;
use carom_recording::track::{
    Channels, Header, Precision, Recording, RecordingOptions, Stamp, Summary, Writer,
};

const DT: f32 = 1.0 / 60.0;
/// Half the size of the box.
const WALL: f64 = 20.0;

struct Body {
    position: [f64; 3],
    velocity: [f32; 3],
    rotation: [f32; 4],
    angular_velocity: [f32; 3],
}

impl Body {
    fn random(random: &mut Random) -> Self {
        Self {
            position: std::array::from_fn(|_| random.range_f64(-WALL, WALL)),
            velocity: std::array::from_fn(|_| random.range(-5.0, 5.0)),
            rotation: random.rotation(),
            angular_velocity: std::array::from_fn(|_| random.range(-5.0, 5.0)),
        }
    }

    fn step(&mut self) {
        self.velocity[1] -= 9.81 * DT;
        for k in 0..3 {
            self.position[k] += f64::from(self.velocity[k] * DT);
            if self.position[k].abs() > WALL && self.position[k] * f64::from(self.velocity[k]) > 0.0 {
                self.velocity[k] *= -0.8;
                self.angular_velocity[(k + 1) % 3] =
                    0.9 * self.angular_velocity[(k + 1) % 3] + 0.1 * self.velocity[k];
            }
        }
        let ([x, y, z, w], [a, b, c]) =
            (self.rotation, self.angular_velocity.map(|angular_velocity| 0.5 * DT * angular_velocity));
        let turned = [
            x + a * w + b * z - c * y,
            y + b * w + c * x - a * z,
            z + c * w + a * y - b * x,
            w - a * x - b * y - c * z,
        ];
        let length = turned.iter().map(|t| t * t).sum::<f32>().sqrt();
        self.rotation = turned.map(|t| t / length);
    }
}

/// What writing took.
struct Written {
    summary: Summary,
    /// Of the simulating thread, in the calls that take a frame.
    copying: Duration,
    /// From the first frame to the last byte.
    whole: Duration,
}

fn write(
    path: &Path,
    bodies: usize,
    frames: u64,
    precision: Precision,
    channels: Channels,
    simulated: &mut Duration,
) -> Result<Written, Box<dyn Error>> {
    let mut random = Random::new(7);
    let mut all: Vec<Body> = (0..bodies).map(|_| Body::random(&mut random)).collect();
    let header = Header {
        steps_per_second: 60,
        names: (0..bodies).map(|number| number.to_string()).collect(),
        precision,
        channels,
        ..Header::default()
    };
    let mut writer = Writer::create(path, &header, RecordingOptions::default())?;
    let (start, mut copying) = (Instant::now(), Duration::ZERO);
    for number in 0..frames {
        let began = Instant::now();
        all.iter_mut().for_each(Body::step);
        *simulated += began.elapsed();
        let began = Instant::now();
        let time = number as f64 * f64::from(DT);
        writer.frame(Stamp { number, time, state_hash: number }, |frame| {
            for (body, state) in (0..).zip(&all) {
                frame.body(body, state.position, state.rotation);
                if channels.velocities {
                    frame.velocity(state.velocity, state.angular_velocity);
                }
            }
        })?;
        copying += began.elapsed();
    }
    let summary = writer.finish()?;
    Ok(Written { summary, copying, whole: start.elapsed() })
}

fn read(path: &Path, frames: u64) -> Result<(Duration, Duration, f64), Box<dyn Error>> {
    let mut recording = Recording::open(path)?;
    // Something of every frame is used, or it need not be read.
    let mut sum = 0.0;
    let start = Instant::now();
    for frame in 0..recording.frames() {
        sum += recording.frame(frame)?.position(0).to_double()[0];
    }
    let through = start.elapsed();
    let (mut random, seeks) = (Random::new(3), 40);
    let start = Instant::now();
    for _ in 0..seeks {
        sum += recording.frame(random.below(frames))?.position(0).to_double()[1];
    }
    Ok((through, start.elapsed() / seeks, sum))
}

fn main() -> Result<(), Box<dyn Error>> {
    let is_test = std::env::var_os("CAROM_HEADLESS").is_some();
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let bodies = arguments.next().transpose()?.unwrap_or(if is_test { 300 } else { 10_000 }) as usize;
    let frames = arguments.next().transpose()?.unwrap_or(if is_test { 100 } else { 600 });
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("speed.crec");
    println!("{bodies} bodies, {frames} frames");
    println!(
        "| recorded | bytes per body and frame | raw | copy, µs/frame | written, MB/s raw | read, MB/s raw | seek, ms |"
    );
    println!("|---|---|---|---|---|---|---|");
    let plain = Channels::default();
    let coarse = |position, rotation| Precision::Quantised { position, rotation, velocity: 1e-3 };
    for (name, precision, channels) in [
        ("exact", Precision::Exact, plain),
        ("exact, with velocities", Precision::Exact, Channels { velocities: true, ..plain }),
        ("0.1 mm, 1 mrad", coarse(1e-4, 1e-3), plain),
        ("1 mm, 10 mrad", coarse(1e-3, 1e-2), plain),
    ] {
        let mut simulated = Duration::ZERO;
        let Written { summary, copying, whole } =
            write(&path, bodies, frames, precision, channels, &mut simulated)?;
        let (through, seek, sum) = read(&path, frames)?;
        assert!(sum.is_finite());
        let per_body = bodies as f64 * frames as f64;
        let megabytes = summary.unpacked as f64 / 1e6;
        println!(
            "| {name} | {:.1} | {:.0} | {:.0} | {:.0} | {:.0} | {:.1} |",
            summary.bytes as f64 / per_body,
            summary.unpacked as f64 / per_body,
            copying.as_secs_f64() / frames as f64 * 1e6,
            megabytes / (whole - simulated.min(whole / 2)).as_secs_f64(),
            megabytes / through.as_secs_f64(),
            seek.as_secs_f64() * 1e3,
        );
    }
    Ok(())
}
