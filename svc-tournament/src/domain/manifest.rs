//! Tournaments as operators write them.

use std::{borrow::Cow, collections::HashSet, mem};

use time::OffsetDateTime;
use types::{InvalidContent, Key, LocalText, Money};

use super::{Award, PrizeClass, Tier, total_cash};

/// Most awards of a tournament.
const AWARDS_MAX: usize = 300;
/// The highest cash award, which is svc-wallet's limit.
const CASH_MAX: Money = Money::from_shillings(1_000_000);

/// A tournament, as operators write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TournamentManifest {
    pub(crate) key: Key,
    pub(crate) name: String,
    pub(crate) description: LocalText,
    /// The key of the game.
    pub(crate) game: Key,
    pub(crate) level: i32,
    pub(crate) starts: OffsetDateTime,
    pub(crate) ends: OffsetDateTime,
    pub(crate) rounds: i32,
    pub(crate) runs_per_round: i32,
    /// In the order of the operator; once stored, by position and then by tier, gold first.
    pub(crate) awards: Vec<Award>,
    /// Whether each award of money waits until operators approve it.
    pub(crate) review_winners: bool,
    /// The title in the hall of fame; if empty, the tournament's name.
    pub(crate) fame_title: LocalText,
    /// The description in the hall of fame; if empty, the tournament's description.
    pub(crate) fame_description: LocalText,
}

impl TournamentManifest {
    /// The most that the awards cost together.
    pub(crate) fn cash(&self) -> Money {
        total_cash(&self.awards).0.unwrap_or_default()
    }

    pub(crate) fn validate(&self) -> Result<(), InvalidContent> {
        InvalidContent::check_length("name", &self.name, 1..=120)?;
        self.description.check_length("description", 1..=2_000)?;
        if !(0..16).contains(&self.level) {
            return Err(invalid("level", "is 0 to 15"));
        }
        if self.ends <= self.starts {
            return Err(invalid("ends", "is after starts"));
        }
        if !(1..=100).contains(&self.rounds) {
            return Err(invalid("rounds", "is 1 to 100"));
        }
        if !(1..=100).contains(&self.runs_per_round) {
            return Err(invalid("runsPerRound", "is 1 to 100"));
        }
        self.validate_awards()?;
        self.fame_title.check_length("fameTitle", 0..=120)?;
        self.fame_description.check_length("fameDescription", 0..=2_000)
    }

    fn validate_awards(&self) -> Result<(), InvalidContent> {
        if self.awards.len() > AWARDS_MAX {
            return Err(invalid("awards", "has 300 at most"));
        }
        let mut seen = HashSet::new();
        for (index, award) in self.awards.iter().enumerate() {
            let field = |name: &str| format!("awards[{index}].{name}");
            let (position, tier) = (award.position, award.tier);
            if !(1..=100).contains(&position) {
                return Err(invalid(field("position"), "is 1 to 100"));
            }
            award
                .name
                .check_length("name", 1..=120)
                .map_err(|error| invalid(field(&error.field), error.problem))?;
            if award.cash.is_some_and(|cash| cash <= Money::ZERO || cash > CASH_MAX) {
                return Err(invalid(field("cash"), format!("is above zero and up to {CASH_MAX}")));
            }
            if !seen.insert((position, tier.to_string())) {
                let problem = format!("is the second one of position {position} and tier {tier}");
                return Err(invalid(format!("awards[{index}]"), problem));
            }
        }
        Ok(())
    }

    /// Whether the two tournaments have the same prizes in the same game, whatever their names, so that
    /// the class of the game was checked for both.
    pub(crate) fn has_prizes_of(&self, other: &Self) -> bool {
        let prizes = |one: &Self| -> Vec<(i32, Tier, Option<Money>)> {
            one.awards.iter().map(|award| (award.position, award.tier, award.cash)).collect()
        };
        self.game == other.game
            && self.review_winners == other.review_winners
            && prizes(self) == prizes(other)
    }

    /// Refuses awards of money that the class of the game does not allow. `is_witnessed`: runs are
    /// live, or the game's own server signs their scores.
    pub(crate) fn validate_prizes(
        &self,
        class: PrizeClass,
        is_witnessed: bool,
    ) -> Result<(), InvalidContent> {
        let has_cash = self.awards.iter().any(|award| award.cash.is_some());
        match class {
            PrizeClass::Solvable if has_cash => {
                Err(invalid("game", "has the prizes solvable, so no award has cash"))
            }
            PrizeClass::Open if has_cash && !self.review_winners => {
                Err(invalid("game", "has the prizes open, so cash needs review: winners"))
            }
            PrizeClass::Reflex if has_cash && !is_witnessed && !self.review_winners => {
                Err(invalid("game", "has rules without pieces, so cash needs review: winners"))
            }
            PrizeClass::Solvable | PrizeClass::Open | PrizeClass::Reflex => Ok(()),
        }
    }

    /// This tournament with the Swahili texts of `other` where it has none for the same English. A
    /// later translation changes no player's chances.
    fn translated_as(&self, other: &Self) -> Self {
        let mut own = self.clone();
        own.description = own.description.translated_as(&other.description);
        own.fame_title = own.fame_title.translated_as(&other.fame_title);
        own.fame_description = own.fame_description.translated_as(&other.fame_description);
        for (award, other) in own.awards.iter_mut().zip(&other.awards) {
            award.name = mem::take(&mut award.name).translated_as(&other.name);
        }
        own
    }

    /// Refuses changes that are not allowed once a tournament has begun, because the leader is known
    /// then: neither the awards nor another end may favour a player.
    pub(crate) fn validate_change_after_start(
        &self,
        known: &Self,
        now: OffsetDateTime,
    ) -> Result<(), InvalidContent> {
        let known = known.translated_as(self);
        let kept = [
            ("game", self.game == known.game),
            ("level", self.level == known.level),
            ("starts", self.starts == known.starts),
            ("rounds", self.rounds == known.rounds),
            ("runsPerRound", self.runs_per_round == known.runs_per_round),
            ("awards", self.awards == known.awards),
            ("review", self.review_winners || !known.review_winners),
        ];
        if let Some((field, _)) = kept.into_iter().find(|(_, kept)| !kept) {
            return Err(invalid(field, "cannot change once the tournament has begun"));
        }
        if self.ends < known.ends {
            return Err(invalid("ends", "can only be later once the tournament has begun"));
        }
        if self.ends != known.ends && known.ends <= now {
            return Err(invalid("ends", "cannot change once it has passed"));
        }
        Ok(())
    }

    /// Refuses any change but a translation; the error names the first field that differs.
    pub(crate) fn validate_change_after_close(&self, known: &Self) -> Result<(), InvalidContent> {
        let known = known.translated_as(self);
        let kept = [
            ("name", self.name == known.name),
            ("description", self.description == known.description),
            ("game", self.game == known.game),
            ("level", self.level == known.level),
            ("starts", self.starts == known.starts),
            ("ends", self.ends == known.ends),
            ("rounds", self.rounds == known.rounds),
            ("runsPerRound", self.runs_per_round == known.runs_per_round),
            ("awards", self.awards == known.awards),
            ("review", self.review_winners == known.review_winners),
            ("fameTitle", self.fame_title == known.fame_title),
            ("fameDescription", self.fame_description == known.fame_description),
        ];
        match kept.into_iter().find(|(_, kept)| !kept) {
            Some((field, _)) => Err(invalid(field, "cannot change once the tournament is over")),
            None => Ok(()),
        }
    }
}

fn invalid(field: impl Into<Cow<'static, str>>, problem: impl Into<String>) -> InvalidContent {
    InvalidContent::new(field, problem)
}

#[cfg(test)]
mod tests {
    use time::{Duration, macros::datetime};

    use super::*;

    /// Makes a manifest wrong in one field.
    type Spoil = fn(&mut TournamentManifest);

    fn cup() -> TournamentManifest {
        let starts = datetime!(2026-11-20 09:00 UTC);
        TournamentManifest {
            key: Key::parse("cup").unwrap(),
            name: "Cup".to_owned(),
            description: "A cup.".into(),
            game: Key::parse("ajua").unwrap(),
            level: 0,
            starts,
            ends: starts + Duration::hours(1),
            rounds: 1,
            runs_per_round: 3,
            awards: vec![Award {
                position: 1,
                tier: Tier::Bronze,
                name: "Phone".into(),
                cash: None,
            }],
            review_winners: false,
            fame_title: LocalText::default(),
            fame_description: LocalText::default(),
        }
    }

    #[test]
    fn a_manifest_names_the_field_that_is_wrong() {
        let cases: [(&str, Spoil); 14] = [
            ("name", |cup| cup.name = " ".to_owned()),
            ("description", |cup| cup.description = "\u{7}".into()),
            ("level", |cup| cup.level = 16),
            ("ends", |cup| cup.ends = cup.starts),
            ("rounds", |cup| cup.rounds = 0),
            ("runsPerRound", |cup| cup.runs_per_round = 101),
            ("awards[0].position", |cup| cup.awards[0].position = 101),
            ("awards[0].name", |cup| cup.awards[0].name.en.clear()),
            ("awards[0].name.sw", |cup| cup.awards[0].name.sw = " ".to_owned()),
            ("awards[0].cash", |cup| cup.awards[0].cash = Some(Money::ZERO)),
            ("awards[0].cash", |cup| {
                cup.awards[0].cash = CASH_MAX.checked_add(Money::from_cents(1));
            }),
            ("awards[1]", |cup| cup.awards.push(cup.awards[0].clone())),
            ("fameTitle", |cup| cup.fame_title.en = "x".repeat(121)),
            ("fameDescription", |cup| cup.fame_description.en = "x".repeat(2_001)),
        ];
        assert_eq!(cup().validate(), Ok(()));
        for (field, spoil) in cases {
            let mut cup = cup();
            spoil(&mut cup);
            assert_eq!(cup.validate().unwrap_err().field, field);
        }
    }

    #[test]
    fn the_class_of_the_game_says_which_prizes_there_may_be() {
        let without_cash = cup();
        let mut with_cash = cup();
        with_cash.awards[0].cash = Some(Money::from_shillings(100));
        let reviewed = TournamentManifest { review_winners: true, ..with_cash.clone() };
        for (class, is_witnessed, [without, with, with_review]) in [
            (PrizeClass::Solvable, true, [true, false, false]),
            (PrizeClass::Open, true, [true, false, true]),
            (PrizeClass::Reflex, true, [true, true, true]),
            (PrizeClass::Reflex, false, [true, false, true]),
        ] {
            let allows =
                |cup: &TournamentManifest| cup.validate_prizes(class, is_witnessed).is_ok();
            assert_eq!(allows(&without_cash), without, "{class:?}");
            assert_eq!(allows(&with_cash), with, "{class:?}");
            assert_eq!(allows(&reviewed), with_review, "{class:?}");
        }
    }

    #[test]
    fn a_translation_may_come_later_and_stays() {
        let (known, mut translated) = (cup(), cup());
        translated.description.sw = "Kombe.".to_owned();
        translated.awards[0].name.sw = "Simu".to_owned();
        assert_eq!(translated.validate_change_after_start(&known, known.starts), Ok(()));
        assert_eq!(translated.validate_change_after_close(&known), Ok(()));
        let mut other = translated.clone();
        other.awards[0].name.sw = "Kombe".to_owned();
        let refused = other.validate_change_after_start(&translated, known.starts).unwrap_err();
        assert_eq!(refused.field, "awards");
        assert_eq!(other.validate_change_after_close(&translated).unwrap_err().field, "awards");
    }

    #[test]
    fn a_tournament_that_has_begun_keeps_what_is_played() {
        let known = cup();
        let longer = TournamentManifest { ends: known.ends + Duration::hours(1), ..cup() };
        let before_end = known.ends - Duration::seconds(1);
        assert_eq!(longer.validate_change_after_start(&known, before_end), Ok(()));
        let late = longer.validate_change_after_start(&known, known.ends).unwrap_err();
        assert_eq!((&*late.field, &*late.problem), ("ends", "cannot change once it has passed"));
        assert_eq!(longer.validate_change_after_close(&known).unwrap_err().field, "ends");
        let reviewed = TournamentManifest { review_winners: true, ..cup() };
        assert_eq!(reviewed.validate_change_after_start(&known, before_end), Ok(()));
        let unreviewed = known.validate_change_after_start(&reviewed, before_end).unwrap_err();
        assert_eq!(unreviewed.field, "review");
        let cases: [(&str, Spoil); 3] = [
            ("rounds", |cup| cup.rounds = 2),
            ("awards", |cup| cup.awards[0].cash = Some(Money::from_shillings(1))),
            ("ends", |cup| cup.ends -= Duration::minutes(1)),
        ];
        for (field, spoil) in cases {
            let mut other = cup();
            spoil(&mut other);
            assert_eq!(
                other.validate_change_after_start(&known, before_end).unwrap_err().field,
                field
            );
        }
    }
}
