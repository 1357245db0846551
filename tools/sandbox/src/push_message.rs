//! The browser's side of RFC 8291: its keys, and the decryption of a message.

use aes_gcm::aead::Aead as _;
use aes_gcm::{Aes128Gcm, KeyInit as _, Nonce};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hkdf::Hkdf;
use p256::ecdh::diffie_hellman;
use p256::{EncodedPoint, PublicKey, SecretKey};
use rand::Rng as _;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// Salt, record size and the length of the sender's key, before that key (RFC 8188).
const HEADER: usize = 16 + 4 + 1;

/// The keys of a browser, in base64url.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Keys {
    secret: String,
    /// The public key, an uncompressed point.
    pub(crate) p256dh: String,
    pub(crate) auth: String,
}

impl Keys {
    /// Generates the keys of a new browser.
    pub(crate) fn generate() -> Self {
        loop {
            let mut secret = [0_u8; 32];
            rand::rng().fill_bytes(&mut secret);
            // All but one of 2^32 draws are keys.
            if let Ok(key) = SecretKey::from_slice(&secret) {
                let mut auth = [0_u8; 16];
                rand::rng().fill_bytes(&mut auth);
                return Self::new(&key, &auth);
            }
        }
    }

    fn new(key: &SecretKey, auth: &[u8]) -> Self {
        let encode = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        Self {
            secret: encode(&key.to_bytes()),
            p256dh: encode(EncodedPoint::from(key.public_key()).as_bytes()),
            auth: encode(auth),
        }
    }
}

/// A random name.
pub(crate) fn random_id() -> String {
    let mut id = [0_u8; 12];
    rand::rng().fill_bytes(&mut id);
    BASE64_URL_SAFE_NO_PAD.encode(id)
}

/// The message; `None` when it is not encrypted for these keys. One record, as RFC 8291
/// requires.
pub(crate) fn decrypt(keys: &Keys, body: &[u8]) -> Option<Vec<u8>> {
    let decode = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).ok();
    let own = SecretKey::from_slice(&decode(&keys.secret)?).ok()?;
    let auth = decode(&keys.auth)?;
    let (header, rest) = body.split_at_checked(HEADER)?;
    let (salt, length) = (&header[..16], usize::from(header[20]));
    let record = u32::from_be_bytes(header[16..20].try_into().ok()?);
    let (sender, sealed) = rest.split_at_checked(length)?;
    if sealed.len() > usize::try_from(record).ok()? {
        return None;
    }
    let sender_key = PublicKey::from_sec1_bytes(sender).ok()?;
    let shared = diffie_hellman(own.to_nonzero_scalar(), sender_key.as_affine());

    let own_public = EncodedPoint::from(own.public_key());
    let info = [b"WebPush: info\0", own_public.as_bytes(), sender].concat();
    let mut key_material = [0_u8; 32];
    Hkdf::<Sha256>::new(Some(&auth), &shared.raw_secret_bytes()[..])
        .expand(&info, &mut key_material)
        .ok()?;
    let derived = Hkdf::<Sha256>::new(Some(salt), &key_material);
    let (mut key, mut nonce) = ([0_u8; 16], [0_u8; 12]);
    derived.expand(b"Content-Encoding: aes128gcm\0", &mut key).ok()?;
    derived.expand(b"Content-Encoding: nonce\0", &mut nonce).ok()?;

    let opened = Aes128Gcm::new(&key.into()).decrypt(&Nonce::from(nonce), sealed).ok()?;
    // The last record ends with 2 and zeros of padding.
    let end = opened.iter().rposition(|byte| *byte != 0)?;
    (opened[end] == 2).then(|| opened[..end].to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message of RFC 8291, section 5 and appendix A.
    const BODY: &str = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";

    fn decode(text: &str) -> Vec<u8> {
        BASE64_URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    #[test]
    fn the_example_of_the_rfc_is_decrypted() {
        let secret = decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94");
        let key = SecretKey::from_slice(&secret).unwrap();
        let keys = Keys::new(&key, &decode("BTBZMqHH6r4Tts7J_aSIgg"));
        let plain = decrypt(&keys, &decode(BODY)).unwrap();
        assert_eq!(plain, b"When I grow up, I want to be a watermelon");
        for at in [0, 20, 30, 90, 130] {
            let mut changed = decode(BODY);
            changed[at] ^= 0x80;
            assert_eq!(decrypt(&keys, &changed), None, "byte {at}");
        }
        assert_eq!(decrypt(&Keys::generate(), &decode(BODY)), None);
        assert_eq!(decrypt(&keys, &[]), None);
    }
}
