//! The codes that players give to friends.

use types::Chance;

/// Eight characters of an alphabet in which no two look alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReferralCode(String);

impl ReferralCode {
    /// Crockford's base 32: no I, L, O or U. 32 letters take five bits each, so
    /// none is likelier than another.
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    /// A code out of 2^40; two players hardly ever draw the same one.
    pub(crate) fn draw(chance: &Chance) -> Self {
        let bits =
            chance.bytes::<5>().iter().fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
        let letter = |place: usize| {
            let five = (bits >> (5 * place)).to_le_bytes()[0] & 31;
            char::from(Self::ALPHABET[usize::from(five)])
        };
        Self((0..8).map(letter).collect())
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
        let chance = Chance::from_seed(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..1_000 {
            let code = ReferralCode::draw(&chance);
            assert_eq!(code.as_str().len(), 8);
            assert!(!code.as_str().contains(['I', 'L', 'O', 'U']), "{code:?}");
            seen.extend(code.as_str().chars());
        }
        assert_eq!(seen.len(), 32, "every letter is drawn at times");
    }
}
