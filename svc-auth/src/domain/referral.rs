//! The codes that players give to friends.

use types::Rng;

/// Eight characters of an alphabet in which no two look alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReferralCode(String);

/// A player's own code, as it is kept, and what came of it.
#[derive(Debug, Clone)]
pub(crate) struct Referral {
    pub(crate) code: String,
    /// The player has entered a friend's.
    pub(crate) redeemed: bool,
    /// Players who entered this one's.
    pub(crate) invited: i64,
}

impl ReferralCode {
    /// Crockford's base 32: no I, L, O or U. 32 letters take five bits each, so
    /// none is likelier than another.
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    /// Nobody types a code of eight letters at greater length.
    const LONGEST_TYPED: usize = 64;

    /// A code out of 2^40; two players hardly ever draw the same one.
    pub(crate) fn draw(rng: &Rng) -> Self {
        let bits = rng.bytes::<5>().iter().fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
        let letter = |place: usize| {
            let five = (bits >> (5 * place)).to_le_bytes()[0] & 31;
            char::from(Self::ALPHABET[usize::from(five)])
        };
        Self((0..8).map(letter).collect())
    }

    /// Reads what somebody typed: in either case, with the letters that the alphabet
    /// leaves out for their look-alikes, hyphens passed over (Crockford's own rules).
    /// `None` when nobody can have that code.
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

    /// What a database column holds.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_eight_letters_that_nobody_mistakes() {
        let rng = Rng::from_seed(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..1_000 {
            let code = ReferralCode::draw(&rng);
            assert_eq!(code.as_str().len(), 8);
            assert!(!code.as_str().contains(['I', 'L', 'O', 'U']), "{code:?}");
            seen.extend(code.as_str().chars());
        }
        assert_eq!(seen.len(), 32, "every letter is drawn at times");
    }

    #[test]
    fn a_code_is_read_as_people_write_it() {
        let code = ReferralCode::parse("0101ABCD");
        assert!(code.is_some());
        for typed in ["0101abcd", " OLOLabcd ", "oioi-ABCD", "0-1-0-1-A-B-C-D"] {
            assert_eq!(ReferralCode::parse(typed), code, "{typed:?}");
        }
        for nobodys in
            ["", "0101ABC", "0101ABCDE", "0101ABCU", "0101 ABC", "０101ABCD", &"0".repeat(65)]
        {
            assert_eq!(ReferralCode::parse(nobodys), None, "{nobodys:?}");
        }
    }

    #[test]
    fn what_is_drawn_reads_back() {
        let code = ReferralCode::draw(&Rng::from_seed(7));
        assert_eq!(ReferralCode::parse(code.as_str()), Some(code));
    }
}
