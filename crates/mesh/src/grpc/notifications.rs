//! Sends players' notifications to svc-chat.

use std::collections::HashSet;

use proto::chat::v1::{
    BatchNotifyRequest, NewNotification, notification_service_client::NotificationServiceClient,
};
use tonic::{Code, Status};

use crate::{
    Shutdown,
    batch::{Batcher, Work},
    grpc::client::Upstream,
};

/// Sends notifications; those that wait at the same time share a call. Cheap to clone.
#[derive(Clone)]
pub struct NotificationSender(Batcher<Sending>);

struct Sending(NotificationServiceClient<Upstream>);

impl NotificationSender {
    /// A sender on a channel to svc-chat.
    pub fn new(chat: Upstream, shutdown: Shutdown) -> Self {
        Self(Batcher::new(Sending(NotificationServiceClient::new(chat)), shutdown))
    }

    /// Sends a notification; returns once svc-chat has stored it.
    pub async fn send(&self, notification: NewNotification) -> Result<(), Status> {
        self.0.call(notification).await
    }
}

impl Work for Sending {
    type Item = NewNotification;
    /// The sources of the notifications in a batch.
    type Joined = HashSet<String>;
    type Reply = ();
    type Error = Status;

    const NAME: &'static str = "send notifications";
    const AT_ONCE: usize = 1;
    /// The most that the contract takes.
    const MOST: usize = 100;

    fn join(notification: &NewNotification, joined: &mut HashSet<String>) -> bool {
        joined.insert(notification.source.clone())
    }

    async fn run(&self, notifications: &[NewNotification]) -> Result<Vec<()>, Status> {
        let request = BatchNotifyRequest { notifications: notifications.to_vec() };
        self.0.clone().batch_notify(request).await?;
        Ok(vec![(); notifications.len()])
    }

    fn is_of_one_item(error: &Status) -> bool {
        !matches!(
            error.code(),
            Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled | Code::ResourceExhausted
        )
    }

    fn for_another(error: &Status) -> Status {
        error.clone()
    }
}
