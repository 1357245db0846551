//! Codes that are sent to phones.

use std::fmt;

use types::{Id, Noun, Rng};

/// Six digits.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Code([u8; 6]);

/// What a code was sent for: one sending, one challenge.
pub(crate) type ChallengeId = Id<Challenge>;

/// The noun of [`ChallengeId`].
pub(crate) enum Challenge {}
impl Noun for Challenge {
    const NAME: &'static str = "challenge";
}

impl Code {
    /// One of a million, none likelier than another by more than one part in ten
    /// billion.
    pub(crate) fn draw(rng: &Rng) -> Self {
        let mut rest = u64::from_be_bytes(rng.bytes()) % 1_000_000;
        let mut digits = [b'0'; 6];
        for digit in digits.iter_mut().rev() {
            *digit += (rest % 10).to_le_bytes()[0];
            rest /= 10;
        }
        Self(digits)
    }

    /// Reads what was typed or pasted; `None` when it can be no code.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits: [u8; 6] = text.trim().as_bytes().try_into().ok()?;
        digits.iter().all(u8::is_ascii_digit).then_some(Self(digits))
    }

    /// What is sent, and what its HMAC is made of.
    pub(crate) fn digits(&self) -> &str {
        // Always ASCII; both ways in see to it.
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// Says nothing: it is a credential.
impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_is_drawn_at_every_place() {
        let rng = Rng::from_seed(1);
        let mut seen = [[false; 10]; 6];
        for _ in 0..500 {
            let code = Code::draw(&rng);
            for (place, digit) in code.digits().bytes().enumerate() {
                seen[place][usize::from(digit - b'0')] = true;
            }
        }
        assert_eq!(seen, [[true; 10]; 6]);
    }

    #[test]
    fn what_was_drawn_reads_back() {
        let code = Code::draw(&Rng::from_seed(1));
        assert_eq!(Code::parse(&format!(" {}\n", code.digits())), Some(code));
    }

    #[test]
    fn what_can_be_no_code_is_none() {
        for text in ["", "12345", "1234567", "12345x", "12 345", "١٢٣٤٥٦", "-12345"] {
            assert_eq!(Code::parse(text), None, "{text}");
        }
    }

    #[test]
    fn it_does_not_print() {
        assert_eq!(format!("{:?}", Code::parse("123456")), "Some(Code(…))");
    }
}
