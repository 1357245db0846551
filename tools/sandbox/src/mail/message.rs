//! The message of a DATA command: its lines, and the parsed mail.

use std::collections::BTreeMap;

use mail_parser::{Address, MessageParser, PartType};
use time::OffsetDateTime;

use super::lines::Line;
use crate::world::mail::{Mail, Message};

/// Largest message, in bytes.
pub(super) const MAX_SIZE: usize = 256 * 1024;

/// Replies that refuse a message.
pub(super) const TOO_LARGE: &str = "552 5.3.4 The message is too large";
const BAD_LINE_END: &str = "554 5.6.0 A line must end with CR LF";

/// Header fields that are kept.
const MAX_HEADERS: usize = 100;

/// The lines received so far.
#[derive(Debug, Default)]
pub(super) struct Draft {
    bytes: Vec<u8>,
    /// Why the message is refused. The reply waits for the end, because the
    /// client sends to the end.
    refusal: Option<&'static str>,
}

impl Draft {
    /// Adds a line; true if it ends the message.
    pub(super) fn push(&mut self, line: &Line<'_>) -> bool {
        let Line::Whole(line) = line else {
            self.refuse("554 5.6.0 A line is longer than 998 characters");
            return false;
        };
        if *line == b".\r\n" {
            return true;
        }
        // Only CR LF ends a line: where two servers disagree about it, mail can be
        // smuggled from one through the other.
        let text = line.strip_suffix(b"\r\n");
        if text.is_none_or(|text| text.contains(&b'\r')) {
            self.refuse(BAD_LINE_END);
        }
        let line = line.strip_prefix(b".").unwrap_or(line);
        if self.bytes.len() + line.len() > MAX_SIZE {
            self.refuse(TOO_LARGE);
        }
        if self.refusal.is_none() {
            self.bytes.extend_from_slice(line);
        }
        false
    }

    /// The message, or the reply that refuses it.
    pub(super) fn finish(self) -> Result<Vec<u8>, &'static str> {
        self.refusal.map_or(Ok(self.bytes), Err)
    }

    fn refuse(&mut self, reason: &'static str) {
        self.refusal.get_or_insert(reason);
        self.bytes = Vec::new();
    }
}

/// Parses a message; what cannot be parsed is a mail without subject and text.
pub(super) fn parse(
    bytes: &[u8],
    sender: String,
    recipients: Vec<String>,
    at: OffsetDateTime,
) -> Mail {
    let id = hex::encode(rand::random::<[u8; 8]>());
    let Some(parsed) = MessageParser::default().parse(bytes) else {
        let (subject, headers) = (String::new(), BTreeMap::new());
        let message = Message { id, from: sender, subject, text: None, html: None, headers, at };
        return Mail { recipients, message };
    };
    let from = parsed.from().and_then(Address::first).and_then(|from| from.address());
    let mut headers = BTreeMap::new();
    for (name, value) in parsed.headers_raw().take(MAX_HEADERS) {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        headers.entry(name.to_owned()).or_insert(value);
    }
    let message = Message {
        id,
        from: from.map_or(sender, str::to_owned),
        subject: parsed.subject().unwrap_or_default().to_owned(),
        // Parts are chosen by their type, because the library converts between text and HTML.
        text: parsed.text_bodies().find_map(|part| match &part.body {
            PartType::Text(text) => Some(text.clone().into_owned()),
            _ => None,
        }),
        html: parsed.html_bodies().find_map(|part| match &part.body {
            PartType::Html(html) => Some(html.clone().into_owned()),
            _ => None,
        }),
        headers,
        at,
    };
    Mail { recipients, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receive(lines: &[&[u8]]) -> Result<Vec<u8>, &'static str> {
        let mut draft = Draft::default();
        for line in lines {
            assert!(!draft.push(&Line::Whole(line)), "{line:?}");
        }
        assert!(draft.push(&Line::Whole(b".\r\n")));
        draft.finish()
    }

    #[test]
    fn removes_dot_stuffing() {
        assert_eq!(receive(&[]).unwrap(), b"");
        assert_eq!(receive(&[b"a\r\n", b"..\r\n", b"..b\r\n"]).unwrap(), b"a\r\n.\r\n.b\r\n");
    }

    #[test]
    fn refuses_line_ends_other_than_cr_lf() {
        for line in [&b".\n"[..], b"a\n", b"a\rb\r\n", b".\r\r\n"] {
            assert_eq!(receive(&[line, b"b\r\n"]).unwrap_err(), BAD_LINE_END, "{line:?}");
        }
    }

    #[test]
    fn refuses_a_message_beyond_the_maximum_size() {
        let line = [&[b'a'; 998][..], b"\r\n"].concat();
        let lines: Vec<&[u8]> = std::iter::repeat_n(&line[..], MAX_SIZE / 1_000).collect();
        assert_eq!(receive(&lines).unwrap().len(), MAX_SIZE / 1_000 * 1_000);
        let lines: Vec<&[u8]> = std::iter::repeat_n(&line[..], MAX_SIZE / 1_000 + 1).collect();
        assert_eq!(receive(&lines).unwrap_err(), TOO_LARGE);
    }

    #[test]
    fn accepts_a_message_that_cannot_be_parsed() {
        let at = OffsetDateTime::UNIX_EPOCH;
        for bytes in [&b""[..], b"\r\n", b"no header at all\r\n", b"\xff\xfe\r\n\r\n\xff"] {
            let mail = parse(bytes, "a@playon.test".into(), vec!["b@playon.test".into()], at);
            assert_eq!((&*mail.message.from, &*mail.message.subject), ("a@playon.test", ""));
        }
    }
}
