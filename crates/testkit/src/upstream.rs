//! Stub upstreams, and clients of the service under test.

use std::{future::Future, net::SocketAddr};

use mesh::{
    Language, Shutdown,
    call::{Call, DEFAULT_LIMIT},
    edges::OPERATORS,
    grpc::client::{self, Outgoing},
    tls::{self, Certificates},
};
use tokio::net::TcpListener;
use tonic::{service::Routes, transport::Server};
use types::Rng;

use crate::{Authority, certificates};

/// Serves routes in the name of a process until the test ends; returns their URL.
#[expect(clippy::disallowed_methods, reason = "the test's runtime ends it")]
pub async fn serve(name: &'static str, routes: Routes) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let addr = listener.local_addr().expect("an address");
    let incoming = tls::incoming(listener, certificates(name), name, &Shutdown::new());
    tokio::spawn(Server::builder().add_routes(routes).serve_with_incoming(incoming));
    format!("https://{addr}")
}

/// A client of the process at an address, in the name of another.
pub fn upstream(caller: &'static str, callee: &'static str, addr: SocketAddr) -> Outgoing {
    let (url, certificates) = (format!("https://{addr}"), certificates(caller));
    client::connect_untraced(&url, callee, certificates, Rng::system()).expect("a URL")
}

/// Runs calls of a player who reads Swahili.
pub fn in_swahili<F: Future>(calls: F) -> impl Future<Output = F::Output> {
    Call::new(DEFAULT_LIMIT, None).in_language(Language::Swahili).run(calls)
}

/// A client in the name of `playonctl`, with the certificate of an operator.
pub fn operator(operator: &str, callee: &'static str, addr: SocketAddr) -> Outgoing {
    let folder = Authority::shared().issue_operator(operator);
    let certificates = Certificates::load(&folder, OPERATORS).expect("a certificate");
    let url = format!("https://{addr}");
    client::connect_untraced(&url, callee, certificates, Rng::system()).expect("a URL")
}
