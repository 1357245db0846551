//! The wire: decode, one use case, encode.

mod auth;
mod convert;
mod keys;
mod player;

use std::sync::Arc;

use proto::auth::v1::{
    auth_service_server::AuthServiceServer, key_service_server::KeyServiceServer,
    player_service_server::PlayerServiceServer,
};
use tonic::service::Routes;

use crate::app::Context;

/// Everything svc-auth answers to.
pub(crate) fn routes(cx: &Arc<Context>) -> Routes {
    Routes::new(AuthServiceServer::new(auth::Auth(Arc::clone(cx))))
        .add_service(KeyServiceServer::new(keys::Keys(Arc::clone(cx))))
        .add_service(PlayerServiceServer::new(player::Players(Arc::clone(cx))))
}
