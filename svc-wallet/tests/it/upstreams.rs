//! Stubs of svc-auth's directory and of svc-chat.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

use proto::auth::v1::{
    BatchGetPublicPlayersRequest, BatchGetPublicPlayersResponse, FindByUsernameRequest,
    FindByUsernameResponse, GetOwnPhoneRequest, GetOwnPhoneResponse, PublicPlayer,
    directory_service_server::DirectoryService,
};
use proto::chat::v1::{
    BatchNotifyRequest, BatchNotifyResponse, NewNotification,
    notification_service_server::NotificationService,
};
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
}

impl Directory {
    /// Sets the phone number in every player's profile.
    pub(crate) fn set_phone(&self, phone: &str) {
        *self.phone.lock().unwrap() = Some(phone.to_owned());
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
}

/// A stub of svc-chat, which stores one notification for each source.
#[derive(Clone, Default)]
pub(crate) struct Notifications {
    stored: Arc<Mutex<Vec<NewNotification>>>,
    /// Number of calls whose replies are lost.
    lost_replies: Arc<AtomicU32>,
}

impl Notifications {
    /// Returns the stored notifications, in order.
    pub(crate) fn stored(&self) -> Vec<NewNotification> {
        self.stored.lock().unwrap().clone()
    }

    /// Loses the replies of the next calls, after their notifications are stored.
    pub(crate) fn lose_replies(&self, count: u32) {
        self.lost_replies.store(count, Ordering::SeqCst);
    }
}

#[tonic::async_trait]
impl NotificationService for Notifications {
    async fn batch_notify(
        &self,
        request: Request<BatchNotifyRequest>,
    ) -> Result<Response<BatchNotifyResponse>, Status> {
        let new = request.into_inner().notifications;
        {
            let mut stored = self.stored.lock().unwrap();
            for new in new {
                match stored.iter().find(|first| first.source == new.source) {
                    Some(first) => assert_eq!(*first, new, "a source has one content"),
                    None => stored.push(new),
                }
            }
        }
        let lost = |left: u32| left.checked_sub(1);
        match self.lost_replies.fetch_update(Ordering::SeqCst, Ordering::SeqCst, lost) {
            Ok(_) => Err(Status::unavailable("the reply was lost")),
            Err(_) => Ok(Response::new(BatchNotifyResponse {})),
        }
    }
}
