//! Decodes wire types into domain types.

use mesh::Fault;
use proto::{
    from_timestamp,
    tournament::v1::{
        AwardDecision as WireAwardDecision, AwardManifest, AwardState as WireAwardState,
        DecideAwardRequest, GetLeaderboardRequest, ListGivenAwardsRequest, RecordScoreRequest,
        ScoreTrust, Tier as WireTier, TournamentManifest as WireManifest, WatchStandingsRequest,
    },
};
use time::OffsetDateTime;
use types::{InvalidContent, Key, LocalText, Money, Page, PlayerId, Text};

use crate::{
    domain::{
        Award, AwardDecision, AwardState, GameId, GivenAwardId, NewScore, Score, Tier,
        TournamentId, TournamentManifest, Trust,
    },
    error::{Error, Refused, unknown_tournaments},
};

/// The contract's limit of a page of a board.
const PAGE_MAX: u32 = 100;
/// The default page size.
const PAGE_DEFAULT: u32 = 15;
/// The contract's limit of a page of manifests.
const MANIFESTS_MAX: u32 = 1_000;
/// The contract's limit of an operator's reason, in characters: players read that of a refusal.
const REASON_MAX: usize = 120;
/// The contract's limit of tournaments in one watch.
const WATCHED_MAX: usize = 5;

/// Parses a tournament's id. A malformed id is refused as an unknown one.
pub(super) fn tournament_id(text: &str) -> Result<TournamentId, Error> {
    Ok(TournamentId::parse(text).map_err(|_| Refused::TournamentNotFound)?)
}

pub(super) fn game_id(text: &str) -> Result<GameId, Fault> {
    GameId::parse(text).map_err(|_| Fault::invalid_field("game_id", "GAME_NOT_FOUND"))
}

pub(super) fn page(request: &GetLeaderboardRequest) -> Result<Page, Fault> {
    let size = if request.page_size == 0 { PAGE_DEFAULT } else { request.page_size };
    Page::parse(request.page, size, PAGE_MAX)
        .map_err(|error| Fault::invalid_field("page_size", error))
}

pub(super) fn watched(request: &WatchStandingsRequest) -> Result<Vec<TournamentId>, Fault> {
    let count = request.tournament_ids.len();
    if count == 0 || count > WATCHED_MAX {
        let text = Text::new("TOURNAMENTS_OUT_OF_RANGE").with("max", WATCHED_MAX);
        return Err(Fault::invalid_field("tournament_ids", text));
    }
    let (mut ids, mut unreadable) = (Vec::with_capacity(count), Vec::new());
    for text in &request.tournament_ids {
        match TournamentId::parse(text) {
            Ok(id) => ids.push(id),
            Err(_) => unreadable.push(text.clone()),
        }
    }
    if unreadable.is_empty() { Ok(ids) } else { Err(unknown_tournaments(unreadable.into_iter())) }
}

pub(super) fn score(request: &RecordScoreRequest) -> Result<NewScore, Error> {
    let invalid = |field: &str| Fault::invalid_field(field, "SCORE_MALFORMED");
    let trust = match request.trust() {
        ScoreTrust::Proven => Trust::Proven,
        ScoreTrust::Signed => Trust::Signed,
        ScoreTrust::Claimed => Trust::Claimed,
        ScoreTrust::Unspecified => return Err(invalid("trust").into()),
    };
    let reached_at = from_timestamp(request.reached_at, "reached_at");
    let reached_at = reached_at.map_err(|_| invalid("reached_at"))?;
    let began_at = match request.began_at {
        // Another replica of svc-games may have begun the run, by a clock that is ahead.
        Some(at) => {
            from_timestamp(Some(at), "began_at").map_err(|_| invalid("began_at"))?.min(reached_at)
        }
        None => reached_at,
    };
    let released_at = match request.released_at {
        Some(at) => {
            Some(from_timestamp(Some(at), "released_at").map_err(|_| invalid("released_at"))?)
        }
        None => None,
    };
    Ok(NewScore {
        tournament: tournament_id(&request.tournament_id)?,
        player: PlayerId::parse(&request.player_id).map_err(|_| invalid("player_id"))?,
        score: Score::new(request.points, reached_at),
        trust,
        began_at,
        released_at,
    })
}

pub(super) fn key(text: &str) -> Result<Key, Error> {
    Ok(Key::parse(text).map_err(Refused::from)?)
}

pub(super) fn manifests_limit(page_size: u32) -> Result<i64, Fault> {
    let page = Page::parse(0, page_size, MANIFESTS_MAX);
    let page = page.map_err(|error| Fault::invalid_field("page_size", error))?;
    Ok(page.limit())
}

/// The state, and the page: the last award of the page before, and the size.
pub(super) fn given_awards(
    request: &ListGivenAwardsRequest,
) -> Result<(AwardState, Option<GivenAwardId>, i64), Error> {
    let state = match request.state() {
        WireAwardState::Unspecified => {
            return Err(Fault::invalid_field("state", "AWARD_STATE_MISSING").into());
        }
        WireAwardState::Pending => AwardState::Pending,
        WireAwardState::Review => AwardState::Review,
        WireAwardState::Paid => AwardState::Paid,
        WireAwardState::Refused => AwardState::Refused,
    };
    let after = request.after_award_id.as_str();
    let after = if after.is_empty() { None } else { Some(given_award_id(after)?) };
    let page = Page::parse(0, request.page_size, PAGE_MAX);
    let page = page.map_err(|error| Fault::invalid_field("page_size", error))?;
    Ok((state, after, page.limit()))
}

/// Parses an award's id. A malformed id is refused as an unknown one.
pub(super) fn given_award_id(text: &str) -> Result<GivenAwardId, Error> {
    Ok(GivenAwardId::parse(text).map_err(|_| Refused::AwardNotFound)?)
}

pub(super) fn award_decision(request: &DecideAwardRequest) -> Result<(AwardDecision, &str), Fault> {
    let reason = request.reason.trim();
    let is_line = !reason.contains(char::is_control);
    if !is_line || !(1..=REASON_MAX).contains(&reason.chars().count()) {
        let text = Text::new("REASON_LENGTH").with("max", REASON_MAX);
        return Err(Fault::invalid_field("reason", text));
    }
    let decision = match request.decision() {
        WireAwardDecision::Unspecified => {
            return Err(Fault::invalid_field("decision", "AWARD_DECISION_MISSING"));
        }
        WireAwardDecision::Review => AwardDecision::Review,
        WireAwardDecision::Approve => AwardDecision::Approve,
        WireAwardDecision::Refuse => AwardDecision::Refuse,
    };
    Ok((decision, reason))
}

pub(super) fn manifest(manifest: WireManifest) -> Result<TournamentManifest, Error> {
    let awards = manifest.awards.into_iter().enumerate().map(award);
    let awards: Vec<Award> = awards.collect::<Result<_, Refused>>()?;
    Ok(TournamentManifest {
        key: key(&manifest.key)?,
        name: manifest.name,
        description: LocalText { en: manifest.description, sw: manifest.description_sw },
        game: Key::parse(&manifest.game).map_err(|error| invalid("game", &error.problem))?,
        level: number(manifest.level),
        starts: moment(manifest.starts, "starts")?,
        ends: moment(manifest.ends, "ends")?,
        rounds: number(manifest.rounds),
        runs_per_round: number(manifest.runs_per_round),
        awards,
        review_winners: manifest.review_winners,
        fame_title: LocalText { en: manifest.fame_title, sw: manifest.fame_title_sw },
        fame_description: LocalText {
            en: manifest.fame_description,
            sw: manifest.fame_description_sw,
        },
    })
}

fn award((index, award): (usize, AwardManifest)) -> Result<Award, Refused> {
    let tier = match award.tier() {
        WireTier::Bronze => Tier::Bronze,
        WireTier::Silver => Tier::Silver,
        WireTier::Gold => Tier::Gold,
        WireTier::Unspecified => {
            let field = format!("awards[{index}].tier");
            return Err(InvalidContent::new(field, "is bronze, silver or gold").into());
        }
    };
    Ok(Award {
        position: number(award.position),
        tier,
        name: LocalText { en: award.name, sw: award.name_sw },
        cash: award.cash.map(Money::from),
    })
}

/// Converts a number; one that is too large saturates, which is out of every limit.
fn number(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Decodes a time, truncated to the microsecond, as the database keeps it.
fn moment(
    at: Option<prost_types::Timestamp>,
    field: &'static str,
) -> Result<OffsetDateTime, Refused> {
    let at = from_timestamp(at, field).map_err(|_| invalid(field, "is a time"))?;
    // These years are far from the limits of Postgres.
    if !(2000..2200).contains(&at.year()) {
        return Err(invalid(field, "is a time between 2000 and 2200"));
    }
    Ok(Score::new(0, at).reached_at)
}

fn invalid(field: &'static str, problem: &str) -> Refused {
    InvalidContent::new(field, problem).into()
}
