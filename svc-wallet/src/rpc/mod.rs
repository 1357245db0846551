//! gRPC: decode, one use case, encode.

mod awards;
mod callbacks;
mod decode;
mod encode;
mod wallet;

use proto::wallet::v1::{
    award_service_server::AwardServiceServer, callback_service_server::CallbackServiceServer,
    wallet_service_server::WalletServiceServer,
};
use tonic::service::Routes;

use self::{awards::Awards, callbacks::Callbacks, wallet::Wallet};
use crate::app::Cx;

/// The services of the contract.
pub(crate) fn routes(cx: Cx) -> Routes {
    let mut routes = Routes::builder();
    routes
        .add_service(WalletServiceServer::new(Wallet::new(cx.clone())))
        .add_service(CallbackServiceServer::new(Callbacks::new(cx.clone())))
        .add_service(AwardServiceServer::new(Awards(cx)));
    routes.routes()
}
