//! Random values of codes and access tokens.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

/// 256 random bits in base64url.
pub(super) fn secret() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>())
}
