//! The outcome of sending a message.

use std::time::Duration;

/// How a push service answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sent {
    /// The push service has accepted the message.
    Accepted,
    /// The subscription has ended.
    Gone,
    /// The push service asks to try again, after this time if it names one.
    Later(Option<Duration>),
    /// The push service could not be reached, or its address is not public.
    Unreachable(String),
    /// Nothing was sent, because the host could not be reached just now. Try again after this time.
    HostOut(Duration),
    /// Nothing was sent, because too many deliveries to the host are in flight. Try again after
    /// this time.
    HostBusy(Duration),
    /// The push service refuses this message.
    Refused(String),
}
