//! What the sandbox is started with.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Parser;
use serde::{Deserialize, Serialize};

const CONSUMER_KEY: &str = "playon-dev";
const CONSUMER_SECRET: &str = "playon-dev-secret";
const SHORT_CODE: &str = "174379";
const PASSKEY: &str = "bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919";
const NAME: &str = "PLAYON";
const SMS_USERNAME: &str = "sandbox";
const SMS_API_KEY: &str = "playon-dev-sms";

/// How the sandbox is started. The credentials are those of the development
/// configuration; the sandbox guards nothing, so they are no secret.
#[derive(Debug, Clone, Parser)]
#[command(name = "sandbox", about = "The outside world: M-Pesa and its handsets, on one port")]
pub struct Options {
    /// Address and port for the providers' wires, the control API and the page.
    #[arg(long, env, default_value = "127.0.0.1:8090")]
    pub listen: SocketAddr,
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
            mail_listen: any_port,
            state: None,
            merchant: Merchant::default(),
            sms: SmsApp::default(),
            settings: Settings::default(),
        }
    }
}

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
