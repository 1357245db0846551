//! How calls to providers end, in metrics and in the trace.

use mesh::telemetry;
use metrics::counter;
use tracing::warn;

/// How a call to a provider ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallEnd {
    /// The provider did what it was asked, or answered a query.
    Replied,
    /// The provider refused the call by a rule of its own, for example because of the number.
    Refused,
    /// The provider was too busy, or replied with an error of its own.
    Failed,
    /// The call was not sent: there was no connection, or no token.
    NotSent,
    /// The call was sent, and the reply was lost or cannot be parsed.
    ReplyLost,
}

impl CallEnd {
    const fn label(self) -> &'static str {
        match self {
            Self::Replied => "replied",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::NotSent => "not_sent",
            Self::ReplyLost => "reply_lost",
        }
    }

    const fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::NotSent | Self::ReplyLost)
    }
}

/// Counts a call, and marks its span as failed if the provider is at fault. `call` is the path.
/// Where no reply came, the client has logged the cause.
pub(super) fn record(provider: &'static str, call: &'static str, end: CallEnd) {
    let labels = [("provider", provider), ("call", call), ("outcome", end.label())];
    counter!("provider_calls_total", &labels).increment(1);
    if end == CallEnd::Failed {
        warn!(provider, call, "a provider failed a call");
    }
    if end.is_failure() {
        telemetry::mark_failed(end.label());
    }
}
