//! The arguments of svc-wallet.

use std::{net::IpAddr, path::PathBuf, time::Duration};

use clap::Parser;
use mesh::args::{AuthArgs, DatabaseArgs, SecretUrl, duration};
use types::{Money, SecretString};

use crate::domain::{FeeTable, InvalidFees, Limits, PromptRateLimit, ReviewRules, TaxTable};

/// The arguments of svc-wallet.
#[derive(Debug, Clone, Parser)]
#[command(name = "svc-wallet", about = "Players' money: ledger, payments, payouts")]
pub struct Args {
    /// Arguments that all services share.
    #[command(flatten)]
    pub mesh: mesh::Args,

    /// Postgres URL of the wallet's database, for the role that uses its tables.
    #[arg(long, env = "WALLET_DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretUrl,

    /// Postgres URL for the role that owns the tables and migrates them. Without it the schema must
    /// be current.
    #[arg(long, env = "WALLET_OWNER_DATABASE_URL", hide_env_values = true)]
    pub owner_database_url: Option<SecretUrl>,

    /// Connections and time limits of the database.
    #[command(flatten)]
    pub database: DatabaseArgs,

    /// svc-auth: the keys of access tokens, and the players' public names.
    #[command(flatten)]
    pub auth: AuthArgs,

    /// svc-chat, which keeps players' notifications. Money moves without it.
    #[arg(long, env)]
    pub chat_url: String,

    /// Redis for published changes and the shared Daraja token. The service works without
    /// it, with slower updates.
    #[arg(long, env, hide_env_values = true)]
    pub redis_url: SecretUrl,

    /// M-Pesa.
    #[command(flatten)]
    pub daraja: DarajaArgs,

    /// Cards.
    #[command(flatten)]
    pub paystack: PaystackArgs,

    /// Airtime.
    #[command(flatten)]
    pub carrier: CarrierArgs,

    /// Age at which an open payment without evidence expires, from 20 s to 24 h.
    #[arg(long, env, default_value = "3m", value_parser = expiry)]
    pub payment_expiry: Duration,

    /// From this amount on, in KES, Daraja is queried before a callback that says "paid"
    /// credits a wallet.
    #[arg(long, env, default_value = "20000", value_parser = shillings)]
    pub confirm_from: Money,

    /// The rate limit of prompts per phone.
    #[command(flatten)]
    pub prompt_limit: PromptLimitArgs,

    /// Withdrawals.
    #[command(flatten)]
    pub withdrawals: WithdrawalArgs,

    /// The taxes on money that comes into a wallet from outside (`topup`) and on prizes, in percent:
    /// tables separated by semicolons, each with its first day, as in `2027-01-01 topup=5 prize=20`.
    /// Add a day before it comes, so that all replicas have it then, and remove none.
    #[arg(long, env, default_value = "")]
    pub taxes: TaxTable,

    /// The most that awards pay in an hour of the clock, in KES. Further awards wait.
    #[arg(long, env, default_value = "100000", value_parser = shillings)]
    pub awards_an_hour: Money,

    /// The most by which M-Pesa's balance and the ledger may have moved apart since their base, in
    /// KES. More is a break.
    #[arg(long, env, default_value = "1000", value_parser = shillings)]
    pub balance_tolerance: Money,

    /// How long a provider's callback with an outcome is kept, from its arrival.
    #[arg(long, env, default_value = "90d", value_parser = duration)]
    pub inbox_retention: Duration,

    /// How long the phone of a payment that ended is kept, from its beginning. The law asks for
    /// records of seven years after a payment's end (Proceeds of Crime and Anti-Money Laundering
    /// Act, 2009, section 46); a payment that operators decide may end months after it began.
    #[arg(long, env, default_value = "8years", value_parser = phone_retention)]
    pub phone_retention: Duration,
}

/// The rate limit of M-Pesa prompts that a phone gets and does not pay. It stops players
/// who type a stranger's number and make that phone ring all day.
#[derive(Debug, Clone, clap::Args)]
pub struct PromptLimitArgs {
    /// Most unpaid prompts to one phone in an hour, from all players together.
    #[arg(long, env, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    pub unpaid_prompts_per_hour: u16,

    /// Most unpaid prompts to one phone in a day, from all players together.
    #[arg(long, env, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub unpaid_prompts_per_day: u16,
}

/// What withdrawals cost, and which of them operators look at first.
#[derive(Debug, Clone, clap::Args)]
pub struct WithdrawalArgs {
    /// The fees, in KES: tables separated by semicolons, each with its first day and the
    /// largest amount of each band with its fee. The default is what M-Pesa charges a
    /// business for a payout.
    #[arg(long, env, default_value = B2C_TARIFF, value_parser = fees)]
    pub withdrawal_fees: FeeTable,

    /// PlayOn's own part of each fee, in KES.
    #[arg(long, env, default_value = "0", value_parser = shillings)]
    pub withdrawal_fee_margin: Money,

    /// An operator looks at withdrawals of players who joined less than this ago.
    #[arg(long, env, default_value = "0s", value_parser = duration)]
    pub hold_withdrawals_of_players_younger_than: Duration,

    /// An operator looks at withdrawals that take together more than this, in KES, of what came
    /// from cards and from friends in a week.
    #[arg(long, env, default_value = "1000", value_parser = shillings)]
    pub hold_fresh_money_over: Money,

    /// An operator looks at withdrawals above this sum in a week, in KES, until a week after a
    /// player's first successful one.
    #[arg(long, env, default_value = "20000", value_parser = shillings)]
    pub hold_first_withdrawals_over: Money,

    /// An operator looks at withdrawals above this sum in a day, in KES.
    #[arg(long, env, default_value = "100000", value_parser = shillings)]
    pub hold_withdrawals_of_a_day_over: Money,

    /// An operator looks at withdrawals above this sum in a week, in KES.
    #[arg(long, env, default_value = "250000", value_parser = shillings)]
    pub hold_withdrawals_of_a_week_over: Money,

    /// An operator looks at withdrawals above this sum in a week, in KES, to a phone that other
    /// players withdraw to as well.
    #[arg(long, env, default_value = "3000", value_parser = shillings)]
    pub hold_withdrawals_to_a_shared_phone_over: Money,

    /// The time in which operators decide on a withdrawal; its player reads when it ends.
    #[arg(long, env, default_value = "4h", value_parser = duration)]
    pub held_withdrawals_decided_within: Duration,
}

/// M-Pesa's tariff for businesses of August 2023.
const B2C_TARIFF: &str = "2023-08-01 100=0 1500=5 5000=9 20000=11 250000=13";

/// The defaults of the options.
#[expect(clippy::expect_used, reason = "a constant, which a test parses")]
impl Default for WithdrawalArgs {
    fn default() -> Self {
        Self {
            withdrawal_fees: fees(B2C_TARIFF).expect("the default tariff is a table"),
            withdrawal_fee_margin: Money::ZERO,
            hold_withdrawals_of_players_younger_than: Duration::ZERO,
            hold_fresh_money_over: Money::from_shillings(1_000),
            hold_first_withdrawals_over: Money::from_shillings(20_000),
            hold_withdrawals_of_a_day_over: Money::from_shillings(100_000),
            hold_withdrawals_of_a_week_over: Money::from_shillings(250_000),
            hold_withdrawals_to_a_shared_phone_over: Money::from_shillings(3_000),
            held_withdrawals_decided_within: Duration::from_hours(4),
        }
    }
}

impl WithdrawalArgs {
    /// Returns the fees that players pay.
    pub(crate) fn fees(&self) -> FeeTable {
        self.withdrawal_fees.clone().with_margin(self.withdrawal_fee_margin)
    }

    pub(crate) const fn review_rules(&self) -> ReviewRules {
        ReviewRules {
            younger_than: self.hold_withdrawals_of_players_younger_than,
            fresh_over: self.hold_fresh_money_over,
            first_over: self.hold_first_withdrawals_over,
            day_over: self.hold_withdrawals_of_a_day_over,
            week_over: self.hold_withdrawals_of_a_week_over,
            shared_phone_over: self.hold_withdrawals_to_a_shared_phone_over,
            decided_within: self.held_withdrawals_decided_within,
        }
    }
}

/// The source of the certificate that encrypts the password of the B2C initiator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CertificateSource {
    /// The certificate itself.
    Pem(String),
    /// A file in PEM or DER.
    File(PathBuf),
    /// An https URL of a certificate in PEM or DER.
    Url(String),
}

/// Safaricom's Daraja API.
#[derive(Debug, Clone, clap::Args)]
pub struct DarajaArgs {
    /// URL of Daraja, over https; the sandbox's in development.
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

    /// The number that payouts leave from, where it is not the paybill number.
    #[arg(long, env)]
    pub daraja_payout_short_code: Option<String>,

    /// Name of the user of the M-Pesa portal that starts payouts.
    #[arg(long, env)]
    pub daraja_initiator_name: String,

    /// Password of that user.
    #[arg(long, env, hide_env_values = true)]
    pub daraja_initiator_password: SecretString,

    /// Safaricom's certificate, which that password is encrypted for: in PEM, a file, or an
    /// https URL.
    #[arg(long, env, value_parser = certificate)]
    pub daraja_certificate: CertificateSource,

    /// URL at which Daraja reaches the gateway, over https and without a path. Daraja
    /// refuses some words in it.
    #[arg(long, env, value_parser = callback_url)]
    pub callback_base_url: String,

    /// Longest that one call to Daraja may take, from 1 s to 10 s: an outbox delivery and
    /// the drain of a stop must have time for several.
    #[arg(long, env, default_value = "10s", value_parser = call_limit)]
    pub daraja_timeout: Duration,

    /// Most queries a second that each replica sends to Daraja.
    #[arg(long, env, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub daraja_queries_per_second: u32,
}

/// Cards by Paystack.
#[derive(Debug, Clone, clap::Args)]
pub struct PaystackArgs {
    /// URL of Paystack, over https; the sandbox's in development.
    #[arg(long, env, value_parser = url)]
    pub paystack_base_url: String,

    /// The secret key, which also signs Paystack's events.
    #[arg(long, env, hide_env_values = true)]
    pub paystack_secret_key: SecretString,

    /// Whether only live cards are credited, and no test cards. Off in development.
    #[arg(long, env, default_value_t = true, action = clap::ArgAction::Set)]
    pub paystack_live: bool,

    /// Domain of the mail addresses that Paystack gets for players. They have no mailboxes.
    #[arg(long, env, value_parser = domain)]
    pub paystack_email_domain: String,

    /// URL of the web app's waiting screen, to which the card page returns.
    #[arg(long, env, value_parser = url)]
    pub paystack_return_url: String,

    /// Longest that one call to Paystack may take, from 1 s to 10 s.
    #[arg(long, env, default_value = "8s", value_parser = call_limit)]
    pub paystack_timeout: Duration,

    /// Age at which an open card payment expires, from 20 s to 24 h. Longer than
    /// `PAYMENT_EXPIRY`, because the payer types a card number and confirms it at the bank.
    #[arg(long, env, default_value = "30m", value_parser = expiry)]
    pub card_payment_expiry: Duration,
}

/// Airtime by Safaricom's carrier billing.
#[derive(Debug, Clone, clap::Args)]
pub struct CarrierArgs {
    /// URL of the carrier's API, over https; the sandbox's in development.
    #[arg(long, env, value_parser = url)]
    pub carrier_base_url: String,

    /// Our account with the carrier.
    #[arg(long, env)]
    pub carrier_username: String,

    /// Password of that account.
    #[arg(long, env, hide_env_values = true)]
    pub carrier_password: SecretString,

    /// Our content provider's id.
    #[arg(long, env, hide_env_values = true)]
    pub carrier_cp_id: SecretString,

    /// The offer that the Bronze package is charged by.
    #[arg(long, env)]
    pub carrier_offer_code: String,

    /// The secret in the path of the carrier's notifications: 32 hexadecimal digits.
    #[arg(long, env, hide_env_values = true)]
    pub carrier_notify_secret: SecretString,

    /// Longest that one call to the carrier may take, from 1 s to 10 s.
    #[arg(long, env, default_value = "10s", value_parser = call_limit)]
    pub carrier_timeout: Duration,
}

impl From<PromptLimitArgs> for PromptRateLimit {
    fn from(args: PromptLimitArgs) -> Self {
        Self::new(args.unpaid_prompts_per_hour, args.unpaid_prompts_per_day)
    }
}

impl AsRef<mesh::Args> for Args {
    fn as_ref(&self) -> &mesh::Args {
        &self.mesh
    }
}

/// Words that Daraja refuses in the URL of a callback.
const UNWANTED: [&str; 7] = ["mpesa", "safaricom", "exe", "exec", "cmd", "sql", "query"];

/// Parses a base URL. Secrets are sent there, so only a loopback address may go without TLS.
pub(crate) fn url(text: &str) -> Result<String, &'static str> {
    let url = reqwest::Url::parse(text).map_err(|_| "not a URL")?;
    let host = url.host_str().ok_or("a URL without a host")?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let local = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
    if url.scheme() != "https" && !(local && url.scheme() == "http") {
        return Err("neither https nor a loopback address");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a URL with a user or password");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("a URL with more than a path");
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

fn certificate(text: &str) -> Result<CertificateSource, &'static str> {
    if text.starts_with("-----BEGIN") {
        Ok(CertificateSource::Pem(text.to_owned()))
    } else if text.contains("://") {
        url(text).map(CertificateSource::Url)
    } else if text.is_empty() {
        Err("neither PEM nor a file nor a URL")
    } else {
        Ok(CertificateSource::File(text.into()))
    }
}

fn fees(text: &str) -> Result<FeeTable, InvalidFees> {
    text.parse::<FeeTable>()?.reaching(Limits::paying_out().most)
}

/// Parses a domain of mail addresses.
fn domain(text: &str) -> Result<String, &'static str> {
    let is_name = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if text.contains('.') && text.split('.').all(is_name) {
        Ok(text.to_owned())
    } else {
        Err("not a domain")
    }
}

fn callback_url(text: &str) -> Result<String, String> {
    let url = url(text)?;
    if url.matches('/').count() > 2 {
        return Err("a URL with a path".to_owned());
    }
    let mut words = url.split(|c: char| !c.is_ascii_alphanumeric());
    match words.find(|word| UNWANTED.iter().any(|unwanted| word.eq_ignore_ascii_case(unwanted))) {
        Some(word) => Err(format!("Daraja refuses URLs with the word {word}")),
        None => Ok(url),
    }
}

/// Parses an expiry: between the ages of the first and the last query.
fn expiry(text: &str) -> Result<Duration, String> {
    between(text, Duration::from_secs(20), Duration::from_hours(24))
}

/// Parses a time after which no provider reports a payment any more.
fn phone_retention(text: &str) -> Result<Duration, String> {
    between(text, Duration::from_hours(24 * 365), Duration::from_hours(24 * 365 * 100))
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
    fn the_arguments_are_valid_for_clap() {
        Args::command().debug_assert();
    }

    #[test]
    fn accepts_https_and_loopback_urls_only() {
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
    fn accepts_callback_urls_that_daraja_accepts() {
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
    fn durations_have_limits() {
        for (text, good) in [("19s", false), ("20s", true), ("1day", true), ("25h", false)] {
            assert_eq!(expiry(text).is_ok(), good, "{text}");
        }
        for (text, good) in [("500ms", false), ("1s", true), ("10s", true), ("11s", false)] {
            assert_eq!(call_limit(text).is_ok(), good, "{text}");
        }
        for (text, good) in [("364days", false), ("8years", true), ("101years", false)] {
            assert_eq!(phone_retention(text).is_ok(), good, "{text}");
        }
    }
}
