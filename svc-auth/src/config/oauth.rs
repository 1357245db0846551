//! Signing in with Google and Facebook.

use std::time::Duration;

use anyhow::{Context as _, bail};
use mesh::{args::duration, auth::MacKey};
use reqwest::Url;
use types::{Clock, SecretString};

use super::Origin;
use crate::{
    clients::oauth::{Facebook, FacebookApp, Google, GoogleApp, Http, Providers},
    crypto::OAuthSecrets,
    domain::Provider,
};

/// The arguments for signing in with Google and Facebook. A provider without a client id
/// and secret is switched off.
#[derive(Debug, Clone, clap::Args)]
// clap names groups after types, and several are called Args.
#[group(skip)]
pub struct OAuthArgs {
    /// At least 32 bytes in base64url. Derives PKCE verifiers and nonces. A change of it
    /// makes sign-ins fail that are in progress.
    #[arg(long, env, hide_env_values = true)]
    pub oauth_secret: SecretString,

    /// Longest that one request to a provider may take; a sign-in makes three at most.
    #[arg(long, env, default_value = "4s", value_parser = duration)]
    pub oauth_timeout: Duration,

    /// Google's issuer; its configuration is published below /.well-known.
    #[arg(long, env, default_value = "https://accounts.google.com")]
    pub google_issuer: String,

    /// The client's id at Google.
    #[arg(long, env)]
    pub google_client_id: Option<String>,

    /// The client's secret at Google.
    #[arg(long, env, hide_env_values = true)]
    pub google_client_secret: Option<SecretString>,

    /// URL of Facebook's login dialog.
    #[arg(long, env, default_value = "https://www.facebook.com/v24.0/dialog/oauth")]
    pub facebook_dialog_url: String,

    /// URL of Facebook's Graph API.
    #[arg(long, env, default_value = "https://graph.facebook.com/v24.0")]
    pub facebook_graph_url: String,

    /// The app's id at Facebook.
    #[arg(long, env)]
    pub facebook_client_id: Option<String>,

    /// The app's secret at Facebook.
    #[arg(long, env, hide_env_values = true)]
    pub facebook_client_secret: Option<SecretString>,
}

/// The clients and secrets that the arguments configure.
pub(crate) struct OAuth {
    pub(crate) providers: Providers,
    pub(crate) secrets: OAuthSecrets,
    origin: Origin,
}

impl OAuth {
    /// The URL that a provider redirects the browser to.
    pub(crate) fn redirect_uri(&self, provider: Provider) -> String {
        self.origin.page(&format!("/api/auth/oauth/{}/callback", provider.slug()))
    }
}

impl OAuthArgs {
    /// Validates the arguments. An error names the variable.
    pub(super) fn validate(&self, origin: &Origin, clock: &Clock) -> anyhow::Result<OAuth> {
        let http = Http::new(self.oauth_timeout)?;
        let google =
            client("GOOGLE", self.google_client_id.as_deref(), self.google_client_secret.as_ref())?
                .map(|(client_id, client_secret)| {
                    let issuer = base_url("GOOGLE_ISSUER", &self.google_issuer)?;
                    let issuer = issuer.as_str().trim_end_matches('/').to_owned();
                    let app = GoogleApp { issuer, client_id, client_secret };
                    anyhow::Ok(Google::new(app, http.clone(), clock.clone()))
                })
                .transpose()?;
        let facebook = client(
            "FACEBOOK",
            self.facebook_client_id.as_deref(),
            self.facebook_client_secret.as_ref(),
        )?
        .map(|(client_id, client_secret)| {
            let dialog = base_url("FACEBOOK_DIALOG_URL", &self.facebook_dialog_url)?;
            let graph = base_url("FACEBOOK_GRAPH_URL", &self.facebook_graph_url)?;
            let exchange = below(&graph, "oauth/access_token");
            let me = below(&graph, "me");
            let app = FacebookApp { dialog, exchange, me, client_id, client_secret };
            anyhow::Ok(Facebook::new(app, http.clone()))
        })
        .transpose()?;
        Ok(OAuth {
            providers: Providers::new(google, facebook),
            secrets: OAuthSecrets::new(MacKey::parse("OAUTH_SECRET", &self.oauth_secret)?),
            origin: origin.clone(),
        })
    }
}

/// A provider's client id and secret; both variables are set, or none.
fn client(
    provider: &str,
    id: Option<&str>,
    secret: Option<&SecretString>,
) -> anyhow::Result<Option<(String, SecretString)>> {
    match (id, secret) {
        (None, None) => Ok(None),
        (Some(id), Some(secret)) => Ok(Some((id.to_owned(), secret.clone()))),
        _ => bail!("{provider}_CLIENT_ID and {provider}_CLIENT_SECRET belong together"),
    }
}

/// Parses a URL without a query, so that a path can be appended.
fn base_url(variable: &str, text: &str) -> anyhow::Result<Url> {
    Url::parse(text)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.query().is_none())
        .with_context(|| format!("{variable} is not a URL"))
}

/// A URL with a path appended.
fn below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path.split('/'));
    }
    url
}
