//! A message: its lines gathered within the bounds, and read.

use std::collections::BTreeMap;

use mail_parser::{Address, MessageParser, PartType};
use time::OffsetDateTime;

use super::lines::Line;
use super::reply;
use crate::world::mail::Mail;

/// Largest message.
pub(super) const MAX_SIZE: usize = 256 * 1024;

/// Header fields of a message that are kept.
const HEADERS: usize = 100;

/// The lines after DATA, as far as they have come.
#[derive(Debug, Default)]
pub(super) struct Draft {
    bytes: Vec<u8>,
    /// What is wrong with it. The client is told at the end, because it sends
    /// to the end.
    refusal: Option<&'static str>,
}

impl Draft {
    /// Takes a line; true: it was the last one.
    pub(super) fn take(&mut self, line: &Line<'_>) -> bool {
        let Line::Whole(line) = line else {
            self.refuse(reply::LINE_TOO_LONG);
            return false;
        };
        if *line == b".\r\n" {
            return true;
        }
        // Two servers that disagree about where a line ends can be made to
        // disagree about where a message ends, so only one end is accepted.
        let text = line.strip_suffix(b"\r\n");
        if text.is_none_or(|text| text.contains(&b'\r')) {
            self.refuse(reply::STRAY_LINE_END);
        }
        let line = line.strip_prefix(b".").unwrap_or(line);
        if self.bytes.len() + line.len() > MAX_SIZE {
            self.refuse(reply::TOO_LARGE);
        }
        if self.refusal.is_none() {
            self.bytes.extend_from_slice(line);
        }
        false
    }

    /// The message, or what the client is told instead.
    pub(super) fn finish(self) -> Result<Vec<u8>, &'static str> {
        self.refusal.map_or(Ok(self.bytes), Err)
    }

    fn refuse(&mut self, reason: &'static str) {
        self.refusal.get_or_insert(reason);
        self.bytes = Vec::new();
    }
}

/// Reads a message as a mail program does.
pub(super) fn read(
    bytes: &[u8],
    sender: String,
    recipients: Vec<String>,
    at: OffsetDateTime,
) -> Mail {
    let mut mail = Mail {
        id: format!("{:016x}", rand::random::<u64>()),
        recipients,
        from: sender,
        subject: String::new(),
        text: None,
        html: None,
        headers: BTreeMap::new(),
        at,
    };
    let Some(message) = MessageParser::default().parse(bytes) else {
        return mail;
    };
    let from = message.from().and_then(Address::first).and_then(|from| from.address());
    if let Some(from) = from {
        from.clone_into(&mut mail.from);
    }
    message.subject().unwrap_or_default().clone_into(&mut mail.subject);
    // The library gives a text for an HTML part and the other way round; a
    // reader should see what was sent.
    mail.text = message.text_bodies().find_map(|part| match &part.body {
        PartType::Text(text) => Some(text.clone().into_owned()),
        _ => None,
    });
    mail.html = message.html_bodies().find_map(|part| match &part.body {
        PartType::Html(html) => Some(html.clone().into_owned()),
        _ => None,
    });
    for (name, value) in message.headers_raw().take(HEADERS) {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        mail.headers.entry(name.to_owned()).or_insert(value);
    }
    mail
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathered(lines: &[&[u8]]) -> Result<Vec<u8>, &'static str> {
        let mut draft = Draft::default();
        for line in lines {
            assert!(!draft.take(&Line::Whole(line)), "{line:?}");
        }
        assert!(draft.take(&Line::Whole(b".\r\n")));
        draft.finish()
    }

    #[test]
    fn a_dot_that_was_put_before_a_line_is_taken_away() {
        assert_eq!(gathered(&[]).unwrap(), b"");
        assert_eq!(gathered(&[b"a\r\n", b"..\r\n", b"..b\r\n"]).unwrap(), b"a\r\n.\r\n.b\r\n");
    }

    #[test]
    fn a_message_has_one_kind_of_line_end() {
        for line in [&b".\n"[..], b"a\n", b"a\rb\r\n", b".\r\r\n"] {
            assert_eq!(gathered(&[line, b"b\r\n"]).unwrap_err(), reply::STRAY_LINE_END, "{line:?}");
        }
    }

    #[test]
    fn a_message_is_bounded() {
        let line = [&[b'a'; 998][..], b"\r\n"].concat();
        let lines: Vec<&[u8]> = std::iter::repeat_n(&line[..], MAX_SIZE / 1_000).collect();
        assert_eq!(gathered(&lines).unwrap().len(), MAX_SIZE / 1_000 * 1_000);
        let lines: Vec<&[u8]> = std::iter::repeat_n(&line[..], MAX_SIZE / 1_000 + 1).collect();
        assert_eq!(gathered(&lines).unwrap_err(), reply::TOO_LARGE);
    }

    #[test]
    fn nonsense_is_a_message_too() {
        let at = OffsetDateTime::UNIX_EPOCH;
        for bytes in [&b""[..], b"\r\n", b"no header at all\r\n", b"\xff\xfe\r\n\r\n\xff"] {
            let mail = read(bytes, "a@playon.test".into(), vec!["b@playon.test".into()], at);
            assert_eq!((mail.from.as_str(), mail.subject.as_str()), ("a@playon.test", ""));
        }
    }
}
