//! Documents of svc-tournament: tournaments with their awards.

use std::cmp::Reverse;

use proto::tournament::v1::{AwardManifest, Tier as WireTier, TournamentManifest};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use types::LocalText;

use super::{fields::time_of, kes::Kes, kind::Kind};
use crate::relative_time::When;

#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Tournament {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) description: LocalText,
    /// The id of a Game document.
    pub(crate) game: String,
    #[serde(default)]
    pub(crate) level: u32,
    pub(crate) starts: When,
    pub(crate) ends: When,
    #[serde(default = "one")]
    pub(crate) rounds: u32,
    pub(crate) runs_per_round: u32,
    /// Whose awards of money wait until operators approve them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) review: Option<Review>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fame_title: Option<LocalText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) fame_description: Option<LocalText>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) awards: Vec<Award>,
}

fn non_empty(en: String, sw: String) -> Option<LocalText> {
    (!en.is_empty()).then_some(LocalText { en, sw })
}

/// Whose awards of money wait until operators approve them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Review {
    Winners,
}

const fn one() -> u32 {
    1
}

/// An award: what a position of a tournament wins.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Award {
    pub(crate) position: u32,
    pub(crate) name: LocalText,
    #[serde(default)]
    pub(crate) tier: Tier,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cash: Option<Kes>,
}

/// The package whose holders an award is for. Players without a package get the award of Bronze.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize)]
pub(crate) enum Tier {
    #[default]
    Bronze,
    Silver,
    Gold,
}

impl Tournament {
    pub(super) fn item(
        self,
        existing: Option<&TournamentManifest>,
        now: OffsetDateTime,
    ) -> TournamentManifest {
        let starts = existing.map(|tournament| time_of(tournament.starts));
        let ends = existing.map(|tournament| time_of(tournament.ends));
        // The awards are in the order of the service, so that another order in a document is no
        // difference.
        let mut awards = self.awards;
        awards.sort_by_key(|award| (award.position, Reverse(award.tier)));
        let fame_title = self.fame_title.unwrap_or_default();
        let fame_description = self.fame_description.unwrap_or_default();
        TournamentManifest {
            key: self.id,
            name: self.name,
            description: self.description.en,
            description_sw: self.description.sw,
            game: self.game,
            level: self.level,
            starts: Some(proto::timestamp(self.starts.settle(starts, now))),
            ends: Some(proto::timestamp(self.ends.settle(ends, now))),
            rounds: self.rounds,
            runs_per_round: self.runs_per_round,
            review_winners: self.review.is_some(),
            awards: awards.into_iter().map(Award::item).collect(),
            fame_title: fame_title.en,
            fame_title_sw: fame_title.sw,
            fame_description: fame_description.en,
            fame_description_sw: fame_description.sw,
        }
    }
}

impl Award {
    fn item(self) -> AwardManifest {
        let tier = match self.tier {
            Tier::Bronze => WireTier::Bronze,
            Tier::Silver => WireTier::Silver,
            Tier::Gold => WireTier::Gold,
        };
        AwardManifest {
            position: self.position,
            name: self.name.en,
            name_sw: self.name.sw,
            tier: tier.into(),
            cash: self.cash.map(|cash| cash.0.into()),
        }
    }
}

impl From<TournamentManifest> for Tournament {
    fn from(tournament: TournamentManifest) -> Self {
        Self {
            kind: Kind::Tournament,
            id: tournament.key,
            name: tournament.name,
            description: LocalText { en: tournament.description, sw: tournament.description_sw },
            game: tournament.game,
            level: tournament.level,
            starts: When::At(time_of(tournament.starts)),
            ends: When::At(time_of(tournament.ends)),
            rounds: tournament.rounds,
            runs_per_round: tournament.runs_per_round,
            review: tournament.review_winners.then_some(Review::Winners),
            fame_title: non_empty(tournament.fame_title, tournament.fame_title_sw),
            fame_description: non_empty(
                tournament.fame_description,
                tournament.fame_description_sw,
            ),
            awards: tournament.awards.into_iter().map(Award::from).collect(),
        }
    }
}

impl From<AwardManifest> for Award {
    fn from(award: AwardManifest) -> Self {
        let tier = match award.tier() {
            WireTier::Unspecified | WireTier::Bronze => Tier::Bronze,
            WireTier::Silver => Tier::Silver,
            WireTier::Gold => Tier::Gold,
        };
        let cash = award.cash.map(|cash| Kes(cash.into()));
        let name = LocalText { en: award.name, sw: award.name_sw };
        Self { position: award.position, name, tier, cash }
    }
}
