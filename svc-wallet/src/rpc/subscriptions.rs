//! `SubscriptionService` for players, and `EntitlementService` for other services.

use mesh::{auth::player, call::Call};
use proto::wallet::v1::{
    ListHeldPackagesRequest, ListHeldPackagesResponse, ListSubscriptionPackagesRequest,
    ListSubscriptionPackagesResponse, ListSubscriptionsRequest, ListSubscriptionsResponse,
    SubscribeRequest, SubscribeResponse, entitlement_service_server::EntitlementService,
    subscription_service_server::SubscriptionService,
};
use tonic::{Request, Response, Status};

use super::{decode_subscription as decode, encode, encode_subscription};
use crate::app::{self, Cx};

pub(super) struct Subscriptions(pub(super) Cx);

#[tonic::async_trait]
impl SubscriptionService for Subscriptions {
    async fn list_subscription_packages(
        &self,
        _: Request<ListSubscriptionPackagesRequest>,
    ) -> Result<Response<ListSubscriptionPackagesResponse>, Status> {
        let packages = app::packages(&self.0).await?;
        let packages = encode_subscription::packages(packages, Call::current().language);
        Ok(Response::new(ListSubscriptionPackagesResponse { packages }))
    }

    async fn list_subscriptions(
        &self,
        request: Request<ListSubscriptionsRequest>,
    ) -> Result<Response<ListSubscriptionsResponse>, Status> {
        let (held, now) = app::subscriptions(&self.0, player(&request)?).await?;
        let subscriptions =
            held.into_iter().map(|held| encode_subscription::subscription(&held, now)).collect();
        Ok(Response::new(ListSubscriptionsResponse { subscriptions }))
    }

    async fn subscribe(
        &self,
        request: Request<SubscribeRequest>,
    ) -> Result<Response<SubscribeResponse>, Status> {
        let player = player(&request)?;
        let subscribe = decode::subscribe(request.into_inner())?;
        let payment = app::subscribe(&self.0, player, subscribe).await?;
        Ok(Response::new(SubscribeResponse { payment: Some(encode::payment(&payment)) }))
    }
}

pub(super) struct Entitlements(pub(super) Cx);

#[tonic::async_trait]
impl EntitlementService for Entitlements {
    async fn list_held_packages(
        &self,
        request: Request<ListHeldPackagesRequest>,
    ) -> Result<Response<ListHeldPackagesResponse>, Status> {
        let players = decode::held_packages(request.into_inner())?;
        let held = app::held_packages(&self.0, &players).await?;
        let held = held.into_iter().map(encode_subscription::held).collect();
        Ok(Response::new(ListHeldPackagesResponse { held }))
    }
}
