//! The name of {{a_noun_words}}.

use thiserror::Error;

/// Longest name, in characters.
const MAX_LENGTH: usize = 120;

/// A name: 1 to 120 characters, none of them a control character, without spaces around
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name(String);

/// The text is no [`Name`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not a valid name")]
pub(crate) struct InvalidName;

impl Name {
    /// Parses a name and removes the spaces around it.
    pub(crate) fn parse(text: &str) -> Result<Self, InvalidName> {
        let name = text.trim();
        let length = name.chars().take(MAX_LENGTH + 1).count();
        if length == 0 || length > MAX_LENGTH || name.chars().any(char::is_control) {
            return Err(InvalidName);
        }
        Ok(Self(name.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_around_a_name_are_removed() {
        assert_eq!(Name::parse("  Simba \n").unwrap().as_str(), "Simba");
    }

    #[test]
    fn a_name_has_1_to_120_characters() {
        let longest = "é".repeat(MAX_LENGTH);
        assert_eq!(Name::parse(&longest).unwrap().as_str(), longest);
        for invalid in ["", "   ", &format!("{longest}x")] {
            assert_eq!(Name::parse(invalid), Err(InvalidName), "{invalid:?}");
        }
    }

    #[test]
    fn control_characters_are_refused() {
        assert_eq!(Name::parse("Simba\nNala"), Err(InvalidName));
    }
}
