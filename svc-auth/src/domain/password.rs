//! Passwords as they are typed.

use types::{ExposeSecret, SecretString};

/// A password that is worth hashing.
#[derive(Debug, Clone)]
pub(crate) struct Password(SecretString);

/// Why a password is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PasswordError {
    /// Nothing there.
    Empty,
    /// Shorter than the specification allows.
    TooShort,
    /// Longer than anybody types; hashing it would only be work.
    TooLong,
}

impl Password {
    /// Specification, section 9.
    const MIN_CHARS: usize = 6;
    const MAX_CHARS: usize = 128;

    /// A password that somebody chooses.
    pub(crate) fn choose(text: String) -> Result<Self, PasswordError> {
        if text.chars().count() < Self::MIN_CHARS {
            return Err(PasswordError::TooShort);
        }
        Self::offer(text)
    }

    /// A password that somebody offers as their own. It may be short: that it
    /// is wrong should cost the same look as any other wrong one.
    pub(crate) fn offer(text: String) -> Result<Self, PasswordError> {
        match text.chars().count() {
            0 => Err(PasswordError::Empty),
            count if count > Self::MAX_CHARS => Err(PasswordError::TooLong),
            _ => Ok(Self(text.into())),
        }
    }

    /// What is hashed.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.expose_secret().as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_has_6_to_128_characters_of_any_alphabet() {
        for (text, verdict) in [
            ("", Some(PasswordError::TooShort)),
            ("12345", Some(PasswordError::TooShort)),
            ("ñandú", Some(PasswordError::TooShort)),
            ("123456", None),
            ("ñandúñ", None),
        ] {
            assert_eq!(Password::choose(text.to_owned()).err(), verdict, "{text}");
        }
        assert!(Password::choose("é".repeat(128)).is_ok());
        assert_eq!(Password::choose("é".repeat(129)).err(), Some(PasswordError::TooLong));
    }

    #[test]
    fn a_wrong_password_may_be_short_but_not_nothing() {
        assert!(Password::offer("123".to_owned()).is_ok());
        assert_eq!(Password::offer(String::new()).err(), Some(PasswordError::Empty));
    }

    #[test]
    fn it_does_not_print() {
        let password = Password::choose("correct horse".to_owned()).unwrap();
        assert!(!format!("{password:?}").contains("horse"));
    }
}
