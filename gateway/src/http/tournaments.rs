//! Tournaments, their boards and awards, and the hall of fame.

use axum::extract::State;
use proto::{
    Absent,
    tournament::v1::{
        self as rpc, AwardState, GetLeaderboardRequest, GetTournamentRequest, ListAwardsRequest,
        ListHallOfFameRequest, ListTournamentsRequest, Tier,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
    games::on_games_origin,
    param::Segment,
    play::encoded,
    wire::{At, Kes},
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads, public_players::FoundPlayers};

/// The page that replays the runs of a result, beside the games.
const CHECK_PAGE: &str = "/play/check/";

/// `GET /tournaments`
pub(crate) async fn list(State(gateway): State<Gateway>) -> HandlerResult<Vec<Tournament>> {
    let mut tournaments = gateway.upstreams().tournaments();
    let reply = tournaments.list_tournaments(ListTournamentsRequest {}).await?;
    let list = reply.into_inner().tournaments;
    let list = list.into_iter().map(|tournament| Tournament::new(&gateway, tournament));
    let list: Result<_, Absent> = list.collect();
    Ok(Reply::ok(list?))
}

/// `GET /tournaments/{id}`
pub(crate) async fn get(
    State(gateway): State<Gateway>,
    Segment(id): Segment,
) -> HandlerResult<Tournament> {
    let mut tournaments = gateway.upstreams().tournaments();
    let reply = tournaments.get_tournament(GetTournamentRequest { id }).await?;
    let tournament = reply.into_inner().tournament.ok_or(Absent("tournament"))?;
    Ok(Reply::ok(Tournament::new(&gateway, tournament)?))
}

/// `POST /tournament-leaderboards/{id}`
pub(crate) async fn leaderboard(
    State(gateway): State<Gateway>,
    Segment(tournament_id): Segment,
    Body(body): Body<LeaderboardPage>,
) -> HandlerResult<Leaderboard> {
    let (page, page_size) = (body.page.unwrap_or(0), body.page_size.unwrap_or(0));
    let request = GetLeaderboardRequest { tournament_id, page, page_size };
    let board = gateway.upstreams().tournaments().get_leaderboard(request).await?.into_inner();
    let ids: Vec<_> = board.standings.iter().map(|standing| standing.player_id.clone()).collect();
    let players = gateway.public_players().find(gateway.upstreams(), &ids).await;
    Ok(Reply::ok(Leaderboard::new(board, &players)?))
}

/// `GET /tournament-awards/tournament/{id}`
pub(crate) async fn awards(
    State(gateway): State<Gateway>,
    Segment(tournament_id): Segment,
) -> HandlerResult<Vec<TournamentAward>> {
    let mut tournaments = gateway.upstreams().tournaments();
    let reply = tournaments.list_awards(ListAwardsRequest { tournament_id }).await?;
    Ok(Reply::ok(reply.into_inner().awards.into_iter().map(Into::into).collect()))
}

/// `GET /hall-of-fame`
pub(crate) async fn hall_of_fame(State(gateway): State<Gateway>) -> HandlerResult<Vec<FameEntry>> {
    let mut tournaments = gateway.upstreams().tournaments();
    let reply = tournaments.list_hall_of_fame(ListHallOfFameRequest {}).await?;
    let entries = reply.into_inner().entries;
    let entries: Result<_, Absent> = entries.into_iter().map(TryInto::try_into).collect();
    Ok(Reply::ok(entries?))
}

request! {
    /// A page of a board.
    pub(crate) struct LeaderboardPage {
        /// The page's number, from 0; absent for the first page.
        page: Option<u32> = "page",
        /// The rows of a page, 1 to 100; 15 when absent.
        page_size: Option<u32> = "pageSize",
    }
}

payloads!(Tournament, Leaderboard, TournamentAward, FameEntry);

/// A tournament.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tournament {
    id: String,
    name: String,
    description: String,
    game_id: String,
    starts: At,
    ends: At,
    /// How many players have a score.
    players: u64,
    /// The sum of the cash awards; null without any.
    cash: Option<Kes>,
    /// The name of the first position's award; null without awards.
    first_award: Option<String>,
    /// Rounds of equal length, each with a seed of its own.
    rounds: u32,
    /// How many runs a player has in each round.
    runs_per_round: u32,
    /// Whether the board is final and its awards are given.
    settled: bool,
    /// The page on which anybody checks the result; null until the board is final.
    check_url: Option<String>,
}

impl Tournament {
    fn new(gateway: &Gateway, tournament: rpc::Tournament) -> Result<Self, Absent> {
        let first_award = tournament.first_award;
        let check_url = || {
            let page = on_games_origin(gateway, CHECK_PAGE);
            format!("{page}#tournament={}", encoded(&tournament.id))
        };
        Ok(Self {
            check_url: tournament.settled.then(check_url),
            id: tournament.id,
            name: tournament.name,
            description: tournament.description,
            game_id: tournament.game_id,
            starts: At::promised(tournament.starts, "starts")?,
            ends: At::promised(tournament.ends, "ends")?,
            players: tournament.players,
            cash: Kes::optional(tournament.cash),
            first_award: (!first_award.is_empty()).then_some(first_award),
            rounds: tournament.rounds,
            runs_per_round: tournament.runs_per_round,
            settled: tournament.settled,
        })
    }
}

/// A page of a board.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Leaderboard {
    content: Vec<LeaderboardEntry>,
    /// Whether there is no page after this one.
    last: bool,
    /// How many players have a score.
    total_elements: u64,
    /// The caller's place; null without a score.
    me: Option<Place>,
    /// Whether the board is final.
    settled: bool,
    /// The prizes that the caller won, once the board is final.
    prizes: Vec<OwnPrize>,
}

/// How far a prize is on its way to its player.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum PrizeState {
    Pending,
    Review,
    Paid,
    Refused,
}

/// A prize of money that the caller won.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OwnPrize {
    amount: Kes,
    #[schema(inline)]
    state: PrizeState,
    /// When a pending prize is paid.
    due_at: At,
    /// Whether the prize waits until the player has proven a phone for withdrawals.
    needs_phone: bool,
    /// Why the prize was refused; null in other states.
    reason: Option<String>,
}

impl TryFrom<rpc::OwnAward> for OwnPrize {
    type Error = Absent;

    fn try_from(award: rpc::OwnAward) -> Result<Self, Absent> {
        Ok(Self {
            state: match award.state() {
                AwardState::Unspecified => return Err(Absent("state")),
                AwardState::Pending => PrizeState::Pending,
                AwardState::Review => PrizeState::Review,
                AwardState::Paid => PrizeState::Paid,
                AwardState::Refused => PrizeState::Refused,
            },
            amount: Kes::promised(award.cash, "cash")?,
            due_at: At::promised(award.due_at, "due_at")?,
            needs_phone: award.needs_phone,
            reason: Some(award.reason).filter(|reason| !reason.is_empty()),
        })
    }
}

/// A player's best score and its place.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LeaderboardEntry {
    user_id: String,
    /// The player's name; null for an account that is gone, and while names cannot be read.
    username: Option<String>,
    /// Whether the account is gone.
    former: bool,
    profile_pic: Option<String>,
    points: i32,
    /// The rank, from 1.
    rank: u64,
}

/// A place on a board.
#[derive(Serialize, ToSchema)]
pub(crate) struct Place {
    /// The rank, from 1.
    rank: u64,
    points: i32,
}

impl Leaderboard {
    fn new(board: rpc::GetLeaderboardResponse, players: &FoundPlayers) -> Result<Self, Absent> {
        let entry = |standing: rpc::Standing| {
            let player = players.get(&standing.player_id);
            let username =
                player.and_then(|player| player.username.clone().or_else(|| player.name.clone()));
            LeaderboardEntry {
                username,
                former: players.is_gone(&standing.player_id),
                profile_pic: player.and_then(|player| player.profile_pic.clone()),
                user_id: standing.player_id,
                points: standing.points,
                rank: standing.rank,
            }
        };
        let prizes = board.own_awards.into_iter().map(TryInto::try_into);
        Ok(Self {
            content: board.standings.into_iter().map(entry).collect(),
            last: board.last,
            total_elements: board.players,
            me: board.own.map(|own| Place { rank: own.rank, points: own.points }),
            settled: board.settled,
            prizes: prizes.collect::<Result<_, Absent>>()?,
        })
    }
}

/// An award: what a position wins.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TournamentAward {
    /// The position, from 1.
    position: u32,
    award: AwardName,
    subscription_package: PackageName,
    /// The award's money; null in an award without money.
    cash: Option<Kes>,
}

/// The name of an award.
#[derive(Serialize, ToSchema)]
pub(crate) struct AwardName {
    name: String,
}

/// The package that an award is for.
#[derive(Serialize, ToSchema)]
pub(crate) struct PackageName {
    /// Bronze, Silver or Gold.
    name: &'static str,
}

impl From<rpc::Award> for TournamentAward {
    fn from(award: rpc::Award) -> Self {
        let name = match award.tier() {
            Tier::Gold => "Gold",
            Tier::Silver => "Silver",
            Tier::Bronze | Tier::Unspecified => "Bronze",
        };
        Self {
            position: award.position,
            award: AwardName { name: award.name },
            subscription_package: PackageName { name },
            cash: Kes::optional(award.cash),
        }
    }
}

/// An entry of the hall of fame.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FameEntry {
    id: String,
    title: String,
    description: String,
    /// The players' ids, in the order of their positions.
    members: Vec<String>,
    created_at: At,
}

impl TryFrom<rpc::FameEntry> for FameEntry {
    type Error = Absent;

    fn try_from(entry: rpc::FameEntry) -> Result<Self, Absent> {
        Ok(Self {
            id: entry.id,
            title: entry.title,
            description: entry.description,
            members: entry.member_ids,
            created_at: At::promised(entry.created_at, "created_at")?,
        })
    }
}
