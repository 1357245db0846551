//! The files that a message may have: files of its type that its sender uploaded.

use types::PlayerId;

use super::chat_type::ChatType;

/// The beginning of the URLs under which the gateway serves the files of rooms.
const PREFIX: &str = "/media/chat/";
/// Hexadecimal digits of a file's name.
const NAME_LENGTH: usize = 32;

/// Hexadecimal digits of a blur hash of twelve components.
const BLUR_HASH_LENGTH: usize = 56;

/// Whether a URL names a file of this type that the player uploaded: the gateway gives each file
/// `/media/chat/{player}/{32 hexadecimal digits}.{extension}`, with the extension of the file's
/// type.
pub(super) fn is_own(chat_type: ChatType, url: &str, player: PlayerId) -> bool {
    let file = url
        .strip_prefix(PREFIX)
        .and_then(|path| path.strip_prefix(&*player.to_string()))
        .and_then(|path| path.strip_prefix('/'));
    let Some((name, extension)) = file.and_then(|file| file.split_once('.')) else {
        return false;
    };
    let mut parts = name.split('-');
    let is_name = parts.next().is_some_and(|name| is_hex(name, NAME_LENGTH));
    // A picture has its size and its BlurHash in its name.
    let is_shaped = match (parts.next(), parts.next()) {
        (None, _) => true,
        (Some(size), Some(hash)) => {
            chat_type == ChatType::Image && is_size(size) && is_hex(hash, BLUR_HASH_LENGTH)
        }
        (Some(_), None) => false,
    };
    is_name && is_shaped && parts.next().is_none() && extensions(chat_type).contains(&extension)
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a text is a size such as `640x480`.
fn is_size(text: &str) -> bool {
    let is_number =
        |text: &str| (1..=5).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    text.split_once('x').is_some_and(|(width, height)| is_number(width) && is_number(height))
}

/// The extensions that the gateway stores files of a type under.
const fn extensions(chat_type: ChatType) -> &'static [&'static str] {
    match chat_type {
        ChatType::Text => &[],
        ChatType::Image => &["jpg", "png", "gif", "webp", "avif", "heif"],
        ChatType::Video => &["mp4", "webm", "3gp", "mov"],
        // The last three are containers, in which browsers record voices.
        ChatType::Audio => {
            &["mp3", "m4a", "ogg", "wav", "flac", "aac", "amr", "webm", "mp4", "3gp"]
        }
        ChatType::Document => &[
            "pdf", "docx", "xlsx", "pptx", "odt", "ods", "odp", "rtf", "zip", "gz", "7z", "rar",
            "txt",
        ],
    }
}

#[cfg(test)]
mod tests {
    use types::{Clock, Rng};

    use super::*;

    #[test]
    fn a_file_is_the_senders_own_and_of_the_messages_type() {
        let player = PlayerId::generate(&Clock::system(), &Rng::system());
        let other = PlayerId::generate(&Clock::system(), &Rng::system());
        let name = "0123456789abcdef0123456789abcdef";
        let own = |file: &str| format!("/media/chat/{player}/{file}");
        assert!(is_own(ChatType::Image, &own(&format!("{name}.jpg")), player));
        assert!(is_own(ChatType::Audio, &own(&format!("{name}.webm")), player));
        assert!(is_own(ChatType::Document, &own(&format!("{name}.pdf")), player));
        let shaped = format!("{name}-640x480-{}", "4c".repeat(28));
        assert!(is_own(ChatType::Image, &own(&format!("{shaped}.png")), player));
        for (chat_type, url) in [
            (ChatType::Video, own(&format!("{shaped}.mp4"))),
            (ChatType::Image, own(&format!("{shaped}-tpng.jpg"))),
            (ChatType::Image, own(&format!("{name}-640x480.jpg"))),
            (ChatType::Image, own(&format!("{name}-640-{}.jpg", "4c".repeat(28)))),
            (ChatType::Image, own(&format!("{name}.pdf"))),
            (ChatType::Document, own(&format!("{name}.jpg"))),
            (ChatType::Image, own(&format!("{name}.svg"))),
            (ChatType::Image, own(&format!("{name}.jpg?a"))),
            (ChatType::Image, own(&format!("{name}.jpg.jpg"))),
            (ChatType::Image, own("../x.jpg")),
            (ChatType::Image, own(&format!("{}.jpg", name.to_uppercase()))),
            (ChatType::Image, format!("/media/chat/{other}/{name}.jpg")),
            (ChatType::Image, format!("/media/profile/{player}/{name}.jpg")),
            (ChatType::Image, format!("https://evil.example/media/chat/{player}/{name}.jpg")),
            (ChatType::Image, format!("javascript:/media/chat/{player}/{name}.jpg")),
        ] {
            assert!(!is_own(chat_type, &url, player), "{url}");
        }
    }
}
