//! A text for players, before it is put in a language.

use std::borrow::Cow;

use crate::PageError;

/// The values that the parameters of a text stand for, by their names.
pub type Params = Vec<(Cow<'static, str>, String)>;

/// A text for players: its key in the catalogues, and the values of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The key, in `UPPER_SNAKE`.
    pub key: Cow<'static, str>,
    /// The values of the text's parameters.
    pub params: Params,
}

impl Text {
    /// The text with this key, without parameters.
    pub const fn new(key: &'static str) -> Self {
        Self { key: Cow::Borrowed(key), params: Vec::new() }
    }

    /// Puts a value in place of `{name}`.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.params.push((name.into(), value.to_string()));
        self
    }
}

impl From<&'static str> for Text {
    fn from(key: &'static str) -> Self {
        Self::new(key)
    }
}

impl From<PageError> for Text {
    fn from(error: PageError) -> Self {
        match error {
            PageError::TooLarge { max } => Self::new("PAGE_TOO_LARGE").with("max", max),
            PageError::TooFar => Self::new("PAGE_TOO_FAR"),
        }
    }
}
