//! Troubles of a provider that a test orders in advance.

use serde::{Deserialize, Serialize};

/// A provider that can be troubled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Provider {
    /// Safaricom Daraja (M-Pesa).
    Daraja,
}

/// A call of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Call {
    /// The call that asks for money: the one whose loss matters.
    #[default]
    Stkpush,
    /// The question how a request ended.
    Stkquery,
    /// The access token.
    Token,
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
}

/// An order for trouble: the next `count` calls suffer it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Fault {
    pub(crate) provider: Provider,
    pub(crate) kind: FaultKind,
    /// Calls still to suffer it.
    #[serde(default = "once")]
    pub(crate) count: u32,
    #[serde(default)]
    pub(crate) call: Call,
    /// Milliseconds that a `slow` reply takes.
    #[serde(default = "beyond_patience")]
    pub(crate) delay_ms: u64,
}

fn once() -> u32 {
    1
}

/// Longer than any client of ours waits.
fn beyond_patience() -> u64 {
    35_000
}

impl Fault {
    /// Most faults that wait at a time.
    pub(crate) const MAX_WAITING: usize = 32;
    const MAX_COUNT: u32 = 100_000;
    const MAX_DELAY_MS: u64 = 300_000;

    /// Says which bound is broken, if one is.
    pub(crate) fn judge(&self) -> Result<(), String> {
        if self.count == 0 || self.count > Self::MAX_COUNT {
            return Err(format!("count is 1 to {}", Self::MAX_COUNT));
        }
        if self.delay_ms > Self::MAX_DELAY_MS {
            return Err(format!("delayMs is at most {}", Self::MAX_DELAY_MS));
        }
        Ok(())
    }

    /// Whether this call is one that suffers.
    pub(crate) fn strikes(&self, provider: Provider, call: Call) -> bool {
        self.provider == provider && (self.call == call || self.call == Call::Any)
    }
}
