//! Text messages and mails that the sandbox received for a player.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A text message.
#[derive(Debug, Clone, Deserialize)]
pub struct Sms {
    /// The text as the handset shows it.
    pub text: String,
}

/// A mail in one mailbox.
#[derive(Debug, Clone, Deserialize)]
pub struct Mail {
    /// The decoded subject.
    pub subject: String,
    /// The plain text part.
    pub text: Option<String>,
    /// The HTML part.
    pub html: Option<String>,
    /// All headers.
    pub headers: BTreeMap<String, String>,
}

impl Sms {
    /// The six-digit code in the text. Panics unless there is exactly one.
    pub fn code(&self) -> String {
        let runs = self.text.split(|c: char| !c.is_ascii_digit()).filter(|run| run.len() == 6);
        let mut codes: Vec<&str> = runs.collect();
        // The message's last line, for WebOTP, repeats the code.
        codes.dedup();
        assert_eq!(codes.len(), 1, "one code in {:?}", self.text);
        codes[0].to_owned()
    }
}

impl Mail {
    /// The six-digit code on a line of its own.
    pub fn code(&self) -> Option<String> {
        let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|b| b.is_ascii_digit());
        self.text.as_deref()?.lines().map(str::trim).find(is_code).map(str::to_owned)
    }

    /// The token in the link to a screen. Panics when the text and HTML parts have
    /// different links.
    pub fn token(&self, screen: &str) -> Option<String> {
        let mark = format!("/{screen}?token=");
        let in_part = |part: &Option<String>| {
            let (_, after) = part.as_deref()?.split_once(&mark)?;
            let end = after.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.~".contains(c));
            Some(after[..end.unwrap_or(after.len())].to_owned())
        };
        let (text, html) = (in_part(&self.text), in_part(&self.html));
        assert_eq!(text, html, "text and HTML have the same link: {self:?}");
        text
    }
}
