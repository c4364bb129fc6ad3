//! Error types from their messages: [`error_type!`](crate::error_type).
//!
//! Writes `Display`, `Error` and `From` for an enum or struct whose message stands above it, as
//! a derive macro of another crate would. A macro by example needs no crates that parse Rust, which
//! were a third of all that the engine pulled in.

/// Defines an error type, of which every variant has its message in an attribute `error`, after its
/// documentation. Messages are those of `format!`: fields by their names, as references; the value
/// of a variant in parentheses as `{0}`. A message `transparent` is that of the value. A value
/// marked `from` converts into the error, and is its source.
///
/// ```
/// carom_core::error_type! {
///     /// Why there is no tea.
///     #[derive(Debug)]
///     pub enum TeaError {
///         /// Too cold.
///         #[error("water of {degrees} °C does not boil: it lacks {}", 100 - degrees)]
///         Cold {
///             /// As measured.
///             degrees: i32,
///         },
///         /// No cup.
///         #[error("there is no cup")]
///         NoCup,
///         /// Not a number of spoons.
///         #[error("spoons: {0}")]
///         Spoons(#[from] std::num::ParseIntError),
///     }
/// }
/// assert_eq!(TeaError::Cold { degrees: 60 }.to_string(), "water of 60 °C does not boil: it lacks 40");
/// let error = TeaError::from("x".parse::<u8>().unwrap_err());
/// assert_eq!(error.to_string(), "spoons: invalid digit found in string");
/// assert!(std::error::Error::source(&error).is_some());
///
/// carom_core::error_type! {
///     /// Broken.
///     #[error("the {part} is broken")]
///     #[derive(Debug)]
///     pub struct Broken {
///         /// What is.
///         pub part: &'static str,
///     }
/// }
/// assert_eq!(Broken { part: "cup" }.to_string(), "the cup is broken");
/// ```
#[macro_export]
macro_rules! error_type {
    (
        $(#[doc = $doc:expr])*
        #[error($($message:tt)+)]
        $(#[$attribute:meta])*
        $vis:vis struct $name:ident {
            $($(#[$of_field:meta])* $field_vis:vis $field:ident: $type:ty),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        $(#[$attribute])*
        $vis struct $name {
            $($(#[$of_field])* $field_vis $field: $type),*
        }

        impl std::fmt::Display for $name {
            #[allow(unused_variables)] // not every message names every field
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let Self { $($field),* } = self;
                write!(f, $($message)+)
            }
        }

        impl std::error::Error for $name {}
    };
    (
        $(#[$attribute:meta])*
        $vis:vis enum $name:ident {
            $(
                $(#[doc = $doc:expr])*
                #[error($($message:tt)+)]
                $variant:ident
                    $({ $($(#[doc = $of_field:expr])* $field:ident: $type:ty),* $(,)? })?
                    $(($(#[$from:ident])? $inner:ty))?
            ),* $(,)?
        }
    ) => {
        $(#[$attribute])*
        $vis enum $name {
            $(
                $(#[doc = $doc])*
                $variant $({ $($(#[doc = $of_field])* $field: $type),* })? $(($inner))?
            ),*
        }

        impl std::fmt::Display for $name {
            #[allow(unused_variables)] // not every message names every field
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(
                        Self::$variant $({ $($field),* })? $(($crate::error_type!(@name inner $inner)))? =>
                            $crate::error_type!(@write f [$($message)+] $(inner $inner)?)
                    ),*
                }
            }
        }

        impl std::error::Error for $name {
            fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
                match self {
                    $(
                        Self::$variant $({ $($field: _),* })? $(($crate::error_type!(@name inner $inner)))? =>
                            $crate::error_type!(@source [$($message)+] $(inner $inner [$($from)?])?)
                    ),*
                }
            }
        }

        $($($($crate::error_type!(@$from $name $variant $inner);)?)?)*
    };
    (@name $inner:ident $type:ty) => { $inner };
    (@write $f:ident [transparent] $inner:ident $type:ty) => { std::fmt::Display::fmt($inner, $f) };
    (@write $f:ident [$($message:tt)+] $inner:ident $type:ty) => { write!($f, $($message)+, $inner) };
    (@write $f:ident [$($message:tt)+]) => { write!($f, $($message)+) };
    (@source [transparent] $inner:ident $type:ty [$($from:ident)?]) => { std::error::Error::source($inner) };
    (@source [$($message:tt)+] $inner:ident $type:ty [from]) => { Some($inner) };
    (@source [$($message:tt)+] $($inner:ident $type:ty [])?) => { None };
    (@from $name:ident $variant:ident $inner:ty) => {
        impl From<$inner> for $name {
            fn from(inner: $inner) -> Self {
                Self::$variant(inner)
            }
        }
    };
}
