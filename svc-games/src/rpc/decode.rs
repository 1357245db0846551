//! Converts the wire's types to the domain's.

use mesh::Fault;
use proto::{
    from_timestamp,
    games::v1::{
        ContentKind as WireKind, DecideHeldRunRequest, EventManifest as WireEvent,
        GameManifest as WireGame, ListGamePlayersRequest, ListHeldRunsRequest,
        PrizeClass as WirePrizeClass, TvItemManifest as WireTvItem,
    },
};
use types::{InvalidContent, Key, LocalText, PageError, PlayerId, Text};

use crate::{
    domain::{
        ContentKind, Decision, EventManifest, GameId, GameManifest, Inputs, PlaySessionId,
        PlayersOf, PrizeClass, RulesHash, ScoreKey, TournamentId, TvItemManifest,
    },
    error::{Error, Refused},
    proof::Ticket,
};

/// The contract's limit of a page of held runs.
const HELD_RUNS_MAX: u32 = 100;
/// The contract's limit of a page of a game's players.
const GAME_PLAYERS_MAX: u32 = 1_000;
/// The contract's limit of players whose runs in a tournament are listed.
const TOURNAMENT_RUNS_MAX: usize = 20;
/// The contract's limit of an operator's reason, in characters.
const REASON_MAX: usize = 500;

/// A malformed id gets the same reply as an unknown one.
pub(super) fn game_id(text: &str) -> Result<GameId, Error> {
    Ok(GameId::parse(text).map_err(|_| Refused::GameNotFound)?)
}

/// A malformed hash gets the same reply as an unknown one.
pub(super) fn rules(text: &str) -> Result<RulesHash, Error> {
    Ok(RulesHash::parse(text).ok_or(Refused::RulesNotFound)?)
}

pub(super) fn tournament_id(text: &str) -> Result<TournamentId, Error> {
    Ok(TournamentId::parse(text).map_err(|_| Refused::TournamentNotFound)?)
}

pub(super) fn players_of(wire: ListGamePlayersRequest) -> Result<PlayersOf, Error> {
    let game = game_id(&wire.game_id)?;
    let invalid = |field| Fault::invalid_field(field, "FIELD_MALFORMED");
    let after = (!wire.after_player_id.is_empty()).then(|| PlayerId::parse(&wire.after_player_id));
    if !(1..=GAME_PLAYERS_MAX).contains(&wire.page_size) {
        return Err(invalid("page_size").into());
    }
    Ok(PlayersOf {
        game,
        since: from_timestamp(wire.since, "since").map_err(|_| invalid("since"))?,
        before: from_timestamp(wire.before, "before").map_err(|_| invalid("before"))?,
        after: after.transpose().map_err(|_| invalid("after_player_id"))?,
        limit: wire.page_size.into(),
    })
}

pub(super) fn tournament_runs(
    tournament: &str,
    players: &[String],
) -> Result<(TournamentId, Vec<PlayerId>), Error> {
    let invalid = || Fault::invalid_field("player_ids", "FIELD_MALFORMED");
    if players.len() > TOURNAMENT_RUNS_MAX {
        return Err(invalid().into());
    }
    let players = players.iter().map(|id| PlayerId::parse(id)).collect::<Result<_, _>>();
    Ok((tournament_id(tournament)?, players.map_err(|_| invalid())?))
}

/// Parses a tournament id, which is empty outside a tournament.
pub(super) fn optional_tournament_id(text: &str) -> Result<Option<TournamentId>, Error> {
    (!text.is_empty()).then(|| tournament_id(text)).transpose()
}

pub(super) fn game_of_run(text: &str) -> Result<GameId, Error> {
    Ok(GameId::parse(text).map_err(|_| Refused::RunNotFound)?)
}

pub(super) fn tournament_run(
    tournament: &str,
    player: &str,
) -> Result<(TournamentId, PlayerId), Error> {
    let tournament = TournamentId::parse(tournament);
    let player = PlayerId::parse(player);
    match (tournament, player) {
        (Ok(tournament), Ok(player)) => Ok((tournament, player)),
        _ => Err(Refused::RunNotFound.into()),
    }
}

pub(super) fn held_run_id(text: &str) -> Result<PlaySessionId, Error> {
    Ok(PlaySessionId::parse(text).map_err(|_| Refused::RunNotFound)?)
}

/// Returns the session after which a page of held runs begins, and the size of the page.
pub(super) fn held_runs_page(
    request: &ListHeldRunsRequest,
) -> Result<(Option<PlaySessionId>, u32), Fault> {
    let after = match request.after_session_id.as_str() {
        "" => None,
        id => Some(
            PlaySessionId::parse(id)
                .map_err(|_| Fault::invalid_field("after_session_id", "FIELD_MALFORMED"))?,
        ),
    };
    match request.page_size {
        0 => Ok((after, HELD_RUNS_MAX)),
        size if size <= HELD_RUNS_MAX => Ok((after, size)),
        _ => Err(Fault::invalid_field("page_size", PageError::TooLarge { max: HELD_RUNS_MAX })),
    }
}

pub(super) fn decision(request: &DecideHeldRunRequest) -> Result<(Decision, &str), Fault> {
    let reason = request.reason.trim();
    if !(1..=REASON_MAX).contains(&reason.chars().count()) {
        let text = Text::new("REASON_LENGTH").with("max", REASON_MAX);
        return Err(Fault::invalid_field("reason", text));
    }
    let decision = if request.release { Decision::Released } else { Decision::Refused };
    Ok((decision, reason))
}

/// A malformed ticket gets the same reply as a forged one.
pub(super) fn ticket(text: &str) -> Result<Ticket, Error> {
    Ok(Ticket::parse(text).ok_or(Refused::SessionNotFound)?)
}

pub(super) fn inputs(bytes: Vec<u8>) -> Result<Inputs, Error> {
    Ok(Inputs::parse(bytes).map_err(Refused::from)?)
}

pub(super) fn key(text: &str) -> Result<Key, Error> {
    Ok(Key::parse(text).map_err(Refused::from)?)
}

pub(super) fn kind(kind: WireKind) -> Result<ContentKind, Error> {
    match kind {
        WireKind::Game => Ok(ContentKind::Game),
        WireKind::Event => Ok(ContentKind::Event),
        WireKind::TvItem => Ok(ContentKind::TvItem),
        WireKind::Unspecified => Err(invalid("kind", "is missing").into()),
    }
}

pub(super) fn game(game: WireGame) -> Result<GameManifest, Error> {
    let prize_class = match game.prize_class() {
        WirePrizeClass::Unspecified | WirePrizeClass::Solvable => PrizeClass::Solvable,
        WirePrizeClass::Open => PrizeClass::Open,
        WirePrizeClass::Reflex => PrizeClass::Reflex,
    };
    let rules = game.rules_sha256;
    let rules = (!rules.is_empty()).then(|| {
        RulesHash::parse(&rules).ok_or_else(|| invalid("rules", "has a sha256 of 64 hex digits"))
    });
    let score_key = (!game.score_key.is_empty()).then(|| {
        let parsed = ScoreKey::parse(&game.score_key);
        parsed.ok_or_else(|| invalid("scoreKey", "is 32 bytes in hex"))
    });
    Ok(GameManifest {
        key: key(&game.key)?,
        name: game.name,
        package_id: game.package_id,
        description: LocalText { en: game.description, sw: game.description_sw },
        game_icon: game.game_icon,
        trailer_link: game.trailer_link,
        game_url: (!game.game_url.is_empty()).then_some(game.game_url),
        featured: game.featured,
        world: game.world,
        levels: i32::try_from(game.levels).map_err(|_| invalid("levels", "is 1 to 16"))?,
        prize_class,
        rules: rules.transpose()?,
        score_key: score_key.transpose()?,
    })
}

pub(super) fn event(event: WireEvent) -> Result<EventManifest, Error> {
    let created_at = from_timestamp(event.created_at, "createdAt");
    Ok(EventManifest {
        key: key(&event.key)?,
        title: LocalText { en: event.title, sw: event.title_sw },
        description: LocalText { en: event.description, sw: event.description_sw },
        event_banner_url: event.event_banner_url,
        created_at: created_at.map_err(|_| invalid("createdAt", "is a time"))?,
    })
}

pub(super) fn tv_item(item: WireTvItem) -> Result<TvItemManifest, Error> {
    let created_at = from_timestamp(item.created_at, "createdAt");
    Ok(TvItemManifest {
        key: key(&item.key)?,
        title: LocalText { en: item.title, sw: item.title_sw },
        channel_url: item.channel_url,
        is_primary: item.primary,
        created_at: created_at.map_err(|_| invalid("createdAt", "is a time"))?,
    })
}

fn invalid(field: &'static str, problem: &str) -> Refused {
    Refused::Content(InvalidContent::new(field, problem))
}
