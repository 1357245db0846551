//! Manifests that operators write.

use strum::{Display, IntoStaticStr};
use time::OffsetDateTime;
use types::{InvalidContent, Key, LocalText};

use super::{PrizeClass, RulesHash, ScoreKey};

/// The kind of a manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, IntoStaticStr)]
pub(crate) enum ContentKind {
    Game,
    Event,
    TvItem,
}

/// A game, as operators write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GameManifest {
    pub(crate) key: Key,
    pub(crate) name: String,
    pub(crate) package_id: String,
    pub(crate) description: LocalText,
    pub(crate) game_icon: String,
    pub(crate) trailer_link: Option<String>,
    /// An https URL; `None` for a game that PlayOn serves.
    pub(crate) game_url: Option<String>,
    pub(crate) featured: bool,
    pub(crate) world: String,
    pub(crate) levels: i32,
    pub(crate) prize_class: PrizeClass,
    pub(crate) rules: Option<RulesHash>,
    pub(crate) score_key: Option<ScoreKey>,
}

/// An event, as operators write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EventManifest {
    pub(crate) key: Key,
    pub(crate) title: LocalText,
    pub(crate) description: LocalText,
    pub(crate) event_banner_url: String,
    pub(crate) created_at: OffsetDateTime,
}

/// A video, as operators write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TvItemManifest {
    pub(crate) key: Key,
    pub(crate) title: LocalText,
    pub(crate) channel_url: String,
    pub(crate) is_primary: bool,
    pub(crate) created_at: OffsetDateTime,
}

impl GameManifest {
    pub(crate) fn validate(&self) -> Result<(), InvalidContent> {
        InvalidContent::check_length("name", &self.name, 1..=120)?;
        self.description.check_length("description", 1..=2_000)?;
        InvalidContent::check_length("packageId", &self.package_id, 3..=120)?;
        InvalidContent::check_length("world", &self.world, 0..=40)?;
        InvalidContent::check_picture("gameIcon", &self.game_icon)?;
        if let Some(trailer) = &self.trailer_link {
            InvalidContent::check_https("trailerLink", trailer)?;
        }
        if let Some(url) = &self.game_url {
            InvalidContent::check_https("gameUrl", url)?;
            if !url.ends_with('/') || url.contains(['?', '#']) {
                return Err(InvalidContent::new(
                    "gameUrl",
                    "ends with a slash, without query and fragment",
                ));
            }
        }
        if !(1..=16).contains(&self.levels) {
            return Err(InvalidContent::new("levels", "is 1 to 16"));
        }
        if self.rules.is_some() && self.score_key.is_some() {
            return Err(InvalidContent::new("scoreKey", "is for a game without rules"));
        }
        Ok(())
    }
}

impl EventManifest {
    pub(crate) fn validate(&self) -> Result<(), InvalidContent> {
        self.title.check_length("title", 1..=120)?;
        self.description.check_length("description", 1..=4_000)?;
        InvalidContent::check_picture("eventBannerUrl", &self.event_banner_url)
    }
}

impl TvItemManifest {
    pub(crate) fn validate(&self) -> Result<(), InvalidContent> {
        self.title.check_length("title", 1..=120)?;
        InvalidContent::check_https("channelUrl", &self.channel_url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ajua() -> GameManifest {
        GameManifest {
            key: Key::parse("ajua").unwrap(),
            name: "Ajua".to_owned(),
            package_id: "co.playon.ajua".to_owned(),
            description: "Sow and capture.".into(),
            game_icon: "/art/ajua.svg".to_owned(),
            trailer_link: None,
            game_url: None,
            featured: true,
            world: "ajua".to_owned(),
            levels: 3,
            prize_class: PrizeClass::Solvable,
            rules: None,
            score_key: None,
        }
    }

    #[test]
    fn a_manifest_names_the_field_that_is_wrong() {
        type Spoil = fn(&mut GameManifest);
        let cases: [(&str, Spoil); 9] = [
            ("name", |game| game.name.clear()),
            ("description", |game| game.description = "\u{7}".into()),
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
