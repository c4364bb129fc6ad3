//! Numbers, vectors, poses and lists as bytes.

use glam::{DVec3, Vec2, Vec3};

use super::{BytesReadError, Reader, Stored, Writer};
use crate::bounds::Aabb;
use crate::mass::MassProperties;
use crate::pose::Pose;
use crate::primitive::{Plane, Segment, Triangle};
use crate::rotation::{Matrix3, Rotation};

macro_rules! whole_number {
    ($($type:ident)+) => {$(
        impl Stored for $type {
            const LEAST: usize = size_of::<$type>();

            fn put(&self, out: &mut Writer) {
                out.raw(&self.to_le_bytes());
            }

            fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
                from.raw().map(Self::from_le_bytes)
            }
        }
    )+};
}

whole_number!(u8 u16 u32 u64 i32);

macro_rules! finite_number {
    ($($type:ident by $bits:ident)+) => {$(
        /// Finite ones only; see [`Writer::unbounded`] and [`Reader::number`] for others.
        impl Stored for $type {
            const LEAST: usize = size_of::<$type>();

            fn put(&self, out: &mut Writer) {
                self.to_bits().put(out);
            }

            fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
                let start = from.at();
                let number = Self::from_bits($bits::take(from)?);
                let hint = "it must be a finite number";
                if number.is_finite() { Ok(number) } else { Err(BytesReadError::of(start, number, hint)) }
            }
        }
    )+};
}

finite_number!(f32 by u32 f64 by u64);

impl Stored for bool {
    const LEAST: usize = 1;

    fn put(&self, out: &mut Writer) {
        u8::from(*self).put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let start = from.at();
        match u8::take(from)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(BytesReadError::of(start, other, "it must be 0 or 1")),
        }
    }
}

impl<T: Stored> Stored for Option<T> {
    const LEAST: usize = 1;

    fn put(&self, out: &mut Writer) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        if bool::take(from)? { T::take(from).map(Some) } else { Ok(None) }
    }
}

impl<T: Stored> Stored for Box<T> {
    const LEAST: usize = T::LEAST;

    fn put(&self, out: &mut Writer) {
        T::put(self, out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        T::take(from).map(Self::new)
    }
}

impl<T: Stored> Stored for Vec<T> {
    const LEAST: usize = 4;

    fn put(&self, out: &mut Writer) {
        out.list(self);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        from.list()
    }
}

/// Arrays of at least one entry.
impl<T: Stored + Copy, const N: usize> Stored for [T; N] {
    const LEAST: usize = N * T::LEAST;

    fn put(&self, out: &mut Writer) {
        for entry in self {
            entry.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let mut all = [T::take(from).map_err(|error| error.entry(0))?; N];
        for (number, entry) in all.iter_mut().enumerate().skip(1) {
            *entry = T::take(from).map_err(|error| error.entry(number))?;
        }
        Ok(all)
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    const LEAST: usize = A::LEAST + B::LEAST;

    fn put(&self, out: &mut Writer) {
        self.0.put(out);
        self.1.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        Ok((A::take(from)?, B::take(from)?))
    }
}

crate::stored!(Vec2 { x: f32, y: f32 });
crate::stored!(Vec3 { x: f32, y: f32, z: f32 });
crate::stored!(DVec3 { x: f64, y: f64, z: f64 });
crate::stored!(Pose { translation: Vec3, rotation: Rotation });
crate::stored!(Matrix3 { columns: [Vec3; 3] });
crate::stored!(MassProperties { mass: f32, centre: Vec3, inertia: Matrix3 });
crate::stored!(Plane { normal: Vec3, offset: f32 });
crate::stored!(Segment { a: Vec3, b: Vec3 });
crate::stored!(Triangle { a: Vec3, b: Vec3, c: Vec3 });

/// Unit quaternions only, but for rounding.
impl Stored for Rotation {
    const LEAST: usize = 16;

    fn put(&self, out: &mut Writer) {
        self.to_xyzw().put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let start = from.at();
        let [x, y, z, w] = from.field("rotation")?;
        let rotation = Self { xyz: Vec3::new(x, y, z), w };
        let square = rotation.xyz.length_squared() + w * w;
        if (square - 1.0).abs() <= 1e-2 {
            Ok(rotation)
        } else {
            Err(BytesReadError::of(start, [x, y, z, w], "it must be a unit quaternion"))
        }
    }
}

/// Any box but one with NaN: infinite ones and inverted ones, which are empty, too.
impl Stored for Aabb<3> {
    const LEAST: usize = 24;

    fn put(&self, out: &mut Writer) {
        for coordinate in self.min.iter().chain(&self.max) {
            out.unbounded(*coordinate);
        }
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, BytesReadError> {
        let mut bounds = Self::EMPTY;
        for (name, corner) in [("min", &mut bounds.min), ("max", &mut bounds.max)] {
            for coordinate in corner {
                *coordinate = from.number(name, f32::NEG_INFINITY, f32::INFINITY)?;
            }
        }
        Ok(bounds)
    }
}
