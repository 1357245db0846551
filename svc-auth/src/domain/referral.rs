//! Referral codes, which players give to friends.

use types::Rng;

/// Eight characters of an alphabet without look-alikes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReferralCode(String);

/// A player's own code, and its use.
#[derive(Debug, Clone)]
pub(crate) struct Referral {
    pub(crate) code: String,
    /// Whether the player has entered a friend's code.
    pub(crate) redeemed: bool,
    /// Players who entered this player's code.
    pub(crate) invited: i64,
}

impl ReferralCode {
    /// Crockford's base 32: no I, L, O or U. 32 letters take five bits each, so none is
    /// likelier than another.
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    /// Longest text that is parsed, in bytes: eight letters and generous punctuation.
    const LONGEST_TYPED: usize = 64;

    /// A random code, one of 2^40.
    pub(crate) fn generate(rng: &Rng) -> Self {
        let bits = rng.bytes::<5>().iter().fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
        let letter = |place: usize| {
            let five = (bits >> (5 * place)).to_le_bytes()[0] & 31;
            char::from(Self::ALPHABET[usize::from(five)])
        };
        Self((0..8).map(letter).collect())
    }

    /// Parses the text that a player entered: in either case, with look-alikes for the letters that
    /// they resemble and hyphens ignored (Crockford's rules). `None` when the text does not have
    /// the form of a code.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.len() > Self::LONGEST_TYPED {
            return None;
        }
        let meant = |c: char| match c.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        };
        let code: String = text.trim().chars().filter(|c| *c != '-').map(meant).collect();
        let known = code.bytes().all(|letter| Self::ALPHABET.contains(&letter));
        (code.len() == 8 && known).then_some(Self(code))
    }

    /// The value of a database column.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_eight_letters_without_look_alikes() {
        let rng = Rng::from_seed(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..1_000 {
            let code = ReferralCode::generate(&rng);
            assert_eq!(code.as_str().len(), 8);
            assert!(!code.as_str().contains(['I', 'L', 'O', 'U']), "{code:?}");
            seen.extend(code.as_str().chars());
        }
        assert_eq!(seen.len(), 32, "every letter occurs");
    }

    #[test]
    fn look_alikes_case_and_hyphens_are_normalised() {
        let code = ReferralCode::parse("0101ABCD");
        assert!(code.is_some());
        for typed in ["0101abcd", " OLOLabcd ", "oioi-ABCD", "0-1-0-1-A-B-C-D"] {
            assert_eq!(ReferralCode::parse(typed), code, "{typed:?}");
        }
        for malformed in
            ["", "0101ABC", "0101ABCDE", "0101ABCU", "0101 ABC", "０101ABCD", &"0".repeat(65)]
        {
            assert_eq!(ReferralCode::parse(malformed), None, "{malformed:?}");
        }
    }

    #[test]
    fn a_generated_code_parses_back() {
        let code = ReferralCode::generate(&Rng::from_seed(7));
        assert_eq!(ReferralCode::parse(code.as_str()), Some(code));
    }
}
