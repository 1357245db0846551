//! PlayOn's applications at the providers. The default credentials are those of
//! the development configuration.

use std::net::IpAddr;

use reqwest::Url;

/// A business at Safaricom.
#[derive(Debug, Clone, clap::Args)]
pub struct Merchant {
    /// Consumer key of the Daraja application.
    #[arg(long, env = "DARAJA_CONSUMER_KEY", default_value_t = Self::default().consumer_key)]
    pub consumer_key: String,
    /// Consumer secret of the Daraja application.
    #[arg(long, env = "DARAJA_CONSUMER_SECRET", default_value_t = Self::default().consumer_secret)]
    pub consumer_secret: String,
    /// The paybill number.
    #[arg(long, env = "DARAJA_SHORT_CODE", default_value_t = Self::default().short_code)]
    pub short_code: String,
    /// The key from which a request's `Password` is made.
    #[arg(long, env = "DARAJA_PASSKEY", default_value_t = Self::default().passkey)]
    pub passkey: String,
    /// The operator who may pay out, query and reverse.
    #[arg(long, env = "DARAJA_INITIATOR_NAME", default_value_t = Self::default().initiator_name)]
    pub initiator_name: String,
    /// The operator's password, which arrives encrypted as `SecurityCredential`.
    #[arg(long, env = "DARAJA_INITIATOR_PASSWORD", default_value_t = Self::default().initiator_password)]
    pub initiator_password: String,
    /// The name on the prompt and on the sign-in pages.
    #[arg(long, env = "SANDBOX_MERCHANT_NAME", default_value_t = Self::default().name)]
    pub name: String,
}

impl Default for Merchant {
    fn default() -> Self {
        Self {
            consumer_key: "playon-dev".into(),
            consumer_secret: "playon-dev-secret".into(),
            short_code: "174379".into(),
            // Published by Safaricom for its own sandbox.
            passkey: "bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919".into(),
            initiator_name: "playon".into(),
            initiator_password: "PlayOn#2026".into(),
            name: "PLAYON".into(),
        }
    }
}

/// An account at Paystack.
#[derive(Debug, Clone, clap::Args)]
pub struct PaystackApp {
    /// The secret key, which also signs the webhooks.
    #[arg(long = "paystack-secret-key", env = "PAYSTACK_SECRET_KEY", default_value_t = Self::default().secret_key)]
    pub secret_key: String,
    /// The URL that the webhooks go to.
    #[arg(long = "paystack-webhook-url", env = "PAYSTACK_WEBHOOK_URL", default_value_t = Self::default().webhook_url)]
    pub webhook_url: String,
}

impl Default for PaystackApp {
    fn default() -> Self {
        Self {
            secret_key: "sk_test_playon-dev".into(),
            webhook_url: "http://127.0.0.1:8080/hooks/paystack".into(),
        }
    }
}

/// An account at Safaricom's carrier billing.
#[derive(Debug, Clone, clap::Args)]
pub struct CarrierApp {
    /// The account's name.
    #[arg(id = "carrier-username", long = "carrier-username", env = "CARRIER_USERNAME", default_value_t = Self::default().username)]
    pub username: String,
    /// The account's password.
    #[arg(id = "carrier-password", long = "carrier-password", env = "CARRIER_PASSWORD", default_value_t = Self::default().password)]
    pub password: String,
    /// The content provider's id.
    #[arg(long = "carrier-cp-id", env = "CARRIER_CP_ID", default_value_t = Self::default().cp_id)]
    pub cp_id: String,
    /// The URL that the notifications go to, without the secret that follows.
    #[arg(long = "carrier-notify-url", env = "CARRIER_NOTIFY_URL", default_value_t = Self::default().notify_url)]
    pub notify_url: String,
    /// The last part of the notifications' path, by which the business knows them.
    #[arg(long = "carrier-notify-secret", env = "CARRIER_NOTIFY_SECRET", default_value_t = Self::default().notify_secret)]
    pub notify_secret: String,
}

impl Default for CarrierApp {
    fn default() -> Self {
        Self {
            username: "playon-dev".into(),
            password: "playon-dev-carrier".into(),
            cp_id: "321".into(),
            notify_url: "http://127.0.0.1:8080/hooks/airtime".into(),
            notify_secret: "5b1d7c0e9a4f42d8b3e6a1c2f0d9e8b7".into(),
        }
    }
}

/// An application at Africa's Talking.
#[derive(Debug, Clone, clap::Args)]
pub struct SmsApp {
    /// The application's username.
    #[arg(long = "sms-username", env = "SMS_USERNAME", default_value_t = Self::default().username)]
    pub username: String,
    /// The `apiKey` header of its requests.
    #[arg(long = "sms-api-key", env = "SMS_API_KEY", default_value_t = Self::default().api_key)]
    pub api_key: String,
}

impl Default for SmsApp {
    fn default() -> Self {
        Self { username: "sandbox".into(), api_key: "playon-dev-sms".into() }
    }
}

/// The applications at Google and Facebook.
#[derive(Debug, Clone, clap::Args)]
pub struct SocialApps {
    /// Client id at Google.
    #[arg(long, env = "GOOGLE_CLIENT_ID", default_value_t = Self::default().google_client_id)]
    pub google_client_id: String,
    /// Client secret at Google.
    #[arg(long, env = "GOOGLE_CLIENT_SECRET", default_value_t = Self::default().google_client_secret)]
    pub google_client_secret: String,
    /// App id at Facebook.
    #[arg(long, env = "FACEBOOK_CLIENT_ID", default_value_t = Self::default().facebook_client_id)]
    pub facebook_client_id: String,
    /// App secret at Facebook.
    #[arg(long, env = "FACEBOOK_CLIENT_SECRET", default_value_t = Self::default().facebook_client_secret)]
    pub facebook_client_secret: String,
    /// Registered redirect URIs, separated by commas and compared exactly. URIs
    /// on loopback need no registration.
    #[arg(long, env = "SOCIAL_REDIRECTS", value_delimiter = ',')]
    pub social_redirects: Vec<String>,
}

impl Default for SocialApps {
    fn default() -> Self {
        Self {
            google_client_id: "playon-google".into(),
            google_client_secret: "playon-google-secret".into(),
            facebook_client_id: "playon-facebook".into(),
            facebook_client_secret: "playon-facebook-secret".into(),
            social_redirects: Vec::new(),
        }
    }
}

impl SocialApps {
    /// Parses a redirect URI that is registered or on loopback.
    pub(crate) fn redirect(&self, text: &str) -> Option<Url> {
        let url = Url::parse(text).ok()?;
        let valid = matches!(url.scheme(), "http" | "https") && url.fragment().is_none();
        let registered = self.social_redirects.iter().any(|registered| registered == text);
        (valid && (registered || is_loopback(&url))).then_some(url)
    }
}

/// Whether the URL's host is `localhost`, below it, or a loopback address.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host.ends_with(".localhost")
        || address.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_redirects_that_are_registered_or_on_loopback() {
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
