//! The files of Fingsics: scene XML and `config.txt`.
//!
//! | module | holds |
//! |---|---|
//! | `xml_guard` | refuses hostile XML and repairs what Fingsics tolerates |
//! | `xml_reader` | XML → [`Scene`](crate::Scene) |
//! | `attributes` | typed access to the attributes of one element |
//! | `xml_writer` | [`Scene`](crate::Scene) → XML, or all reasons why not |
//! | `config`, `config_reader` | `config.txt` both ways |
//! | `c_number` | numbers as the C library reads them |
//! | `remarks` | warnings and errors in bounded number |
//!
//! Reading is as lenient as Fingsics, but never silent: where that program falls back to a
//! default or ignores something without a word, the result carries a warning with line and column.

mod attributes;
pub(crate) mod c_number;
mod config;
mod config_reader;
mod remarks;
mod write_error;
mod xml_guard;
mod xml_reader;
mod xml_writer;

pub use config::{BroadPhaseName, FingsicsConfig, RunMode, write_config};
pub use config_reader::read_config;
pub use write_error::{WriteError, WriteProblem};
pub(crate) use xml_guard::decode;
pub use xml_reader::read_scene;
pub use xml_writer::write_scene;
