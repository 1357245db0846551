//! What is sent to phones and mailboxes, and what is kept of it.

use subtle::ConstantTimeEq as _;
use types::Msisdn;
use uuid::Uuid;

use super::{Key, Token};
use crate::domain::{ChallengeId, Code, SentCode};

/// Keeps codes so that the database alone gives none away, and makes the tokens of
/// links.
#[derive(Clone)]
pub(crate) struct Codes(Key);

impl Codes {
    pub(crate) fn new(key: Key) -> Self {
        Self(key)
    }

    /// What is stored of a code: good for this phone, this challenge and signing in,
    /// and for nothing else.
    pub(crate) fn mac(&self, code: &Code, phone: &Msisdn, challenge: ChallengeId) -> [u8; 32] {
        let challenge = challenge.uuid();
        // Each part has a fixed length, so no two triples look alike.
        let parts = [code.digits().as_bytes(), phone.digits().as_bytes(), challenge.as_bytes()];
        self.0.mac("phone-sign-in", &parts.concat())
    }

    /// Whether a code is the one that was sent, in a time that tells nothing.
    pub(crate) fn proves(&self, code: &Code, sent: &SentCode, challenge: ChallengeId) -> bool {
        self.mac(code, &sent.phone, challenge).ct_eq(&sent.mac).into()
    }

    /// Under which key a phone's codes are counted.
    pub(crate) fn phone_key(&self, phone: &Msisdn) -> [u8; 32] {
        self.0.mac("phone-codes", phone.digits().as_bytes())
    }

    /// The token of the link that an outbox row asks for, always the same one: a mail
    /// that is sent twice has one link.
    pub(crate) fn link(&self, event: Uuid) -> LinkToken {
        LinkToken::derived(self.0.mac("email-link", event.as_bytes()))
    }
}

/// What a mailed link carries.
pub(crate) type LinkToken = Token<AsLinkToken>;

/// The use of a [`LinkToken`].
pub(crate) enum AsLinkToken {}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    use time::OffsetDateTime;
    use types::Rng;

    use super::*;

    fn codes(byte: u8) -> Codes {
        let secret = URL_SAFE_NO_PAD.encode([byte; 32]);
        Codes::new(Key::parse("CODE_SECRET", &secret.into()).unwrap())
    }

    fn id(seed: u64) -> Uuid {
        Rng::from_seed(seed).uuid_v7(OffsetDateTime::UNIX_EPOCH)
    }

    #[test]
    fn a_code_is_good_for_its_own_phone_and_challenge_alone() {
        let (codes, challenge) = (codes(1), ChallengeId::from(id(1)));
        let code = Code::parse("123456").unwrap();
        let phone = Msisdn::parse("0712345678").unwrap();
        let sent = SentCode {
            mac: codes.mac(&code, &phone, challenge),
            phone,
            tries: 0,
            expires_at: OffsetDateTime::UNIX_EPOCH,
            ended: false,
        };
        assert!(codes.proves(&code, &sent, challenge));
        assert!(!codes.proves(&Code::parse("123457").unwrap(), &sent, challenge));
        assert!(!codes.proves(&code, &sent, ChallengeId::from(id(2))));
        let other = SentCode { phone: Msisdn::parse("0112345678").unwrap(), ..sent.clone() };
        assert!(!codes.proves(&code, &other, challenge));
        assert!(!super::tests::codes(2).proves(&code, &sent, challenge));
    }

    #[test]
    fn a_link_is_the_same_again_and_needs_the_secret() {
        let token = codes(1).link(id(1));
        assert_eq!(codes(1).link(id(1)), token);
        assert_ne!(codes(1).link(id(2)), token);
        assert_ne!(codes(2).link(id(1)), token);
    }
}
