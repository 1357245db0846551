//! A stub of svc-auth: its keys, and the usernames of players.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use proto::{
    auth::v1::{
        BatchLookUpPlayersRequest, BatchLookUpPlayersResponse, ErasedPlayer,
        ListErasedPlayersRequest, ListErasedPlayersResponse, ListOpenSessionsRequest,
        ListOpenSessionsResponse, PlayerNames,
        erasure_service_server::{ErasureService, ErasureServiceServer},
        player_lookup_service_server::{PlayerLookupService, PlayerLookupServiceServer},
    },
    timestamp,
};
use testkit::{BEGINNING, Tokens};
use tonic::{Request, Response, Status};
use types::PlayerId;

/// The players that svc-auth knows. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Players {
    known: Arc<Mutex<Vec<PlayerNames>>>,
    erased: Arc<Mutex<Vec<ErasedPlayer>>>,
    are_signed_out: Arc<AtomicBool>,
    is_away: Arc<AtomicBool>,
    refused: Arc<AtomicUsize>,
}

impl Players {
    /// Serves these players as svc-auth does, with the keys of the tokens; returns the URL.
    pub(crate) async fn serve_with(&self, tokens: &Tokens) -> String {
        let routes = tokens
            .routes()
            .add_service(PlayerLookupServiceServer::new(self.clone()))
            .add_service(ErasureServiceServer::new(self.clone()));
        testkit::serve("svc-auth", routes).await
    }

    /// Gives a player a username.
    pub(crate) fn name(&self, player: PlayerId, username: &str) {
        let (id, username) = (player.to_string(), Some(username.to_owned()));
        self.known.lock().unwrap().push(PlayerNames { id, username, name: None });
    }

    /// Erases the account of a player after all others.
    pub(crate) fn erase(&self, player: PlayerId) {
        let mut erased = self.erased.lock().unwrap();
        let place = u64::try_from(erased.len()).unwrap();
        let at = Some(timestamp(BEGINNING + Duration::from_secs(place)));
        erased.push(ErasedPlayer { id: player.to_string(), erased_at: at });
    }

    /// Makes svc-auth refuse all lookups, or answer them again.
    pub(crate) fn set_away(&self, is_away: bool) {
        self.is_away.store(is_away, Ordering::SeqCst);
    }

    /// Ends all sessions.
    pub(crate) fn sign_out(&self) {
        self.are_signed_out.store(true, Ordering::SeqCst);
    }

    /// Lookups that were refused.
    pub(crate) fn refused(&self) -> usize {
        self.refused.load(Ordering::SeqCst)
    }
}

#[tonic::async_trait]
impl PlayerLookupService for Players {
    async fn batch_look_up_players(
        &self,
        request: Request<BatchLookUpPlayersRequest>,
    ) -> Result<Response<BatchLookUpPlayersResponse>, Status> {
        if self.is_away.load(Ordering::SeqCst) {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return Err(Status::unavailable("away"));
        }
        let BatchLookUpPlayersRequest { usernames, ids } = request.into_inner();
        let is_wanted = |player: &&PlayerNames| {
            ids.contains(&player.id)
                || player.username.as_ref().is_some_and(|name| usernames.contains(name))
        };
        let known = self.known.lock().unwrap();
        let players = known.iter().filter(is_wanted).cloned().collect();
        Ok(Response::new(BatchLookUpPlayersResponse { players }))
    }

    async fn list_open_sessions(
        &self,
        request: Request<ListOpenSessionsRequest>,
    ) -> Result<Response<ListOpenSessionsResponse>, Status> {
        if self.is_away.load(Ordering::SeqCst) {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return Err(Status::unavailable("away"));
        }
        let mut session_ids = request.into_inner().session_ids;
        if self.are_signed_out.load(Ordering::SeqCst) {
            session_ids.clear();
        }
        Ok(Response::new(ListOpenSessionsResponse { session_ids }))
    }
}

#[tonic::async_trait]
impl ErasureService for Players {
    async fn list_erased_players(
        &self,
        request: Request<ListErasedPlayersRequest>,
    ) -> Result<Response<ListErasedPlayersResponse>, Status> {
        let erased = self.erased.lock().unwrap();
        let begin = request.into_inner().after.map_or(0, |after| {
            let place = erased.iter().position(|player| *player == after);
            place.expect("one of the list") + 1
        });
        let players = erased[begin..].iter().take(100).cloned().collect();
        Ok(Response::new(ListErasedPlayersResponse { players }))
    }
}
