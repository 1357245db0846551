//! Identifiers in Daraja's formats.

use time::OffsetDateTime;

use crate::clock;
use crate::world::msisdn::Msisdn;

/// `requestId` of an error, as in `16813-1590513-1`.
pub(super) fn request_id() -> String {
    let (a, b) = (rand::random_range(10_000..99_999u32), rand::random_range(1..99_999_999u32));
    format!("{a}-{b}-1")
}

/// `MerchantRequestID`, as in `b3f4-4853-beb7-b6b6628fe790500303`.
pub(super) fn merchant_request_id() -> String {
    let hex = hex::encode(rand::random::<[u8; 12]>());
    let (a, b, c, d) = (&hex[..4], &hex[4..8], &hex[8..12], &hex[12..]);
    format!("{a}-{b}-{c}-{d}{:06}", rand::random_range(0..1_000_000u32))
}

/// `CheckoutRequestID`, as in `ws_CO_25052025173533440720461786`: the time and
/// the subscriber's number, so it is personal data.
pub(super) fn checkout_request_id(at: OffsetDateTime, msisdn: &Msisdn) -> String {
    format!("ws_CO_{}{}", clock::checkout_stamp(at), msisdn.subscriber())
}

/// `ConversationID`, as in `AG_20240706_20106e9209f64bebd05b`.
pub(super) fn conversation_id(at: OffsetDateTime) -> String {
    format!("AG_{}_{}", &clock::compact(at)[..8], hex::encode(rand::random::<[u8; 10]>()))
}

/// An access token: 28 letters and digits.
pub(super) fn access_token() -> String {
    const ALPHABET: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    (0..28).map(|_| char::from(ALPHABET[rand::random_range(0..ALPHABET.len())])).collect()
}
