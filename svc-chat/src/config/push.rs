//! How notifications are pushed to browsers.

use std::time::Duration;

use mesh::args::duration;
use types::SecretString;
use url::Url;

use crate::domain::HostPattern;

/// The key, the push services that may be called, and for how long.
#[derive(Debug, Clone, clap::Args)]
pub struct PushArgs {
    /// The private key of VAPID (RFC 8292): 32 bytes in base64url. Browsers subscribe with
    /// its public key, so with another key no subscription can be used. Without it nothing
    /// is pushed.
    #[arg(long, env, hide_env_values = true)]
    pub vapid_private_key: Option<SecretString>,

    /// How a push service reaches the operator: mailto: or https:.
    #[arg(long, env, default_value = "mailto:support@playon.example", value_parser = subject)]
    pub vapid_subject: String,

    /// The hosts of the push services, separated by commas; *. stands for all names below a domain.
    /// No other host is called.
    #[arg(
        long,
        env,
        value_delimiter = ',',
        default_value = "fcm.googleapis.com,updates.push.services.mozilla.com,\
                         *.notify.windows.com,web.push.apple.com"
    )]
    pub push_services: Vec<HostPattern>,

    /// The origin of the sandbox, whose push service is called as well, over HTTP and at a private
    /// address. For development only.
    #[arg(long, env, value_parser = origin)]
    pub push_sandbox_url: Option<Url>,

    /// The age at which a notification is not pushed any more.
    #[arg(long, env, default_value = "1h", value_parser = duration)]
    pub push_max_age: Duration,

    /// How long a push subscription is kept after its last refresh.
    #[arg(long, env, default_value = "60d", value_parser = duration)]
    pub push_subscription_retention: Duration,
}

fn subject(text: &str) -> Result<String, &'static str> {
    let is_one = ["mailto:", "https://"].iter().any(|scheme| text.starts_with(scheme));
    if is_one { Ok(text.to_owned()) } else { Err("should begin with mailto: or https://") }
}

fn origin(text: &str) -> Result<Url, &'static str> {
    let url = Url::parse(text).ok().filter(|url| url.host().is_some());
    let url = url.filter(|url| ["http", "https"].contains(&url.scheme()));
    url.ok_or("should be a URL like http://127.0.0.1:8090")
}
