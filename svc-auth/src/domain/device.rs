//! Devices that players sign in on.

types::id! {
    /// Identifies a browser, by chance. A browser may be the device of several players.
    pub(crate) DeviceId: "device"
}

/// What a device is to an account or a phone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The owner has signed in on it.
    Known,
    /// Any other device.
    Unknown,
}

impl Standing {
    pub(crate) const fn of(is_known: bool) -> Self {
        if is_known { Self::Known } else { Self::Unknown }
    }
}
