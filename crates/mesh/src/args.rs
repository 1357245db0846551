//! The arguments that all services share. Each is a flag and an environment
//! variable; everything is judged before a port opens.

use std::{net::SocketAddr, str::FromStr, time::Duration};

use types::{ExposeSecret, SecretString};

/// Where a process listens and how it leaves.
#[derive(Debug, Clone, clap::Args)]
// clap names groups after types, and every service's own is called Args, too.
#[group(skip)]
pub struct Args {
    /// Address to serve on; port 0 picks a free one.
    #[arg(long, env)]
    pub listen: SocketAddr,

    /// Address of Prometheus metrics, kept off the public port.
    #[arg(long, env)]
    pub metrics_listen: SocketAddr,

    /// Longest that calls under way may take to finish after a stop signal.
    #[arg(long, env, default_value = "40s", value_parser = duration)]
    pub drain: Duration,

    /// OTLP collector that traces go to; without one they stay in the process.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    pub otlp_endpoint: Option<String>,
}

/// A service's own Postgres database. The URL's variable is the service's own
/// too, so it is declared beside this group.
#[derive(Debug, Clone, clap::Args)]
pub struct PoolArgs {
    /// Most connections held to the database.
    #[arg(long, env, default_value_t = 20)]
    pub db_connections: u32,

    /// Longest a statement may run before Postgres ends it.
    #[arg(long, env, default_value = "5s", value_parser = duration)]
    pub db_statement_timeout: Duration,

    /// Longest a statement may wait for a row lock.
    #[arg(long, env, default_value = "2s", value_parser = duration)]
    pub db_lock_timeout: Duration,
}

impl Default for PoolArgs {
    fn default() -> Self {
        Self {
            db_connections: 20,
            db_statement_timeout: Duration::from_secs(5),
            db_lock_timeout: Duration::from_secs(2),
        }
    }
}

/// Whose access tokens are believed.
#[derive(Debug, Clone, clap::Args)]
pub struct AuthArgs {
    /// svc-auth, which publishes the keys that sign access tokens.
    #[arg(long, env)]
    pub auth_url: String,
}

/// A URL that may hold a password, so it never prints.
#[derive(Debug, Clone)]
pub struct SecretUrl(SecretString);

impl SecretUrl {
    /// The URL with everything in it.
    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

impl FromStr for SecretUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.contains("://") { Ok(Self(SecretString::from(text))) } else { Err("not a URL") }
    }
}

/// Reads `250ms`, `30s`, `15m`.
pub fn duration(text: &str) -> Result<Duration, humantime::DurationError> {
    humantime::parse_duration(text)
}
