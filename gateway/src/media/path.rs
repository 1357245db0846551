//! The path of a stored file. Only paths of this very form are looked up, so that no path
//! can lead out of the store.

use std::fmt;

use types::{PlayerId, Rng};

use super::kind::{JPEG, Kind};

/// Hexadecimal digits of a name: 128 random bits.
const NAME_LENGTH: usize = 32;

/// The purpose of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shelf {
    /// A profile's picture.
    Profile,
    /// A file of a chat room.
    Chat,
}

/// `{shelf}/{owner}/{name}.{extension}`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MediaPath {
    pub(crate) shelf: Shelf,
    pub(crate) owner: PlayerId,
    pub(crate) kind: &'static Kind,
    name: String,
}

impl Shelf {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Chat => "chat",
        }
    }
}

impl MediaPath {
    /// A path with a new name.
    pub(crate) fn generate(shelf: Shelf, owner: PlayerId, kind: &'static Kind, rng: &Rng) -> Self {
        let name = format!("{:032x}", u128::from_be_bytes(rng.bytes()));
        Self { shelf, owner, kind, name }
    }

    /// The path of a player's new picture.
    pub(crate) fn picture(owner: PlayerId, rng: &Rng) -> Self {
        Self::generate(Shelf::Profile, owner, JPEG, rng)
    }

    /// Parses the three segments of a path.
    pub(crate) fn parse(shelf: &str, owner: &str, file: &str) -> Option<Self> {
        let shelf = [Shelf::Profile, Shelf::Chat].into_iter().find(|one| one.as_str() == shelf)?;
        // An id has several spellings, a path one.
        let owner = PlayerId::parse(owner).ok().filter(|id| id.to_string() == owner)?;
        let (name, extension) = file.split_once('.')?;
        let digits = name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if name.len() != NAME_LENGTH || !digits {
            return None;
        }
        Some(Self { shelf, owner, kind: Kind::of_extension(extension)?, name: name.to_owned() })
    }

    /// Parses the text of [`url`](Self::url).
    pub(crate) fn from_url(url: &str) -> Option<Self> {
        Self::from_location(url.strip_prefix("/media/")?)
    }

    /// Parses the text of [`Display`](fmt::Display).
    pub(crate) fn from_location(location: &str) -> Option<Self> {
        let mut segments = location.split('/');
        let path = Self::parse(segments.next()?, segments.next()?, segments.next()?)?;
        segments.next().is_none().then_some(path)
    }

    /// The path of its URL.
    pub(crate) fn url(&self) -> String {
        format!("/media/{self}")
    }

    /// Its entity tag, which is its name: the content never changes under it.
    pub(crate) fn entity_tag(&self) -> String {
        format!("\"{}\"", self.name)
    }
}

/// The path in the store.
impl fmt::Display for MediaPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shelf, owner, kind, name } = self;
        write!(f, "{}/{owner}/{name}.{}", shelf.as_str(), kind.extension)
    }
}

#[cfg(test)]
mod tests {
    use types::Clock;

    use super::*;

    #[test]
    fn a_path_parses_back_from_its_url() {
        let rng = Rng::system();
        let owner = PlayerId::generate(&Clock::system(), &rng);
        let picture = MediaPath::picture(owner, &rng);
        assert_eq!(MediaPath::from_url(&picture.url()), Some(picture.clone()));
        assert_ne!(picture, MediaPath::picture(owner, &rng));
    }

    #[test]
    fn a_text_of_another_form_is_no_path() {
        const OWNER: &str = "01234567-89ab-7def-8123-456789abcdef";
        const NAME: &str = "0123456789abcdef0123456789abcdef";
        let good = format!("/media/chat/{OWNER}/{NAME}.png");
        assert!(MediaPath::from_url(&good).is_some());
        for bad in [
            format!("media/chat/{OWNER}/{NAME}.png"),
            format!("/media//chat/{OWNER}/{NAME}.png"),
            format!("/media/../chat/{OWNER}/{NAME}.png"),
            format!("/media/other/{OWNER}/{NAME}.png"),
            format!("/media/chat/{OWNER}/{NAME}.png/"),
            format!("/media/chat/{OWNER}/{NAME}.svg"),
            format!("/media/chat/{OWNER}/{NAME}.png.html"),
            format!("/media/chat/{OWNER}/{NAME}"),
            format!("/media/chat/{OWNER}/{NAME}#1.png"),
            format!("/media/chat/{OWNER}/../{NAME}.png"),
            format!("/media/chat/{}/{NAME}.png", OWNER.to_uppercase()),
            format!("/media/chat/{}/{NAME}.png", OWNER.replace('-', "")),
            format!("/media/chat/{OWNER}/{}.png", NAME.to_uppercase()),
            format!("/media/chat/{OWNER}/{}.png", &NAME[1..]),
            format!("https://example.com{good}"),
        ] {
            assert_eq!(MediaPath::from_url(&bad), None, "{bad}");
        }
    }
}
