//! The code that identifies {{a_noun_words}} to people.

use types::Rng;

/// Crockford's base 32: no I, L, O or U, so that a code can be read aloud.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Symbols of a code: 50 bits, so that guessing one is hopeless.
const LENGTH: usize = 10;

/// Ten symbols of [`ALPHABET`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Code(String);

impl Code {
    /// A random code.
    pub(crate) fn generate(rng: &Rng) -> Self {
        let symbol = |byte: u8| char::from(ALPHABET[usize::from(byte) % ALPHABET.len()]);
        Self(rng.bytes::<LENGTH>().into_iter().map(symbol).collect())
    }

    /// Parses a code in either case; `None` for any other text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let code = text.to_ascii_uppercase();
        let valid = code.len() == LENGTH && code.bytes().all(|byte| ALPHABET.contains(&byte));
        valid.then_some(Self(code))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_code_parses_back_in_either_case() {
        let code = Code::generate(&Rng::from_seed(7));
        assert_eq!(Code::parse(code.as_str()), Some(code.clone()));
        assert_eq!(Code::parse(&code.as_str().to_lowercase()), Some(code));
    }

    #[test]
    fn codes_follow_the_seed() {
        let of_seed = |seed| Code::generate(&Rng::from_seed(seed));
        assert_eq!(of_seed(7), of_seed(7));
        assert_ne!(of_seed(7), of_seed(8));
    }

    #[test]
    fn other_texts_are_no_codes() {
        for text in ["", "012345678", "0123456789A", "ILOU000000", "é2345678"] {
            assert_eq!(Code::parse(text), None, "{text}");
        }
    }
}
