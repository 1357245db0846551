//! Signing in with Google and Facebook.

use std::time::Duration;

use anyhow::{Context as _, bail};
use mesh::args::duration;
use reqwest::Url;
use types::{Clock, SecretString};

use super::Origin;
use crate::{
    clients::oauth::{Facebook, FacebookApp, Google, GoogleApp, Http, Providers},
    crypto::{Attempts, Key},
    domain::Provider,
};

/// The applications that Google and Facebook know. A provider without an id and a
/// secret is off.
#[derive(Debug, Clone, clap::Args)]
// clap names groups after types.
#[group(skip)]
pub struct OAuthArgs {
    /// At least 32 bytes in base64url: makes what a provider's answer must prove to
    /// know. With a new one, sign-ins that are under way fail.
    #[arg(long, env, hide_env_values = true)]
    pub oauth_secret: SecretString,

    /// Longest that one question to a provider may take; a sign-in asks three at most.
    #[arg(long, env, default_value = "4s", value_parser = duration)]
    pub oauth_timeout: Duration,

    /// Google: where its configuration is published, below /.well-known.
    #[arg(long, env, default_value = "https://accounts.google.com")]
    pub google_issuer: String,

    /// The client's id there.
    #[arg(long, env)]
    pub google_client_id: Option<String>,

    /// The client's secret there.
    #[arg(long, env, hide_env_values = true)]
    pub google_client_secret: Option<SecretString>,

    /// Facebook: the page where a person says yes.
    #[arg(long, env, default_value = "https://www.facebook.com/v24.0/dialog/oauth")]
    pub facebook_dialog_url: String,

    /// Graph, which says who they are.
    #[arg(long, env, default_value = "https://graph.facebook.com/v24.0")]
    pub facebook_graph_url: String,

    /// The app's id there.
    #[arg(long, env)]
    pub facebook_client_id: Option<String>,

    /// The app's secret there.
    #[arg(long, env, hide_env_values = true)]
    pub facebook_client_secret: Option<SecretString>,
}

/// Who is asked, and how: the arguments, judged and turned into what uses them.
pub(crate) struct OAuth {
    pub(crate) providers: Providers,
    pub(crate) attempts: Attempts,
    origin: Origin,
}

impl OAuth {
    /// Where a provider sends the browser back to.
    pub(crate) fn redirect_uri(&self, provider: Provider) -> String {
        self.origin.page(&format!("/api/auth/oauth/{}/callback", provider.slug()))
    }
}

impl OAuthArgs {
    /// Refuses what cannot work, in a sentence that names the variable.
    pub(super) fn judge(&self, origin: &Origin, clock: &Clock) -> anyhow::Result<OAuth> {
        let http = Http::new(self.oauth_timeout)?;
        let google =
            client("GOOGLE", self.google_client_id.as_deref(), self.google_client_secret.as_ref())?
                .map(|(client_id, client_secret)| {
                    let issuer = address("GOOGLE_ISSUER", &self.google_issuer)?;
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
            let dialog = address("FACEBOOK_DIALOG_URL", &self.facebook_dialog_url)?;
            let graph = address("FACEBOOK_GRAPH_URL", &self.facebook_graph_url)?;
            let exchange = below(&graph, "oauth/access_token");
            let me = below(&graph, "me");
            let app = FacebookApp { dialog, exchange, me, client_id, client_secret };
            anyhow::Ok(Facebook::new(app, http.clone()))
        })
        .transpose()?;
        Ok(OAuth {
            providers: Providers::new(google, facebook),
            attempts: Attempts::new(Key::parse("OAUTH_SECRET", &self.oauth_secret)?),
            origin: origin.clone(),
        })
    }
}

/// Both or none: half a configuration is a mistake, not a wish.
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

/// An address that something may stand below.
fn address(variable: &str, text: &str) -> anyhow::Result<Url> {
    Url::parse(text)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.query().is_none())
        .with_context(|| format!("{variable} is not a URL"))
}

/// What stands below an address.
fn below(address: &Url, path: &str) -> Url {
    let mut url = address.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path.split('/'));
    }
    url
}
