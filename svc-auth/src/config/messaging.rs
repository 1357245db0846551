//! Text messages and mails.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use anyhow::{bail, ensure};
use mail::Mailer;
use mesh::{
    args::{SecretUrl, duration},
    auth::MacKey,
};
use time::OffsetDateTime;
use types::{Language, Rng, SecretString};

use super::Origin;
use crate::{
    clients::sms::{Account, Sms, SmsText},
    crypto::Codes,
    domain::{Code, CodeLength, MailBudget, SmsBudget},
};

/// The arguments for codes by SMS and links by mail.
#[derive(Debug, Clone, clap::Args)]
// clap names groups after types, and several are called Args.
#[group(skip)]
pub struct MessagingArgs {
    /// At least 32 bytes in base64url. Computes the stored HMACs of codes, the tokens of
    /// mailed links, and the keys under which codes are counted. A change of it voids the
    /// codes and links that were sent.
    #[arg(long, env, hide_env_values = true)]
    pub code_secret: SecretString,

    /// URL of Africa's Talking, without the path. Without this, the username and the key,
    /// signing in by phone is switched off.
    #[arg(long, env)]
    pub sms_base_url: Option<String>,

    /// The application's username at Africa's Talking.
    #[arg(long, env)]
    pub sms_username: Option<String>,

    /// The application's API key at Africa's Talking.
    #[arg(long, env, hide_env_values = true)]
    pub sms_api_key: Option<SecretString>,

    /// A sender id that is registered at Africa's Talking; without one, its own is used.
    #[arg(long, env)]
    pub sms_sender: Option<String>,

    /// Longest that a request to the SMS provider may take.
    #[arg(long, env, default_value = "10s", value_parser = duration)]
    pub sms_timeout: Duration,

    /// Codes that may be sent to all phones together in one hour of the clock.
    #[arg(long, env, default_value_t = 1_000)]
    pub sms_per_hour: u32,

    /// Codes that may be sent to all phones together in 24 hours of the clock.
    #[arg(long, env, default_value_t = 10_000)]
    pub sms_per_day: u32,

    /// URL of the mail server: `smtps://user:password@host`, `smtp://…?tls=required`, or
    /// plain `smtp://` without a password.
    #[arg(long, env, hide_env_values = true)]
    pub mail_url: SecretUrl,

    /// Mails that may be sent in one hour of the clock. Half of them are kept for players.
    #[arg(long, env, default_value_t = 2_000)]
    pub mail_per_hour: i32,

    /// The sender of mails, such as `PlayOn <no-reply@playon.example>`.
    #[arg(long, env)]
    pub mail_from: String,

    /// Longest that one step of the SMTP dialogue may take.
    #[arg(long, env, default_value = "10s", value_parser = duration)]
    pub mail_timeout: Duration,
}

/// The clients and limits that the arguments configure.
pub(crate) struct Messaging {
    pub(crate) codes: Codes,
    pub(crate) sms: Option<Sms>,
    pub(crate) sms_budget: SmsBudget,
    pub(crate) mailer: Mailer,
    pub(crate) mail_budget: MailBudget,
    /// The hour, since the epoch, in which the last exhausted budget was logged.
    exhausted_in: AtomicI64,
}

impl Messaging {
    /// Whether this process sees the budget exhausted for the first time in this hour.
    pub(crate) fn is_newly_exhausted(&self, now: OffsetDateTime) -> bool {
        let hour = now.unix_timestamp().div_euclid(3_600);
        self.exhausted_in.swap(hour, Ordering::Relaxed) != hour
    }
}

impl MessagingArgs {
    /// Validates the arguments. An error names the variable.
    pub(super) fn validate(&self, origin: &Origin, rng: &Rng) -> anyhow::Result<Messaging> {
        ensure!(
            self.sms_per_hour > 0 && self.sms_per_day >= self.sms_per_hour,
            "SMS_PER_HOUR must be at least 1, and SMS_PER_DAY not less"
        );
        ensure!(self.mail_per_hour > 1, "MAIL_PER_HOUR must be at least 2");
        let code = Code::generate(rng, CodeLength::Nine);
        let fits = |language| {
            SmsText::code(&code, origin.host(), language).is_one_message()
                && SmsText::payout_code(&code, origin.host(), language).is_one_message()
        };
        ensure!(
            fits(Language::English) && fits(Language::Swahili),
            "PUBLIC_URL's host is too long for a text message"
        );
        Ok(Messaging {
            codes: Codes::new(MacKey::parse("CODE_SECRET", &self.code_secret)?),
            sms: self.account()?.map(|account| Sms::new(account, self.sms_timeout)).transpose()?,
            sms_budget: SmsBudget { hour: self.sms_per_hour.into(), day: self.sms_per_day.into() },
            mail_budget: MailBudget { hour: self.mail_per_hour },
            mailer: Mailer::new(self.mail_url.expose(), &self.mail_from, self.mail_timeout)?,
            exhausted_in: AtomicI64::new(0),
        })
    }

    /// The SMS account; all three variables are set, or none.
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
