//! The arguments for feedback to the support.

use std::time::Duration;

use anyhow::bail;
use mail::Mailer;
use mesh::args::{SecretUrl, duration};

/// How feedback is kept, limited and mailed.
#[derive(Debug, Clone, clap::Args)]
pub struct SupportArgs {
    /// URL of the mail server: `smtps://user:password@host`, `smtp://…?tls=required`, or plain
    /// `smtp://` without a password. Without it, feedback is stored, and mailed once a mail server
    /// is set.
    #[arg(long, env, hide_env_values = true)]
    pub mail_url: Option<SecretUrl>,

    /// The sender of mails, such as `PlayOn <no-reply@playon.example>`.
    #[arg(long, env)]
    pub mail_from: Option<String>,

    /// Longest that one step of the SMTP dialogue may take.
    #[arg(long, env, default_value = "10s", value_parser = duration)]
    pub mail_timeout: Duration,

    /// Feedback that one player may send in 24 hours, and that guests may send with one email
    /// address.
    #[arg(long, env, default_value_t = 10)]
    pub feedback_per_day: u32,

    /// Feedback of all guests together that is accepted in an hour, so that invented addresses
    /// do not flood the support's mailbox; and as much of all players together.
    #[arg(long, env, default_value_t = 300)]
    pub feedback_per_hour: u32,

    /// How long feedback is kept.
    #[arg(long, env, default_value = "365d", value_parser = duration)]
    pub feedback_retention: Duration,
}

/// The mail server and the limits that the arguments configure.
pub(crate) struct Support {
    /// `None` where this deployment has no mail server.
    pub(crate) mailer: Option<Mailer>,
    pub(crate) feedback_per_day: u32,
    pub(crate) feedback_per_hour: u32,
    pub(crate) feedback_retention: Duration,
}

impl SupportArgs {
    /// Validates the arguments. An error names the variable.
    pub(crate) fn validate(&self) -> anyhow::Result<Support> {
        let mailer = match (&self.mail_url, &self.mail_from) {
            (None, None) => None,
            (Some(url), Some(from)) => Some(Mailer::new(url.expose(), from, self.mail_timeout)?),
            _ => bail!("MAIL_URL and MAIL_FROM belong together"),
        };
        Ok(Support {
            mailer,
            feedback_per_day: self.feedback_per_day,
            feedback_per_hour: self.feedback_per_hour,
            feedback_retention: self.feedback_retention,
        })
    }
}

impl Default for SupportArgs {
    /// No mail server, and the defaults of the flags.
    fn default() -> Self {
        Self {
            mail_url: None,
            mail_from: None,
            mail_timeout: Duration::from_secs(10),
            feedback_per_day: 10,
            feedback_per_hour: 300,
            feedback_retention: Duration::from_hours(24 * 365),
        }
    }
}
