//! Manifests that operators write, and the changes that applying one makes.

use strum::{Display, IntoStaticStr};
use thiserror::Error;
use time::OffsetDateTime;

use super::{RulesHash, ScoreKey};

/// The kind of a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, IntoStaticStr)]
pub(crate) enum ContentKind {
    Game,
    Event,
    TvItem,
}

/// The change that applying a manifest makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display)]
pub(crate) enum Change {
    Created,
    Updated,
    Unchanged,
    Deleted,
}

/// The name that operators give to a thing, unique within its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key(String);

/// A field of a manifest that is not valid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{field} {problem}")]
pub(crate) struct InvalidContent {
    /// Name of the field in the manifest.
    pub(crate) field: &'static str,
    pub(crate) problem: String,
}

/// A game, as operators write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GameManifest {
    pub(crate) key: Key,
    pub(crate) name: String,
    pub(crate) package_id: String,
    pub(crate) description: String,
    pub(crate) game_icon: String,
    pub(crate) trailer_link: Option<String>,
    /// An https URL; `None` for a game that PlayOn serves.
    pub(crate) game_url: Option<String>,
    pub(crate) featured: bool,
    pub(crate) world: String,
    pub(crate) levels: i32,
    pub(crate) rules: Option<RulesHash>,
    pub(crate) score_key: Option<ScoreKey>,
}

/// An event, as operators write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EventManifest {
    pub(crate) key: Key,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) event_banner_url: String,
    pub(crate) created_at: OffsetDateTime,
}

/// A video, as operators write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TvItemManifest {
    pub(crate) key: Key,
    pub(crate) title: String,
    pub(crate) channel_url: String,
    pub(crate) is_primary: bool,
    pub(crate) created_at: OffsetDateTime,
}

impl Key {
    /// Parses 2 to 40 of `a-z`, `0-9` and `-`, beginning with a letter.
    pub(crate) fn parse(text: &str) -> Result<Self, InvalidContent> {
        let is_plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_valid = (2..=40).contains(&text.len())
            && text.starts_with(|first: char| first.is_ascii_lowercase())
            && text.bytes().all(is_plain);
        if is_valid {
            Ok(Self(text.to_owned()))
        } else {
            Err(invalid("id", "is 2 to 40 of a-z, 0-9 and -, and begins with a letter"))
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl GameManifest {
    pub(crate) fn validate(&self) -> Result<(), InvalidContent> {
        length("name", &self.name, 1..=120)?;
        length("description", &self.description, 1..=2_000)?;
        length("packageId", &self.package_id, 3..=120)?;
        length("world", &self.world, 0..=40)?;
        picture("gameIcon", &self.game_icon)?;
        if let Some(trailer) = &self.trailer_link {
            https("trailerLink", trailer)?;
        }
        if let Some(url) = &self.game_url {
            https("gameUrl", url)?;
            if !url.ends_with('/') || url.contains(['?', '#']) {
                return Err(invalid("gameUrl", "ends with a slash, without query and fragment"));
            }
        }
        if !(1..=16).contains(&self.levels) {
            return Err(invalid("levels", "is 1 to 16"));
        }
        if self.rules.is_some() && self.score_key.is_some() {
            return Err(invalid("scoreKey", "is for a game without rules"));
        }
        Ok(())
    }
}

impl EventManifest {
    pub(crate) fn validate(&self) -> Result<(), InvalidContent> {
        length("title", &self.title, 1..=120)?;
        length("description", &self.description, 1..=4_000)?;
        picture("eventBannerUrl", &self.event_banner_url)
    }
}

impl TvItemManifest {
    pub(crate) fn validate(&self) -> Result<(), InvalidContent> {
        length("title", &self.title, 1..=120)?;
        https("channelUrl", &self.channel_url)
    }
}

fn invalid(field: &'static str, problem: impl Into<String>) -> InvalidContent {
    InvalidContent { field, problem: problem.into() }
}

fn length(
    field: &'static str,
    text: &str,
    limits: std::ops::RangeInclusive<usize>,
) -> Result<(), InvalidContent> {
    if limits.contains(&text.chars().count()) && !text.chars().any(is_unprintable) {
        return Ok(());
    }
    let problem = format!("has {} to {} characters", limits.start(), limits.end());
    Err(invalid(field, problem))
}

fn is_unprintable(character: char) -> bool {
    character.is_control() && character != '\n'
}

/// Checks that `url` is a path of the web app, or an https URL.
fn picture(field: &'static str, url: &str) -> Result<(), InvalidContent> {
    let is_path = url.starts_with('/') && !url.starts_with("//");
    if is_path { length(field, url, 2..=500) } else { https(field, url) }
}

fn https(field: &'static str, url: &str) -> Result<(), InvalidContent> {
    length(field, url, 9..=500)?;
    let is_https = url.starts_with("https://") && !url.contains([' ', '"', '<', '>', '\\', '@']);
    if is_https { Ok(()) } else { Err(invalid(field, "is an https URL")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ajua() -> GameManifest {
        GameManifest {
            key: Key::parse("ajua").unwrap(),
            name: "Ajua".to_owned(),
            package_id: "co.playon.ajua".to_owned(),
            description: "Sow and capture.".to_owned(),
            game_icon: "/art/ajua.svg".to_owned(),
            trailer_link: None,
            game_url: None,
            featured: true,
            world: "ajua".to_owned(),
            levels: 3,
            rules: None,
            score_key: None,
        }
    }

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
    fn a_manifest_names_the_field_that_is_wrong() {
        type Spoil = fn(&mut GameManifest);
        let cases: [(&str, Spoil); 9] = [
            ("name", |game| game.name.clear()),
            ("description", |game| game.description = "\u{7}".to_owned()),
            ("gameIcon", |game| game.game_icon = "//evil.example/x.svg".to_owned()),
            ("gameIcon", |game| game.game_icon = "http://x.example/x.svg".to_owned()),
            ("trailerLink", |game| game.trailer_link = Some("javascript:x".to_owned())),
            ("gameUrl", |game| game.game_url = Some("https://x.example/?a".to_owned())),
            ("levels", |game| game.levels = 0),
            ("packageId", |game| game.package_id = "x".repeat(121)),
            ("scoreKey", |game| {
                (game.rules, game.score_key) = (Some(RulesHash([1; 32])), Some(ScoreKey([1; 32])));
            }),
        ];
        assert_eq!(ajua().validate(), Ok(()));
        for (field, spoil) in cases {
            let mut game = ajua();
            spoil(&mut game);
            assert_eq!(game.validate().unwrap_err().field, field);
        }
    }
}
