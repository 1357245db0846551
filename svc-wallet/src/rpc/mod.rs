//! gRPC: decode, one use case, encode.

mod admin;
mod awards;
mod callbacks;
mod decode;
mod decode_content;
mod encode;
mod wallet;

use proto::wallet::v1::{
    award_service_server::AwardServiceServer, callback_service_server::CallbackServiceServer,
    wallet_admin_service_server::WalletAdminServiceServer,
    wallet_service_server::WalletServiceServer,
};
use tonic::service::Routes;

use self::{admin::Admin, awards::Awards, callbacks::Callbacks, wallet::Wallet};
use crate::app::Cx;

/// The services of the contract.
pub(crate) fn routes(cx: Cx) -> Routes {
    let mut routes = Routes::builder();
    routes
        .add_service(WalletServiceServer::new(Wallet::new(cx.clone())))
        .add_service(CallbackServiceServer::new(Callbacks::new(cx.clone())))
        .add_service(AwardServiceServer::new(Awards(cx.clone())))
        .add_service(WalletAdminServiceServer::new(Admin(cx)));
    routes.routes()
}
