//! Ids: one type for each noun, so that a payment's id cannot be passed where a
//! player's is wanted.

use sha2::{Digest as _, Sha256};
use thiserror::Error;
use uuid::Uuid;

/// Declares an id type: a UUIDv7 of its own type, so that ids sort by the time they
/// were made.
///
/// ```ignore
/// types::id! {
///     /// Identifies a game.
///     pub GameId: "game"
/// }
/// ```
#[macro_export]
macro_rules! id {
    ($(#[$attribute:meta])* $vis:vis $name:ident: $noun:literal) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name($crate::uuid::Uuid);

        // Not every id is used in every way.
        const _: () = {
            let _ = $name::parse;
            let _ = $name::generate;
            let _ = $name::uuid;
        };

        impl $name {
            /// Parses the hyphenated text form, in either case.
            $vis fn parse(text: &str) -> Result<Self, $crate::IdError> {
                match $crate::uuid::Uuid::try_parse(text) {
                    Ok(uuid) => Ok(Self(uuid)),
                    Err(_) => Err($crate::IdError { noun: $noun }),
                }
            }

            /// Makes a new id.
            $vis fn generate(clock: &$crate::Clock, rng: &$crate::Rng) -> Self {
                Self(rng.uuid_v7(clock.now()))
            }

            /// The value of a `uuid` column.
            $vis const fn uuid(self) -> $crate::uuid::Uuid {
                self.0
            }
        }

        impl From<$crate::uuid::Uuid> for $name {
            fn from(uuid: $crate::uuid::Uuid) -> Self {
                Self(uuid)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                $crate::serde::Serialize::serialize(&self.0, serializer)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $crate::serde::Deserialize::deserialize(deserializer).map(Self)
            }
        }
    };
}

id! {
    /// Identifies a player. The contract shows it as both `id` and `uid`.
    pub PlayerId: "player"
}

id! {
    /// Identifies a session: one sign-in on one device.
    pub SessionId: "session"
}

/// A text that is not a UUID.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("not a valid {noun} id")]
pub struct IdError {
    /// What the id would have identified.
    pub noun: &'static str,
}

/// The id that follows from these parts, one after the other: the same in every database.
pub fn derived_id(parts: &[&[u8]]) -> Uuid {
    let digest = parts.iter().fold(Sha256::new(), Sha256::chain_update).finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clock, Rng};

    #[test]
    fn an_id_parses_back_from_its_text() {
        let id = PlayerId::generate(&Clock::system(), &Rng::from_seed(1));
        assert_eq!(PlayerId::parse(&id.to_string()), Ok(id));
    }

    #[test]
    fn later_ids_sort_after_earlier_ones() {
        let clock = Clock::settable(time::OffsetDateTime::UNIX_EPOCH);
        let rng = Rng::from_seed(1);
        let first = PlayerId::generate(&clock, &rng);
        clock.advance(std::time::Duration::from_millis(1));
        assert!(first < PlayerId::generate(&clock, &rng));
    }

    #[test]
    fn an_invalid_id_is_refused_with_its_noun() {
        assert_eq!(PlayerId::parse("1; DROP TABLE"), Err(IdError { noun: "player" }));
    }
}
