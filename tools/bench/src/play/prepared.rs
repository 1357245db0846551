//! The state that the scenarios of play share.

use http::HeaderValue;

use super::{content::Tournament, standings::Size};

/// The state that the scenarios of play have prepared.
#[derive(Default)]
pub(crate) struct Prepared {
    pub(crate) boards: Vec<(Size, Tournament)>,
    /// The `Authorization` headers of players who are on the boards.
    pub(crate) bearers: Vec<HeaderValue>,
    pub(crate) has_directory: bool,
}
