//! Profile pictures in the media store.

use types::PlayerId;

/// The path of a picture that the gateway stored for a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture(String);

impl Picture {
    /// Length of the random part, in base64url, that makes a path unguessable.
    const NAME_LENGTH: std::ops::RangeInclusive<usize> = 22..=64;

    /// Parses a path; `None` for all but the paths that the media store gives to this
    /// player's pictures, in exactly that spelling.
    pub(crate) fn parse(text: &str, owner: PlayerId) -> Option<Self> {
        let name = text
            .strip_prefix("/media/profile/")?
            .strip_prefix(&owner.to_string())?
            .strip_prefix('/')?
            .strip_suffix(".jpg")?;
        let url_safe = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        (Self::NAME_LENGTH.contains(&name.len()) && name.bytes().all(url_safe))
            .then(|| Self(text.to_owned()))
    }

    /// The value of a database column.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use types::{Clock, Rng};

    use super::*;

    #[test]
    fn only_paths_of_the_players_own_pictures_are_accepted() {
        let clock = Clock::system();
        let (owner, other) = (
            PlayerId::generate(&clock, &Rng::from_seed(1)),
            PlayerId::generate(&clock, &Rng::from_seed(2)),
        );
        let name = "abcDEF-_0123456789abcd";
        for (length, accepted) in [(21, false), (22, true), (64, true), (65, false)] {
            let url = format!("/media/profile/{owner}/{}.jpg", "a".repeat(length));
            assert_eq!(Picture::parse(&url, owner).is_some(), accepted, "{length}");
        }
        assert!(Picture::parse(&format!("/media/profile/{owner}/{name}.jpg"), owner).is_some());
        for bad in [
            String::new(),
            format!("/media/profile/{other}/{name}.jpg"),
            format!("/media/chat/{owner}/{name}.jpg"),
            format!("/media/profile/{owner}/{name}.png"),
            format!("/media/profile/{owner}/{name}.jpg?x"),
            format!("/media/profile/{owner}/../{name}.jpg"),
            format!("/media/profile/{owner}//{name}.jpg"),
            format!("/media/profile/{}/{name}.jpg", owner.to_string().to_uppercase()),
            format!("https://evil.example/media/profile/{owner}/{name}.jpg"),
            format!("//evil.example/media/profile/{owner}/{name}.jpg"),
        ] {
            assert_eq!(Picture::parse(&bad, owner), None, "{bad}");
        }
    }
}
