//! Origins of web sites.

use std::str::FromStr;

use http::Uri;

/// The part of the pattern that a game's slug takes the place of.
const SLUG: &str = "{slug}";

/// The origins of the games: one for each, so that no game reads what another one keeps on the
/// phone. They are another site than the app, whose cookies no game can plant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GamesOrigin {
    scheme: String,
    /// What stands behind a game's slug, as `.playon-games.example`, with the port if it is not the
    /// scheme's.
    domain: String,
}

impl GamesOrigin {
    /// The origin of a game.
    #[must_use]
    pub fn of(&self, slug: &str) -> String {
        format!("{}://{}", self.scheme, self.authority(slug))
    }

    /// A game's host, with the port if it is not the scheme's.
    pub(crate) fn authority(&self, slug: &str) -> String {
        format!("{slug}{}", self.domain)
    }

    /// The origins of all games, as a content security policy spells them.
    pub(crate) fn any(&self) -> String {
        self.of("*")
    }
}

/// Parses `https://{slug}.playon-games.example`.
impl FromStr for GamesOrigin {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "the games' origin looks like https://{slug}.playon-games.example";
        let (scheme, domain) = text.split_once(SLUG).ok_or(FORM)?;
        let scheme = scheme.strip_suffix("://").ok_or(FORM)?;
        let one: Uri = origin(&text.replacen(SLUG, "game", 1)).map_err(|_| FORM)?;
        if !domain.starts_with('.') || one.scheme_str() != Some(scheme) {
            return Err(FORM);
        }
        let domain = domain.trim_end_matches('/');
        Ok(Self { scheme: scheme.to_owned(), domain: domain.to_owned() })
    }
}

/// Parses the origin of a web site.
pub(super) fn origin(text: &str) -> Result<Uri, &'static str> {
    const FORM: &str = "an origin looks like https://playon.example";
    let uri: Uri = text.parse().map_err(|_| FORM)?;
    let web = matches!(uri.scheme_str(), Some("http" | "https"));
    let bare = matches!(uri.path_and_query().map(ToString::to_string).as_deref(), None | Some("/"));
    if web && bare && uri.host().is_some() { Ok(uri) } else { Err(FORM) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_of_the_web_and_has_no_path() {
        for good in ["https://playon.example", "http://127.0.0.1:8080", "https://playon.example/"] {
            assert!(origin(good).is_ok(), "{good}");
        }
        for bad in ["", "playon.example", "ftp://playon.example", "https://playon.example/app", "/"]
        {
            assert!(origin(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn each_game_has_an_origin() {
        for (pattern, of_ajua, any) in [
            (
                "https://{slug}.games.example",
                "https://ajua.games.example",
                "https://*.games.example",
            ),
            (
                "http://{slug}.localhost:8081/",
                "http://ajua.localhost:8081",
                "http://*.localhost:8081",
            ),
        ] {
            let games: GamesOrigin = pattern.parse().unwrap();
            assert_eq!((games.of("ajua").as_str(), games.any().as_str()), (of_ajua, any));
        }
    }

    #[test]
    fn games_without_an_origin_each_are_refused() {
        for bad in [
            "",
            "https://games.example",
            "https://{slug}",
            "https://{slug}games.example",
            "https://x.{slug}.games.example",
            "https://{slug}.{slug}.example",
            "https://{slug}.games.example/play",
            "ftp://{slug}.games.example",
            "{slug}.games.example",
        ] {
            assert!(bad.parse::<GamesOrigin>().is_err(), "{bad}");
        }
    }
}
