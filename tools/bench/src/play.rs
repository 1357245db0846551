//! Play: sessions, proven scores, and boards of tournaments.

pub(crate) mod boards;
pub(crate) mod content;
pub(crate) mod dash;
pub(crate) mod prepared;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod runs;
pub(crate) mod standings;
