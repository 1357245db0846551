//! The texts of our mails. They contain nothing that a player entered but the address:
//! by signing up with a stranger's address one could otherwise send that stranger any
//! text.

use std::borrow::Cow;

use askama::Template;
use mesh::{Language, texts};
use time::{
    OffsetDateTime,
    macros::{format_description, offset},
};

use crate::domain::{Code, Email, MailCause, Provider, ProviderJoined};

/// A mail's content, which is rendered as HTML and as plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EmailTemplate {
    /// Name of the mail in metrics and traces.
    pub(crate) kind: &'static str,
    /// The person who causes the mail.
    pub(crate) cause: MailCause,
    pub(crate) subject: String,
    language: Language,
    title: String,
    before: Vec<String>,
    action: Option<Action>,
    after: Vec<String>,
}

/// A button with a link.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Action {
    label: String,
    url: String,
}

#[derive(Template)]
#[template(path = "email.html")]
struct Html<'a> {
    template: &'a EmailTemplate,
}

#[derive(Template)]
#[template(path = "email.txt")]
struct Text<'a> {
    template: &'a EmailTemplate,
}

impl EmailTemplate {
    /// The HTML part.
    pub(crate) fn html(&self) -> askama::Result<String> {
        Html { template: self }.render()
    }

    /// The plain text part.
    pub(crate) fn text(&self) -> askama::Result<String> {
        Text { template: self }.render()
    }

    /// The sentence above the address of the button.
    fn copy_link(&self) -> String {
        Words::new(self.language).say("MAIL_COPY_LINK")
    }

    /// The last sentence of each mail.
    fn foot(&self) -> String {
        Words::new(self.language).say("MAIL_FOOT")
    }

    /// The link that sets a new password.
    pub(crate) fn password_reset(words: Words<'_>, url: String, until: OffsetDateTime) -> Self {
        let words = words.at(until);
        Self {
            action: Some(Action { label: words.say("MAIL_RESET_ACTION"), url }),
            after: vec![words.say("MAIL_RESET_UNTIL"), words.say("MAIL_RESET_NOT_YOU")],
            ..words.mail(
                ("password_reset", MailCause::Reset),
                ["MAIL_RESET_SUBJECT", "MAIL_RESET_TITLE", "MAIL_RESET_BEFORE"],
            )
        }
    }

    /// The link that confirms the address of a new account.
    pub(crate) fn email_confirmation(words: Words<'_>, url: String, until: OffsetDateTime) -> Self {
        let words = words.at(until);
        Self {
            action: Some(Action { label: words.say("MAIL_CONFIRM_ACTION"), url }),
            after: vec![words.say("MAIL_CONFIRM_UNTIL"), words.say("MAIL_CONFIRM_NOT_YOU")],
            ..words.mail(
                ("email_confirmation", MailCause::SignUp),
                ["MAIL_CONFIRM_SUBJECT", "MAIL_CONFIRM_TITLE", "MAIL_CONFIRM_BEFORE"],
            )
        }
    }

    /// The code that confirms a device.
    pub(crate) fn device_code(words: Words<'_>, code: &Code, until: OffsetDateTime) -> Self {
        let words = words.at(until);
        Self {
            before: vec![words.say("MAIL_DEVICE_BEFORE"), code.digits().to_owned()],
            after: vec![words.say("MAIL_CODE_UNTIL"), words.say("MAIL_DEVICE_NOT_YOU")],
            ..words.mail(
                ("device_code", MailCause::Player),
                ["MAIL_DEVICE_SUBJECT", "MAIL_DEVICE_TITLE", "MAIL_DEVICE_BEFORE"],
            )
        }
    }

    /// The code that lets a player sign in with a provider's account, too.
    pub(crate) fn join_code(
        words: Words<'_>,
        provider: Provider,
        code: &Code,
        until: OffsetDateTime,
    ) -> Self {
        let words = words.at(until).with("provider", provider.name());
        Self {
            before: vec![words.say("MAIL_JOIN_BEFORE"), code.digits().to_owned()],
            after: vec![words.say("MAIL_CODE_UNTIL"), words.say("MAIL_JOIN_NOT_YOU")],
            ..words.mail(
                ("join_code", MailCause::Player),
                ["MAIL_JOIN_SUBJECT", "MAIL_JOIN_TITLE", "MAIL_JOIN_BEFORE"],
            )
        }
    }

    /// Notice that the password was changed.
    pub(crate) fn password_changed(words: Words<'_>, at: OffsetDateTime) -> Self {
        let words = words.at(at);
        Self {
            after: vec![words.say("MAIL_PASSWORD_NOT_YOU")],
            ..words.mail(
                ("password_changed", MailCause::Player),
                ["MAIL_PASSWORD_SUBJECT", "MAIL_PASSWORD_TITLE", "MAIL_PASSWORD_BEFORE"],
            )
        }
    }

    /// Notice that withdrawals may soon go to a new phone. `phone` is the masked number.
    pub(crate) fn payout_phone(words: Words<'_>, phone: &str, opens_at: OffsetDateTime) -> Self {
        let words = words.at(opens_at).with("phone", phone);
        Self {
            after: vec![words.say("MAIL_PAYOUT_PHONE_NOT_YOU")],
            ..words.mail(
                ("payout_phone", MailCause::Player),
                [
                    "MAIL_PAYOUT_PHONE_SUBJECT",
                    "MAIL_PAYOUT_PHONE_TITLE",
                    "MAIL_PAYOUT_PHONE_BEFORE",
                ],
            )
        }
    }

    /// Notice that a provider's account was joined with the player's.
    pub(crate) fn provider_joined(
        words: Words<'_>,
        joined: ProviderJoined,
        at: OffsetDateTime,
    ) -> Self {
        let words = words.at(at).with("provider", joined.provider.name());
        let mut before = vec![words.say("MAIL_JOINED_BEFORE")];
        before.extend(joined.taken_over.then(|| words.say("MAIL_JOINED_TAKEN_OVER")));
        Self {
            before,
            after: vec![words.say("MAIL_JOINED_NOT_YOU")],
            ..words.mail(
                ("provider_joined", MailCause::Player),
                ["MAIL_JOINED_SUBJECT", "MAIL_JOINED_TITLE", "MAIL_JOINED_BEFORE"],
            )
        }
    }
}

/// The language of a mail, and the values of the parameters of its texts.
pub(crate) struct Words<'a> {
    language: Language,
    values: Vec<(&'static str, Cow<'a, str>)>,
}

impl<'a> Words<'a> {
    fn new(language: Language) -> Self {
        Self { language, values: Vec::new() }
    }

    /// The words of a mail to `email`, whose notices lead to the page `login`.
    pub(crate) fn to(language: Language, email: &'a Email, login: String) -> Self {
        Self::new(language).with("email", email.as_str()).with("url", login)
    }

    fn with(mut self, name: &'static str, value: impl Into<Cow<'a, str>>) -> Self {
        self.values.push((name, value.into()));
        self
    }

    /// Adds a time in East Africa Time, which has no daylight saving.
    fn at(self, at: OffsetDateTime) -> Self {
        let at = at.to_offset(offset!(+3));
        let time = at.format(format_description!("[hour]:[minute]")).unwrap_or_default();
        let date = at.format(format_description!("[day]/[month]/[year]")).unwrap_or_default();
        self.with("time", time).with("date", date)
    }

    fn say(&self, key: &str) -> String {
        let values = self.values.iter().map(|(name, value)| (*name, &**value));
        texts::text(key, values, self.language).unwrap_or_default().into_owned()
    }

    /// A mail with the texts of these keys.
    fn mail(
        &self,
        (kind, cause): (&'static str, MailCause),
        [subject, title, before]: [&str; 3],
    ) -> EmailTemplate {
        EmailTemplate {
            kind,
            cause,
            subject: self.say(subject),
            language: self.language,
            title: self.say(title),
            before: vec![self.say(before)],
            action: None,
            after: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const URL: &str = "https://playon.example/reset-password?token=abc";

    fn reset(email: &str, language: Language) -> EmailTemplate {
        let email = Email::parse(email).unwrap();
        let words = Words::to(language, &email, "https://playon.example/login".to_owned());
        EmailTemplate::password_reset(words, URL.to_owned(), datetime!(2026-11-20 21:30 UTC))
    }

    #[test]
    fn both_parts_have_the_link_and_its_expiry() {
        let template = reset("wanjiru@example.com", Language::English);
        for part in [template.html().unwrap(), template.text().unwrap()] {
            assert!(part.contains(URL), "{part}");
            assert!(part.contains("until 00:30 on 21/11/2026 (East Africa Time)"), "{part}");
        }
    }

    #[test]
    fn an_address_is_escaped_in_html_and_unchanged_in_plain_text() {
        let template = reset("o'neil&{sons}@example.com", Language::English);
        let html = template.html().unwrap();
        assert!(html.contains("o&#39;neil&#38;{sons}@example.com"), "{html}");
        assert!(template.text().unwrap().contains("o'neil&{sons}@example.com"));
    }

    #[test]
    fn the_html_part_loads_nothing_from_elsewhere() {
        let html = reset("wanjiru@example.com", Language::English).html().unwrap();
        assert!(html.starts_with("<!doctype html>\n<html lang=\"en\">"), "{html}");
        for foreign in ["<img", "<script", "<link", "url(", "{{", "{%"] {
            assert!(!html.contains(foreign), "{foreign}");
        }
    }

    #[test]
    fn each_text_of_each_mail_is_in_both_languages() {
        let code = Code::parse("123456").unwrap();
        let at = datetime!(2026-11-20 21:30 UTC);
        let email = Email::parse("wanjiru@example.com").unwrap();
        let joined = ProviderJoined { provider: Provider::Google, taken_over: true };
        for language in [Language::English, Language::Swahili] {
            let words = || Words::to(language, &email, "https://playon.example/login".to_owned());
            for mail in [
                EmailTemplate::password_reset(words(), URL.to_owned(), at),
                EmailTemplate::email_confirmation(words(), URL.to_owned(), at),
                EmailTemplate::device_code(words(), &code, at),
                EmailTemplate::join_code(words(), Provider::Google, &code, at),
                EmailTemplate::password_changed(words(), at),
                EmailTemplate::payout_phone(words(), "+254 7** *** 678", at),
                EmailTemplate::provider_joined(words(), joined, at),
            ] {
                let (html, text) = (mail.html().unwrap(), mail.text().unwrap());
                assert!(html.contains(&format!("<html lang=\"{}\">", language.tag())), "{html}");
                let texts = [&mail.subject, &mail.title].into_iter();
                for text in texts.chain(&mail.before).chain(&mail.after) {
                    assert!(!text.is_empty() && !text.contains('{'), "{}: {text}", mail.kind);
                }
                assert!(text.contains("wanjiru@example.com"), "{text}");
            }
        }
    }
}
