//! Types and rules: pure, without clock, database or wire types.

mod content;
mod game;
mod inputs;
mod manifest;
mod rules;
mod run;
mod session;

pub(crate) use content::{Event, TvItem};
pub(crate) use game::{Game, GameId};
pub(crate) use inputs::{Inputs, InvalidInputs};
pub(crate) use manifest::{
    Change, ContentKind, EventManifest, GameManifest, InvalidContent, Key, TvItemManifest,
};
pub(crate) use rules::{Pace, RulesHash};
pub(crate) use run::{RunRefusal, Submission, Trust};
pub(crate) use session::{LIFETIME, Outcome, PlaySession, PlaySessionId, RETENTION};
