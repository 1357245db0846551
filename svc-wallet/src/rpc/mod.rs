//! The gRPC services: each call decodes its request, runs one use case, and encodes the reply.

mod admin;
mod awards;
mod callbacks;
mod decode;
mod decode_content;
mod decode_subscription;
mod encode;
mod encode_subscription;
mod former_accounts;
mod operations;
mod operations_wire;
mod payouts;
mod spending;
mod subscriptions;
mod wallet;

use mesh::grpc::player_data::PlayerData;
use proto::wallet::v1::{
    award_service_server::AwardServiceServer, callback_service_server::CallbackServiceServer,
    entitlement_service_server::EntitlementServiceServer,
    former_account_service_server::FormerAccountServiceServer,
    money_operations_service_server::MoneyOperationsServiceServer,
    payout_service_server::PayoutServiceServer, spending_service_server::SpendingServiceServer,
    subscription_service_server::SubscriptionServiceServer,
    wallet_admin_service_server::WalletAdminServiceServer,
    wallet_service_server::WalletServiceServer,
};
use tonic::service::Routes;

use self::{
    admin::Admin,
    awards::Awards,
    callbacks::Callbacks,
    former_accounts::FormerAccounts,
    operations::Operations,
    payouts::Payouts,
    spending::Spendings,
    subscriptions::{Entitlements, Subscriptions},
    wallet::Wallet,
};
use crate::app::{self, Cx};

/// The services of the contract.
pub(crate) fn routes(cx: Cx) -> Routes {
    let mut routes = Routes::builder();
    routes
        .add_service(WalletServiceServer::new(Wallet::new(cx.clone())))
        .add_service(CallbackServiceServer::new(Callbacks::new(cx.clone())))
        .add_service(AwardServiceServer::new(Awards(cx.clone())))
        .add_service(SubscriptionServiceServer::new(Subscriptions(cx.clone())))
        .add_service(EntitlementServiceServer::new(Entitlements(cx.clone())))
        .add_service(FormerAccountServiceServer::new(FormerAccounts(cx.clone())))
        .add_service(PayoutServiceServer::new(Payouts(cx.clone())))
        .add_service(SpendingServiceServer::new(Spendings(cx.clone())))
        .add_service(MoneyOperationsServiceServer::new(Operations(cx.clone())))
        .add_service(PlayerData::server(cx.for_jobs(), |cx, player, records| {
            Box::pin(async move { Ok(app::list_player_data(&cx, player, records).await?) })
        }))
        .add_service(WalletAdminServiceServer::new(Admin(cx)));
    routes.routes()
}
