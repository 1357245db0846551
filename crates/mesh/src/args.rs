//! The arguments that all services share. Each is a flag and an environment
//! variable; all are validated before a port opens.

use std::{net::SocketAddr, num::NonZeroUsize, path::PathBuf, str::FromStr, time::Duration};

use types::{ExposeSecret, SecretString};

/// Where a process listens, and how it stops.
#[derive(Debug, Clone, clap::Args)]
// clap names groups after types, and every service's own is called Args, too.
#[group(skip)]
pub struct Args {
    /// Address to serve on; port 0 picks a free one.
    #[arg(long, env)]
    pub listen: SocketAddr,

    /// Address of Prometheus metrics and of the probes: `/healthz`, `/readyz` and gRPC
    /// health, without TLS; not public.
    #[arg(long, env)]
    pub metrics_listen: SocketAddr,

    /// Longest that calls in flight may take to finish after a stop signal.
    #[arg(long, env, default_value = "40s", value_parser = duration)]
    pub drain: Duration,

    /// Folder with the certificate of this process: `tls.crt` and `tls.key`, and the
    /// authority of all others', `ca.crt`. Read again every few seconds.
    #[arg(long, env)]
    pub tls_dir: PathBuf,

    /// Threads that serve calls. One takes the least processor time for a call; more replicas
    /// serve more.
    #[arg(long, env, default_value = "1")]
    pub worker_threads: NonZeroUsize,

    /// Most calls in flight; more are shed, cheap reads first. Some eight for each
    /// connection to the database.
    #[arg(long, env, default_value_t = 128)]
    pub max_calls: usize,

    /// Serve gRPC reflection, to explore the contract with tools.
    #[arg(long, env)]
    pub reflection: bool,

    /// Time between a stop signal and the stop in which the process is not ready but still
    /// accepts calls, so that load balancers stop choosing it first. A second signal ends it.
    #[arg(long, env, default_value = "0s", value_parser = duration)]
    pub lame_duck: Duration,

    /// URL of the OTLP collector for traces; without it no span is recorded.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    pub otlp_endpoint: Option<String>,

    /// Share of the traces that are exported, from 0 to 1, where no caller has decided it.
    /// Failed spans are exported always.
    #[arg(long, env = "OTEL_TRACES_SAMPLER_ARG", default_value = "1", value_parser = ratio)]
    pub trace_ratio: f64,
}

/// How a service uses its Postgres database. The variables of its URLs have the
/// service's name in them, so they are declared beside this group.
#[derive(Debug, Clone, clap::Args)]
pub struct DatabaseArgs {
    /// Most connections for calls.
    #[arg(long, env, default_value_t = 16)]
    pub db_connections: usize,

    /// Most connections for jobs and outbox deliveries.
    #[arg(long, env, default_value_t = 8)]
    pub db_job_connections: usize,

    /// Longest a statement may run before Postgres cancels it.
    #[arg(long, env, default_value = "5s", value_parser = duration)]
    pub db_statement_timeout: Duration,

    /// Longest a statement may wait for a row lock.
    #[arg(long, env, default_value = "2s", value_parser = duration)]
    pub db_lock_timeout: Duration,

    /// Longest that a caller waits for a connection of the pool.
    #[arg(long, env, default_value = "3s", value_parser = duration)]
    pub db_acquire_timeout: Duration,

    /// Longest to wait at start until the database can be reached and, where another process
    /// migrates it, until its schema is current. Meanwhile the process is not ready.
    #[arg(long, env, default_value = "5m", value_parser = duration)]
    pub db_wait: Duration,

    /// Refuse to start unless a standby has each commit before its reply: PostgreSQL names one in
    /// `synchronous_standby_names`, and `synchronous_commit` waits for it. For databases whose last
    /// commits must not be lost.
    #[arg(long, env)]
    pub db_synchronous: bool,

    /// Migrate the database with the owner's URL and exit, without opening a port.
    #[arg(long, env)]
    pub db_migrate_only: bool,
}

impl Default for DatabaseArgs {
    fn default() -> Self {
        Self {
            db_connections: 16,
            db_job_connections: 8,
            db_statement_timeout: Duration::from_secs(5),
            db_lock_timeout: Duration::from_secs(2),
            db_acquire_timeout: Duration::from_secs(3),
            db_wait: Duration::from_mins(5),
            db_synchronous: false,
            db_migrate_only: false,
        }
    }
}

/// Where the keys that sign access tokens are published.
#[derive(Debug, Clone, clap::Args)]
pub struct AuthArgs {
    /// URLs of svc-auth, separated by commas.
    #[arg(long, env)]
    pub auth_url: String,
}

/// A URL that may contain a password: it is never printed.
#[derive(Debug, Clone)]
pub struct SecretUrl(SecretString);

impl SecretUrl {
    /// The URL, with the password.
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

/// Parses a number from 0 to 1.
fn ratio(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or("not a number from 0 to 1")
}

/// Parses `250ms`, `30s`, `15m`.
pub fn duration(text: &str) -> Result<Duration, humantime::DurationError> {
    humantime::parse_duration(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_a_number_from_0_to_1() {
        for (text, number) in [("0", 0.0), ("0.05", 0.05), ("1", 1.0)] {
            assert_eq!(ratio(text).map(f64::to_bits), Ok(f64::to_bits(number)), "{text}");
        }
        for text in ["", "-0.1", "1.1", "5%", "NaN", "inf"] {
            assert!(ratio(text).is_err(), "{text}");
        }
    }
}
