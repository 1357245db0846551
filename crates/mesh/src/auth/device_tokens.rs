//! Device tokens, by which browsers say which device they are.

use types::uuid::Uuid;

use super::MacKey;

/// The purpose of the MAC.
const PURPOSE: &str = "device";

/// Issues and verifies device tokens. A token is a device's id and its MAC, so that the ids in the
/// database open nothing, and the gateway verifies it without a call.
#[derive(Debug, Clone)]
pub struct DeviceTokens(MacKey);

impl DeviceTokens {
    /// Uses this key.
    pub const fn new(key: MacKey) -> Self {
        Self(key)
    }

    /// The token of a device.
    pub fn issue(&self, device: Uuid) -> String {
        self.0.seal(PURPOSE, device.as_bytes())
    }

    /// The device of a token; `None` for a text that is not a token of ours.
    pub fn verify(&self, token: &str) -> Option<Uuid> {
        self.0.open(PURPOSE, token).map(Uuid::from_bytes)
    }
}
