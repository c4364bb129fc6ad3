//! Runs one library scene with every broad phase and prints what each let through.
//!
//!     cargo run --release -p carom-lab --example broad_phases

use std::error::Error;

use carom_lab::Method;
use carom_lab::task::Task;

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:8} {:>10} {:>12} {:>18}", "method", "tests", "collisions", "state hash");
    let mut hashes = Vec::new();
    for method in Method::ALL {
        let task = Task {
            scene: "box:200".into(),
            frames: Some(121),
            solver: Some("fingsics".parse()?),
            broad: Some(method.into()),
            ..Task::default()
        };
        let metrics = task.prepare()?.session()?.run(&mut [])?;
        let (tests, contacts) = (metrics.count("tested_pairs"), metrics.count("contacts"));
        println!("{method:8} {tests:>10} {contacts:>12} {:>18x}", metrics.state_hash);
        hashes.push(metrics.state_hash);
    }
    assert!(hashes.windows(2).all(|two| two[0] == two[1]), "the broad phase must not change the result");
    Ok(())
}
