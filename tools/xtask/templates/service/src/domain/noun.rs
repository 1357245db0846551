//! The {{noun_words}}.

use types::{Id, Noun};

/// A {{noun_words}}, as everybody sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct {{Noun}} {
    /// Which one.
    pub(crate) id: {{Noun}}Id,
    /// What people call it.
    pub(crate) name: String,
}

/// The id of a {{noun_words}}.
pub(crate) type {{Noun}}Id = Id<Named>;

/// The noun of [`{{Noun}}Id`].
pub(crate) enum Named {}

impl Noun for Named {
    const NAME: &'static str = "{{noun_words}}";
}
