//! Pictures of the media store.

use types::PlayerId;

/// The address of a picture that was kept for a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picture(String);

impl Picture {
    /// Random bits that make an address unguessable, as base64url writes them.
    const NAME_LENGTH: std::ops::RangeInclusive<usize> = 22..=64;

    /// Reads an address; `None` for all but those that the media store gives to this
    /// player's pictures, in that one spelling.
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

    /// What a database column holds.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use types::{Clock, Rng};

    use super::*;

    #[test]
    fn only_the_players_own_pictures_are_read() {
        let clock = Clock::system();
        let (owner, other) = (
            PlayerId::generate(&clock, &Rng::from_seed(1)),
            PlayerId::generate(&clock, &Rng::from_seed(2)),
        );
        let name = "abcDEF-_0123456789abcd";
        for (length, good) in [(21, false), (22, true), (64, true), (65, false)] {
            let url = format!("/media/profile/{owner}/{}.jpg", "a".repeat(length));
            assert_eq!(Picture::parse(&url, owner).is_some(), good, "{length}");
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
