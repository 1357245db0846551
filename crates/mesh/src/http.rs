//! The one HTTP client, for providers outside the mesh.

use std::time::Duration;

use anyhow::Context as _;

/// A client that follows no redirects (a provider's API has no reason to send
/// us elsewhere) and gives up after `limit`.
pub fn client(limit: Duration) -> anyhow::Result<reqwest::Client> {
    builder().timeout(limit).build().context("an HTTP client")
}

/// The same for bodies that may take their time: it gives up when nothing has come for
/// `limit`.
pub fn streaming_client(limit: Duration) -> anyhow::Result<reqwest::Client> {
    builder().read_timeout(limit).build().context("an HTTP client")
}

fn builder() -> reqwest::ClientBuilder {
    // Which cryptography TLS uses is a choice of the whole process; the first
    // client makes it, and later ones find it made.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(5))
        .user_agent(concat!("PlayOn/", env!("CARGO_PKG_VERSION")))
}
