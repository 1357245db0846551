//! Keys of HMAC-SHA-256 from the configuration.

use anyhow::{Context as _, ensure};
use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;
use types::{ExposeSecret as _, SecretSlice, SecretString};

/// base64url, with or without padding, because tools write both.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Length of a MAC: SHA-256's output.
const MAC_BYTES: usize = 32;

/// A key for HMAC-SHA-256.
#[derive(Debug, Clone)]
pub struct MacKey(SecretSlice<u8>);

impl MacKey {
    /// Fewest bytes of a secret: SHA-256's output length (RFC 2104, section 3).
    const MIN_BYTES: usize = MAC_BYTES;

    /// Parses a secret. Errors contain the variable's name and never its value.
    pub fn parse(variable: &str, secret: &SecretString) -> anyhow::Result<Self> {
        let bytes = decode_secret(variable, secret.expose_secret())?;
        ensure!(
            bytes.len() >= Self::MIN_BYTES,
            "{variable} must hold at least {} bytes, and holds {}",
            Self::MIN_BYTES,
            bytes.len(),
        );
        Ok(Self(bytes.into()))
    }

    /// The key that is a text of any length, such as a secret that a provider has made.
    pub fn of(secret: &SecretString) -> Self {
        Self(secret.expose_secret().as_bytes().to_vec().into())
    }

    /// The HMAC of `data` for one purpose. The purpose's length comes first, so that no two
    /// pairs of purpose and data have the same input.
    pub fn mac(&self, purpose: &str, data: &[u8]) -> [u8; MAC_BYTES] {
        // HMAC takes keys of every length, so this never fails.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.0.expose_secret()) else {
            return [0; 32];
        };
        mac.update(&purpose.len().to_be_bytes());
        mac.update(purpose.as_bytes());
        mac.update(data);
        mac.finalize().into_bytes().into()
    }

    /// `data` and its MAC for one purpose, in base64url: a text that clients keep, and that costs
    /// no look-up when it was made up.
    pub fn seal(&self, purpose: &str, data: &[u8]) -> String {
        BASE64.encode([data, &self.mac(purpose, data)].concat()).trim_end_matches('=').to_owned()
    }

    /// The `N` bytes that [`MacKey::seal`] made the text of; `None` for any other text. Compared in
    /// constant time.
    pub fn open<const N: usize>(&self, purpose: &str, text: &str) -> Option<[u8; N]> {
        // In base64url without padding.
        if text.len() != ((N + MAC_BYTES) * 4).div_ceil(3) {
            return None;
        }
        let bytes = BASE64.decode(text).ok()?;
        let (data, mac) = bytes.split_first_chunk()?;
        bool::from(self.mac(purpose, data).as_slice().ct_eq(mac)).then_some(*data)
    }

    /// A key for one purpose, derived from this one, in base64url.
    pub fn derive_text(&self, purpose: &str) -> SecretString {
        BASE64.encode(self.mac(purpose, &[])).into()
    }
}

/// Decodes base64url, with or without padding. The error names the variable and never the value.
pub fn decode_secret(variable: &str, text: &str) -> anyhow::Result<Vec<u8>> {
    // The decoder's error would quote bytes of the secret.
    BASE64.decode(text.trim()).ok().with_context(|| format!("{variable} is not base64url"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(bytes: usize) -> SecretString {
        BASE64.encode(vec![7; bytes]).into()
    }

    #[test]
    fn a_short_or_malformed_secret_is_refused_without_being_printed() {
        let short = MacKey::parse("REFRESH_SECRET", &secret(31)).err().unwrap();
        assert_eq!(short.to_string(), "REFRESH_SECRET must hold at least 32 bytes, and holds 31");
        let garbled = MacKey::parse("REFRESH_SECRET", &"top secret!".into()).err().unwrap();
        assert_eq!(format!("{garbled:#}"), "REFRESH_SECRET is not base64url");
    }

    #[test]
    fn padding_is_optional() {
        let plain = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc";
        for text in [plain.to_owned(), format!("{plain}=")] {
            assert!(MacKey::parse("REFRESH_SECRET", &text.into()).is_ok());
        }
    }

    #[test]
    fn a_sealed_text_opens_for_its_own_key_purpose_and_length_alone() {
        let key = MacKey::parse("REFRESH_SECRET", &secret(32)).unwrap();
        let other = MacKey::parse("REFRESH_SECRET", &secret(33)).unwrap();
        let text = key.seal("device", &[1; 16]);
        assert_eq!(key.open("device", &text), Some([1; 16]));
        assert_eq!(key.open::<16>("challenge", &text), None);
        assert_eq!(other.open::<16>("device", &text), None);
        assert_eq!(key.open::<32>("device", &text), None);
        for changed in ["", "?", &text[1..], &format!("{text}AAAA"), &format!("{text}=")] {
            assert_eq!(key.open::<16>("device", changed), None, "{changed}");
        }
        for place in 0..text.len() {
            let mut changed = text.clone();
            let other = if &text[place..=place] == "A" { "B" } else { "A" };
            changed.replace_range(place..=place, other);
            assert_eq!(key.open::<16>("device", &changed), None, "{place}");
        }
    }

    #[test]
    fn each_purpose_gives_another_mac() {
        let key = MacKey::parse("REFRESH_SECRET", &secret(32)).unwrap();
        assert_ne!(key.mac("ab", b"c"), key.mac("a", b"bc"));
    }
}
