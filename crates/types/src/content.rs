//! Content that operators publish: the name of a thing, what an application changes, and the checks
//! that manifests of several services have in common.

use std::{borrow::Cow, fmt, ops::RangeInclusive};

use thiserror::Error;
use uuid::Uuid;

use crate::{derived_id, writing};

/// The name that operators give to a thing, unique within its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key(String);

/// What an application of a manifest, or a removal, changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The thing did not exist before.
    Created,
    /// The thing was different before.
    Updated,
    /// The thing was the same before, or there was none to remove.
    Unchanged,
    /// The thing does not exist any more.
    Deleted,
    /// The thing was the same before, and is that of a second operator now.
    Confirmed,
}

/// A field of a manifest that is not valid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field} {problem}")]
pub struct InvalidContent {
    /// Name of the field in the manifest: `name`, `awards[2].cash`.
    pub field: Cow<'static, str>,
    /// What the field has to be and is not, as an operator reads it after the field.
    pub problem: String,
}

impl Key {
    /// Parses 2 to 40 of `a-z`, `0-9` and `-`, beginning with a letter.
    pub fn parse(text: &str) -> Result<Self, InvalidContent> {
        let is_plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_valid = (2..=40).contains(&text.len())
            && text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.bytes().all(is_plain);
        if is_valid {
            Ok(Self(text.to_owned()))
        } else {
            let problem = "is 2 to 40 of a-z, 0-9 and -, and begins with a letter";
            Err(InvalidContent::new("id", problem))
        }
    }

    /// The value of a `text` column.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Change {
    /// The change that applying `wanted` in place of `known` makes.
    pub fn between<T: PartialEq>(known: Option<&T>, wanted: &T) -> Self {
        match known {
            None => Self::Created,
            Some(known) if known == wanted => Self::Unchanged,
            Some(_) => Self::Updated,
        }
    }
}

/// The value of the audit's column.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Created => "Created",
            Self::Updated => "Updated",
            Self::Unchanged => "Unchanged",
            Self::Deleted => "Deleted",
            Self::Confirmed => "Confirmed",
        })
    }
}

impl InvalidContent {
    /// An error which says that a field is not what it has to be.
    pub fn new(field: impl Into<Cow<'static, str>>, problem: impl Into<String>) -> Self {
        Self { field: field.into(), problem: problem.into() }
    }

    /// Refuses a text with too few or too many characters, with control characters other than
    /// line ends, or without a visible character.
    pub fn check_length(
        field: &'static str,
        text: &str,
        limits: RangeInclusive<usize>,
    ) -> Result<(), Self> {
        let is_printable = !text.chars().any(|one| one.is_control() && one != '\n')
            && (*limits.start() == 0 || writing::shows_something(text));
        if is_printable && limits.contains(&text.chars().count()) {
            return Ok(());
        }
        Err(Self::new(field, format!("has {} to {} characters", limits.start(), limits.end())))
    }

    /// Refuses a text that is neither a path of the web app nor an https URL.
    pub fn check_picture(field: &'static str, url: &str) -> Result<(), Self> {
        let is_path = url.starts_with('/') && !url.starts_with("//");
        if is_path {
            Self::check_length(field, url, 2..=500)
        } else {
            Self::check_https(field, url)
        }
    }

    /// Refuses a text that is not an https URL.
    pub fn check_https(field: &'static str, url: &str) -> Result<(), Self> {
        Self::check_length(field, url, 9..=500)?;
        let is_https =
            url.starts_with("https://") && !url.contains([' ', '\n', '"', '<', '>', '\\', '@']);
        if is_https { Ok(()) } else { Err(Self::new(field, "is an https URL")) }
    }
}

/// The id of a thing that operators publish under a key. It follows from kind (`Game`,
/// `Tournament`) and key, so that content of one service can refer to content of another, and
/// is the same in every database.
pub fn content_id(kind: &str, key: &str) -> Uuid {
    derived_id(&[kind.as_bytes(), b"/", key.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_short_plain_name() {
        for key in ["duma-dash", "a1", &"a".repeat(40)] {
            assert!(Key::parse(key).is_ok(), "{key}");
        }
        for key in ["", "a", "1a", "-a", "Ajua", "a_b", "a b", "é-é", &"a".repeat(41)] {
            assert_eq!(Key::parse(key).unwrap_err().field, "id", "{key}");
        }
    }

    #[test]
    fn pictures_are_paths_or_https_urls() {
        for url in ["/content/ajua.svg", "https://cdn.example/a.svg"] {
            assert!(InvalidContent::check_picture("icon", url).is_ok(), "{url}");
        }
        for url in [
            "",
            "/",
            "//evil.example/a.svg",
            "http://a.example/a.svg",
            "javascript:x",
            "https://a.example/\"onload=",
            "https://user@a.example/",
        ] {
            assert!(InvalidContent::check_picture("icon", url).is_err(), "{url}");
        }
    }

    #[test]
    fn the_same_manifest_changes_nothing() {
        assert_eq!(Change::between(None, &1), Change::Created);
        assert_eq!(Change::between(Some(&1), &1), Change::Unchanged);
        assert_eq!(Change::between(Some(&2), &1), Change::Updated);
    }

    #[test]
    fn an_id_follows_from_kind_and_key() {
        assert_eq!(content_id("Game", "ajua"), content_id("Game", "ajua"));
        assert_ne!(content_id("Game", "ajua"), content_id("Event", "ajua"));
        assert_ne!(content_id("Game", "ajua"), content_id("Game", "maneno"));
    }
}
