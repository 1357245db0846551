//! `playon.chat.v1.PlayerNotificationService`.

use std::pin::Pin;

use mesh::auth::player;
use proto::chat::v1::{
    CountUnreadNotificationsRequest, CountUnreadNotificationsResponse, ListNotificationsRequest,
    ListNotificationsResponse, MarkNotificationsReadRequest, MarkNotificationsReadResponse,
    WatchNotificationsRequest, WatchNotificationsResponse,
    player_notification_service_server::PlayerNotificationService,
};
use tokio_stream::{Stream, StreamExt, wrappers::ReceiverStream};
use tonic::{Request, Response, Status};

use super::decode;
use crate::app::{self, Cx};

/// RPCs for players, on their own notifications.
pub(super) struct Notifications(pub(super) Cx);

#[tonic::async_trait]
impl PlayerNotificationService for Notifications {
    async fn list_notifications(
        &self,
        request: Request<ListNotificationsRequest>,
    ) -> Result<Response<ListNotificationsResponse>, Status> {
        let player = player(&request)?;
        let (before, page) = decode::page(request.get_ref())?;
        let list = app::list_notifications(&self.0, player.id, before, page).await?;
        let notifications = list.into_iter().map(Into::into).collect();
        Ok(Response::new(ListNotificationsResponse { notifications }))
    }

    async fn count_unread_notifications(
        &self,
        request: Request<CountUnreadNotificationsRequest>,
    ) -> Result<Response<CountUnreadNotificationsResponse>, Status> {
        let unread = app::count_unread(&self.0, player(&request)?.id).await?;
        Ok(Response::new(CountUnreadNotificationsResponse { unread }))
    }

    async fn mark_notifications_read(
        &self,
        request: Request<MarkNotificationsReadRequest>,
    ) -> Result<Response<MarkNotificationsReadResponse>, Status> {
        let player = player(&request)?;
        let ids = decode::ids(request.get_ref())?;
        app::mark_read(&self.0, player.id, ids.as_deref()).await?;
        Ok(Response::new(MarkNotificationsReadResponse {}))
    }

    type WatchNotificationsStream =
        Pin<Box<dyn Stream<Item = Result<WatchNotificationsResponse, Status>> + Send>>;

    async fn watch_notifications(
        &self,
        request: Request<WatchNotificationsRequest>,
    ) -> Result<Response<Self::WatchNotificationsStream>, Status> {
        let updates = app::watch_notifications(&self.0, player(&request)?).await?;
        let updates = ReceiverStream::new(updates).map(|state| Ok((*state)?.into()));
        Ok(Response::new(Box::pin(updates)))
    }
}
