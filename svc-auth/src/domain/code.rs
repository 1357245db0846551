//! Codes that are sent to phones and by mail.

use std::fmt;

use types::Rng;

/// Digits that prove who holds a phone, or reads a mailbox.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Code(String);

/// How many digits a code has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodeLength {
    Six,
    /// Nine digits: a thousand times as hard to guess.
    Nine,
}

impl CodeLength {
    /// The value of a database column and of the wire.
    pub(crate) const fn digits(self) -> u8 {
        match self {
            Self::Six => 6,
            Self::Nine => 9,
        }
    }
}

types::id! {
    /// Identifies one code that was sent.
    pub(crate) ChallengeId: "challenge"
}

impl Code {
    /// A random code.
    pub(crate) fn generate(rng: &Rng, length: CodeLength) -> Self {
        Self::from_random(rng.bytes(), length)
    }

    /// The code of random bytes. The modulo makes some codes likelier, by less than one part in
    /// ten million.
    pub(crate) fn from_random(bytes: [u8; 8], length: CodeLength) -> Self {
        let digits = usize::from(length.digits());
        let number = u64::from_be_bytes(bytes) % 10_u64.pow(length.digits().into());
        Self(format!("{number:0digits$}"))
    }

    /// Parses what a player entered; `None` when it is not the digits of a code.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.trim();
        let lengths = [CodeLength::Six, CodeLength::Nine];
        let is_code = lengths.iter().any(|length| digits.len() == usize::from(length.digits()))
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_code.then(|| Self(digits.to_owned()))
    }

    /// The digits, to send them or compute their HMAC.
    pub(crate) fn digits(&self) -> &str {
        &self.0
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
        for length in [CodeLength::Six, CodeLength::Nine] {
            let rng = Rng::from_seed(1);
            let mut seen = vec![[false; 10]; length.digits().into()];
            for _ in 0..500 {
                let code = Code::generate(&rng, length);
                for (place, digit) in code.digits().bytes().enumerate() {
                    seen[place][usize::from(digit - b'0')] = true;
                }
            }
            assert!(seen.iter().flatten().all(|seen| *seen), "{length:?}");
        }
    }

    #[test]
    fn a_generated_code_parses_back() {
        for length in [CodeLength::Six, CodeLength::Nine] {
            let code = Code::generate(&Rng::from_seed(1), length);
            assert_eq!(code.digits().len(), usize::from(length.digits()));
            assert_eq!(Code::parse(&format!(" {}\n", code.digits())), Some(code));
        }
    }

    #[test]
    fn other_texts_are_not_codes() {
        for text in ["", "12345", "1234567", "1234567890", "12345x", "12 345", "١٢٣٤٥٦", "-12345"]
        {
            assert_eq!(Code::parse(text), None, "{text}");
        }
    }

    #[test]
    fn debug_output_hides_the_digits() {
        assert_eq!(format!("{:?}", Code::parse("123456")), "Some(Code(…))");
    }
}
