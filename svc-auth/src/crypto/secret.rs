//! The Ed25519 keys that sign access tokens, from the configuration.

use anyhow::Context as _;
use mesh::auth::decode_secret;
use secrecy::{ExposeSecret as _, SecretBox, SecretString};

/// Parses Ed25519 seeds from a comma list.
pub(crate) fn seeds(
    variable: &str,
    list: &SecretString,
) -> anyhow::Result<Vec<SecretBox<[u8; 32]>>> {
    let seeds = list
        .expose_secret()
        .split(',')
        .map(|text| {
            let bytes = decode_secret(variable, text)?;
            let seed: [u8; 32] = bytes
                .try_into()
                .ok()
                .with_context(|| format!("each key in {variable} must be exactly 32 bytes"))?;
            Ok(SecretBox::new(Box::new(seed)))
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

    use super::*;

    fn secret(bytes: usize) -> SecretString {
        URL_SAFE_NO_PAD.encode(vec![7; bytes]).into()
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
