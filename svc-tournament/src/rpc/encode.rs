//! Encodes domain types as wire types.

use proto::{
    timestamp,
    tournament::v1::{
        Award as WireAward, AwardManifest, AwardState as WireAwardState,
        FameEntry as WireFameEntry, GetLeaderboardResponse, GetPodiumResponse,
        GetResultProofResponse, GetRoundResponse, OwnAward as WireOwnAward,
        ProvenPlace as WireProvenPlace, ProvenRun as WireProvenRun, RecordScoreResponse,
        Standing as WireStanding, Tier as WireTier, Tournament as WireTournament,
        TournamentManifest as WireManifest, WatchStandingsResponse,
    },
};
use types::Language;

use crate::{
    app::{CurrentRound, Leaderboard, Podium, ProvenPlace, ResultProof, StandingState},
    domain::{
        Award, AwardState, FameEntry, OwnAward, RecordedScore, Standing, Tier, Tournament,
        TournamentManifest,
    },
};

/// A tournament as a player of this language reads it.
pub(super) fn tournament(tournament: Tournament, language: Language) -> WireTournament {
    WireTournament {
        id: tournament.id.to_string(),
        name: tournament.name,
        description: tournament.description.in_language(language),
        game_id: tournament.game_id.to_string(),
        starts: Some(timestamp(tournament.starts)),
        ends: Some(timestamp(tournament.ends)),
        players: tournament.players.unsigned_abs(),
        cash: tournament.cash.map(Into::into),
        first_award: tournament.first_award.in_language(language),
        runs_per_round: tournament.runs_per_round.unsigned_abs(),
        rounds: tournament.rounds.unsigned_abs(),
        settled: tournament.settled,
    }
}

/// An award as a player of this language reads it.
pub(super) fn award(award: Award, language: Language) -> WireAward {
    WireAward {
        position: award.position.unsigned_abs(),
        name: award.name.in_language(language),
        tier: tier(award.tier).into(),
        cash: award.cash.map(Into::into),
    }
}

impl From<Standing> for WireStanding {
    fn from(standing: Standing) -> Self {
        Self {
            player_id: standing.player.to_string(),
            rank: standing.rank,
            points: standing.points,
        }
    }
}

impl From<Leaderboard> for GetLeaderboardResponse {
    fn from(board: Leaderboard) -> Self {
        Self {
            standings: board.standings.into_iter().map(Into::into).collect(),
            last: board.last,
            players: board.players,
            own: board.own.map(Into::into),
            settled: board.settled,
            own_awards: board.own_awards.into_iter().map(own_award).collect(),
        }
    }
}

fn own_award(award: OwnAward) -> WireOwnAward {
    WireOwnAward {
        cash: Some(award.cash.into()),
        state: award_state(award.state).into(),
        due_at: Some(timestamp(award.due_at)),
        needs_phone: award.needs_phone,
        reason: award.reason.unwrap_or_default(),
    }
}

pub(super) const fn award_state(state: AwardState) -> WireAwardState {
    match state {
        AwardState::Pending => WireAwardState::Pending,
        AwardState::Review => WireAwardState::Review,
        AwardState::Paid => WireAwardState::Paid,
        AwardState::Refused => WireAwardState::Refused,
    }
}

impl From<StandingState> for WatchStandingsResponse {
    fn from(state: StandingState) -> Self {
        Self {
            tournament_id: state.tournament.to_string(),
            own: state.own.map(Into::into),
            players: state.players,
            best_points: state.best_points,
            settled: state.settled,
        }
    }
}

/// An entry of the hall of fame as a player of this language reads it.
pub(super) fn fame_entry(entry: FameEntry, language: Language) -> WireFameEntry {
    WireFameEntry {
        id: entry.id.to_string(),
        title: entry.title.in_language(language),
        description: entry.description.in_language(language),
        member_ids: entry.members.iter().map(ToString::to_string).collect(),
        created_at: Some(timestamp(entry.created_at)),
    }
}

impl From<ResultProof> for GetResultProofResponse {
    fn from(ResultProof { seal, schedule, places }: ResultProof) -> Self {
        let settled = places.is_some();
        let places = places.unwrap_or_default();
        // A tournament of an earlier release has the rules of its runs.
        let of_runs = || places.iter().find_map(|place| place.run.as_ref());
        let rules_sha256 = schedule.rules_sha256.map(hex::encode);
        let rules_sha256 = rules_sha256
            .or_else(|| of_runs().map(|run| run.rules_sha256.clone()))
            .unwrap_or_default();
        let place = |place: ProvenPlace| WireProvenPlace {
            rank: place.standing.rank,
            player_id: place.standing.player.to_string(),
            points: place.standing.points,
            run: place.run.filter(|run| run.rules_sha256 == rules_sha256).map(|run| {
                WireProvenRun {
                    seed: run.seed,
                    next_seeds: run.next_seeds,
                    session_id: run.session,
                    inputs: run.inputs,
                }
            }),
        };
        Self {
            seal: seal.to_vec(),
            settled,
            places: places.into_iter().map(place).collect(),
            rounds: schedule.rounds.unsigned_abs(),
            level: schedule.level.unsigned_abs(),
            secret: if settled { schedule.secret } else { Vec::new() },
            rules_sha256,
        }
    }
}

impl From<CurrentRound> for GetRoundResponse {
    fn from(CurrentRound { round, seed, piece_key, schedule }: CurrentRound) -> Self {
        Self {
            game_id: schedule.game_id.to_string(),
            level: schedule.level.unsigned_abs(),
            round,
            seed,
            piece_key: piece_key.to_vec(),
            runs_per_round: schedule.runs_per_round.unsigned_abs(),
            ends: Some(timestamp(schedule.ends)),
            rules_sha256: schedule.rules_sha256.unwrap_or_default(),
            score_key: schedule.score_key.unwrap_or_default(),
        }
    }
}

impl From<RecordedScore> for RecordScoreResponse {
    fn from(recorded: RecordedScore) -> Self {
        Self { best: recorded.best, rank: recorded.rank }
    }
}

impl From<Podium> for GetPodiumResponse {
    fn from(podium: Podium) -> Self {
        let player_ids = podium.players.iter().map(ToString::to_string).collect();
        Self { settled: podium.settled, player_ids }
    }
}

impl From<TournamentManifest> for WireManifest {
    fn from(manifest: TournamentManifest) -> Self {
        let awards = manifest.awards.into_iter().map(|award| AwardManifest {
            position: award.position.unsigned_abs(),
            name: award.name.en,
            name_sw: award.name.sw,
            tier: tier(award.tier).into(),
            cash: award.cash.map(Into::into),
        });
        Self {
            key: manifest.key.as_str().to_owned(),
            name: manifest.name,
            description: manifest.description.en,
            description_sw: manifest.description.sw,
            game: manifest.game.as_str().to_owned(),
            level: manifest.level.unsigned_abs(),
            starts: Some(timestamp(manifest.starts)),
            ends: Some(timestamp(manifest.ends)),
            rounds: manifest.rounds.unsigned_abs(),
            runs_per_round: manifest.runs_per_round.unsigned_abs(),
            awards: awards.collect(),
            review_winners: manifest.review_winners,
            fame_title: manifest.fame_title.en,
            fame_title_sw: manifest.fame_title.sw,
            fame_description: manifest.fame_description.en,
            fame_description_sw: manifest.fame_description.sw,
        }
    }
}

fn tier(tier: Tier) -> WireTier {
    match tier {
        Tier::Bronze => WireTier::Bronze,
        Tier::Silver => WireTier::Silver,
        Tier::Gold => WireTier::Gold,
    }
}
