//! What came of sending a message.

use std::time::Duration;

/// How a push service answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sent {
    /// It has the message.
    Accepted,
    /// The subscription has ended.
    Gone,
    /// Not now; after this time, if the push service names one.
    Later(Option<Duration>),
    /// It could not be reached, or its address is not public.
    Unreachable(String),
    /// Nothing was sent, because its host could not be reached just now; after this time.
    HostOut(Duration),
    /// Nothing was sent, because enough other deliveries to its host are in flight; after this
    /// time.
    HostBusy(Duration),
    /// It does not take this message.
    Refused(String),
}
