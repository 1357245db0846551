//! The applications that the providers know: PlayOn's, as they see it. The
//! credentials are those of the development configuration.

use std::net::IpAddr;

use reqwest::Url;

use crate::world::account::Network;

const CONSUMER_KEY: &str = "playon-dev";
const CONSUMER_SECRET: &str = "playon-dev-secret";
const SHORT_CODE: &str = "174379";
const PASSKEY: &str = "bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919";
const NAME: &str = "PLAYON";
const SMS_USERNAME: &str = "sandbox";
const SMS_API_KEY: &str = "playon-dev-sms";
const GOOGLE: (&str, &str) = ("playon-google", "playon-google-secret");
const FACEBOOK: (&str, &str) = ("playon-facebook", "playon-facebook-secret");

/// A business as Safaricom knows it.
#[derive(Debug, Clone, clap::Args)]
pub struct Merchant {
    /// Consumer key of the Daraja application.
    #[arg(long, env = "DARAJA_CONSUMER_KEY", default_value = CONSUMER_KEY)]
    pub consumer_key: String,
    /// Consumer secret of the Daraja application.
    #[arg(long, env = "DARAJA_CONSUMER_SECRET", default_value = CONSUMER_SECRET)]
    pub consumer_secret: String,
    /// The paybill number.
    #[arg(long, env = "DARAJA_SHORT_CODE", default_value = SHORT_CODE)]
    pub short_code: String,
    /// The key from which a request's `Password` is made. The default is the
    /// one that Safaricom publishes for its own sandbox.
    #[arg(long, env = "DARAJA_PASSKEY", default_value = PASSKEY)]
    pub passkey: String,
    /// The name that a payer reads on the prompt.
    #[arg(long, env = "SANDBOX_MERCHANT_NAME", default_value = NAME)]
    pub name: String,
}

impl Default for Merchant {
    fn default() -> Self {
        Self {
            consumer_key: CONSUMER_KEY.into(),
            consumer_secret: CONSUMER_SECRET.into(),
            short_code: SHORT_CODE.into(),
            passkey: PASSKEY.into(),
            name: NAME.into(),
        }
    }
}

/// An application as Africa's Talking knows it.
#[derive(Debug, Clone, clap::Args)]
pub struct SmsApp {
    /// The application's username.
    #[arg(long = "sms-username", env = "SMS_USERNAME", default_value = SMS_USERNAME)]
    pub username: String,
    /// The key that its requests carry.
    #[arg(long = "sms-api-key", env = "SMS_API_KEY", default_value = SMS_API_KEY)]
    pub api_key: String,
}

impl Default for SmsApp {
    fn default() -> Self {
        Self { username: SMS_USERNAME.into(), api_key: SMS_API_KEY.into() }
    }
}

/// The applications that Google and Facebook know.
#[derive(Debug, Clone, clap::Args)]
pub struct SocialApps {
    /// The client that Google knows.
    #[arg(long, env = "GOOGLE_CLIENT_ID", default_value = GOOGLE.0)]
    pub google_client_id: String,
    /// Its secret.
    #[arg(long, env = "GOOGLE_CLIENT_SECRET", default_value = GOOGLE.1)]
    pub google_client_secret: String,
    /// The app that Facebook knows.
    #[arg(long, env = "FACEBOOK_CLIENT_ID", default_value = FACEBOOK.0)]
    pub facebook_client_id: String,
    /// Its secret.
    #[arg(long, env = "FACEBOOK_CLIENT_SECRET", default_value = FACEBOOK.1)]
    pub facebook_client_secret: String,
    /// Addresses, separated by commas, to which a person may be sent back, word
    /// for word. Those on this machine need no entry.
    #[arg(long, env = "SOCIAL_REDIRECTS", value_delimiter = ',')]
    pub social_redirects: Vec<String>,
}

impl Default for SocialApps {
    fn default() -> Self {
        Self {
            google_client_id: GOOGLE.0.into(),
            google_client_secret: GOOGLE.1.into(),
            facebook_client_id: FACEBOOK.0.into(),
            facebook_client_secret: FACEBOOK.1.into(),
            social_redirects: Vec::new(),
        }
    }
}

impl SocialApps {
    /// Id and secret of the client that this provider knows.
    pub(crate) fn client(&self, provider: Network) -> (&str, &str) {
        match provider {
            Network::Google => (&self.google_client_id, &self.google_client_secret),
            Network::Facebook => (&self.facebook_client_id, &self.facebook_client_secret),
        }
    }

    /// Reads an address to which a person may be sent back.
    pub(crate) fn redirect(&self, text: &str) -> Option<Url> {
        let url = Url::parse(text).ok()?;
        let good = matches!(url.scheme(), "http" | "https") && url.fragment().is_none();
        let known = self.social_redirects.iter().any(|registered| registered == text);
        (good && (known || is_loopback(&url))).then_some(url)
    }
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host.ends_with(".localhost")
        || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_sent_back_to_this_machine_or_where_it_is_registered() {
        let registered = "https://play.example/api/auth/oauth/google/callback";
        let apps =
            SocialApps { social_redirects: vec![registered.to_owned()], ..SocialApps::default() };
        for good in [
            registered,
            "http://127.0.0.1:8080/cb",
            "http://[::1]/cb",
            "https://localhost/cb?x=1",
            "http://playon.localhost:8080/cb",
        ] {
            assert!(apps.redirect(good).is_some(), "{good}");
        }
        for bad in [
            "https://play.example/api/auth/oauth/google/callback/",
            "https://evil.example/cb",
            "http://localhost.evil.example/cb",
            "http://127.0.0.1@evil.example/cb",
            "http://127.0.0.1/cb#x",
            "ftp://127.0.0.1/cb",
            "//127.0.0.1/cb",
            "javascript:alert(1)",
            "",
        ] {
            assert!(apps.redirect(bad).is_none(), "{bad}");
        }
    }
}
