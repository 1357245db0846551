//! What reached a player's phone and mailbox.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A text message.
#[derive(Debug, Clone, Deserialize)]
pub struct Sms {
    /// What the handset shows.
    pub text: String,
}

/// A mail in one mailbox.
#[derive(Debug, Clone, Deserialize)]
pub struct Mail {
    /// Its subject, decoded.
    pub subject: String,
    /// Its part for programs without HTML.
    pub text: Option<String>,
    /// Its part for the others.
    pub html: Option<String>,
    /// Every header there is.
    pub headers: BTreeMap<String, String>,
}

impl Sms {
    /// The code in it: the only six digits that stand by themselves.
    pub fn code(&self) -> String {
        let runs = self.text.split(|c: char| !c.is_ascii_digit()).filter(|run| run.len() == 6);
        let mut codes: Vec<&str> = runs.collect();
        // WebOTP's last line says it a second time.
        codes.dedup();
        assert_eq!(codes.len(), 1, "one code in {:?}", self.text);
        codes[0].to_owned()
    }
}

impl Mail {
    /// The token of the link to a screen; both parts must lead to the same place.
    pub fn token(&self, screen: &str) -> Option<String> {
        let mark = format!("/{screen}?token=");
        let in_part = |part: &Option<String>| {
            let (_, after) = part.as_deref()?.split_once(&mark)?;
            let end = after.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.~".contains(c));
            Some(after[..end.unwrap_or(after.len())].to_owned())
        };
        let (text, html) = (in_part(&self.text), in_part(&self.html));
        assert_eq!(text, html, "text and HTML lead to the same place: {self:?}");
        text
    }
}
