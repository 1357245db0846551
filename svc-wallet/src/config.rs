//! What svc-wallet is told at its start.

use std::{net::IpAddr, time::Duration};

use clap::Parser;
use mesh::args::{AuthArgs, PoolArgs, SecretUrl, duration};
use types::{Money, SecretString};

use crate::domain::Patience;

/// The arguments of svc-wallet.
#[derive(Debug, Clone, Parser)]
#[command(name = "svc-wallet", about = "Players' money: ledger, payments, payouts")]
pub struct Args {
    /// What all services share.
    #[command(flatten)]
    pub mesh: mesh::Args,

    /// The wallet's own Postgres database.
    #[arg(long, env = "WALLET_DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretUrl,

    /// How the database is used.
    #[command(flatten)]
    pub pool: PoolArgs,

    /// Whose tokens are believed, and who knows players.
    #[command(flatten)]
    pub auth: AuthArgs,

    /// Live news and the shared Daraja token; may be away.
    #[arg(long, env, hide_env_values = true)]
    pub redis_url: SecretUrl,

    /// M-Pesa.
    #[command(flatten)]
    pub daraja: DarajaArgs,

    /// How long a payment may wait for any news before the player is told that
    /// nothing came.
    #[arg(long, env, default_value = "3m", value_parser = expiry)]
    pub payment_expiry: Duration,

    /// From this amount on, in whole KES, a callback that says "paid" is
    /// confirmed by asking Daraja before a wallet is credited.
    #[arg(long, env, default_value = "20000", value_parser = shillings)]
    pub confirm_from: Money,

    /// How often one phone may be asked to pay.
    #[command(flatten)]
    pub patience: PatienceArgs,

    /// How long a provider's message is kept after something has become of it.
    #[arg(long, env, default_value = "90d", value_parser = duration)]
    pub inbox_retention: Duration,
}

/// How often one phone may be asked to pay when nobody does, whoever asks.
#[derive(Debug, Clone, clap::Args)]
pub struct PatienceArgs {
    /// In an hour.
    #[arg(long, env, default_value_t = 5)]
    pub prompts_an_hour: u16,

    /// In a day.
    #[arg(long, env, default_value_t = 10)]
    pub prompts_a_day: u16,
}

/// Safaricom's Daraja API.
#[derive(Debug, Clone, clap::Args)]
pub struct DarajaArgs {
    /// Where Daraja is, over https; the sandbox in development.
    #[arg(long, env, value_parser = url)]
    pub daraja_base_url: String,

    /// Consumer key of the app at Daraja.
    #[arg(long, env, hide_env_values = true)]
    pub daraja_consumer_key: SecretString,

    /// Consumer secret of the app at Daraja.
    #[arg(long, env, hide_env_values = true)]
    pub daraja_consumer_secret: SecretString,

    /// The paybill number that players pay to.
    #[arg(long, env)]
    pub daraja_short_code: String,

    /// The passkey of that paybill.
    #[arg(long, env, hide_env_values = true)]
    pub daraja_passkey: SecretString,

    /// Where Daraja reaches our gateway, over https and without a path. Daraja refuses
    /// some words in it.
    #[arg(long, env, value_parser = callback_url)]
    pub callback_base_url: String,

    /// Longest that one call to Daraja may take; 10 s at most, because a delivery of
    /// the outbox and the drain of a stop have to hold several.
    #[arg(long, env, default_value = "10s", value_parser = call_limit)]
    pub daraja_timeout: Duration,

    /// How often a second each replica may ask Daraja what became of a payment.
    #[arg(long, env, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub daraja_queries_per_second: u32,
}

impl From<PatienceArgs> for Patience {
    fn from(args: PatienceArgs) -> Self {
        Self { an_hour: args.prompts_an_hour, a_day: args.prompts_a_day }
    }
}

impl AsRef<mesh::Args> for Args {
    fn as_ref(&self) -> &mesh::Args {
        &self.mesh
    }
}

/// Words that Daraja does not want to see in the address of a callback.
const UNWANTED: [&str; 7] = ["mpesa", "safaricom", "exe", "exec", "cmd", "sql", "query"];

/// Reads where something is. Secrets go there, so only this very host does without TLS.
fn url(text: &str) -> Result<String, &'static str> {
    let url = reqwest::Url::parse(text).map_err(|_| "not a URL")?;
    let host = url.host_str().ok_or("a URL without a host")?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let here = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    if url.scheme() != "https" && !(here && url.scheme() == "http") {
        return Err("https, unless it is this very host");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a URL with a login in it");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("a URL with more than a path");
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

fn callback_url(text: &str) -> Result<String, String> {
    let url = url(text)?;
    if url.matches('/').count() > 2 {
        return Err("the origin alone, without a path".to_owned());
    }
    let mut words = url.split(|c: char| !c.is_ascii_alphanumeric());
    match words.find(|word| UNWANTED.iter().any(|unwanted| word.eq_ignore_ascii_case(unwanted))) {
        Some(word) => Err(format!("Daraja refuses addresses with the word {word}")),
        None => Ok(url),
    }
}

/// Not before the first question, and not after the last.
fn expiry(text: &str) -> Result<Duration, String> {
    between(text, Duration::from_secs(20), Duration::from_hours(24))
}

fn call_limit(text: &str) -> Result<Duration, String> {
    between(text, Duration::from_secs(1), Duration::from_secs(10))
}

fn between(text: &str, least: Duration, most: Duration) -> Result<Duration, String> {
    match duration(text) {
        Ok(span) if span >= least && span <= most => Ok(span),
        Ok(_) => Err(format!("not within {} s and {} s", least.as_secs(), most.as_secs())),
        Err(error) => Err(error.to_string()),
    }
}

fn shillings(text: &str) -> Result<Money, String> {
    match Money::parse(text) {
        Ok(money) if money >= Money::ZERO => Ok(money),
        _ => Err("not an amount of KES".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_arguments_agree_with_each_other() {
        Args::command().debug_assert();
    }

    #[test]
    fn secrets_go_over_tls_or_stay_on_this_host() {
        for (text, read) in [
            ("https://api.safaricom.co.ke", "https://api.safaricom.co.ke"),
            ("https://api.safaricom.co.ke/", "https://api.safaricom.co.ke"),
            ("http://127.0.0.1:8090/daraja", "http://127.0.0.1:8090/daraja"),
            ("http://[::1]:8090/daraja", "http://[::1]:8090/daraja"),
            ("http://localhost:8090", "http://localhost:8090"),
        ] {
            assert_eq!(url(text).as_deref(), Ok(read));
        }
        for text in [
            "http://api.safaricom.co.ke",
            "http://127.0.0.1.example",
            "ftp://127.0.0.1",
            "https://key:secret@api.example",
            "https://api.example/?a=b",
            "api.safaricom.co.ke",
            "",
        ] {
            assert!(url(text).is_err(), "{text}");
        }
    }

    #[test]
    fn daraja_takes_the_address_of_a_callback() {
        for text in ["https://play.example", "https://play.example/", "http://127.0.0.1:8080"] {
            assert!(callback_url(text).is_ok(), "{text}");
        }
        for text in [
            "http://play.example",
            "https://mpesa.example",
            "https://query.play.example",
            "https://play.example/api",
            "https://play.example /",
        ] {
            assert!(callback_url(text).is_err(), "{text}");
        }
    }

    #[test]
    fn spans_have_bounds() {
        for (text, good) in [("19s", false), ("20s", true), ("1day", true), ("25h", false)] {
            assert_eq!(expiry(text).is_ok(), good, "{text}");
        }
        for (text, good) in [("500ms", false), ("1s", true), ("10s", true), ("11s", false)] {
            assert_eq!(call_limit(text).is_ok(), good, "{text}");
        }
    }
}
