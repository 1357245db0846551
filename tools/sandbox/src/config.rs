//! The sandbox's options and settings.

mod apps;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use serde::{Deserialize, Serialize};

pub(crate) use apps::is_loopback;
pub use apps::{CarrierApp, Merchant, PaystackApp, SmsApp, SocialApps};

/// How long a stop by signal waits for open requests.
const DRAIN: Duration = Duration::from_secs(5);

/// How the sandbox is started. The default credentials are those of the
/// development configuration and not secret.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "sandbox",
    about = "PlayOn's providers for development and tests: M-Pesa, cards, airtime, SMS, mail, Google and Facebook"
)]
pub struct Options {
    /// Address and port of the providers, the control API and the page.
    #[arg(long, env, default_value = "127.0.0.1:8090")]
    pub listen: SocketAddr,
    /// Base URL under which browsers and services reach the sandbox, where that
    /// is not `http://{LISTEN}`. Google's issuer is below it.
    #[arg(long, env = "SANDBOX_URL")]
    pub url: Option<String>,
    /// Address and port of the mail server.
    #[arg(long, env, default_value = "127.0.0.1:8025")]
    pub mail_listen: SocketAddr,
    /// Folder in which the state is stored between runs. Unset: in memory only.
    #[arg(long = "state", env = "SANDBOX_STATE")]
    pub state: Option<PathBuf>,
    /// The Daraja application.
    #[command(flatten)]
    pub merchant: Merchant,
    /// The account at Paystack.
    #[command(flatten)]
    pub paystack: PaystackApp,
    /// The account at the carrier.
    #[command(flatten)]
    pub carrier: CarrierApp,
    /// The Africa's Talking application.
    #[command(flatten)]
    pub sms: SmsApp,
    /// The Google and Facebook applications.
    #[command(flatten)]
    pub social: SocialApps,
    /// How long a shutdown waits for requests and tasks before it drops them.
    #[arg(skip = DRAIN)]
    pub drain: Duration,
    /// The settings after a start on an empty folder and after a reset.
    #[arg(skip)]
    pub settings: Settings,
}

impl Default for Options {
    /// Options for a test: free ports, and nothing is stored.
    fn default() -> Self {
        let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        Self {
            listen: any_port,
            url: None,
            mail_listen: any_port,
            state: None,
            merchant: Merchant::default(),
            paystack: PaystackApp::default(),
            carrier: CarrierApp::default(),
            sms: SmsApp::default(),
            social: SocialApps::default(),
            // A test reaches this limit only when a task does not end.
            drain: Duration::from_mins(1),
            settings: Settings::default(),
        }
    }
}

/// Provider behaviour that differs between documents or over time, set by the
/// control API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// New handsets wait for a person instead of approving by themselves.
    pub ask_me: bool,
    /// Refuse the same amount to the same party within two minutes with result
    /// 17, as M-Pesa does. Off, because tests pay the same amount in a row.
    pub repeat_guard: bool,
    /// Whole shillings that one handset may pay in a Kenyan day; beyond: result 4.
    pub daily_limit: u64,
    /// How far, in milliseconds, a `Timestamp` may lie from East Africa Time.
    /// The default catches a host that writes UTC. `null` accepts any time, for
    /// callers whose own clock is set by a test.
    pub clock_skew_ms: Option<u64>,
    /// Type of `expires_in` in the token reply.
    pub expires_in: ExpiresIn,
    /// How the query reports a prompt that is still open.
    pub pending_reply: PendingReply,
    /// Milliseconds from an event of Paystack or the carrier to its webhook.
    pub webhook_delay_ms: u64,
    /// Copies of each webhook; 0 means that it is lost.
    pub webhook_copies: u32,
    /// Attempts to post a webhook; an attempt without a status of 2xx has failed.
    pub webhook_attempts: u32,
    /// Milliseconds between two attempts. The real providers wait for minutes and hours.
    pub webhook_retry_ms: u64,
    /// Whether refunds of card payments fail.
    pub refunds_fail: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            ask_me: false,
            repeat_guard: false,
            daily_limit: 500_000,
            clock_skew_ms: Some(3_600_000),
            expires_in: ExpiresIn::String,
            pending_reply: PendingReply::Error,
            webhook_delay_ms: 0,
            webhook_copies: 1,
            webhook_attempts: 20,
            webhook_retry_ms: 3_000,
            refunds_fail: false,
        }
    }
}

/// Type of `expires_in`; Daraja has been seen to send both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpiresIn {
    /// `"3599"`
    String,
    /// `3599`
    Number,
}

/// The query's reply about an open prompt; Daraja has been seen to send both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PendingReply {
    /// HTTP 500, `500.001.1001` "The transaction is being processed".
    Error,
    /// HTTP 200, `ResultCode` "4999" "The transaction is still under processing".
    Code4999,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_program_starts_without_arguments() {
        Options::command().debug_assert();
        Options::parse_from(["sandbox"]);
    }
}
