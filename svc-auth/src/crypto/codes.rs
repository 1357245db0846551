//! Codes for phones and tokens for mailed links.

use subtle::ConstantTimeEq as _;
use types::Msisdn;
use uuid::Uuid;

use mesh::auth::MacKey;

use super::Token;
use crate::domain::{ChallengeId, Code, CodeLength, SentCode, Standing};

/// Computes the HMACs that are stored instead of codes, and the tokens of links.
#[derive(Clone)]
pub(crate) struct Codes(MacKey);

impl Codes {
    pub(crate) fn new(key: MacKey) -> Self {
        Self(key)
    }

    /// The HMAC of a code, which is valid for this phone, this challenge and signing in
    /// alone. A plain hash of six digits could be found by trying all.
    pub(crate) fn mac(&self, code: &Code, phone: &Msisdn, challenge: ChallengeId) -> [u8; 32] {
        let challenge = challenge.uuid();
        // Only the code varies in length, so no two triples look alike.
        let parts = [code.digits().as_bytes(), phone.digits().as_bytes(), challenge.as_bytes()];
        self.0.mac("phone-sign-in", &parts.concat())
    }

    /// Whether a code is the one that was sent; compared in constant time.
    pub(crate) fn verify(&self, code: &Code, sent: &SentCode, challenge: ChallengeId) -> bool {
        self.mac(code, &sent.phone, challenge).ct_eq(&sent.mac).into()
    }

    /// The text by which a client names a challenge: its id and a MAC, so that a text that was made
    /// up costs no look-up.
    pub(crate) fn expose_challenge(&self, challenge: ChallengeId) -> String {
        self.0.seal("challenge", challenge.uuid().as_bytes())
    }

    /// The challenge that a client names; `None` for a text that was made up.
    pub(crate) fn open_challenge(&self, text: &str) -> Option<ChallengeId> {
        self.0.open("challenge", text).map(|bytes| Uuid::from_bytes(bytes).into())
    }

    /// The key under which a phone's codes are counted, for devices of a standing.
    pub(crate) fn phone_key(&self, phone: &Msisdn, standing: Standing) -> [u8; 32] {
        let purpose = match standing {
            Standing::Known => "phone-codes-for-known-devices",
            Standing::Unknown => "phone-codes",
        };
        self.0.mac(purpose, phone.digits().as_bytes())
    }

    /// The key under which the codes are counted that prove a phone for withdrawals. It is not the key
    /// of sign-ins, so that neither uses up the limit of the other.
    pub(crate) fn payout_phone_key(&self, phone: &Msisdn) -> [u8; 32] {
        self.0.mac("payout-phone-codes", phone.digits().as_bytes())
    }

    /// The key under which the phone of an erased account is remembered.
    pub(crate) fn former_key(&self, phone: &Msisdn) -> [u8; 32] {
        self.0.mac("former-phone", phone.digits().as_bytes())
    }

    /// The code that is derived from a challenge's id, so that a mail that is sent twice has the same
    /// code, and the database has none.
    pub(crate) fn derived(&self, purpose: CodePurpose, challenge: ChallengeId) -> Code {
        let mac = self.0.mac(purpose.name(), challenge.uuid().as_bytes());
        let (random, _) = mac.split_first_chunk().unwrap_or((&[0; 8], &[]));
        Code::from_random(*random, CodeLength::Six)
    }

    /// Whether a code is the one that is derived from a challenge's id; compared in constant time.
    pub(crate) fn verify_derived(
        &self,
        code: &Code,
        purpose: CodePurpose,
        challenge: ChallengeId,
    ) -> bool {
        let right = self.derived(purpose, challenge);
        right.digits().as_bytes().ct_eq(code.digits().as_bytes()).into()
    }

    /// The token of the link that an outbox row asks for. It is derived from the row's id,
    /// so a mail that is sent twice has the same link.
    pub(crate) fn link(&self, event: Uuid) -> LinkToken {
        LinkToken::from_bytes(self.0.mac("email-link", event.as_bytes()))
    }
}

/// What a derived code is for. It is valid for nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodePurpose {
    /// Confirms a device.
    Device,
    /// Joins an account at a provider with a player.
    ProviderJoin,
    /// Proves a phone for withdrawals.
    PayoutPhone,
}

impl CodePurpose {
    const fn name(self) -> &'static str {
        match self {
            Self::Device => "device-code",
            Self::ProviderJoin => "provider-join-code",
            Self::PayoutPhone => "payout-phone-code",
        }
    }
}

/// The token of a mailed link.
pub(crate) type LinkToken = Token<AsLinkToken>;

/// Marks a [`LinkToken`].
pub(crate) enum AsLinkToken {}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    use time::OffsetDateTime;
    use types::Rng;

    use super::*;

    fn codes(byte: u8) -> Codes {
        let secret = URL_SAFE_NO_PAD.encode([byte; 32]);
        Codes::new(MacKey::parse("CODE_SECRET", &secret.into()).unwrap())
    }

    fn id(seed: u64) -> Uuid {
        Rng::from_seed(seed).uuid_v7(OffsetDateTime::UNIX_EPOCH)
    }

    #[test]
    fn a_code_is_valid_for_its_own_phone_and_challenge_alone() {
        let (codes, challenge) = (codes(1), ChallengeId::from(id(1)));
        let code = Code::parse("123456").unwrap();
        let phone = Msisdn::parse("0712345678").unwrap();
        let sent = SentCode {
            mac: codes.mac(&code, &phone, challenge),
            phone,
            length: CodeLength::Six,
            standing: Standing::Unknown,
            tries: 0,
            expires_at: OffsetDateTime::UNIX_EPOCH,
            ended: false,
        };
        assert!(codes.verify(&code, &sent, challenge));
        assert!(!codes.verify(&Code::parse("123457").unwrap(), &sent, challenge));
        assert!(!codes.verify(&code, &sent, ChallengeId::from(id(2))));
        let other = SentCode { phone: Msisdn::parse("0112345678").unwrap(), ..sent.clone() };
        assert!(!codes.verify(&code, &other, challenge));
        assert!(!super::tests::codes(2).verify(&code, &sent, challenge));
    }

    #[test]
    fn a_derived_code_is_repeatable_and_needs_the_secret_and_the_purpose() {
        let (one, other) = (ChallengeId::from(id(1)), ChallengeId::from(id(2)));
        let purpose = CodePurpose::Device;
        let code = codes(1).derived(purpose, one);
        assert!(codes(1).verify_derived(&code, purpose, one));
        assert!(!codes(1).verify_derived(&code, purpose, other));
        assert!(!codes(2).verify_derived(&code, purpose, one));
        assert!(!codes(1).verify_derived(&code, CodePurpose::ProviderJoin, one));
    }

    #[test]
    fn a_link_token_is_repeatable_and_needs_the_secret() {
        let token = codes(1).link(id(1));
        assert_eq!(codes(1).link(id(1)), token);
        assert_ne!(codes(1).link(id(2)), token);
        assert_ne!(codes(2).link(id(1)), token);
    }
}
