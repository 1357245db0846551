//! A stub of svc-chat, for services that notify players.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU32, Ordering},
};

use proto::chat::v1::{
    BatchNotifyRequest, BatchNotifyResponse, NewNotification,
    notification_service_server::{NotificationService, NotificationServiceServer},
};
use tonic::{Request, Response, Status, service::Routes};

/// A stub of svc-chat's `NotificationService`, which stores one notification for each source.
#[derive(Debug, Clone, Default)]
pub struct Notifications {
    stored: Arc<Mutex<Vec<NewNotification>>>,
    /// Number of calls whose replies are lost.
    lost_replies: Arc<AtomicU32>,
}

impl Notifications {
    /// Serves it in the name of svc-chat; returns the URL.
    pub async fn serve(&self) -> String {
        super::serve("svc-chat", self.routes()).await
    }

    /// Its routes, for a stub of svc-chat that serves more.
    pub fn routes(&self) -> Routes {
        Routes::new(NotificationServiceServer::new(self.clone()))
    }

    /// Returns the stored notifications, in order.
    pub fn stored(&self) -> Vec<NewNotification> {
        self.stored.lock().expect("no test panicked with it").clone()
    }

    /// Loses the replies of the next calls, after their notifications are stored.
    pub fn lose_replies(&self, count: u32) {
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
            let mut stored = self.stored.lock().expect("no test panicked with it");
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
