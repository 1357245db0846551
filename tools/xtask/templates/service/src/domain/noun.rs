//! The {{noun_words}}.

use types::{Id, Noun};

/// A {{noun_words}}, as everybody sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct {{Noun}} {
    /// Which one.
    pub id: {{Noun}}Id,
    /// What people call it.
    pub name: String,
}

/// The id of a {{noun_words}}.
pub type {{Noun}}Id = Id<Named>;

/// The noun of [`{{Noun}}Id`].
pub enum Named {}

impl Noun for Named {
    const NAME: &'static str = "{{noun_words}}";
}
