//! Faults that a test orders for the calls of a provider.

use serde::{Deserialize, Serialize};

/// A provider whose calls can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Provider {
    /// Safaricom Daraja (M-Pesa).
    Daraja,
    /// Africa's Talking.
    Sms,
    /// The mail server.
    Mail,
    Paystack,
    /// Safaricom's carrier billing.
    Carrier,
    Google,
    Facebook,
}

impl Provider {
    /// The provider's calls; the first is the default.
    fn calls(self) -> &'static [Call] {
        match self {
            Self::Daraja => &[
                Call::Stkpush,
                Call::Stkquery,
                Call::Token,
                Call::B2c,
                Call::Status,
                Call::Reversal,
                Call::Balance,
                Call::Pull,
            ],
            Self::Sms | Self::Mail => &[Call::Send],
            Self::Paystack => &[Call::Initialize, Call::Verify, Call::Refund, Call::List],
            Self::Carrier => &[Call::Charge, Call::Activate, Call::Refund, Call::Token],
            Self::Google => &[Call::Token, Call::Discovery, Call::Jwks, Call::Userinfo],
            Self::Facebook => &[Call::Token, Call::Me],
        }
    }

    fn kinds(self) -> &'static [FaultKind] {
        use FaultKind::{Down, Http500, Refuse, Slow, Spike, Unauthorized};
        match self {
            Self::Daraja => &[Http500, Slow, Down, Spike, Unauthorized],
            Self::Sms | Self::Paystack | Self::Carrier | Self::Google | Self::Facebook => {
                &[Http500, Slow, Down]
            }
            Self::Mail => &[Refuse, Slow, Down],
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Call {
    /// Daraja: the request to pay.
    Stkpush,
    /// Daraja: the query of a request's outcome.
    Stkquery,
    /// Daraja: a payout.
    B2c,
    /// Daraja: the query of a transaction.
    Status,
    /// Daraja: a payment is given back.
    Reversal,
    /// Daraja: the query of the accounts.
    Balance,
    /// Daraja: the list of payments received.
    Pull,
    /// The access token.
    Token,
    /// Paystack: a transaction is opened.
    Initialize,
    /// Paystack: a transaction is verified.
    Verify,
    /// The carrier: a charge to airtime.
    Charge,
    /// The carrier: the consent to an offer.
    Activate,
    /// A refund, or the query of one.
    Refund,
    /// Paystack: the list of transactions.
    List,
    /// A text or a mail.
    Send,
    /// Google's OpenID Connect discovery document.
    Discovery,
    /// Google's signing keys.
    Jwks,
    /// Google's profile behind an access token.
    Userinfo,
    /// Facebook's profile behind an access token.
    Me,
    /// The next call, whichever it is.
    Any,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FaultKind {
    /// The call is carried out and answered with HTTP 500.
    Http500,
    /// The call is carried out and answered after `delayMs`.
    Slow,
    /// The connection closes without a reply; nothing is carried out.
    Down,
    /// Nothing is carried out: `500.003.02`, spike arrest.
    Spike,
    /// Nothing is carried out: 401 without JSON, as from Daraja's API gateway.
    Unauthorized,
    /// Nothing is carried out: 451, mail may be tried again later.
    Refuse,
}

/// A fault of the next `count` calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", try_from = "Order")]
pub(crate) struct Fault {
    pub(crate) provider: Provider,
    pub(crate) kind: FaultKind,
    /// Calls that are still to fail.
    pub(crate) count: u32,
    pub(crate) call: Call,
    /// Milliseconds that a `slow` reply takes.
    pub(crate) delay_ms: u64,
}

/// A fault as a request gives it; absent fields have their defaults.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Order {
    provider: Provider,
    kind: FaultKind,
    count: Option<u32>,
    call: Option<Call>,
    delay_ms: Option<u64>,
}

impl TryFrom<Order> for Fault {
    type Error = String;

    fn try_from(order: Order) -> Result<Self, String> {
        let Order { provider, kind, count, call, delay_ms } = order;
        let (calls, kinds) = (provider.calls(), provider.kinds());
        if !kinds.contains(&kind) {
            return Err(format!("{provider:?} has the kinds {kinds:?} and not {kind:?}"));
        }
        let call = call.unwrap_or(calls[0]);
        if call != Call::Any && !calls.contains(&call) {
            return Err(format!("{provider:?} has the calls {calls:?} and not {call:?}"));
        }
        let count = count.unwrap_or(1);
        if count == 0 || count > Self::MAX_COUNT {
            return Err(format!("count is 1 to {}", Self::MAX_COUNT));
        }
        let delay_ms = delay_ms.unwrap_or(Self::DEFAULT_DELAY_MS);
        if delay_ms > Self::MAX_DELAY_MS {
            return Err(format!("delayMs is at most {}", Self::MAX_DELAY_MS));
        }
        Ok(Self { provider, kind, count, call, delay_ms })
    }
}

impl Fault {
    /// Most faults that wait at a time.
    pub(crate) const MAX_WAITING: usize = 32;
    const MAX_COUNT: u32 = 100_000;
    const MAX_DELAY_MS: u64 = 300_000;
    /// The delay of a slow reply by default: longer than the request timeout of every PlayOn
    /// client.
    const DEFAULT_DELAY_MS: u64 = 35_000;

    pub(crate) fn matches(&self, provider: Provider, call: Call) -> bool {
        self.provider == provider && (self.call == call || self.call == Call::Any)
    }
}
