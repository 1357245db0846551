//! From the domain's types to the wire's.

use proto::{timestamp, tournament::v1::Tournament as WireTournament};

use crate::domain::Tournament;

impl From<Tournament> for WireTournament {
    fn from(tournament: Tournament) -> Self {
        Self {
            id: tournament.id.to_string(),
            name: tournament.name,
            description: tournament.description,
            game_id: tournament.game_id.to_string(),
            starts: Some(timestamp(tournament.starts)),
            ends: Some(timestamp(tournament.ends)),
        }
    }
}
