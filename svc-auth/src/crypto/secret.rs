//! Secrets from the configuration, and the keys derived from them.

use anyhow::{Context as _, ensure};
use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret as _, SecretBox, SecretSlice, SecretString};
use sha2::Sha256;

/// base64url, with or without padding, because tools write both.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A key for HMAC-SHA-256.
#[derive(Clone)]
pub(crate) struct Key(SecretSlice<u8>);

impl Key {
    /// Fewest bytes of a secret: SHA-256's output length (RFC 2104, section 3).
    const MIN_BYTES: usize = 32;

    /// Parses a secret. Errors contain the variable's name and never its value.
    pub(crate) fn parse(variable: &str, secret: &SecretString) -> anyhow::Result<Self> {
        let bytes = decode(variable, secret.expose_secret())?;
        ensure!(
            bytes.len() >= Self::MIN_BYTES,
            "{variable} must hold at least {} bytes, and holds {}",
            Self::MIN_BYTES,
            bytes.len(),
        );
        Ok(Self(bytes.into()))
    }

    /// The HMAC of `data` for one purpose. The purpose's length comes first, so that no two
    /// pairs of purpose and data have the same input.
    pub(crate) fn mac(&self, purpose: &str, data: &[u8]) -> [u8; 32] {
        // HMAC takes keys of every length, so this never fails.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(self.0.expose_secret()) else {
            return [0; 32];
        };
        mac.update(&purpose.len().to_be_bytes());
        mac.update(purpose.as_bytes());
        mac.update(data);
        mac.finalize().into_bytes().into()
    }

    /// A key for one purpose, derived from this one, in base64url.
    pub(crate) fn derive_text(&self, purpose: &str) -> SecretString {
        BASE64.encode(self.mac(purpose, &[])).into()
    }
}

/// Parses Ed25519 seeds from a comma list.
pub(crate) fn seeds(
    variable: &str,
    list: &SecretString,
) -> anyhow::Result<Vec<SecretBox<[u8; 32]>>> {
    let seeds = list
        .expose_secret()
        .split(',')
        .map(|text| {
            let bytes = decode(variable, text)?;
            let seed: [u8; 32] = bytes
                .try_into()
                .ok()
                .with_context(|| format!("each key in {variable} must be exactly 32 bytes"))?;
            Ok(SecretBox::new(Box::new(seed)))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    Ok(seeds)
}

fn decode(variable: &str, text: &str) -> anyhow::Result<Vec<u8>> {
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
        let short = Key::parse("REFRESH_SECRET", &secret(31)).err().unwrap();
        assert_eq!(short.to_string(), "REFRESH_SECRET must hold at least 32 bytes, and holds 31");
        let garbled = Key::parse("REFRESH_SECRET", &"top secret!".into()).err().unwrap();
        assert_eq!(format!("{garbled:#}"), "REFRESH_SECRET is not base64url");
    }

    #[test]
    fn padding_is_optional() {
        let plain = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc";
        for text in [plain.to_owned(), format!("{plain}=")] {
            assert!(Key::parse("REFRESH_SECRET", &text.into()).is_ok());
        }
    }

    #[test]
    fn each_purpose_gives_another_mac() {
        let key = Key::parse("REFRESH_SECRET", &secret(32)).unwrap();
        assert_ne!(key.mac("ab", b"c"), key.mac("a", b"bc"));
    }

    #[test]
    fn a_seed_has_exactly_32_bytes() {
        let two: SecretString = format!("{0},{0}", secret(32).expose_secret()).into();
        assert_eq!(seeds("SIGNING_KEYS", &two).unwrap().len(), 2);
        for bad in [secret(31), secret(33), "".into()] {
            assert!(seeds("SIGNING_KEYS", &bad).is_err());
        }
    }
}
