//! The signature of the sender (VAPID, RFC 8292).

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use time::OffsetDateTime;

#[derive(Deserialize)]
struct Claims {
    aud: String,
    exp: i64,
    sub: String,
}

/// Checks the header `Authorization`: the token's signature by the key beside it, its
/// audience, its end within a day of `now`, and that the browser subscribed with the same key.
pub(super) fn verify(
    authorization: &str,
    origin: &str,
    server_key: Option<&str>,
    now: Option<OffsetDateTime>,
) -> Result<(), String> {
    let parameters = authorization
        .strip_prefix("vapid ")
        .ok_or("the scheme of Authorization should be vapid")?;
    let parameter = |name: &str| {
        let mut all = parameters.split(',').filter_map(|pair| pair.trim().split_once('='));
        all.find_map(|(found, value)| (found == name).then_some(value))
    };
    let (Some(token), Some(key)) = (parameter("t"), parameter("k")) else {
        return Err("vapid needs t and k".into());
    };
    let point = BASE64_URL_SAFE_NO_PAD.decode(key).map_err(|_| "k should be base64url")?;
    let [4, coordinates @ ..] = point.as_slice() else {
        return Err("k should be an uncompressed point".into());
    };
    let (x, y) = coordinates.split_at_checked(32).ok_or("k should have 65 bytes")?;
    let encode = |part: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(part);
    let decoding = DecodingKey::from_ec_components(&encode(x), &encode(y))
        .map_err(|error| format!("k: {error}"))?;
    let mut validation = Validation::new(Algorithm::ES256);
    // The expiry is checked below, by the clock of the sandbox.
    validation.validate_exp = false;
    validation.validate_aud = false;
    let claims = jsonwebtoken::decode::<Claims>(token, &decoding, &validation)
        .map_err(|error| format!("t: {error}"))?
        .claims;
    if claims.aud != origin {
        return Err(format!("aud should be {origin}"));
    }
    let left = now.map(|now| claims.exp - now.unix_timestamp());
    if left.is_some_and(|left| !(0..=24 * 3600).contains(&left)) {
        return Err("exp should be within a day".into());
    }
    if !claims.sub.starts_with("mailto:") && !claims.sub.starts_with("https://") {
        return Err("sub should be mailto: or https:".into());
    }
    match server_key {
        Some(expected) if expected != key => Err("the browser subscribed with another key".into()),
        _ => Ok(()),
    }
}
