//! Converts the domain's types to the wire's.

use proto::{
    games::v1::{
        BeginRunResponse, Event as WireEvent, EventManifest as WireEventManifest, Game as WireGame,
        GameManifest as WireGameManifest, GetGameProofResponse, GetRunsLeftResponse,
        HeldRun as WireHeldRun, HoldReason as WireHoldReason, ListContentResponse,
        PrizeClass as WirePrizeClass, Rules, Run as WireRun, RunDoubt as WireRunDoubt,
        StartSessionResponse, SubmitScoreResponse, Trust as WireTrust, TvItem as WireTvItem,
        TvItemManifest as WireTvItemManifest,
    },
    timestamp,
};
use types::Language;

use crate::{
    app::{Content, GameProof, RunDoubt, Score, Started},
    domain::{
        Event, EventManifest, Game, GameManifest, HeldRun, HoldReason, PlaySession, PrizeClass,
        RoundRuns, RulesHash, Run, Trust, TvItem, TvItemManifest,
    },
    proof::seeds,
};

/// A game as a player of this language reads it.
pub(super) fn game(game: Game, language: Language) -> WireGame {
    WireGame {
        id: game.id.to_string(),
        name: game.name,
        package_id: game.package_id,
        description: game.description.in_language(language),
        game_icon: game.game_icon,
        trailer_link: game.trailer_link,
        game_url: game.game_url,
        featured: game.featured,
        world: game.world,
        levels: game.levels.unsigned_abs(),
        prize_class: prize_class(game.prize_class).into(),
    }
}

const fn prize_class(class: PrizeClass) -> WirePrizeClass {
    match class {
        PrizeClass::Solvable => WirePrizeClass::Solvable,
        PrizeClass::Open => WirePrizeClass::Open,
        PrizeClass::Reflex => WirePrizeClass::Reflex,
    }
}

impl From<Started> for StartSessionResponse {
    fn from(Started { ticket, session, game, runs_left }: Started) -> Self {
        let rules = session.proof.rules().map(|hash| rules(&game.game_url, hash));
        Self {
            session: ticket.expose(),
            game_url: game.game_url,
            expires_at: Some(timestamp(session.expires_at)),
            rules,
            runs_left,
        }
    }
}

impl From<PlaySession> for BeginRunResponse {
    fn from(session: PlaySession) -> Self {
        Self {
            next_seeds: seeds(&session).into_iter().skip(1).collect(),
            inputs: session.pieces.map(|pieces| pieces.committed.concat()).unwrap_or_default(),
            seed: session.seed,
            level: session.level.unsigned_abs(),
            expires_at: Some(timestamp(session.expires_at)),
        }
    }
}

/// The module as the game's page gets it.
fn rules(game_url: &str, hash: RulesHash) -> Rules {
    Rules { url: format!("{game_url}rules.wasm?{hash}"), sha256: hash.to_string() }
}

impl From<RoundRuns> for GetRunsLeftResponse {
    fn from(left: RoundRuns) -> Self {
        Self {
            runs_left: left.runs_left,
            has_open_run: left.has_open_run,
            round: left.round.unsigned_abs(),
        }
    }
}

impl From<GameProof> for GetGameProofResponse {
    fn from(GameProof { proof, is_confirmed, is_live }: GameProof) -> Self {
        let rules_sha256 = proof.rules().map(|rules| rules.0.to_vec()).unwrap_or_default();
        let score_key = proof.key().map(|key| key.0.to_vec()).unwrap_or_default();
        Self { rules_sha256, score_key, is_confirmed, is_live }
    }
}

impl From<Run> for WireRun {
    fn from(run: Run) -> Self {
        Self {
            player_id: run.player.to_string(),
            game_id: run.game.to_string(),
            points: run.points,
            session_id: run.session.to_string(),
            seed: run.seeds.first,
            next_seeds: run.seeds.next,
            level: run.level.unsigned_abs(),
            rules: Some(rules(&run.game_url, run.rules)),
            game_url: run.game_url,
            inputs: run.inputs,
            reached_at: Some(timestamp(run.reached_at)),
        }
    }
}

impl From<HeldRun> for WireHeldRun {
    fn from(run: HeldRun) -> Self {
        let reason = match run.reason {
            HoldReason::InhumanRate => WireHoldReason::InhumanRate,
            HoldReason::SameInputs => WireHoldReason::SameInputs,
        };
        Self {
            session_id: run.session.to_string(),
            player_id: run.player.to_string(),
            game_key: run.game_key,
            tournament_id: run.tournament.map(|id| id.to_string()).unwrap_or_default(),
            points: run.points,
            reason: reason.into(),
            submitted_at: Some(timestamp(run.submitted_at)),
            elapsed_seconds: run.elapsed_seconds.unsigned_abs(),
            actions: run.actions.unsigned_abs(),
            release_proposed_at: run.proposal.as_ref().map(|proposal| timestamp(proposal.at)),
            release_proposed_by: run.proposal.map(|proposal| proposal.operator).unwrap_or_default(),
        }
    }
}

impl From<Score> for SubmitScoreResponse {
    fn from(score: Score) -> Self {
        let trust = match score.trust {
            Trust::Proven => WireTrust::Proven,
            Trust::Signed => WireTrust::Signed,
            Trust::Claimed => WireTrust::Claimed,
            Trust::Held => WireTrust::Held,
        };
        Self { points: score.points, best: score.best, trust: trust.into(), rank: score.rank }
    }
}

/// An event as a player of this language reads it.
pub(super) fn event(event: Event, language: Language) -> WireEvent {
    WireEvent {
        id: event.id.to_string(),
        created_at: Some(timestamp(event.created_at)),
        title: event.title.in_language(language),
        description: event.description.in_language(language),
        event_banner_url: event.event_banner_url,
    }
}

/// A video as a player of this language reads it.
pub(super) fn tv_item(item: TvItem, language: Language) -> WireTvItem {
    WireTvItem {
        id: item.id.to_string(),
        title: item.title.in_language(language),
        channel_url: item.channel_url,
        primary: item.is_primary,
        created_at: Some(timestamp(item.created_at)),
    }
}

impl From<Content> for ListContentResponse {
    fn from(content: Content) -> Self {
        Self {
            games: content.games.into_iter().map(Into::into).collect(),
            events: content.events.into_iter().map(Into::into).collect(),
            items: content.tv_items.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<GameManifest> for WireGameManifest {
    fn from(game: GameManifest) -> Self {
        Self {
            key: game.key.as_str().to_owned(),
            name: game.name,
            package_id: game.package_id,
            description: game.description.en,
            description_sw: game.description.sw,
            game_icon: game.game_icon,
            trailer_link: game.trailer_link,
            game_url: game.game_url.unwrap_or_default(),
            featured: game.featured,
            world: game.world,
            levels: game.levels.unsigned_abs(),
            prize_class: prize_class(game.prize_class).into(),
            rules_sha256: game.rules.map(|rules| rules.to_string()).unwrap_or_default(),
            score_key: game.score_key.map(|key| key.to_string()).unwrap_or_default(),
        }
    }
}

impl From<RunDoubt> for WireRunDoubt {
    fn from(doubt: RunDoubt) -> Self {
        Self { player_id: doubt.player.to_string(), text: doubt.text }
    }
}

impl From<EventManifest> for WireEventManifest {
    fn from(event: EventManifest) -> Self {
        Self {
            key: event.key.as_str().to_owned(),
            title: event.title.en,
            title_sw: event.title.sw,
            description: event.description.en,
            description_sw: event.description.sw,
            event_banner_url: event.event_banner_url,
            created_at: Some(timestamp(event.created_at)),
        }
    }
}

impl From<TvItemManifest> for WireTvItemManifest {
    fn from(item: TvItemManifest) -> Self {
        Self {
            key: item.key.as_str().to_owned(),
            title: item.title.en,
            title_sw: item.title.sw,
            channel_url: item.channel_url,
            primary: item.is_primary,
            created_at: Some(timestamp(item.created_at)),
        }
    }
}
