//! Stub upstreams: any generated server trait, on a free port.

use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{service::Routes, transport::Server};

/// Serves routes until the test ends; returns their URL.
#[expect(clippy::disallowed_methods, reason = "the test's runtime ends it")]
pub async fn serve(routes: Routes) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let addr = listener.local_addr().expect("an address");
    let incoming = TcpListenerStream::new(listener);
    tokio::spawn(Server::builder().add_routes(routes).serve_with_incoming(incoming));
    format!("http://{addr}")
}
