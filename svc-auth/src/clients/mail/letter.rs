//! What our mails say. Nothing in them is a player's own words but their address:
//! whoever signs up with a stranger's could otherwise have us mail that stranger
//! whatever they typed for a name.

use askama::Template;
use time::{
    OffsetDateTime,
    macros::{format_description, offset},
};

use crate::domain::{Email, Joined};

/// A mail's content. Its two forms, for eyes and for programs, say the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Letter {
    /// As metrics and traces name it.
    pub(crate) kind: &'static str,
    pub(crate) subject: &'static str,
    pub(crate) title: &'static str,
    pub(crate) before: Vec<String>,
    pub(crate) action: Option<Action>,
    pub(crate) after: Vec<String>,
}

/// The one thing to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Action {
    pub(crate) label: &'static str,
    pub(crate) url: String,
}

#[derive(Template)]
#[template(path = "letter.html")]
struct Html<'a> {
    letter: &'a Letter,
}

#[derive(Template)]
#[template(path = "letter.txt")]
struct Text<'a> {
    letter: &'a Letter,
}

impl Letter {
    /// The form for mail programs that show pages.
    pub(crate) fn html(&self) -> askama::Result<String> {
        Html { letter: self }.render()
    }

    /// The form for all others.
    pub(crate) fn text(&self) -> askama::Result<String> {
        Text { letter: self }.render()
    }

    /// A link by which a new password is set.
    pub(crate) fn password_reset(email: &Email, url: String, until: OffsetDateTime) -> Self {
        Self {
            kind: "password_reset",
            subject: "Reset your PlayOn password",
            title: "Reset your password",
            before: vec![format!(
                "Somebody, we hope you, asked for a new password for the PlayOn account of {}.",
                email.as_str()
            )],
            action: Some(Action { label: "Choose a new password", url }),
            after: vec![
                format!("The link works once, until {}.", local(until)),
                "If it was not you, you need not do anything: your password stays as it is."
                    .to_owned(),
            ],
        }
    }

    /// A link that proves the address of a new account.
    pub(crate) fn email_confirmation(email: &Email, url: String, until: OffsetDateTime) -> Self {
        Self {
            kind: "email_confirmation",
            subject: "Confirm your email for PlayOn",
            title: "Welcome to PlayOn",
            before: vec![format!(
                "An account was made with {}. Please confirm that this address is yours.",
                email.as_str()
            )],
            action: Some(Action { label: "Confirm my email", url }),
            after: vec![
                format!("The link works until {}.", local(until)),
                "If you made no account, please do not confirm: whoever made it would keep it."
                    .to_owned(),
            ],
        }
    }

    /// Word that the password is another one now.
    pub(crate) fn password_changed(email: &Email, url: String, at: OffsetDateTime) -> Self {
        Self {
            kind: "password_changed",
            subject: "Your PlayOn password was changed",
            title: "Your password was changed",
            before: vec![format!(
                "The password of the PlayOn account of {} was changed at {}. \
                 Other devices have been signed out.",
                email.as_str(),
                local(at)
            )],
            action: None,
            after: vec![format!(
                "If it was not you, somebody may have your account: use 'Forgot password?' at \
                 {url} at once."
            )],
        }
    }

    /// Word that somebody signs in by a provider from now on.
    pub(crate) fn provider_joined(
        email: &Email,
        joined: Joined,
        url: String,
        at: OffsetDateTime,
    ) -> Self {
        let (email, provider) = (email.as_str(), joined.provider.name());
        let mut before = vec![format!(
            "Since {} the {provider} account of {email} opens the PlayOn account of this address.",
            local(at)
        )];
        if joined.taken_over {
            before.push(
                "Nobody had confirmed the address before. The password that was set until then no \
                 longer works, and every device has been signed out."
                    .to_owned(),
            );
        }
        Self {
            kind: "provider_joined",
            subject: "A new way to sign in to PlayOn",
            title: "A new way to sign in",
            before,
            action: None,
            after: vec![format!(
                "If it was not you, somebody may have your {provider} account: change the password \
                 there first. Then use 'Forgot password?' at {url}, which signs out every device."
            )],
        }
    }
}

/// A time as players read it: East Africa Time has no summer.
fn local(at: OffsetDateTime) -> String {
    let form =
        format_description!("[hour]:[minute] on [day padding:none] [month repr:long] [year]");
    let text = at.to_offset(offset!(+3)).format(form).unwrap_or_default();
    format!("{text} (East Africa Time)")
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const URL: &str = "https://playon.example/reset-password?token=abc";

    fn reset(email: &str) -> Letter {
        let email = Email::parse(email).unwrap();
        Letter::password_reset(&email, URL.to_owned(), datetime!(2026-11-20 21:30 UTC))
    }

    #[test]
    fn both_forms_have_the_link_and_say_how_long_it_works() {
        let letter = reset("wanjiru@example.com");
        for form in [letter.html().unwrap(), letter.text().unwrap()] {
            assert!(form.contains(URL), "{form}");
            assert!(form.contains("until 00:30 on 21 November 2026 (East Africa Time)"), "{form}");
        }
    }

    #[test]
    fn an_address_is_text_in_a_page_and_as_it_is_elsewhere() {
        let letter = reset("o'neil&{sons}@example.com");
        let html = letter.html().unwrap();
        assert!(html.contains("o&#39;neil&#38;{sons}@example.com"), "{html}");
        assert!(letter.text().unwrap().contains("o'neil&{sons}@example.com"));
    }

    #[test]
    fn a_page_is_whole_without_anything_from_elsewhere() {
        let html = reset("wanjiru@example.com").html().unwrap();
        assert!(html.starts_with("<!doctype html>\n<html lang=\"en\">"), "{html}");
        for foreign in ["<img", "<script", "<link", "url(", "{{", "{%"] {
            assert!(!html.contains(foreign), "{foreign}");
        }
    }
}
