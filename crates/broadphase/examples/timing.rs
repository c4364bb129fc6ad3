use carom_broadphase::*;
use carom_geometry::Aabb;
use std::time::Instant;
struct R(u64);
impl R {
    fn u(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545F4914F6CDD1D)) >> 40) as f32 / (1u64 << 24) as f32
    }
    fn ball(&mut self) -> [f32; 3] {
        loop {
            let p = [self.u() * 2. - 1., self.u() * 2. - 1., self.u() * 2. - 1.];
            if p[0] * p[0] + p[1] * p[1] + p[2] * p[2] <= 1. {
                return p;
            }
        }
    }
}
fn cpu() -> f64 {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .parse::<f64>()
        .unwrap()
        * 1e-6
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[1].parse().unwrap();
    let frames: usize = a[2].parse().unwrap();
    let share: f32 = a.get(4).map_or(1.0, |s| s.parse().unwrap());
    let threads: usize = a.get(5).map_or(1, |s| s.parse().unwrap());
    let mode = a.get(6).map(|s| s.as_str()).unwrap_or("brown");
    for name in a[3].split(',') {
        let choice: Choice = name.parse().unwrap();
        let mut r = R(88172645463325252);
        let l = (n as f32 / 0.01).cbrt();
        let mut space = Space::<3>::with_finder(choice.finder());
        space.set_threads(threads).unwrap();
        let centres: Vec<[f32; 3]> = (0..20).map(|_| r.ball().map(|c| c * 0.4 * l)).collect();
        let mut p: Vec<[f32; 3]> = (0..n)
            .map(|i| {
                let b = r.ball();
                match mode {
                    "line" => [b[0] * 0.5 * l * 100.0, 0.0, 0.0],
                    "plane" => [b[0] * l * 5.0, 0.0, b[2] * l * 5.0],
                    "clusters" => {
                        let c = centres[i % 20];
                        [c[0] + b[0] * 0.03 * l, c[1] + b[1] * 0.03 * l, c[2] + b[2] * 0.03 * l]
                    }
                    _ => b.map(|c| c * 0.45 * l),
                }
            })
            .collect();
        let h: Vec<[f32; 3]> = (0..n)
            .map(|i| {
                if mode == "huge" && i == 0 {
                    [l; 3]
                } else if mode == "sizes" {
                    let s = 0.05 * (100f32).powf(r.u());
                    [s; 3]
                } else {
                    [0.5 + 0.366 * r.u(), 0.5 + 0.366 * r.u(), 0.5 + 0.366 * r.u()]
                }
            })
            .collect();
        let mut v: Vec<[f32; 3]> = (0..n).map(|_| r.ball().map(|c| c * 0.025 * l)).collect();
        if mode == "line" || mode == "plane" {
            for v in &mut v {
                v[1] = 0.0;
                if mode == "line" {
                    v[2] = 0.0;
                }
            }
        }
        if mode == "clusters" {
            for v in &mut v {
                *v = v.map(|c| c * 0.05);
            }
        }
        let bx = |p: &[f32; 3], h: &[f32; 3]| {
            Aabb::<3>::new(std::array::from_fn(|k| p[k] - h[k]), std::array::from_fn(|k| p[k] + h[k]))
        };
        for i in 0..n {
            space.insert(bx(&p[i], &h[i])).unwrap();
        }
        let t = Instant::now();
        let first = space.update().len();
        let setup = t.elapsed();
        let mut times = vec![];
        let mut cpus: Vec<f64> = vec![];
        let mut c0 = space.counters();
        let mut pairs = 0;
        let movers = (n as f32 * share) as usize;
        for f in 0..frames + 2 {
            if f == 2 {
                c0 = space.counters();
            }
            for i in 0..movers {
                for k in 0..3 {
                    p[i][k] += v[i][k];
                    let lim = if mode == "line" {
                        l * 50.0
                    } else if mode == "plane" {
                        l * 5.0
                    } else {
                        0.5 * l
                    };
                    if p[i][k].abs() > lim {
                        v[i][k] = -v[i][k];
                        p[i][k] += v[i][k];
                    }
                }
            }
            let t = Instant::now();
            let q0 = cpu();
            for i in 0..movers {
                space.set_box(i as u32, &bx(&p[i], &h[i])).unwrap();
            }
            let t1 = t.elapsed();
            pairs = space.update().len();
            let t2 = t.elapsed();
            let q1 = cpu();
            if f >= 2 {
                cpus.push(q1 - q0);
                times.push((t2.as_secs_f64() * 1e3, t1.as_secs_f64() * 1e3));
            }
        }
        cpus.sort_by(f64::total_cmp);
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let m = times[times.len() / 2];
        let c = space.counters();
        println!(
            "{name:16} n {n} cpu {:.3} median {:.3} ms (moves {:.3}) min {:.3} setup {:.1} first {first} pairs {pairs} tests/box {:.2} cells/box {:.2} B/box {:.0}",
            cpus.iter().sum::<f64>() / cpus.len() as f64,
            m.0,
            m.1,
            times[0].0,
            setup.as_secs_f64() * 1e3,
            (c.box_tests - c0.box_tests) as f64 / frames as f64 / n as f64,
            (c.cells - c0.cells) as f64 / frames as f64 / n as f64,
            space.bytes() as f64 / n as f64
        );
    }
}
