//! Stubs of svc-games, svc-wallet and svc-auth.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
};

use proto::{
    auth::v1::{
        CompareIdentitiesRequest, CompareIdentitiesResponse, IdentityKind,
        ListPlayersOnBreakRequest, ListPlayersOnBreakResponse, SharedIdentity,
        person_service_server::PersonService,
    },
    games::v1::{
        Game, GetGameProofRequest, GetGameProofResponse, GetGameRequest, GetGameResponse,
        GetOpenRunsRequest, GetOpenRunsResponse, GetRulesRequest, GetRulesResponse,
        ListEventsRequest, ListEventsResponse, ListGamePlayersRequest, ListGamePlayersResponse,
        ListGamesRequest, ListGamesResponse, ListRecentGamesRequest, ListRecentGamesResponse,
        ListTournamentRunsRequest, ListTournamentRunsResponse, ListTvItemsRequest,
        ListTvItemsResponse, PrizeClass, Run, RunDoubt, ScreenRunsRequest, ScreenRunsResponse,
        games_service_server::GamesService, run_service_server::RunService,
    },
    wallet::v1::{
        HeldPackage, ListHeldPackagesRequest, ListHeldPackagesResponse, PayAwardRequest,
        PayAwardResponse, ReserveAwardsRequest, ReserveAwardsResponse, Tier,
        award_service_server::AwardService, entitlement_service_server::EntitlementService,
    },
};
use tonic::{Request, Response, Status};
use types::{Money, PlayerId};

/// A stub of svc-games with one game, `ajua`, of three levels, and the runs that the test sets.
#[derive(Clone, Default)]
pub(crate) struct Games {
    pub(crate) unfinished: Arc<AtomicU32>,
    /// The class of `ajua`; reflex unless a test sets another one.
    pub(crate) prize_class: Arc<Mutex<Option<PrizeClass>>>,
    /// The hash of the rules of `ajua`; some hash unless a test sets another one, or none.
    pub(crate) rules: Arc<Mutex<Option<Vec<u8>>>>,
    /// Whether one operator alone has applied the rules of `ajua`.
    pub(crate) has_rules_of_one: Arc<AtomicBool>,
    /// Whether the rules of games have no pieces, so that runs are not live.
    pub(crate) has_no_pieces: Arc<AtomicBool>,
    /// Not 0 while the stub refuses requests for runs and players.
    pub(crate) away: Arc<AtomicU32>,
    /// The number of requests for open runs.
    pub(crate) asked: Arc<AtomicU32>,
    /// The players of `ajua`, in the order of ids.
    pub(crate) players: Arc<Mutex<Vec<PlayerId>>>,
    /// The players' best runs.
    pub(crate) runs: Arc<Mutex<Vec<Run>>>,
    /// The doubts about the players' best runs.
    pub(crate) doubts: Arc<Mutex<Vec<RunDoubt>>>,
    /// The players of each request for doubts.
    pub(crate) screened: Arc<Mutex<Vec<Vec<String>>>>,
    /// Whether the stub refuses requests for doubts.
    pub(crate) is_screening_away: Arc<AtomicBool>,
    /// The requests for players.
    pub(crate) listed: Arc<Mutex<Vec<ListGamePlayersRequest>>>,
}

#[tonic::async_trait]
impl GamesService for Games {
    async fn get_game(
        &self,
        request: Request<GetGameRequest>,
    ) -> Result<Response<GetGameResponse>, Status> {
        let id = request.into_inner().id;
        if id != types::content_id("Game", "ajua").to_string() {
            return Err(mesh::Fault::new(tonic::Code::NotFound, "GAME_NOT_FOUND").into());
        }
        let prize_class = self.prize_class.lock().unwrap().unwrap_or(PrizeClass::Reflex).into();
        let game = Game { id, levels: 3, prize_class, ..Game::default() };
        Ok(Response::new(GetGameResponse { game: Some(game) }))
    }

    async fn get_rules(
        &self,
        _: Request<GetRulesRequest>,
    ) -> Result<Response<GetRulesResponse>, Status> {
        Err(Status::unimplemented("svc-tournament does not call this"))
    }

    async fn list_games(
        &self,
        _: Request<ListGamesRequest>,
    ) -> Result<Response<ListGamesResponse>, Status> {
        Err(Status::unimplemented("svc-tournament does not call this"))
    }

    async fn list_recent_games(
        &self,
        _: Request<ListRecentGamesRequest>,
    ) -> Result<Response<ListRecentGamesResponse>, Status> {
        Err(Status::unimplemented("svc-tournament does not call this"))
    }

    async fn list_events(
        &self,
        _: Request<ListEventsRequest>,
    ) -> Result<Response<ListEventsResponse>, Status> {
        Err(Status::unimplemented("svc-tournament does not call this"))
    }

    async fn list_tv_items(
        &self,
        _: Request<ListTvItemsRequest>,
    ) -> Result<Response<ListTvItemsResponse>, Status> {
        Err(Status::unimplemented("svc-tournament does not call this"))
    }
}

#[tonic::async_trait]
impl RunService for Games {
    async fn get_open_runs(
        &self,
        _: Request<GetOpenRunsRequest>,
    ) -> Result<Response<GetOpenRunsResponse>, Status> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        if self.away.load(Ordering::SeqCst) > 0 {
            return Err(Status::unavailable("away"));
        }
        Ok(Response::new(GetOpenRunsResponse {
            unfinished: self.unfinished.load(Ordering::SeqCst),
        }))
    }

    async fn list_tournament_runs(
        &self,
        request: Request<ListTournamentRunsRequest>,
    ) -> Result<Response<ListTournamentRunsResponse>, Status> {
        let asked = request.into_inner().player_ids;
        let mut runs = self.runs.lock().unwrap().clone();
        runs.retain(|run| asked.contains(&run.player_id));
        Ok(Response::new(ListTournamentRunsResponse { runs }))
    }

    async fn screen_runs(
        &self,
        request: Request<ScreenRunsRequest>,
    ) -> Result<Response<ScreenRunsResponse>, Status> {
        let asked = request.into_inner().player_ids;
        assert!((1..=5).contains(&asked.len()));
        let mut doubts = self.doubts.lock().unwrap().clone();
        doubts.retain(|doubt| asked.contains(&doubt.player_id));
        self.screened.lock().unwrap().push(asked);
        if self.is_screening_away.load(Ordering::SeqCst) {
            return Err(Status::unavailable("away"));
        }
        Ok(Response::new(ScreenRunsResponse { doubts }))
    }

    async fn get_game_proof(
        &self,
        _: Request<GetGameProofRequest>,
    ) -> Result<Response<GetGameProofResponse>, Status> {
        Ok(Response::new(GetGameProofResponse {
            rules_sha256: self.rules.lock().unwrap().clone().unwrap_or_else(|| vec![9; 32]),
            score_key: Vec::new(),
            is_confirmed: !self.has_rules_of_one.load(Ordering::SeqCst),
            is_live: !self.has_no_pieces.load(Ordering::SeqCst),
        }))
    }

    async fn list_game_players(
        &self,
        request: Request<ListGamePlayersRequest>,
    ) -> Result<Response<ListGamePlayersResponse>, Status> {
        let request = request.into_inner();
        if self.away.load(Ordering::SeqCst) > 0 {
            return Err(Status::unavailable("away"));
        }
        let players = self.players.lock().unwrap().clone();
        let ids = players.iter().map(ToString::to_string);
        let page = ids.filter(|id| *id > request.after_player_id);
        let player_ids = page.take(request.page_size.try_into().unwrap()).collect();
        self.listed.lock().unwrap().push(request);
        Ok(Response::new(ListGamePlayersResponse { game_name: "Ajua".to_owned(), player_ids }))
    }
}

/// A stub of svc-wallet that pays an award once for each id, and has the packages that the test
/// sets.
#[derive(Clone, Default)]
pub(crate) struct Wallets {
    paid: Arc<Mutex<Vec<PayAwardRequest>>>,
    held: Arc<Mutex<Vec<HeldPackage>>>,
    /// The requests for packages.
    pub(crate) asked: Arc<Mutex<Vec<ListHeldPackagesRequest>>>,
    /// Not 0 while the stub refuses requests for packages.
    pub(crate) away: Arc<AtomicU32>,
    /// The last request of each reservation.
    reserved: Arc<Mutex<HashMap<String, ReserveAwardsRequest>>>,
    /// Not 0 while the promotions account has too little.
    pub(crate) spent: Arc<AtomicU32>,
}

impl Wallets {
    /// The reservations, the smallest first: what each is for, and the amount in KES.
    pub(crate) fn reserved(&self) -> Vec<(String, i64)> {
        let reserved = self.reserved.lock().unwrap();
        let line = |one: &ReserveAwardsRequest| {
            (one.purpose.clone(), one.amount.unwrap_or_default().cents / 100)
        };
        let mut reserved: Vec<_> = reserved.values().map(line).collect();
        reserved.sort();
        reserved
    }

    /// The id of the reservation with this amount in KES.
    pub(crate) fn reservation_of(&self, shillings: i64) -> Option<String> {
        let reserved = self.reserved.lock().unwrap();
        let cents = Some(shillings * 100);
        let one = reserved.values().find(|one| one.amount.map(|amount| amount.cents) == cents);
        one.map(|one| one.reservation_id.clone())
    }

    /// The paid awards, in the order of payment.
    pub(crate) fn paid(&self) -> Vec<PayAwardRequest> {
        self.paid.lock().unwrap().clone()
    }

    /// Gives a player a package.
    pub(crate) fn hold(&self, player: PlayerId, tier: Tier) {
        let held = HeldPackage { player_id: player.to_string(), tier: tier.into() };
        self.held.lock().unwrap().push(held);
    }
}

#[tonic::async_trait]
impl EntitlementService for Wallets {
    async fn list_held_packages(
        &self,
        request: Request<ListHeldPackagesRequest>,
    ) -> Result<Response<ListHeldPackagesResponse>, Status> {
        let request = request.into_inner();
        assert!((1..=100).contains(&request.players.len()));
        let mut held = self.held.lock().unwrap().clone();
        held.retain(|one| request.players.iter().any(|asked| asked.player_id == one.player_id));
        self.asked.lock().unwrap().push(request);
        if self.away.load(Ordering::SeqCst) > 0 {
            return Err(Status::unavailable("away"));
        }
        Ok(Response::new(ListHeldPackagesResponse { held }))
    }
}

#[tonic::async_trait]
impl AwardService for Wallets {
    async fn reserve_awards(
        &self,
        request: Request<ReserveAwardsRequest>,
    ) -> Result<Response<ReserveAwardsResponse>, Status> {
        if self.spent.load(Ordering::SeqCst) > 0 {
            let refused = mesh::Fault::new(tonic::Code::ResourceExhausted, "PROMOTIONS_SPENT");
            return Err(refused.param("free", Money::from_shillings(100)).into());
        }
        let request = request.into_inner();
        self.reserved.lock().unwrap().insert(request.reservation_id.clone(), request);
        Ok(Response::new(ReserveAwardsResponse {}))
    }

    async fn pay_award(
        &self,
        request: Request<PayAwardRequest>,
    ) -> Result<Response<PayAwardResponse>, Status> {
        let request = request.into_inner();
        let mut paid = self.paid.lock().unwrap();
        match paid.iter().find(|first| first.award_id == request.award_id) {
            Some(first) => assert_eq!(*first, request, "an award has one content"),
            None => paid.push(request),
        }
        Ok(Response::new(PayAwardResponse {}))
    }
}

/// A stub of svc-auth's answers about players, who share what the test sets, have proven a phone
/// unless the test says otherwise, and are on no break but those that the test begins.
#[derive(Clone, Default)]
pub(crate) struct Persons {
    shared: Arc<Mutex<Vec<SharedIdentity>>>,
    without_phone: Arc<Mutex<Vec<String>>>,
    on_break: Arc<Mutex<Vec<String>>>,
    /// Not 0 while the stub refuses requests.
    pub(crate) away: Arc<AtomicU32>,
    /// The number of requests.
    pub(crate) asked: Arc<AtomicU32>,
}

impl Persons {
    /// Lets players share a device or a phone.
    pub(crate) fn share(&self, kind: IdentityKind, players: &[PlayerId]) {
        let player_ids = players.iter().map(ToString::to_string).collect();
        self.shared.lock().unwrap().push(SharedIdentity { kind: kind.into(), player_ids });
    }

    /// Takes the phone of a player away.
    pub(crate) fn forget_phone(&self, player: PlayerId) {
        self.without_phone.lock().unwrap().push(player.to_string());
    }

    /// Puts players on a break.
    pub(crate) fn begin_break(&self, players: &[PlayerId]) {
        self.on_break.lock().unwrap().extend(players.iter().map(ToString::to_string));
    }

    /// Gives all players a phone.
    pub(crate) fn prove_phones(&self) {
        self.without_phone.lock().unwrap().clear();
    }
}

#[tonic::async_trait]
impl PersonService for Persons {
    async fn compare_identities(
        &self,
        request: Request<CompareIdentitiesRequest>,
    ) -> Result<Response<CompareIdentitiesResponse>, Status> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        if self.away.load(Ordering::SeqCst) > 0 {
            return Err(Status::unavailable("away"));
        }
        let asked = request.into_inner().player_ids;
        let mut shared = self.shared.lock().unwrap().clone();
        for one in &mut shared {
            one.player_ids.retain(|id| asked.contains(id));
        }
        shared.retain(|one| one.player_ids.len() > 1);
        let mut without_phone = self.without_phone.lock().unwrap().clone();
        without_phone.retain(|id| asked.contains(id));
        Ok(Response::new(CompareIdentitiesResponse { shared, without_phone }))
    }

    async fn list_players_on_break(
        &self,
        request: Request<ListPlayersOnBreakRequest>,
    ) -> Result<Response<ListPlayersOnBreakResponse>, Status> {
        let mut player_ids = request.into_inner().player_ids;
        let on_break = self.on_break.lock().unwrap();
        player_ids.retain(|id| on_break.contains(id));
        Ok(Response::new(ListPlayersOnBreakResponse { player_ids }))
    }
}
