//! The one HTTP client, for providers outside the mesh.

use std::time::Duration;

use anyhow::Context as _;

/// A client that follows no redirects, because no provider's API needs them, and whose
/// requests time out after `limit`.
pub fn client(limit: Duration) -> anyhow::Result<reqwest::Client> {
    builder().timeout(limit).build().context("an HTTP client")
}

/// A client for long bodies, which follows no redirects either: a request times out when nothing
/// arrived for `limit`.
pub fn streaming_client(limit: Duration) -> anyhow::Result<reqwest::Client> {
    builder().read_timeout(limit).build().context("an HTTP client")
}

fn builder() -> reqwest::ClientBuilder {
    // The cryptography provider is chosen once for the whole process; installing it again
    // fails, and changes nothing.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(5))
        .user_agent(concat!("PlayOn/", env!("CARGO_PKG_VERSION")))
}
