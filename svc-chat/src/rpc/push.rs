//! `playon.chat.v1.PushService`.

use mesh::{Fault, Language, auth::player};
use proto::chat::v1::{
    self as wire, GetNotificationSettingsRequest, GetNotificationSettingsResponse,
    GetPushKeyRequest, GetPushKeyResponse, RegisterPushSubscriptionRequest,
    RegisterPushSubscriptionResponse, RemovePushSubscriptionRequest,
    RemovePushSubscriptionResponse, UpdateNotificationSettingsRequest,
    UpdateNotificationSettingsResponse, push_service_server::PushService,
};
use tonic::{Request, Response, Status};

use crate::{
    app::{self, Cx},
    domain::{BrowserKeys, NewSubscription, NotificationSettings, NotificationTopic, QuietHours},
    error::{Error, Refused},
};

/// RPCs for players, on their push settings and subscriptions.
pub(super) struct Push(pub(super) Cx);

#[tonic::async_trait]
impl PushService for Push {
    async fn get_push_key(
        &self,
        _request: Request<GetPushKeyRequest>,
    ) -> Result<Response<GetPushKeyResponse>, Status> {
        let client = app::push_client(&self.0).ok();
        let public_key = client.map(|client| client.public_key().to_owned()).unwrap_or_default();
        Ok(Response::new(GetPushKeyResponse { public_key }))
    }

    async fn register_push_subscription(
        &self,
        request: Request<RegisterPushSubscriptionRequest>,
    ) -> Result<Response<RegisterPushSubscriptionResponse>, Status> {
        let player = player(&request)?;
        let RegisterPushSubscriptionRequest { endpoint, p256dh, auth, language } =
            request.into_inner();
        let client = app::push_client(&self.0)?;
        let new = NewSubscription {
            player: player.id,
            session: player.session,
            endpoint: client
                .endpoint(&endpoint)
                .map_err(|error| Error::from(Refused::from(error)))?,
            keys: BrowserKeys::parse(&p256dh, &auth)
                .map_err(|error| Error::from(Refused::from(error)))?,
            language: if language == Language::Swahili.tag() {
                Language::Swahili
            } else {
                Language::English
            },
        };
        app::register_push(&self.0, &new).await?;
        Ok(Response::new(RegisterPushSubscriptionResponse {}))
    }

    async fn remove_push_subscription(
        &self,
        request: Request<RemovePushSubscriptionRequest>,
    ) -> Result<Response<RemovePushSubscriptionResponse>, Status> {
        let player = player(&request)?;
        let RemovePushSubscriptionRequest { endpoint, all } = request.get_ref();
        let endpoint = (!all).then_some(endpoint.as_str());
        app::remove_push(&self.0, player.id, endpoint).await?;
        Ok(Response::new(RemovePushSubscriptionResponse {}))
    }

    async fn get_notification_settings(
        &self,
        request: Request<GetNotificationSettingsRequest>,
    ) -> Result<Response<GetNotificationSettingsResponse>, Status> {
        let settings = app::notification_settings(&self.0, player(&request)?.id).await?;
        let settings = Some(encode(&settings));
        Ok(Response::new(GetNotificationSettingsResponse { settings }))
    }

    async fn update_notification_settings(
        &self,
        request: Request<UpdateNotificationSettingsRequest>,
    ) -> Result<Response<UpdateNotificationSettingsResponse>, Status> {
        let player = player(&request)?;
        let settings = decode(request.into_inner())?;
        app::update_notification_settings(&self.0, player.id, &settings).await?;
        Ok(Response::new(UpdateNotificationSettingsResponse {}))
    }
}

fn encode(settings: &NotificationSettings) -> wire::NotificationSettings {
    let topic = |topic: &NotificationTopic| match topic {
        NotificationTopic::Money => wire::NotificationTopic::Money,
        NotificationTopic::Boosts => wire::NotificationTopic::Boosts,
        NotificationTopic::Tournaments => wire::NotificationTopic::Tournaments,
        NotificationTopic::Subscriptions => wire::NotificationTopic::Subscriptions,
        NotificationTopic::Mentions => wire::NotificationTopic::Mentions,
    };
    wire::NotificationSettings {
        muted: settings.muted.iter().map(|muted| topic(muted).into()).collect(),
        quiet_hours: settings.quiet_hours.map(|hours| wire::QuietHours {
            from: hours.from().into(),
            until: hours.until().into(),
        }),
    }
}

fn decode(request: UpdateNotificationSettingsRequest) -> Result<NotificationSettings, Error> {
    let settings = request.settings.unwrap_or_default();
    let unknown = || Fault::invalid_field("muted", "CHOICE_UNKNOWN");
    // Room for each topic once, and for some repeats.
    if settings.muted.len() > 20 {
        return Err(unknown().into());
    }
    let muted = settings.muted.iter().map(|topic| match (*topic).try_into() {
        Ok(wire::NotificationTopic::Money) => Ok(NotificationTopic::Money),
        Ok(wire::NotificationTopic::Boosts) => Ok(NotificationTopic::Boosts),
        Ok(wire::NotificationTopic::Tournaments) => Ok(NotificationTopic::Tournaments),
        Ok(wire::NotificationTopic::Subscriptions) => Ok(NotificationTopic::Subscriptions),
        Ok(wire::NotificationTopic::Mentions) => Ok(NotificationTopic::Mentions),
        Ok(wire::NotificationTopic::Unspecified) | Err(_) => Err(unknown()),
    });
    let muted = muted.collect::<Result<Vec<_>, _>>()?;
    let hours = settings.quiet_hours.map(|hours| QuietHours::new(hours.from, hours.until));
    let hours = hours.transpose().map_err(Refused::from)?;
    Ok(NotificationSettings::new(muted, hours))
}
