//! Ids: one type for each noun, so that a payment's id can never be handed to a
//! function that wants a player's.

use std::{
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    marker::PhantomData,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;
use uuid::Uuid;

use crate::{Chance, Clock};

/// The id of an `N`: a UUIDv7, so that ids sort by the time they were made.
///
/// ```
/// use types::{Id, Noun};
///
/// /// A game on offer.
/// pub enum Game {}
/// impl Noun for Game {
///     const NAME: &'static str = "game";
/// }
/// pub type GameId = Id<Game>;
///
/// assert_eq!(GameId::parse("seven").unwrap_err().to_string(), "not a valid game id");
/// ```
pub struct Id<N> {
    uuid: Uuid,
    noun: PhantomData<fn() -> N>,
}

/// What an id can name.
pub trait Noun {
    /// As a sentence would have it: "not a valid {NAME} id".
    const NAME: &'static str;
}

/// A player, wherever in the mesh: the `uid` of the specification.
pub type PlayerId = Id<Player>;
/// One signing-in and all the refresh tokens that descend from it.
pub type SessionId = Id<Session>;

/// The noun of [`PlayerId`].
pub enum Player {}
impl Noun for Player {
    const NAME: &'static str = "player";
}

/// The noun of [`SessionId`].
pub enum Session {}
impl Noun for Session {
    const NAME: &'static str = "session";
}

/// A text that is no id.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a valid {noun} id")]
pub struct IdError {
    /// What the id would have named.
    pub noun: &'static str,
}

impl<N: Noun> Id<N> {
    /// Reads the usual text form, in either case.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        Uuid::try_parse(text).map(Self::from).map_err(|_| IdError { noun: N::NAME })
    }

    /// A new id.
    pub fn mint(clock: &Clock, chance: &Chance) -> Self {
        Self::from(chance.uuid_v7(clock.now()))
    }

    /// What a database column holds.
    pub const fn uuid(self) -> Uuid {
        self.uuid
    }
}

impl<N> From<Uuid> for Id<N> {
    fn from(uuid: Uuid) -> Self {
        Self { uuid, noun: PhantomData }
    }
}

impl<N> fmt::Display for Id<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uuid.fmt(f)
    }
}

impl<N> fmt::Debug for Id<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uuid.fmt(f)
    }
}

// By hand, because deriving would ask the same of the noun, which has no values.
impl<N> Clone for Id<N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N> Copy for Id<N> {}

impl<N> PartialEq for Id<N> {
    fn eq(&self, other: &Self) -> bool {
        self.uuid == other.uuid
    }
}

impl<N> Eq for Id<N> {}

impl<N> PartialOrd for Id<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<N> Ord for Id<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.uuid.cmp(&other.uuid)
    }
}

impl<N> Hash for Id<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.uuid.hash(state);
    }
}

impl<N> Serialize for Id<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.uuid.serialize(serializer)
    }
}

impl<'de, N> Deserialize<'de> for Id<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Uuid::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_back_what_it_prints() {
        let id = PlayerId::mint(&Clock::system(), &Chance::from_seed(1));
        assert_eq!(PlayerId::parse(&id.to_string()), Ok(id));
    }

    #[test]
    fn later_ids_sort_after_earlier_ones() {
        let clock = Clock::settable(time::OffsetDateTime::UNIX_EPOCH);
        let chance = Chance::from_seed(1);
        let first = PlayerId::mint(&clock, &chance);
        clock.advance(std::time::Duration::from_millis(1));
        assert!(first < PlayerId::mint(&clock, &chance));
    }

    #[test]
    fn what_is_no_uuid_is_refused_by_its_noun() {
        assert_eq!(PlayerId::parse("1; DROP TABLE"), Err(IdError { noun: "player" }));
    }
}
