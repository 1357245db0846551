//! The gRPC services. Each method decodes, calls one use case and encodes.

mod admin;
mod auth;
mod decode;
mod directory;
mod encode;
mod erasure;
mod keys;
mod lookup;
mod operators;
mod person;
mod picture;
mod player;

use proto::auth::v1::{
    admission_service_server::AdmissionServiceServer, auth_service_server::AuthServiceServer,
    directory_service_server::DirectoryServiceServer, erasure_service_server::ErasureServiceServer,
    key_service_server::KeyServiceServer,
    operator_admin_service_server::OperatorAdminServiceServer,
    person_service_server::PersonServiceServer, picture_service_server::PictureServiceServer,
    player_admin_service_server::PlayerAdminServiceServer,
    player_lookup_service_server::PlayerLookupServiceServer,
    player_service_server::PlayerServiceServer,
};
use tonic::service::Routes;

use crate::app::Cx;

/// All services of svc-auth.
pub(crate) fn routes(cx: Cx) -> Routes {
    let mut routes = Routes::builder();
    routes
        .add_service(AuthServiceServer::new(auth::Auth(cx.clone())))
        .add_service(KeyServiceServer::new(keys::Keys(cx.clone())))
        .add_service(DirectoryServiceServer::new(directory::Directory(cx.clone())))
        .add_service(PictureServiceServer::new(picture::Pictures(cx.clone())))
        .add_service(AdmissionServiceServer::new(operators::Admissions(cx.clone())))
        .add_service(OperatorAdminServiceServer::new(operators::OperatorAdmin(cx.clone())))
        .add_service(PlayerAdminServiceServer::new(admin::PlayerAdmin(cx.clone())))
        .add_service(PlayerLookupServiceServer::new(lookup::Lookup(cx.clone())))
        .add_service(PersonServiceServer::new(person::Persons(cx.clone())))
        .add_service(ErasureServiceServer::new(erasure::Erasures(cx.clone())))
        .add_service(PlayerServiceServer::new(player::Players(cx)));
    routes.routes()
}
