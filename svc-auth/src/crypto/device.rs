//! Device tokens.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use subtle::ConstantTimeEq as _;
use types::uuid::Uuid;

use super::Key;
use crate::domain::DeviceId;

/// Length of a token: an id and an HMAC, in base64url.
const TOKEN_LENGTH: usize = (16 + 32) * 4 / 3;

/// Issues and verifies the tokens by which browsers say which device they are. A token is a
/// device's id and its HMAC, so that an id from the database makes no valid token.
#[derive(Clone)]
pub(crate) struct Devices(Key);

impl Devices {
    pub(crate) const fn new(key: Key) -> Self {
        Self(key)
    }

    /// The token of a device.
    pub(crate) fn token(&self, device: DeviceId) -> String {
        let id = device.uuid();
        URL_SAFE_NO_PAD.encode([id.as_bytes().as_slice(), &self.mac(id)].concat())
    }

    /// The device of a token; `None` for a text that is not a token of ours. Compared in
    /// constant time.
    pub(crate) fn verify(&self, token: &str) -> Option<DeviceId> {
        if token.len() != TOKEN_LENGTH {
            return None;
        }
        let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let (id, mac) = bytes.split_first_chunk()?;
        let id = Uuid::from_bytes(*id);
        bool::from(self.mac(id).as_slice().ct_eq(mac)).then(|| id.into())
    }

    fn mac(&self, device: Uuid) -> [u8; 32] {
        self.0.mac("device", device.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use types::{Clock, Rng};

    use super::*;

    fn devices(byte: u8) -> Devices {
        let secret = URL_SAFE_NO_PAD.encode([byte; 32]);
        Devices::new(Key::parse("REFRESH_SECRET", &secret.into()).unwrap())
    }

    #[test]
    fn a_token_names_its_device_and_needs_the_secret() {
        let device = DeviceId::generate(&Clock::system(), &Rng::from_seed(1));
        let token = devices(1).token(device);
        assert_eq!(devices(1).verify(&token), Some(device));
        assert_eq!(devices(2).verify(&token), None);
    }

    #[test]
    fn a_text_that_was_changed_is_no_token() {
        let device = DeviceId::generate(&Clock::system(), &Rng::from_seed(1));
        let token = devices(1).token(device);
        let id_alone = URL_SAFE_NO_PAD.encode(device.uuid().as_bytes());
        for text in ["", "?", &token[1..], &format!("{token}AAAA"), &id_alone] {
            assert_eq!(devices(1).verify(text), None, "{text}");
        }
        for place in 0..token.len() {
            let mut changed = token.clone();
            let other = if &token[place..=place] == "A" { "B" } else { "A" };
            changed.replace_range(place..=place, other);
            assert_eq!(devices(1).verify(&changed), None, "{place}");
        }
    }
}
