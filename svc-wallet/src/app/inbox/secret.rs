//! The secret in the path of a callback.
//!
//! Half of a secret is random, and the other half is a MAC of it and of the callback's kind. A
//! secret with a valid MAC that is not in the database belongs to a payment that the database has
//! lost.

use mesh::auth::MacKey;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;

use crate::{app::Cx, domain::CallbackKind};

/// Bytes of each half.
const HALF: usize = 8;

/// Generates a secret for a kind of callback: 128 bits in hexadecimal digits, so that it fits into a
/// path and contains none of the words that Daraja refuses in URLs.
pub(crate) fn generate(cx: &Cx, kind: CallbackKind) -> String {
    signed(&cx.callback_key, kind, cx.rng.bytes())
}

fn signed(key: &MacKey, kind: CallbackKind, random: [u8; HALF]) -> String {
    let mac = key.mac(kind.into(), &random);
    hex::encode(random) + &hex::encode(&mac[..HALF])
}

/// Whether a secret is one that [`generate`] made with this key for this kind of callback.
pub(crate) fn is_ours(key: &MacKey, kind: CallbackKind, secret: &str) -> bool {
    let mut random = [0; HALF];
    let Some((half, _)) = secret.split_at_checked(2 * HALF) else { return false };
    if hex::decode_to_slice(half, &mut random).is_err() {
        return false;
    }
    signed(key, kind, random).as_bytes().ct_eq(secret.as_bytes()).into()
}

/// Returns the hash under which a secret is stored.
pub(crate) fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: CallbackKind = CallbackKind::MpesaB2c;

    #[test]
    fn a_secret_is_ours_for_its_own_key_and_kind_alone() {
        let key = MacKey::of(&"the secret of our app".into());
        let secret = signed(&key, KIND, [7; HALF]);
        assert_eq!(secret.len(), 32);
        assert!(is_ours(&key, KIND, &secret));
        assert!(!is_ours(&key, CallbackKind::MpesaStk, &secret));
        assert!(!is_ours(&MacKey::of(&"another app's".into()), KIND, &secret));
        let other = signed(&key, KIND, [8; HALF]);
        let mixed = secret[..16].to_owned() + &other[16..];
        for made_up in ["", "0", &secret[1..], &mixed, &"0".repeat(32), &"é".repeat(16)] {
            assert!(!is_ours(&key, KIND, made_up), "{made_up}");
        }
    }
}
