//! What svc-wallet is told at its start.

use std::time::Duration;

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
    #[arg(long, env, default_value = "3m", value_parser = duration)]
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
    /// Where Daraja is; the sandbox in development.
    #[arg(long, env)]
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

    /// Where Daraja reaches our gateway, without a path; https in production.
    #[arg(long, env)]
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

    use super::Args;

    #[test]
    fn the_arguments_agree_with_each_other() {
        Args::command().debug_assert();
    }
}
