//! The path of a stored file. Only paths of this very form are looked up, so that no path
//! can lead out of the store.

use std::fmt;

use types::{PlayerId, Rng};

use super::kind::{JPEG, MediaKind};

/// Hexadecimal digits of a name: 128 random bits.
const NAME_LENGTH: usize = 32;

/// Characters of a blur hash of twelve components.
const BLUR_HASH_LENGTH: usize = 28;

/// The purpose of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shelf {
    /// A profile's picture.
    Profile,
    /// A file of a chat room.
    Chat,
}

/// `{shelf}/{owner}/{name}.{extension}`
///
/// A picture of a room also has its shape in its name, `{name}-{width}x{height}-{hash}`,
/// so that a client that has the URL can show a place for it. The thumbnail of a picture has its name
/// with `-t{extension of the picture}` behind it: the web app makes the URL of a profile's thumbnail
/// from the picture's (`frontend/src/ui/Avatar.tsx`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MediaPath {
    pub(crate) shelf: Shelf,
    pub(crate) owner: PlayerId,
    pub(crate) kind: &'static MediaKind,
    name: String,
    shape: Option<Shape>,
    /// The kind of the picture, if the file is its thumbnail.
    thumbnail_of: Option<&'static MediaKind>,
}

/// The size and blur hash of a picture, known before it is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// The blur hash, of 4 by 3 components, or 3 by 4. In names its bytes are in hexadecimal
    /// digits, because its own characters are not safe in URLs.
    blur_hash: [u8; BLUR_HASH_LENGTH],
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
    pub(crate) fn generate(
        shelf: Shelf,
        owner: PlayerId,
        kind: &'static MediaKind,
        rng: &Rng,
    ) -> Self {
        let name = format!("{:032x}", u128::from_be_bytes(rng.bytes()));
        Self { shelf, owner, kind, name, shape: None, thumbnail_of: None }
    }

    /// The same path for a picture of this shape.
    pub(crate) fn with_shape(self, shape: Shape) -> Self {
        Self { shape: Some(shape), ..self }
    }

    pub(crate) const fn shape(&self) -> Option<Shape> {
        self.shape
    }

    /// The path of a picture's thumbnail; `None` for a file without one.
    pub(crate) fn thumbnail(&self) -> Option<Self> {
        let is_picture = self.shape.is_some() || self.shelf == Shelf::Profile;
        (is_picture && self.thumbnail_of.is_none()).then(|| Self {
            kind: JPEG,
            thumbnail_of: Some(self.kind),
            ..self.clone()
        })
    }

    /// The path of the picture that a thumbnail shows; the same path for any other file.
    pub(crate) fn original(&self) -> Self {
        let kind = self.thumbnail_of.unwrap_or(self.kind);
        Self { kind, thumbnail_of: None, ..self.clone() }
    }

    /// The path of a player's new picture.
    pub(crate) fn picture(owner: PlayerId, rng: &Rng) -> Self {
        Self::generate(Shelf::Profile, owner, JPEG, rng)
    }

    /// Parses the three segments of a path.
    pub(crate) fn parse(shelf: &str, owner: &str, file: &str) -> Option<Self> {
        let shelf = [Shelf::Profile, Shelf::Chat].into_iter().find(|one| one.as_str() == shelf)?;
        // An id has several spellings, but a path only one.
        let owner = PlayerId::parse(owner).ok().filter(|id| id.to_string() == owner)?;
        let (name, extension) = file.split_once('.')?;
        let kind = MediaKind::of_extension(extension)?;
        let mut parts = name.split('-');
        let name = parts.next().filter(|name| name.len() == NAME_LENGTH && is_hex(name))?;
        let mut path =
            Self { shelf, owner, kind, name: name.to_owned(), shape: None, thumbnail_of: None };
        let mut part = parts.next();
        if let Some(size) = part.filter(|part| !part.starts_with('t')) {
            path.shape = Some(Shape::parse(size, parts.next()?)?);
            part = parts.next();
        }
        if let Some(of) = part {
            path.thumbnail_of = Some(MediaKind::of_extension(of.strip_prefix('t')?)?);
        }
        // A path has one spelling.
        (path.to_string().ends_with(file) && parts.next().is_none()).then_some(path)
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

    /// The path of the file's URL.
    pub(crate) fn url(&self) -> String {
        format!("/media/{self}")
    }

    /// The file's entity tag, which is its name: the content never changes under it.
    pub(crate) fn entity_tag(&self) -> String {
        let part = if self.thumbnail_of.is_some() { "-t" } else { "" };
        format!("\"{}{part}\"", self.name)
    }
}

impl Shape {
    /// Creates a shape; `None` if a side is 0 or above 65,535, or the blur hash has another length.
    pub(crate) fn new(width: u32, height: u32, blur_hash: &[u8]) -> Option<Self> {
        let (width, height) = (u16::try_from(width).ok()?, u16::try_from(height).ok()?);
        (width > 0 && height > 0).then_some(())?;
        Some(Self { width, height, blur_hash: blur_hash.try_into().ok()? })
    }

    /// The blur hash in its own characters.
    pub(crate) fn blur_hash(&self) -> String {
        String::from_utf8_lossy(&self.blur_hash).into_owned()
    }

    fn parse(size: &str, blur_hash: &str) -> Option<Self> {
        let (width, height) = size.split_once('x')?;
        if !is_hex(blur_hash) {
            return None;
        }
        let pairs = blur_hash.as_bytes().chunks(2);
        let bytes: Option<Vec<u8>> =
            pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()).collect();
        Self::new(width.parse().ok()?, height.parse().ok()?, &bytes?)
    }
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Writes the shape's part of a file name.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, height, blur_hash } = self;
        write!(f, "-{width}x{height}-")?;
        blur_hash.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Writes the path in the store.
impl fmt::Display for MediaPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shelf, owner, kind, name, shape, thumbnail_of } = self;
        write!(f, "{}/{owner}/{name}", shelf.as_str())?;
        if let Some(shape) = shape {
            shape.fmt(f)?;
        }
        if let Some(of) = thumbnail_of {
            write!(f, "-t{}", of.extension)?;
        }
        write!(f, ".{}", kind.extension)
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
        let thumbnail = picture.thumbnail().unwrap();
        assert_eq!(thumbnail.url(), picture.url().replace(".jpg", "-tjpg.jpg"));
        assert_eq!(MediaPath::from_url(&thumbnail.url()), Some(thumbnail.clone()));
        assert_eq!(thumbnail.original(), picture);
    }

    #[test]
    fn a_picture_of_a_room_has_its_shape_in_its_name_and_a_thumbnail() {
        let rng = Rng::system();
        let owner = PlayerId::generate(&Clock::system(), &rng);
        let shape = Shape::new(640, 480, b"LEHV6nWB2yk8pyo0adR*.7kCMdnj").unwrap();
        let png = MediaKind::of_extension("png").unwrap();
        let picture = MediaPath::generate(Shelf::Chat, owner, png, &rng).with_shape(shape);
        let thumbnail = picture.thumbnail().unwrap();
        assert!(thumbnail.url().ends_with("-tpng.jpg"), "{thumbnail}");
        for path in [&picture, &thumbnail] {
            assert_eq!(MediaPath::from_url(&path.url()).as_ref(), Some(path));
            assert_eq!(path.original(), picture);
        }
        assert_eq!(thumbnail.thumbnail(), None);
        assert_ne!(thumbnail.entity_tag(), picture.entity_tag());
        assert_eq!(shape.blur_hash(), "LEHV6nWB2yk8pyo0adR*.7kCMdnj");
        let url = picture.url();
        for bad in [
            url.replace("640x480", "0640x480"),
            url.replace("640x480", "0x480"),
            url.replace("640x480", "640x99999"),
            url.replace("640x480", "640"),
            url.replace(".png", "0.png"),
            url.replace(".png", "-tsvg.png"),
            url.replace(".png", "-tjpg-tjpg.png"),
        ] {
            assert_eq!(MediaPath::from_url(&bad), None, "{bad}");
        }
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
