//! The texts of our mails. They contain nothing that a player entered but the address:
//! by signing up with a stranger's address one could otherwise send that stranger any
//! text.

use askama::Template;
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
    pub(crate) subject: &'static str,
    pub(crate) title: &'static str,
    pub(crate) before: Vec<String>,
    pub(crate) action: Option<Action>,
    pub(crate) after: Vec<String>,
}

/// A button with a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Action {
    pub(crate) label: &'static str,
    pub(crate) url: String,
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

    /// The link that sets a new password.
    pub(crate) fn password_reset(email: &Email, url: String, until: OffsetDateTime) -> Self {
        Self {
            kind: "password_reset",
            cause: MailCause::Reset,
            subject: "Reset your PlayOn password",
            title: "Reset your password",
            before: vec![format!(
                "We got a request for a new password for the PlayOn account of {}.",
                email.as_str()
            )],
            action: Some(Action { label: "Choose a new password", url }),
            after: vec![
                format!("The link works once, until {}.", local(until)),
                "If this was not you, you can ignore this mail: your password stays the same."
                    .to_owned(),
            ],
        }
    }

    /// The link that confirms the address of a new account.
    pub(crate) fn email_confirmation(email: &Email, url: String, until: OffsetDateTime) -> Self {
        Self {
            kind: "email_confirmation",
            cause: MailCause::SignUp,
            subject: "Confirm your email for PlayOn",
            title: "Welcome to PlayOn",
            before: vec![format!(
                "You created an account with {}. Please confirm that this address is yours.",
                email.as_str()
            )],
            action: Some(Action { label: "Confirm my email", url }),
            after: vec![
                format!("The link works until {}.", local(until)),
                "If you did not create this account, open the link and choose \"This was not me\"."
                    .to_owned(),
            ],
        }
    }

    /// The code that confirms a device.
    pub(crate) fn device_code(
        email: &Email,
        code: &Code,
        url: String,
        until: OffsetDateTime,
    ) -> Self {
        Self {
            kind: "device_code",
            cause: MailCause::Player,
            subject: "Your PlayOn code",
            title: "Confirm your device",
            before: vec![
                format!(
                    "Money is to leave the PlayOn wallet of {} from a device that is new to the \
                     account. Enter this code there to confirm that it is you:",
                    email.as_str()
                ),
                code.digits().to_owned(),
            ],
            action: None,
            after: vec![
                format!("The code works once, until {}. We never ask you for it.", local(until)),
                format!(
                    "If this was not you, someone else is signed in to your account: use \
                     'Forgot password?' at {url}, which signs out every device."
                ),
            ],
        }
    }

    /// The code that lets a player sign in with a provider's account, too.
    pub(crate) fn join_code(
        email: &Email,
        provider: Provider,
        code: &Code,
        until: OffsetDateTime,
    ) -> Self {
        let provider = provider.name();
        Self {
            kind: "join_code",
            cause: MailCause::Player,
            subject: "Your PlayOn code",
            title: "Is it you?",
            before: vec![
                format!(
                    "Someone wants to sign in to the PlayOn account of {} with {provider}. If it \
                     is you, enter this code:",
                    email.as_str()
                ),
                code.digits().to_owned(),
            ],
            action: None,
            after: vec![
                format!("The code works once, until {}. We never ask you for it.", local(until)),
                "If this was not you, you need to do nothing: without the code no one can sign in."
                    .to_owned(),
            ],
        }
    }

    /// Notice that the password was changed.
    pub(crate) fn password_changed(email: &Email, url: String, at: OffsetDateTime) -> Self {
        Self {
            kind: "password_changed",
            cause: MailCause::Player,
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
                "If this was not you, someone else may have your account: use 'Forgot password?' at \
                 {url} at once."
            )],
        }
    }

    /// Notice that withdrawals may soon go to a new phone. `phone` is the masked number.
    pub(crate) fn payout_phone(
        email: &Email,
        phone: &str,
        url: String,
        opens_at: OffsetDateTime,
    ) -> Self {
        Self {
            kind: "payout_phone",
            cause: MailCause::Player,
            subject: "A new phone for your PlayOn withdrawals",
            title: "A new phone for withdrawals",
            before: vec![format!(
                "The phone {phone} was added to the PlayOn account of {}. Money can be withdrawn to \
                 it from {}.",
                email.as_str(),
                local(opens_at)
            )],
            action: None,
            after: vec![format!(
                "If this was not you, use 'Forgot password?' at {url} before that time: it signs out \
                 every device and removes the phone."
            )],
        }
    }

    /// Notice that a provider's account was joined with the player's.
    pub(crate) fn provider_joined(
        email: &Email,
        joined: ProviderJoined,
        url: String,
        at: OffsetDateTime,
    ) -> Self {
        let (email, provider) = (email.as_str(), joined.provider.name());
        let mut before = vec![format!(
            "Since {} you can sign in to the PlayOn account of {email} with {provider}.",
            local(at)
        )];
        if joined.taken_over {
            before.push(
                "This address had not been confirmed before. What signed in with it until now no \
                 longer works, and every device has been signed out."
                    .to_owned(),
            );
        }
        Self {
            kind: "provider_joined",
            cause: MailCause::Player,
            subject: "A new way to sign in to PlayOn",
            title: "A new way to sign in",
            before,
            action: None,
            after: vec![format!(
                "If this was not you, someone else may have your {provider} account: change its \
                 password first. Then use 'Forgot password?' at {url}, which signs out every device."
            )],
        }
    }
}

/// A time in East Africa Time, which has no daylight saving.
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

    fn reset(email: &str) -> EmailTemplate {
        let email = Email::parse(email).unwrap();
        EmailTemplate::password_reset(&email, URL.to_owned(), datetime!(2026-11-20 21:30 UTC))
    }

    #[test]
    fn both_parts_have_the_link_and_its_expiry() {
        let template = reset("wanjiru@example.com");
        for part in [template.html().unwrap(), template.text().unwrap()] {
            assert!(part.contains(URL), "{part}");
            assert!(part.contains("until 00:30 on 21 November 2026 (East Africa Time)"), "{part}");
        }
    }

    #[test]
    fn an_address_is_escaped_in_html_and_unchanged_in_plain_text() {
        let template = reset("o'neil&{sons}@example.com");
        let html = template.html().unwrap();
        assert!(html.contains("o&#39;neil&#38;{sons}@example.com"), "{html}");
        assert!(template.text().unwrap().contains("o'neil&{sons}@example.com"));
    }

    #[test]
    fn the_html_part_loads_nothing_from_elsewhere() {
        let html = reset("wanjiru@example.com").html().unwrap();
        assert!(html.starts_with("<!doctype html>\n<html lang=\"en\">"), "{html}");
        for foreign in ["<img", "<script", "<link", "url(", "{{", "{%"] {
            assert!(!html.contains(foreign), "{foreign}");
        }
    }
}
