//! Mentions: usernames in the text of a message, each after an `@`.

use time::OffsetDateTime;
use types::PlayerId;

use super::MessageId;

/// The most distinct usernames of one message that count.
const MENTIONS_MAX: usize = 5;
/// The shortest and longest username in characters, as in svc-auth.
const USERNAME_MIN: usize = 3;
const USERNAME_MAX: usize = 20;
/// Longest excerpt of a message in its notifications, in characters.
const EXCERPT_MAX: usize = 80;

/// A message that may mention players, and its room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MentionSource {
    /// The `chat_room_uid` of the room.
    pub(crate) room_uid: String,
    pub(crate) room_name: String,
    pub(crate) sender: PlayerId,
    pub(crate) text: String,
    pub(crate) sent_at: OffsetDateTime,
}

/// The usernames that a text mentions, in lower case and in their order, each once: the first
/// [`MENTIONS_MAX`].
///
/// An `@` begins a mention at the start and after anything but a letter, a digit, `_` or `/`, so
/// that neither an email address nor a profile's URL is a mention. Dots at the end of a mention are
/// punctuation.
pub(crate) fn mentions(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut before = None;
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (passed, from) = rest.split_at(at);
        before = passed.chars().next_back().or(before);
        let behind = from.get(1..).unwrap_or_default();
        if !before.is_some_and(|char| is_word(char) || char == '/')
            && let Some(name) = username(behind)
            && !found.contains(&name)
        {
            found.push(name);
            if found.len() == MENTIONS_MAX {
                break;
            }
        }
        before = Some('@');
        rest = behind;
    }
    found
}

/// The username that a text begins with.
fn username(text: &str) -> Option<String> {
    let end = text.find(|char: char| !is_of_username(char)).unwrap_or(text.len());
    let (name, after) = text.split_at_checked(end)?;
    // The text continues with a character that no username has, or as an email address.
    if after.chars().next().is_some_and(|next| is_word(next) || next == '@') {
        return None;
    }
    let name = name.trim_end_matches('.');
    (USERNAME_MIN..=USERNAME_MAX).contains(&name.len()).then(|| name.to_ascii_lowercase())
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

const fn is_of_username(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '_' | '.')
}

/// The beginning of a message in one line, of at most 80 characters.
pub(crate) fn excerpt(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= EXCERPT_MAX {
        return line;
    }
    let begin: String = line.chars().take(EXCERPT_MAX - 1).collect();
    format!("{}…", begin.trim_end())
}

/// The sources of the notifications that a message causes, in the order of its mentions. The
/// sources name no player, so that they are known without the text when the message is removed.
pub(crate) fn sources(message: MessageId) -> [String; MENTIONS_MAX] {
    std::array::from_fn(|place| format!("message/{message}/mention/{place}"))
}

#[cfg(test)]
mod tests {
    use types::{Clock, Rng};

    use super::*;

    #[test]
    fn an_at_sign_and_a_username_are_a_mention() {
        for (text, found) in [
            ("@amina", vec!["amina"]),
            ("Habari @Amina.", vec!["amina"]),
            ("(@amina), @juma_9!", vec!["amina", "juma_9"]),
            ("@a.b.c...", vec!["a.b.c"]),
            ("see\n@amina", vec!["amina"]),
            ("@@amina", vec!["amina"]),
            ("@amina @AMINA @juma", vec!["amina", "juma"]),
            ("-@amina", vec!["amina"]),
            ("wow 🎉@amina", vec!["amina"]),
        ] {
            assert_eq!(mentions(text), found, "{text}");
        }
    }

    #[test]
    fn emails_and_what_is_no_username_are_none() {
        for text in [
            "",
            "@",
            "amina",
            "joe@example.com",
            "https://x.example/@amina",
            "ⓐ@amina",
            "é@amina",
            "_@amina",
            "@ab",
            "@ab..",
            "@aminé",
            "@amina@example.com",
            "@ amina",
            "@abcdefghijklmnopqrstu",
        ] {
            assert_eq!(mentions(text), Vec::<String>::new(), "{text}");
        }
        assert_eq!(mentions("@abcdefghijklmnopqrst"), ["abcdefghijklmnopqrst"]);
    }

    #[test]
    fn the_first_five_count() {
        let text = "@p01 @p02 @p01 @p03 @p04 @p05 @p06";
        assert_eq!(mentions(text), ["p01", "p02", "p03", "p04", "p05"]);
    }

    /// The test draws random texts of the characters that matter to the rule.
    #[test]
    fn whatever_the_text_mentions_are_usernames_that_it_has() {
        const LETTERS: [char; 10] = ['@', '@', '.', '_', 'a', 'B', '7', ' ', 'é', '🎉'];
        let rng = Rng::system();
        for _ in 0..20_000 {
            let length = usize::from(rng.bytes::<1>()[0]) % 40;
            let draw = |byte: u8| LETTERS[usize::from(byte) % LETTERS.len()];
            let text: String = rng.bytes::<40>()[..length].iter().map(|byte| draw(*byte)).collect();
            let found = mentions(&text);
            assert!(found.len() <= MENTIONS_MAX, "{text}");
            let lower = text.to_lowercase();
            for (place, name) in found.iter().enumerate() {
                assert!((USERNAME_MIN..=USERNAME_MAX).contains(&name.len()), "{text}");
                assert!(name.chars().all(is_of_username) && !name.ends_with('.'), "{text}");
                assert!(lower.contains(&format!("@{name}")), "{text}");
                assert!(!found[..place].contains(name), "{text}");
            }
            // A mention after a space counts whatever text precedes it.
            assert!(mentions(&format!("{text} @amina")).len() > found.len().min(MENTIONS_MAX - 1));
        }
    }

    #[test]
    fn an_excerpt_is_one_line_of_at_most_80_characters() {
        assert_eq!(excerpt(" Habari\n\n@amina \t leo "), "Habari @amina leo");
        assert_eq!(excerpt(&"ñ".repeat(80)), "ñ".repeat(80));
        let cut = excerpt(&"ñ ".repeat(200));
        assert!(cut.chars().count() <= 80 && cut.ends_with("ñ…"), "{cut}");
    }

    #[test]
    fn the_sources_of_a_message_are_its_own() {
        let id = || MessageId::generate(&Clock::system(), &Rng::system());
        let (one, other) = (sources(id()), sources(id()));
        assert!(one.iter().all(|source| !other.contains(source)));
    }
}
