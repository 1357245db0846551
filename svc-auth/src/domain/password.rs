//! Passwords as players enter them.

use types::{Email, ExposeSecret, SecretString};
use unicode_normalization::UnicodeNormalization as _;

use super::Profile;

/// Guesses that a new password must withstand. This refuses more than the 3,000 most common
/// passwords, and the account's own data, also with a capital letter and a digit (ASVS 5, 6.2.4 and
/// 6.2.11). The estimate adds 10,000 where a password has two parts.
const GUESSES_MIN: u64 = 20_000;

/// A password of acceptable length. Its memory is zeroed on drop.
#[derive(Debug, Clone)]
pub(crate) struct Password {
    /// The password as PRECIS prepares it (`OpaqueString`, RFC 8265): spaces of any kind are
    /// spaces, and letters are composed (NFC), because keyboards differ in how they type `ũ`.
    prepared: SecretString,
    /// The password as it was typed, where that differs: older hashes were made from it.
    typed: Option<SecretString>,
}

/// Why a password is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PasswordError {
    /// The text is empty.
    Empty,
    /// The text is shorter than the specification allows.
    TooShort,
    /// The text is so long that hashing it would only cost CPU.
    TooLong,
}

/// Words that others know of an account, and may be tried first.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnWords(Vec<String>);

impl OwnWords {
    /// Returns the words of an address: all of it, and its parts.
    pub(crate) fn of_email(email: &Email) -> Self {
        let email = email.as_str();
        let parts = email.split(|mark: char| !mark.is_alphanumeric());
        Self(std::iter::once(email).chain(parts).map(str::to_owned).collect())
    }

    /// Returns the words of an address and of the profile beside it.
    pub(crate) fn of_player(email: &Email, profile: Option<&Profile>) -> Self {
        let Self(mut words) = Self::of_email(email);
        if let Some(Profile { name, username, phone, .. }) = profile {
            let names = name.iter().flat_map(|name| name.split_whitespace());
            words.extend(names.map(str::to_owned));
            words.extend(username.clone());
            words.extend(phone.clone());
        }
        Self(words)
    }
}

impl Password {
    /// Fewest and most characters (specification, section 9).
    const MIN_CHARS: usize = 6;
    const MAX_CHARS: usize = 128;

    /// Parses a password that is to be set.
    pub(crate) fn parse_new(text: String) -> Result<Self, PasswordError> {
        if text.is_empty() {
            return Err(PasswordError::TooShort);
        }
        let password = Self::parse(text)?;
        let count = password.prepared.expose_secret().chars().count();
        if count < Self::MIN_CHARS { Err(PasswordError::TooShort) } else { Ok(password) }
    }

    /// Parses a password that is to be compared with the stored one. It may be shorter
    /// than the minimum, so that it costs the same work as any other wrong password.
    pub(crate) fn parse(text: String) -> Result<Self, PasswordError> {
        match text.chars().count() {
            0 => Err(PasswordError::Empty),
            count if count > Self::MAX_CHARS => Err(PasswordError::TooLong),
            _ => Ok(Self::prepare(text)),
        }
    }

    fn prepare(typed: String) -> Self {
        let spaced = |char: char| if char.is_whitespace() { ' ' } else { char };
        if typed.chars().map(spaced).nfc().eq(typed.chars()) {
            return Self { prepared: typed.into(), typed: None };
        }
        let typed = SecretString::from(typed);
        let text = typed.expose_secret();
        // Allocated at full length: a text that grows would leave copies of its beginning in
        // memory.
        let mut prepared = String::with_capacity(3 * text.len());
        prepared.extend(text.chars().map(spaced).nfc());
        Self { prepared: prepared.into(), typed: Some(typed) }
    }

    /// Whether the password is among the first guesses. Estimating that takes up to some
    /// milliseconds.
    pub(crate) fn is_guessable(&self, own: &OwnWords) -> bool {
        let own: Vec<&str> = own.0.iter().map(String::as_str).collect();
        zxcvbn::zxcvbn(self.prepared.expose_secret(), &own).guesses() < GUESSES_MIN
    }

    /// The bytes to hash.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.prepared.expose_secret().as_bytes()
    }

    /// The bytes that were hashed before passwords were prepared, where they differ.
    pub(crate) fn typed_bytes(&self) -> Option<&[u8]> {
        self.typed.as_ref().map(|typed| typed.expose_secret().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_has_6_to_128_characters_of_any_alphabet() {
        for (text, error) in [
            ("", Some(PasswordError::TooShort)),
            ("12345", Some(PasswordError::TooShort)),
            ("ñandú", Some(PasswordError::TooShort)),
            ("u\u{303}u\u{303}u\u{303}", Some(PasswordError::TooShort)),
            ("123456", None),
            ("ñandúñ", None),
        ] {
            assert_eq!(Password::parse_new(text.to_owned()).err(), error, "{text}");
        }
        assert!(Password::parse_new("é".repeat(128)).is_ok());
        assert_eq!(Password::parse_new("é".repeat(129)).err(), Some(PasswordError::TooLong));
    }

    #[test]
    fn a_password_to_compare_may_be_short_but_not_empty() {
        assert!(Password::parse("123".to_owned()).is_ok());
        assert_eq!(Password::parse(String::new()).err(), Some(PasswordError::Empty));
    }

    #[test]
    fn common_passwords_and_the_accounts_own_data_are_guessable() {
        let email = Email::parse("wanjiru.kamau@example.com").unwrap();
        let own = OwnWords::of_email(&email);
        let is_guessable =
            |text: &str| Password::parse_new(text.to_owned()).unwrap().is_guessable(&own);
        for text in [
            "123456",
            "password",
            "Password1",
            "qwerty",
            "iloveyou",
            "monkey",
            "abc123",
            "111111",
            "wanjiru",
            "Wanjiru1",
            "kamau1",
            "wanjiru.kamau@example.com",
            "example",
        ] {
            assert!(is_guessable(text), "{text}");
        }
        for text in ["jambo-kenya", "kiondo na ajua", "tq7!fw", "wanjiru hucheza ajua"] {
            assert!(!is_guessable(text), "{text}");
        }
    }

    #[test]
    fn debug_output_hides_the_password() {
        let password = Password::parse_new("correct horse".to_owned()).unwrap();
        assert!(!format!("{password:?}").contains("horse"));
    }
}
