//! Troubles of a provider that a test orders in advance.

use serde::{Deserialize, Serialize};

/// A provider that can be troubled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Provider {
    /// Safaricom Daraja (M-Pesa).
    Daraja,
    /// Africa's Talking.
    Sms,
    /// The mail server.
    Mail,
    /// Google's sign-in.
    Google,
    /// Facebook's sign-in.
    Facebook,
}

impl Provider {
    /// The calls that can be troubled; the first is the one whose loss matters.
    fn calls(self) -> &'static [Call] {
        match self {
            Self::Daraja => &[Call::Stkpush, Call::Stkquery, Call::Token],
            Self::Sms | Self::Mail => &[Call::Send],
            Self::Google => &[Call::Token, Call::Discovery, Call::Jwks, Call::Userinfo],
            Self::Facebook => &[Call::Token, Call::Me],
        }
    }

    fn kinds(self) -> &'static [FaultKind] {
        use FaultKind::{Down, Http500, Refuse, Slow, Spike, Unauthorized};
        match self {
            Self::Daraja => &[Http500, Slow, Down, Spike, Unauthorized],
            Self::Sms | Self::Google | Self::Facebook => &[Http500, Slow, Down],
            Self::Mail => &[Refuse, Slow, Down],
        }
    }
}

/// A call of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Call {
    /// Daraja: the call that asks for money.
    Stkpush,
    /// Daraja: the question how a request ended.
    Stkquery,
    /// The access token.
    Token,
    /// A message on its way.
    Send,
    /// Google's description of itself.
    Discovery,
    /// Google's keys.
    Jwks,
    /// Google's person behind an access token.
    Userinfo,
    /// Facebook's person behind an access token.
    Me,
    /// Whichever comes next.
    Any,
}

/// What goes wrong.
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
    /// Nothing is carried out: the door takes the token for none, 401 and no JSON.
    Unauthorized,
    /// Nothing is carried out: mail may be tried again later, 451.
    Refuse,
}

/// An order for trouble: the next `count` calls suffer it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", try_from = "Order")]
pub(crate) struct Fault {
    pub(crate) provider: Provider,
    pub(crate) kind: FaultKind,
    /// Calls still to suffer it.
    pub(crate) count: u32,
    pub(crate) call: Call,
    /// Milliseconds that a `slow` reply takes.
    pub(crate) delay_ms: u64,
}

/// A fault as it is written: what is left out is the provider's usual.
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
            return Err(format!("{provider:?} suffers {kinds:?} and not {kind:?}"));
        }
        let call = call.unwrap_or(calls[0]);
        if call != Call::Any && !calls.contains(&call) {
            return Err(format!("{provider:?} has the calls {calls:?} and not {call:?}"));
        }
        let count = count.unwrap_or(1);
        if count == 0 || count > Self::MAX_COUNT {
            return Err(format!("count is 1 to {}", Self::MAX_COUNT));
        }
        let delay_ms = delay_ms.unwrap_or(Self::BEYOND_PATIENCE_MS);
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
    /// Longer than any client of ours waits.
    const BEYOND_PATIENCE_MS: u64 = 35_000;

    /// Whether this call is one that suffers.
    pub(crate) fn strikes(&self, provider: Provider, call: Call) -> bool {
        self.provider == provider && (self.call == call || self.call == Call::Any)
    }
}
