//! Operators' content as YAML documents: read, checked, compared and applied by the admin
//! RPCs of the services that own it.
//!
//! ```text
//! cli ─► apply ─► catalogue, documents ─► service ─► manifest ─► relative_time
//! ```

mod apply;
mod awards;
mod catalogue;
mod cli;
mod documents;
mod manifest;
mod money;
mod operators;
mod players;
mod relative_time;
mod runs;
mod safety;
mod service;

pub use apply::{Mode, apply};
pub use catalogue::Catalogue;
pub use cli::{Cli, run};
pub use documents::{Document, Problem, Problems, read};
pub use manifest::{Item, Kind, yaml};
pub use service::PerService;
