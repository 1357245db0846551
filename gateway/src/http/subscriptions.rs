//! Packages and subscriptions. svc-wallet has the prices and the times.

use axum::extract::State;
use proto::{
    Absent,
    wallet::v1::{
        self as rpc, ListSubscriptionPackagesRequest, ListSubscriptionsRequest, SubscribeRequest,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
    param::RequestId,
    wallet::Payment,
    wire::{At, Kes},
};
use crate::{Gateway, envelope::Reply, language, openapi::schema::payloads};

/// Every package runs for a day of its own, from the payment on.
const DURATION: &str = "DURATION_DAY";
const CURRENCY: &str = "KES";

/// `GET /subscription-packages/list`
pub(crate) async fn packages(
    State(gateway): State<Gateway>,
) -> HandlerResult<Vec<SubscriptionPackage>> {
    let mut subscriptions = gateway.upstreams().subscriptions();
    let request = ListSubscriptionPackagesRequest {};
    let packages = subscriptions.list_subscription_packages(request).await?.into_inner().packages;
    let packages: Result<_, Absent> = packages.into_iter().map(TryInto::try_into).collect();
    Ok(Reply::ok(packages?))
}

/// `GET /subscriptions/list`
pub(crate) async fn list(State(gateway): State<Gateway>) -> HandlerResult<Vec<Subscription>> {
    let mut subscriptions = gateway.upstreams().subscriptions();
    let reply = subscriptions.list_subscriptions(ListSubscriptionsRequest {}).await?;
    let list = reply.into_inner().subscriptions.into_iter().map(TryInto::try_into);
    let list: Result<_, Absent> = list.collect();
    Ok(Reply::ok(list?))
}

/// `POST /payments/subscribe`
pub(crate) async fn subscribe(
    State(gateway): State<Gateway>,
    RequestId(request_id): RequestId,
    Body(body): Body<Subscribe>,
) -> HandlerResult<Payment> {
    let request = SubscribeRequest {
        request_id,
        payment_method_id: body.payment_method_id,
        subscription_package_id: body.subscription_package_id,
        mpesa_phone_number: body.mpesa_phone_number,
    };
    let reply = gateway.upstreams().subscriptions().subscribe(request).await?;
    Ok(Reply::ok(reply.into_inner().payment.try_into()?))
}

request! {
    /// The purchase of a package.
    pub(crate) struct Subscribe {
        payment_method_id: String = "paymentMethodId",
        subscription_package_id: String = "subscriptionPackageId",
        /// The phone that pays, for M-Pesa and airtime.
        mpesa_phone_number: Option<String> = "mpesaPhoneNumber",
    }
}

payloads!(SubscriptionPackage, Subscription);

/// A package that runs for a day.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SubscriptionPackage {
    id: String,
    name: String,
    description: String,
    /// The package's price.
    amount: Kes,
    /// The duration, as players read it.
    duration: String,
    currency: &'static str,
    popular: bool,
    /// The package's id in an older system, of which there are none.
    old_id: Option<String>,
}

impl TryFrom<rpc::SubscriptionPackage> for SubscriptionPackage {
    type Error = Absent;

    fn try_from(package: rpc::SubscriptionPackage) -> Result<Self, Absent> {
        Ok(Self {
            id: package.id,
            name: package.name,
            description: package.description,
            amount: Kes::promised(package.amount, "amount")?,
            duration: language::text(DURATION),
            currency: CURRENCY,
            popular: package.popular,
            old_id: None,
        })
    }
}

/// A package that a player bought.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Subscription {
    id: String,
    expired: bool,
    starts_at: At,
    expires_at: At,
    #[schema(inline)]
    subscription_package: PackageName,
}

/// A package, by its name.
#[derive(Serialize, ToSchema)]
pub(crate) struct PackageName {
    id: String,
    name: String,
}

impl TryFrom<rpc::Subscription> for Subscription {
    type Error = Absent;

    fn try_from(subscription: rpc::Subscription) -> Result<Self, Absent> {
        Ok(Self {
            id: subscription.id,
            expired: subscription.expired,
            starts_at: At::promised(subscription.starts_at, "starts_at")?,
            expires_at: At::promised(subscription.expires_at, "expires_at")?,
            subscription_package: PackageName {
                id: subscription.package_id,
                name: subscription.package_name,
            },
        })
    }
}
