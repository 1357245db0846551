//! A service's words in all the forms that code needs.

use anyhow::{Result, bail};

use crate::services::SERVICES;

/// Of the first service.
const FIRST_PORT: usize = 50_051;

/// Words that cannot name a module, or that every service already uses.
#[rustfmt::skip]
const TAKEN: [&str; 32] = [
    "app", "async", "auth", "await", "box", "clients", "code", "config", "const", "crate",
    "decode", "domain", "dyn", "encode", "enum", "error", "false", "impl", "internal", "jobs",
    "match", "mod", "move", "name", "outbox", "request", "rpc", "self", "store", "super", "sweep",
    "type",
];

/// The placeholders and what fills them.
#[derive(Debug)]
pub(super) struct Words {
    name: String,
    pairs: Vec<(&'static str, String)>,
}

impl Words {
    /// Checks the words: `chat`, `chat_room`, `chat_rooms`.
    pub(super) fn new(name: &str, noun: &str, plural: Option<&str>) -> Result<Self> {
        let one_word = |text: &str| {
            text.starts_with(|c: char| c.is_ascii_lowercase())
                && text.chars().all(|c| c.is_ascii_lowercase())
        };
        let nouns = plural.map_or_else(|| format!("{noun}s"), str::to_owned);
        if !one_word(name) {
            bail!("`{name}`: a service's name is one lower-case word");
        }
        for text in [noun, nouns.as_str()] {
            if !text.split('_').all(one_word) {
                bail!("`{text}`: a noun is lower-case words, joined by _");
            }
            if TAKEN.contains(&text) {
                bail!("`{text}` already means something else in a service");
            }
        }
        if noun == nouns {
            bail!("`{noun}`: the plural must differ from the noun");
        }
        let pairs = vec![
            ("{{name}}", name.to_owned()),
            ("{{port}}", port(name).to_string()),
            ("{{Name}}", pascal(name)),
            ("{{NAME}}", name.to_uppercase()),
            ("{{noun}}", noun.to_owned()),
            ("{{Noun}}", pascal(noun)),
            ("{{NOUN}}", noun.to_uppercase()),
            ("{{nouns}}", nouns.clone()),
            ("{{Nouns}}", pascal(&nouns)),
            ("{{noun_words}}", noun.replace('_', " ")),
            ("{{a_noun_words}}", with_article(noun)),
            ("{{A_noun_words}}", capital(&with_article(noun))),
            ("{{nouns_words}}", nouns.replace('_', " ")),
            ("{{Nouns_words}}", sentence(&nouns)),
            ("{{nouns_path}}", nouns.replace('_', "-")),
        ];
        Ok(Self { name: name.to_owned(), pairs })
    }

    /// The service's name.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The text with every placeholder filled.
    pub(super) fn fill(&self, text: &str) -> String {
        self.pairs.iter().fold(text.to_owned(), |text, (hole, word)| text.replace(hole, word))
    }
}

/// Where a service listens in Kubernetes: as in `up`, by its index in the list.
fn port(name: &str) -> usize {
    let index = SERVICES.iter().position(|service| *service == name).unwrap_or(SERVICES.len());
    FIRST_PORT + index
}

/// `chat_room` as a type: `ChatRoom`.
fn pascal(snake: &str) -> String {
    snake.split('_').map(capital).collect()
}

/// `chat_rooms` at the beginning of a sentence: `Chat rooms`.
fn sentence(snake: &str) -> String {
    capital(&snake.replace('_', " "))
}

/// `event` with its article: `an event`.
fn with_article(snake: &str) -> String {
    let article = if snake.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {}", snake.replace('_', " "))
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_uppercase() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_noun_of_two_words_gets_all_its_forms() {
        let words = Words::new("chat", "chat_room", None).unwrap();
        for (placeholders, filled) in [
            ("{{name}} {{Name}} {{NAME}}", "chat Chat CHAT"),
            ("{{noun}} {{Noun}} {{NOUN}}", "chat_room ChatRoom CHAT_ROOM"),
            ("{{nouns}} {{Nouns}} {{nouns_path}}", "chat_rooms ChatRooms chat-rooms"),
            ("{{a_noun_words}}, {{A_noun_words}}", "a chat room, A chat room"),
            ("{{nouns_words}}, {{Nouns_words}}", "chat rooms, Chat rooms"),
        ] {
            assert_eq!(words.fill(placeholders), filled);
        }
        assert_eq!(Words::new("shop", "item", None).unwrap().fill("{{a_noun_words}}"), "an item");
    }

    #[test]
    fn a_port_is_by_the_list_of_services() {
        assert_eq!(Words::new("auth", "player", None).unwrap().fill("{{port}}"), "50051");
        let new = Words::new("shop", "item", None).unwrap().fill("{{port}}");
        assert_eq!(new, (50_051 + SERVICES.len()).to_string());
    }

    #[test]
    fn words_that_would_not_compile_are_refused() {
        for (name, noun, plural) in [
            ("Chat", "room", None),
            ("chat-2", "room", None),
            ("chat", "_room", None),
            ("chat", "type", None),
            ("chat", "sheep", Some("sheep")),
            ("", "room", None),
        ] {
            assert!(Words::new(name, noun, plural).is_err(), "{name} {noun}");
        }
        assert!(Words::new("content", "story", Some("stories")).is_ok());
    }
}
