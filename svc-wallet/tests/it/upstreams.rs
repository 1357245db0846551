//! A stub of svc-auth's directory.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use proto::{
    auth::v1::{
        BatchGetPublicPlayersRequest, BatchGetPublicPlayersResponse, FindByUsernameRequest,
        FindByUsernameResponse, GetOwnPhoneRequest, GetOwnPhoneResponse, GetPayoutPhoneRequest,
        GetPayoutPhoneResponse, PublicPlayer, directory_service_server::DirectoryService,
    },
    timestamp,
};
use time::OffsetDateTime;
use tonic::{Request, Response, Status};

/// An id that no player has.
pub(crate) const UNKNOWN_PLAYER: &str = "00000000-0000-7000-8000-00000000dead";

/// A stub of svc-auth's directory. It knows every player but [`UNKNOWN_PLAYER`]; usernames are made
/// from the end of the id.
#[derive(Clone, Default)]
pub(crate) struct Directory {
    is_out: Arc<AtomicBool>,
    /// The phone number in every player's profile.
    phone: Arc<Mutex<Option<String>>>,
    /// From when each phone is open that is not open already; `None` for one that was not proven.
    payout_phones: Arc<Mutex<HashMap<String, Option<OffsetDateTime>>>>,
}

impl Directory {
    /// Sets the phone number in every player's profile.
    pub(crate) fn set_phone(&self, phone: &str) {
        *self.phone.lock().unwrap() = Some(phone.to_owned());
    }

    /// Sets from when a phone, as E.164, is open to every player's withdrawals; `None` for a phone that
    /// no player has proven. Other phones are open.
    pub(crate) fn set_payout_phone(&self, phone: &str, opens_at: Option<OffsetDateTime>) {
        self.payout_phones.lock().unwrap().insert(phone.to_owned(), opens_at);
    }

    /// Fails every call from now on.
    pub(crate) fn fail(&self) {
        self.is_out.store(true, Ordering::SeqCst);
    }
}

#[tonic::async_trait]
impl DirectoryService for Directory {
    async fn batch_get_public_players(
        &self,
        request: Request<BatchGetPublicPlayersRequest>,
    ) -> Result<Response<BatchGetPublicPlayersResponse>, Status> {
        if self.is_out.load(Ordering::SeqCst) {
            return Err(Status::unavailable("as this test expects"));
        }
        let ids = request.into_inner().ids.into_iter().filter(|id| id != UNKNOWN_PLAYER);
        let players = ids
            .map(|id| PublicPlayer {
                username: Some(format!("player{}", &id[id.len() - 4..])),
                id,
                ..PublicPlayer::default()
            })
            .collect();
        Ok(Response::new(BatchGetPublicPlayersResponse { players }))
    }

    async fn find_by_username(
        &self,
        _: Request<FindByUsernameRequest>,
    ) -> Result<Response<FindByUsernameResponse>, Status> {
        Err(Status::unimplemented("svc-wallet does not call this"))
    }

    async fn get_own_phone(
        &self,
        _: Request<GetOwnPhoneRequest>,
    ) -> Result<Response<GetOwnPhoneResponse>, Status> {
        Ok(Response::new(GetOwnPhoneResponse { phone: self.phone.lock().unwrap().clone() }))
    }

    async fn get_payout_phone(
        &self,
        request: Request<GetPayoutPhoneRequest>,
    ) -> Result<Response<GetPayoutPhoneResponse>, Status> {
        if self.is_out.load(Ordering::SeqCst) {
            return Err(Status::unavailable("as this test expects"));
        }
        let set = self.payout_phones.lock().unwrap().get(&request.into_inner().phone).copied();
        let opens_at = set.unwrap_or(Some(OffsetDateTime::UNIX_EPOCH));
        Ok(Response::new(GetPayoutPhoneResponse { opens_at: opens_at.map(timestamp) }))
    }
}
