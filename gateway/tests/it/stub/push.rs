//! Web Push of svc-chat.

use proto::chat::v1::{self as chat, push_service_server::PushService};
use tonic::{Request, Response, Status};

use super::Stub;

#[tonic::async_trait]
impl PushService for Stub {
    async fn get_push_key(
        &self,
        request: Request<chat::GetPushKeyRequest>,
    ) -> Result<Response<chat::GetPushKeyResponse>, Status> {
        self.answer(request, chat::GetPushKeyResponse { public_key: "BKey".into() }).await
    }

    async fn register_push_subscription(
        &self,
        request: Request<chat::RegisterPushSubscriptionRequest>,
    ) -> Result<Response<chat::RegisterPushSubscriptionResponse>, Status> {
        self.answer(request, chat::RegisterPushSubscriptionResponse {}).await
    }

    async fn remove_push_subscription(
        &self,
        request: Request<chat::RemovePushSubscriptionRequest>,
    ) -> Result<Response<chat::RemovePushSubscriptionResponse>, Status> {
        self.answer(request, chat::RemovePushSubscriptionResponse {}).await
    }

    async fn get_notification_settings(
        &self,
        request: Request<chat::GetNotificationSettingsRequest>,
    ) -> Result<Response<chat::GetNotificationSettingsResponse>, Status> {
        let settings = chat::NotificationSettings {
            muted: vec![chat::NotificationTopic::Boosts.into(), 4_711],
            quiet_hours: Some(chat::QuietHours { from: 22 * 60 + 30, until: 6 * 60 }),
        };
        let settings = Some(settings);
        self.answer(request, chat::GetNotificationSettingsResponse { settings }).await
    }

    async fn update_notification_settings(
        &self,
        request: Request<chat::UpdateNotificationSettingsRequest>,
    ) -> Result<Response<chat::UpdateNotificationSettingsResponse>, Status> {
        self.answer(request, chat::UpdateNotificationSettingsResponse {}).await
    }
}
