//! The files that a message may have: those that its sender uploaded, by their type.

use types::PlayerId;

use super::chat_type::ChatType;

/// The beginning of the URLs under which the gateway serves the files of rooms.
const PREFIX: &str = "/media/chat/";
/// Hexadecimal digits of a file's name.
const NAME_LENGTH: usize = 32;

/// Whether a URL is that of a file of this type that the player uploaded: the gateway gives
/// each file `/media/chat/{player}/{32 hexadecimal digits}.{extension}`, with the extension
/// of what the file is.
pub(super) fn is_own(chat_type: ChatType, url: &str, player: PlayerId) -> bool {
    let file = url
        .strip_prefix(PREFIX)
        .and_then(|path| path.strip_prefix(&*player.to_string()))
        .and_then(|path| path.strip_prefix('/'));
    let Some((name, extension)) = file.and_then(|file| file.split_once('.')) else {
        return false;
    };
    let is_name = name.len() == NAME_LENGTH
        && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_name && extensions(chat_type).contains(&extension)
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
        for (chat_type, url) in [
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
