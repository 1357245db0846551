//! How players are reached outside of the app: text messages and mail.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use anyhow::{bail, ensure};
use mesh::args::{SecretUrl, duration};
use time::OffsetDateTime;
use types::{Rng, SecretString};

use super::Origin;
use crate::{
    clients::{
        mail::Mailer,
        sms::{Account, Sms, Text},
    },
    crypto::{Codes, Key},
    domain::{Budget, Code},
};

/// Codes by SMS and links by mail.
#[derive(Debug, Clone, clap::Args)]
// clap names groups after types.
#[group(skip)]
pub struct MessagingArgs {
    /// At least 32 bytes in base64url: keeps codes, makes the tokens of mailed links,
    /// and hides whose codes are counted. With a new one, codes and links that are
    /// under way no longer work.
    #[arg(long, env, hide_env_values = true)]
    pub code_secret: SecretString,

    /// Africa's Talking, without the path. Without this, the username and the key,
    /// signing in by phone is off.
    #[arg(long, env)]
    pub sms_base_url: Option<String>,

    /// The application's username there.
    #[arg(long, env)]
    pub sms_username: Option<String>,

    /// The application's key there.
    #[arg(long, env, hide_env_values = true)]
    pub sms_api_key: Option<SecretString>,

    /// A sender that is registered there; the provider's own name without one.
    #[arg(long, env)]
    pub sms_sender: Option<String>,

    /// Longest that the SMS provider may take.
    #[arg(long, env, default_value = "10s", value_parser = duration)]
    pub sms_timeout: Duration,

    /// Codes that may be sent in one hour of the clock, to all phones together.
    #[arg(long, env, default_value_t = 1_000)]
    pub sms_per_hour: u32,

    /// Codes that may be sent in 24 such hours.
    #[arg(long, env, default_value_t = 10_000)]
    pub sms_per_day: u32,

    /// The mail server: `smtps://user:password@host`, `smtp://…?tls=required`, or
    /// plain `smtp://` without a password.
    #[arg(long, env, hide_env_values = true)]
    pub mail_url: SecretUrl,

    /// Who mails come from, such as `PlayOn <no-reply@playon.example>`.
    #[arg(long, env)]
    pub mail_from: String,

    /// Longest that the mail server may take for one step.
    #[arg(long, env, default_value = "10s", value_parser = duration)]
    pub mail_timeout: Duration,
}

/// The same, judged and turned into what uses it.
pub(crate) struct Messaging {
    pub(crate) codes: Codes,
    pub(crate) sms: Option<Sms>,
    pub(crate) budget: Budget,
    pub(crate) mailer: Mailer,
    /// The hour, since the epoch, in which the last pause was told to operators.
    paused_in: AtomicI64,
}

impl Messaging {
    /// Whether a pause for lack of budget is the first that this process sees in its
    /// hour.
    pub(crate) fn is_new_pause(&self, now: OffsetDateTime) -> bool {
        let hour = now.unix_timestamp().div_euclid(3_600);
        self.paused_in.swap(hour, Ordering::Relaxed) != hour
    }
}

impl MessagingArgs {
    /// Refuses what cannot work, in a sentence that names the variable.
    pub(super) fn judge(&self, origin: &Origin, rng: &Rng) -> anyhow::Result<Messaging> {
        ensure!(
            self.sms_per_hour > 0 && self.sms_per_day >= self.sms_per_hour,
            "SMS_PER_HOUR must be at least 1, and SMS_PER_DAY not less"
        );
        let sample = Text::code(&Code::draw(rng), origin.host());
        ensure!(sample.is_one_message(), "PUBLIC_URL's host is too long for a text message");
        Ok(Messaging {
            codes: Codes::new(Key::parse("CODE_SECRET", &self.code_secret)?),
            sms: self.account()?.map(|account| Sms::new(account, self.sms_timeout)).transpose()?,
            budget: Budget { hour: self.sms_per_hour.into(), day: self.sms_per_day.into() },
            mailer: Mailer::new(self.mail_url.expose(), &self.mail_from, self.mail_timeout)?,
            paused_in: AtomicI64::new(0),
        })
    }

    /// All three or none: half a configuration is a mistake, not a wish.
    fn account(&self) -> anyhow::Result<Option<Account>> {
        match (&self.sms_base_url, &self.sms_username, &self.sms_api_key) {
            (None, None, None) => Ok(None),
            (Some(base_url), Some(username), Some(api_key)) => {
                ensure!(
                    reqwest::Url::parse(base_url).is_ok_and(|url| url.has_host()),
                    "SMS_BASE_URL is not a URL"
                );
                Ok(Some(Account {
                    base_url: base_url.clone(),
                    username: username.clone(),
                    api_key: api_key.clone(),
                    sender: self.sms_sender.clone(),
                }))
            }
            _ => bail!("SMS_BASE_URL, SMS_USERNAME and SMS_API_KEY belong together"),
        }
    }
}
