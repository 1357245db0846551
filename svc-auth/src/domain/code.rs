//! Codes that are sent to phones.

use std::fmt;

use types::Rng;

/// Six digits that prove who holds a phone.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Code([u8; 6]);

types::id! {
    /// Identifies one code that was sent.
    pub(crate) ChallengeId: "challenge"
}

impl Code {
    /// A random code. The modulo makes some codes likelier, by less than one part in ten
    /// billion.
    pub(crate) fn generate(rng: &Rng) -> Self {
        let mut rest = u64::from_be_bytes(rng.bytes()) % 1_000_000;
        let mut digits = [b'0'; 6];
        for digit in digits.iter_mut().rev() {
            *digit += (rest % 10).to_le_bytes()[0];
            rest /= 10;
        }
        Self(digits)
    }

    /// Parses what a player entered; `None` when it is not six digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits: [u8; 6] = text.trim().as_bytes().try_into().ok()?;
        digits.iter().all(u8::is_ascii_digit).then_some(Self(digits))
    }

    /// The digits, to send them or compute their HMAC.
    pub(crate) fn digits(&self) -> &str {
        // Both constructors ensure ASCII.
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// Hides the digits: they are a credential.
impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_occurs_at_every_place() {
        let rng = Rng::from_seed(1);
        let mut seen = [[false; 10]; 6];
        for _ in 0..500 {
            let code = Code::generate(&rng);
            for (place, digit) in code.digits().bytes().enumerate() {
                seen[place][usize::from(digit - b'0')] = true;
            }
        }
        assert_eq!(seen, [[true; 10]; 6]);
    }

    #[test]
    fn a_generated_code_parses_back() {
        let code = Code::generate(&Rng::from_seed(1));
        assert_eq!(Code::parse(&format!(" {}\n", code.digits())), Some(code));
    }

    #[test]
    fn other_texts_are_not_codes() {
        for text in ["", "12345", "1234567", "12345x", "12 345", "١٢٣٤٥٦", "-12345"] {
            assert_eq!(Code::parse(text), None, "{text}");
        }
    }

    #[test]
    fn debug_output_hides_the_digits() {
        assert_eq!(format!("{:?}", Code::parse("123456")), "Some(Code(…))");
    }
}
