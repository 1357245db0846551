//! Mails by SMTP, for the services that send some.
//!
//! Servers put addresses into their replies, so only the codes of replies are logged.
//! Headers are built from parsed addresses and encoded texts, so that no text of a player
//! can add one.

use std::time::Duration;

use anyhow::{Context as _, anyhow, ensure};
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor,
    message::{Mailbox, MultiPart, SinglePart, header},
    transport::smtp::{self, extension::ClientId},
};
use mesh::instrument;
use reqwest::Url;
use time::OffsetDateTime;
use tracing::error;
use types::Email;
use uuid::Uuid;

/// Sends mails from one address through one server, each on a connection of its own: there
/// are few, and no call waits for them.
#[derive(Clone)]
pub struct Mailer {
    smtp: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

/// The content of a mail.
#[derive(Debug, Clone, Copy)]
pub struct Content<'a> {
    /// The mail's name in metrics and traces.
    pub kind: &'static str,
    /// The subject.
    pub subject: &'a str,
    /// The plain text.
    pub text: &'a str,
    /// The text as HTML; absent where the text is a player's.
    pub html: Option<&'a str>,
    /// Where a reply goes, if not to the sender.
    pub reply_to: Option<&'a Email>,
}

/// The outcome of sending a mail. Any other outcome is an error, and worth a retry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailOutcome {
    /// The server has accepted the mail.
    Sent,
    /// The server refuses the mail for this address permanently.
    Refused,
}

impl Mailer {
    /// A client of the server at `url`: `smtps://`, `smtp://…?tls=required`, or plain
    /// `smtp://` without a password. Each step takes at most `limit`.
    pub fn new(url: &str, from: &str, limit: Duration) -> anyhow::Result<Self> {
        let from: Mailbox = from
            .parse()
            .ok()
            .context("MAIL_FROM is not of the form PlayOn <no-reply@playon.example>")?;
        // The libraries' errors are dropped, because they could contain the password.
        let parsed = Url::parse(url).ok().context("MAIL_URL is not a URL")?;
        let tls = parsed.query_pairs().find(|(key, _)| key == "tls");
        let encrypted =
            parsed.scheme() == "smtps" || tls.is_some_and(|(_, value)| value == "required");
        ensure!(
            encrypted || parsed.password().is_none(),
            "MAIL_URL would send its password in the clear: use smtps:// or ?tls=required"
        );
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .ok()
            .context("MAIL_URL is not of the form smtps://user:password@host:port")?;
        let hello = ClientId::Domain(from.email.domain().to_owned());
        Ok(Self { smtp: builder.hello_name(hello).timeout(Some(limit)).build(), from })
    }

    /// Sends a mail. `id` becomes the Message-ID, by which mail programs recognise a duplicate.
    #[instrument(name = "mail.send", skip_all, fields(otel.kind = "client", mail.kind = content.kind))]
    pub async fn send(
        &self,
        id: Uuid,
        to: &Email,
        content: Content<'_>,
        at: OffsetDateTime,
    ) -> anyhow::Result<MailOutcome> {
        let message = self.message(id, to, content, at)?;
        match self.smtp.send(message).await {
            Ok(_) => Ok(MailOutcome::Sent),
            Err(error) => match refusal(&error) {
                Some(code) => {
                    error!(code, kind = content.kind, "a mail was refused permanently");
                    Ok(MailOutcome::Refused)
                }
                None => Err(anyhow!("a mail was not sent: {}", cause(&error))),
            },
        }
    }

    fn message(
        &self,
        id: Uuid,
        to: &Email,
        content: Content<'_>,
        at: OffsetDateTime,
    ) -> anyhow::Result<Message> {
        let message = Message::builder()
            .from(self.from.clone())
            .to(mailbox(to)?)
            .subject(content.subject)
            .date(at.into())
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .header(AutoSubmitted);
        let message = match content.reply_to {
            Some(address) => message.reply_to(mailbox(address)?),
            None => message,
        };
        let text = content.text.to_owned();
        match content.html {
            Some(html) => {
                message.multipart(MultiPart::alternative_plain_html(text, html.to_owned()))
            }
            None => message.singlepart(SinglePart::plain(text)),
        }
        .context("cannot build a mail")
    }
}

fn mailbox(email: &Email) -> anyhow::Result<Mailbox> {
    let address: Address =
        email.as_str().parse().ok().context("an address that SMTP does not allow")?;
    Ok(Mailbox::new(None, address))
}

/// The code of a permanent refusal of this address: 55x (RFC 5321, section 4.2.1). Other
/// permanent codes, such as for wrong credentials, are about our configuration, which can be
/// fixed.
fn refusal(error: &smtp::Error) -> Option<u16> {
    let code = error.status().filter(|_| error.is_permanent()).map(u16::from)?;
    (550..560).contains(&code).then_some(code)
}

/// The kind of an error, without the server's text.
fn cause(error: &smtp::Error) -> String {
    match error.status() {
        Some(code) => format!("the server replied {code}"),
        None if error.is_timeout() => "the server is too slow".to_owned(),
        None if error.is_tls() => "TLS failed".to_owned(),
        None if error.is_response() || error.is_client() => "a protocol error".to_owned(),
        None => "the server cannot be reached".to_owned(),
    }
}

/// `Auto-Submitted` (RFC 3834), so that auto-responders do not reply.
#[derive(Clone)]
struct AutoSubmitted;

impl header::Header for AutoSubmitted {
    fn name() -> header::HeaderName {
        header::HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> header::HeaderValue {
        header::HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;
    use types::Rng;

    use super::*;

    const NOW: OffsetDateTime = datetime!(2026-11-20 09:00 UTC);
    const FROM: &str = "PlayOn <no-reply@playon.example>";

    fn mailer(url: &str, from: &str) -> anyhow::Result<Mailer> {
        Mailer::new(url, from, Duration::from_secs(1))
    }

    #[test]
    fn a_password_is_never_sent_without_tls() {
        for (url, accepted) in [
            ("smtp://127.0.0.1:8025", true),
            ("smtps://user:secret@mail.example", true),
            ("smtp://user:secret@mail.example:587?tls=required", true),
            ("smtp://user:secret@mail.example:587", false),
            ("smtp://user:secret@mail.example:587?tls=opportunistic", false),
            ("smtp://user:secret@mail.example?tls=opportunistic&tls=required", false),
            ("http://mail.example", false),
            ("mail.example", false),
        ] {
            let made = mailer(url, FROM);
            assert_eq!(made.is_ok(), accepted, "{url}");
            let message = made.err().map(|error| format!("{error:#}")).unwrap_or_default();
            assert!(!message.contains("secret"), "{message}");
        }
        assert!(mailer("smtp://127.0.0.1", "no address").is_err());
    }

    #[test]
    fn content_cannot_add_headers() {
        let content = Content {
            kind: "test",
            subject: "Hello\r\nBcc: all@example.com",
            text: "One\r\nBcc: all@example.com\r\n.\r\nQUIT",
            html: Some("<p>One</p>"),
            reply_to: Some(&Email::parse("otieno@example.com").unwrap()),
        };
        let to = Email::parse("wanjiru@example.com").unwrap();
        let id = Rng::from_seed(1).uuid_v7(NOW);
        let mail = mailer("smtp://127.0.0.1", FROM).unwrap().message(id, &to, content, NOW);
        let mail = String::from_utf8(mail.unwrap().formatted()).unwrap();
        let (headers, _) = mail.split_once("\r\n\r\n").unwrap();
        let names: Vec<_> = headers
            .split("\r\n")
            .filter(|line| !line.starts_with([' ', '\t']))
            .map(|line| line.split(':').next().unwrap_or_default())
            .collect();
        assert_eq!(
            names,
            [
                "From",
                "To",
                "Subject",
                "Date",
                "Message-ID",
                "Auto-Submitted",
                "Reply-To",
                "MIME-Version",
                "Content-Type"
            ],
            "{headers}"
        );
        assert!(headers.contains(&format!("<{id}@playon.example>")), "{headers}");
        assert!(headers.contains("Date: Fri, 20 Nov 2026 09:00:00 +0000"), "{headers}");
    }
}
