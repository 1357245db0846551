//! What the sandbox is started with.

mod apps;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use serde::{Deserialize, Serialize};

pub use apps::{Merchant, SmsApp, SocialApps};

/// How long a person's Ctrl-C waits.
const DRAIN: Duration = Duration::from_secs(5);

/// How the sandbox is started. The credentials are those of the development
/// configuration; the sandbox guards nothing, so they are no secret.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "sandbox",
    about = "The outside world: handsets, mailboxes, social accounts, and the providers behind them"
)]
pub struct Options {
    /// Address and port for the providers' wires, the control API and the page.
    #[arg(long, env, default_value = "127.0.0.1:8090")]
    pub listen: SocketAddr,
    /// Address under which people and programs reach it, where that is not
    /// `LISTEN`'s: Google's issuer is below it.
    #[arg(long, env = "SANDBOX_URL")]
    pub url: Option<String>,
    /// Address and port of the mail server.
    #[arg(long, env, default_value = "127.0.0.1:8025")]
    pub mail_listen: SocketAddr,
    /// Folder in which the world is kept between runs. Unset: it is forgotten.
    #[arg(long = "state", env = "SANDBOX_STATE")]
    pub state: Option<PathBuf>,
    /// The one Daraja application that this world knows.
    #[command(flatten)]
    pub merchant: Merchant,
    /// The one Africa's Talking application that this world knows.
    #[command(flatten)]
    pub sms: SmsApp,
    /// The applications that Google and Facebook know.
    #[command(flatten)]
    pub social: SocialApps,
    /// How long a stop waits for requests and errands before it lets them go.
    #[arg(skip = DRAIN)]
    pub drain: Duration,
    /// Where the switches of the control API stand after a start on an empty
    /// folder and after a reset.
    #[arg(skip)]
    pub settings: Settings,
}

impl Default for Options {
    /// A world for a test: any free ports, nothing kept.
    fn default() -> Self {
        let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        Self {
            listen: any_port,
            url: None,
            mail_listen: any_port,
            state: None,
            merchant: Merchant::default(),
            sms: SmsApp::default(),
            social: SocialApps::default(),
            // A limit for broken code: nothing is waited for that does not end by itself.
            drain: Duration::from_mins(1),
            settings: Settings::default(),
        }
    }
}

/// Habits of the provider that differ between its days and documents, as
/// switches.
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
    /// The default catches a host that writes UTC. `null`: any time is good,
    /// for callers whose own clock is set by a test.
    pub clock_skew_ms: Option<u64>,
    /// Form of `expires_in` in the token reply.
    pub expires_in: ExpiresIn,
    /// How the query says that a prompt is still open.
    pub pending_reply: PendingReply,
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
        }
    }
}

/// `expires_in` has been seen in both forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpiresIn {
    /// `"3599"`
    String,
    /// `3599`
    Number,
}

/// An open prompt has been reported in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PendingReply {
    /// HTTP 500, `500.001.1001` "The transaction is being processed".
    Error,
    /// HTTP 200, `ResultCode` "4999" "The transaction is still under processing".
    Code4999,
}
