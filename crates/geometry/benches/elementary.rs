//! `cargo bench -p carom-geometry --bench elementary [-- WORD…]`: elementary functions beside the
//! standard library's, which takes them from the C library of the platform.
//!
//! Words on the command line keep the rows whose name contains one of them.
#![allow(missing_docs, dead_code, clippy::unwrap_used, clippy::panic)] // a program for developers, and a shared table

#[path = "against_parry/table.rs"]
mod table;

use std::hint::black_box;

use carom_core::trig;

use table::{Random, Table};

const ITEMS: usize = 1024;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let mut table = Table::against("std", words);
    let mut random = Random::new(7);
    let angles = uniform(&mut random, -7.0, 7.0);
    let sines = uniform(&mut random, -1.0, 1.0);
    let numbers = uniform(&mut random, -10.0, 10.0);
    let exponents = uniform(&mut random, -20.0, 20.0);
    let positive = uniform(&mut random, 0.0, 100.0);
    let huge: Vec<f32> = angles.iter().map(|a| a * 1e20).collect();
    let pairs: Vec<(f32, f32)> = numbers.iter().copied().zip(exponents.iter().copied()).collect();
    let powers: Vec<(f32, f32)> = positive.iter().copied().zip(numbers.iter().copied()).collect();

    one(&mut table, "sin_cos", &angles, |x| both(trig::sin_cos(x)), |x| both(x.sin_cos()));
    one(&mut table, "sin_cos of huge angles", &huge, |x| both(trig::sin_cos(x)), |x| both(x.sin_cos()));
    one(&mut table, "tan", &angles, trig::tan, f32::tan);
    one(&mut table, "asin", &sines, trig::asin, f32::asin);
    one(&mut table, "acos", &sines, trig::acos, f32::acos);
    one(&mut table, "atan", &numbers, trig::atan, f32::atan);
    one(&mut table, "atan2", &pairs, |(y, x)| trig::atan2(y, x), |(y, x)| y.atan2(x));
    one(&mut table, "exp", &exponents, trig::exp, f32::exp);
    one(&mut table, "exp2", &exponents, trig::exp2, f32::exp2);
    one(&mut table, "ln", &positive, trig::ln, f32::ln);
    one(&mut table, "log2", &positive, trig::log2, f32::log2);
    one(&mut table, "powf", &powers, |(x, y)| trig::powf(x, y), |(x, y)| x.powf(y));
    one(&mut table, "cbrt", &numbers, trig::cbrt, f32::cbrt);
    one(&mut table, "hypot", &pairs, |(x, y)| trig::hypot(x, y), |(x, y)| x.hypot(y));

    let wide = |v: &[f32]| v.iter().copied().map(f64::from).collect::<Vec<f64>>();
    let (angles, sines, numbers) = (wide(&angles), wide(&sines), wide(&numbers));
    let (exponents, positive) = (wide(&exponents), wide(&positive));
    let pairs: Vec<(f64, f64)> = numbers.iter().copied().zip(exponents.iter().copied()).collect();
    let powers: Vec<(f64, f64)> = positive.iter().copied().zip(numbers.iter().copied()).collect();
    one(&mut table, "sin_cos_f64", &angles, |x| both(trig::sin_cos_f64(x)), |x| both(x.sin_cos()));
    one(&mut table, "tan_f64", &angles, trig::tan_f64, f64::tan);
    one(&mut table, "asin_f64", &sines, trig::asin_f64, f64::asin);
    one(&mut table, "acos_f64", &sines, trig::acos_f64, f64::acos);
    one(&mut table, "atan_f64", &numbers, trig::atan_f64, f64::atan);
    one(&mut table, "atan2_f64", &pairs, |(y, x)| trig::atan2_f64(y, x), |(y, x)| y.atan2(x));
    one(&mut table, "exp_f64", &exponents, trig::exp_f64, f64::exp);
    one(&mut table, "ln_f64", &positive, trig::ln_f64, f64::ln);
    one(&mut table, "pow_f64", &powers, |(x, y)| trig::pow_f64(x, y), |(x, y)| x.powf(y));
    table.finish();
}

/// One row: the sum of a function over its inputs. The inputs pass through `black_box` one by one,
/// as the calls of a program come one by one: otherwise ours, which can be inlined, would be
/// measured as vector code.
fn one<A: Copy, T: std::iter::Sum<T>>(
    table: &mut Table,
    name: &str,
    inputs: &[A],
    ours: impl Fn(A) -> T,
    theirs: impl Fn(A) -> T,
) {
    table.row(
        name,
        ITEMS,
        || inputs.iter().map(|x| ours(black_box(*x))).sum::<T>(),
        || inputs.iter().map(|x| theirs(black_box(*x))).sum::<T>(),
    );
}

fn uniform(random: &mut Random, low: f32, high: f32) -> Vec<f32> {
    (0..ITEMS).map(|_| random.between(low, high)).collect()
}

fn both<T: std::ops::Add<Output = T>>((a, b): (T, T)) -> T {
    a + b
}
