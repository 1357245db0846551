//! The configuration of svc-auth. All of it is validated before the port opens.

mod messaging;
mod oauth;
mod origin;

use std::time::Duration;

use anyhow::{Context as _, ensure};
use mesh::{
    args::{DatabaseArgs, SecretUrl, duration},
    auth::{DeviceTokens, MacKey},
};
use types::{Clock, Rng, SecretString, SlidingWindow};

use crate::{
    crypto::{AccessTokens, Captcha, Cost, Effort, Hasher, Refresher, seeds},
    domain::{OperatorName, ReservedUsernames, RotationPolicy, SignInRateLimit},
};

pub(crate) use messaging::Messaging;
pub use messaging::MessagingArgs;
pub(crate) use oauth::OAuth;
pub use oauth::OAuthArgs;
pub use origin::Origin;

/// The arguments of svc-auth. Secrets have no default.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "svc-auth", version, about = "Identity and the player.")]
pub struct Args {
    /// The arguments that all services share.
    #[command(flatten)]
    pub mesh: mesh::Args,

    /// The service's Postgres database, for the role that uses the tables.
    #[arg(long, env = "AUTH_DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretUrl,

    /// The service's Postgres database, for the role that owns and migrates the tables. Without
    /// this URL the schema must be current.
    #[arg(long, env = "AUTH_OWNER_DATABASE_URL", hide_env_values = true)]
    pub owner_database_url: Option<SecretUrl>,

    /// The limits on the database's use.
    #[command(flatten)]
    pub database: DatabaseArgs,

    /// svc-wallet, which is asked for what it stores about a player.
    #[arg(long, env)]
    pub wallet_url: String,

    /// svc-games, which is asked for what it stores about a player.
    #[arg(long, env)]
    pub games_url: String,

    /// svc-tournament, which is asked for what it stores about a player.
    #[arg(long, env)]
    pub tournament_url: String,

    /// svc-chat, which keeps players' notifications, and is asked for what it stores about a player.
    #[arg(long, env)]
    pub chat_url: String,

    /// PlayOn's origin, such as `https://playon.example`. Links lead there, and browsers
    /// fill codes in there.
    #[arg(long, env)]
    pub public_url: Origin,

    /// Comma list of words: no username and no name looks like one of them, or like several
    /// together.
    #[arg(
        long,
        env,
        value_delimiter = ',',
        default_value = "admin,administrator,customercare,help,moderator,mpesa,official,playon,\
                         root,safaricom,staff,support,system,team"
    )]
    pub reserved_usernames: Vec<String>,

    /// Comma list of operators who have all roles, to set up the others. Leave it empty once the
    /// list of operators has two who keep it.
    #[arg(long, env, value_delimiter = ',')]
    pub first_operators: Vec<String>,

    /// Text messages and mails.
    #[command(flatten)]
    pub messaging: MessagingArgs,

    /// Signing in with Google and Facebook.
    #[command(flatten)]
    pub oauth: OAuthArgs,

    /// Comma list of Ed25519 seeds, 32 bytes each in base64url. The first signs access
    /// tokens; the public keys of all are published.
    #[arg(long, env, hide_env_values = true)]
    pub signing_keys: SecretString,

    /// At least 32 bytes in base64url. Derives and signs refresh tokens, and derives the keys under
    /// which failed sign-ins are counted. A change ends all sessions.
    #[arg(long, env, hide_env_values = true)]
    pub refresh_secret: SecretString,

    /// At least 32 bytes in base64url, the same as the gateway's. Signs device tokens; after a
    /// change devices are unknown until the next sign-in.
    #[arg(long, env, hide_env_values = true)]
    pub device_secret: SecretString,

    /// At least 32 bytes in base64url. Signs captchas.
    #[arg(long, env, hide_env_values = true)]
    pub captcha_secret: SecretString,

    /// How long an access token is valid.
    #[arg(long, env, default_value = "15m", value_parser = duration)]
    pub access_token_ttl: Duration,

    /// How long a session lasts at most.
    #[arg(long, env, default_value = "90d", value_parser = duration)]
    pub session_ttl: Duration,

    /// How long a session may stay unused.
    #[arg(long, env, default_value = "30d", value_parser = duration)]
    pub session_idle: Duration,

    /// How long the refresh token used last returns its successor again.
    #[arg(long, env, default_value = "30s", value_parser = duration)]
    pub refresh_grace: Duration,

    /// How long a captcha can be solved.
    #[arg(long, env, default_value = "5m", value_parser = duration)]
    pub captcha_ttl: Duration,

    /// PBKDF2 iterations of one try at solving a captcha.
    #[arg(long, env, default_value_t = 2_000)]
    pub captcha_iterations: u32,

    /// Tries that solving a captcha takes at most; it takes at least half as many. With
    /// the default a cheap phone needs 0.2 to 1 s.
    #[arg(long, env, default_value_t = 600)]
    pub captcha_tries: u32,

    /// Memory of one password hash, in KiB. The defaults of these three are OWASP's for
    /// Argon2id. Stored hashes contain the parameters they were made with.
    #[arg(long, env, default_value_t = 19 * 1024)]
    pub argon2_memory_kib: u32,

    /// Passes of one password hash over its memory.
    #[arg(long, env, default_value_t = 2)]
    pub argon2_passes: u32,

    /// Lanes of one password hash.
    #[arg(long, env, default_value_t = 1)]
    pub argon2_lanes: u32,

    /// Threads that hash passwords, each with its own memory; 0 means one for each core but one,
    /// which is left to all other calls.
    #[arg(long, env, default_value_t = 0)]
    pub hash_concurrency: usize,

    /// Password hashes that may be queued; more are refused as UNAVAILABLE.
    #[arg(long, env, default_value_t = 64)]
    pub hashes_waiting: usize,

    /// Failed sign-ins that one account may have within the window, beside 30 in a day. Stops
    /// password guessing.
    #[arg(long, env, default_value_t = 10)]
    pub sign_in_failures: usize,

    /// How long a failed sign-in counts.
    #[arg(long, env, default_value = "15m", value_parser = duration)]
    pub sign_in_window: Duration,
}

impl AsRef<mesh::Args> for Args {
    fn as_ref(&self) -> &mesh::Args {
        &self.mesh
    }
}

/// The validated configuration, as the parts of the service that use it.
pub(crate) struct ValidatedConfig {
    pub(crate) access: AccessTokens,
    pub(crate) refresher: Refresher,
    pub(crate) devices: DeviceTokens,
    pub(crate) captcha: Captcha,
    pub(crate) hasher: Hasher,
    pub(crate) sign_in_rate_limit: SignInRateLimit,
    pub(crate) rotation_policy: RotationPolicy,
    pub(crate) session_ttl: Duration,
    pub(crate) origin: Origin,
    pub(crate) messaging: Messaging,
    pub(crate) reserved: ReservedUsernames,
    pub(crate) first_operators: Vec<OperatorName>,
    pub(crate) oauth: OAuth,
}

impl Args {
    /// Validates all arguments. An error names the variable.
    pub(crate) fn validate(&self, rng: &Rng, clock: &Clock) -> anyhow::Result<ValidatedConfig> {
        let seeds = seeds("SIGNING_KEYS", &self.signing_keys)?;
        let captcha_key = MacKey::parse("CAPTCHA_SECRET", &self.captcha_secret)?;
        let refresh_key = MacKey::parse("REFRESH_SECRET", &self.refresh_secret)?;
        let device_key = MacKey::parse("DEVICE_SECRET", &self.device_secret)?;
        ensure!(
            self.captcha_iterations > 0 && self.captcha_tries > 1,
            "CAPTCHA_ITERATIONS must be at least 1 and CAPTCHA_TRIES at least 2"
        );
        ensure!(self.sign_in_failures > 0, "SIGN_IN_FAILURES must be at least 1");
        ensure!(
            self.refresh_grace < self.session_idle && self.session_idle <= self.session_ttl,
            "REFRESH_GRACE must be shorter than SESSION_IDLE, and SESSION_IDLE not longer than SESSION_TTL"
        );
        let effort = Effort { iterations: self.captcha_iterations, tries: self.captcha_tries };
        Ok(ValidatedConfig {
            access: AccessTokens::new(&seeds, self.access_token_ttl)
                .context("SIGNING_KEYS holds no usable key")?,
            devices: DeviceTokens::new(device_key),
            refresher: Refresher::new(refresh_key),
            captcha: Captcha::new(&captcha_key, effort, self.captcha_ttl),
            hasher: self.hasher(rng)?,
            sign_in_rate_limit: SignInRateLimit::new(SlidingWindow::new(
                self.sign_in_failures,
                self.sign_in_window,
            )),
            rotation_policy: RotationPolicy {
                grace: self.refresh_grace,
                idle: self.session_idle,
                interval: self.access_token_ttl / 3,
            },
            session_ttl: self.session_ttl,
            origin: self.public_url.clone(),
            messaging: self.messaging.validate(&self.public_url, rng)?,
            reserved: ReservedUsernames::new(self.reserved_usernames.iter().map(String::as_str)),
            first_operators: self.first_operators()?,
            oauth: self.oauth.validate(&self.public_url, clock)?,
        })
    }

    fn first_operators(&self) -> anyhow::Result<Vec<OperatorName>> {
        let name = |text: &String| {
            OperatorName::parse(text)
                .with_context(|| format!("FIRST_OPERATORS: {text} is no operator's name"))
        };
        self.first_operators.iter().filter(|text| !text.is_empty()).map(name).collect()
    }

    fn hasher(&self, rng: &Rng) -> anyhow::Result<Hasher> {
        let cost = Cost {
            memory_kib: self.argon2_memory_kib,
            passes: self.argon2_passes,
            lanes: self.argon2_lanes,
        };
        let concurrency = match self.hash_concurrency {
            0 => std::thread::available_parallelism().map_or(1, |cores| cores.get().max(2) - 1),
            count => count,
        };
        Hasher::new(cost, concurrency, self.hashes_waiting, rng)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    /// 32 bytes.
    const SECRET: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

    fn config(changed: &[&str]) -> Args {
        let mut arguments = vec![
            "svc-auth",
            "--listen=127.0.0.1:0",
            "--metrics-listen=127.0.0.1:0",
            "--tls-dir=/nowhere",
            "--database-url=postgres://localhost/auth",
            "--argon2-memory-kib=8",
            "--argon2-passes=1",
        ];
        for default in [
            "--signing-keys=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
            "--wallet-url=https://127.0.0.1:1",
            "--games-url=https://127.0.0.1:1",
            "--tournament-url=https://127.0.0.1:1",
            "--chat-url=https://127.0.0.1:1",
            "--refresh-secret=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
            "--device-secret=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
            "--captcha-secret=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
            "--code-secret=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
            "--oauth-secret=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
            "--public-url=https://playon.example",
            "--mail-url=smtp://127.0.0.1:8025",
            "--mail-from=PlayOn <no-reply@playon.example>",
        ] {
            let name = default.split_inclusive('=').next().unwrap();
            if !changed.iter().any(|flag| flag.starts_with(name)) {
                arguments.push(default);
            }
        }
        arguments.extend(changed);
        Args::try_parse_from(arguments).unwrap()
    }

    #[test]
    fn an_invalid_argument_is_refused_with_the_variables_name() {
        for (flag, sentence) in [
            ("--signing-keys=AAEC", "each key in SIGNING_KEYS must be exactly 32 bytes"),
            ("--captcha-secret=AAEC", "CAPTCHA_SECRET must hold at least 32 bytes, and holds 3"),
            ("--refresh-secret=?", "REFRESH_SECRET is not base64url"),
            ("--device-secret=?", "DEVICE_SECRET is not base64url"),
            (
                "--captcha-tries=1",
                "CAPTCHA_ITERATIONS must be at least 1 and CAPTCHA_TRIES at least 2",
            ),
            ("--code-secret=AAEC", "CODE_SECRET must hold at least 32 bytes, and holds 3"),
            (
                "--sms-username=sandbox",
                "SMS_BASE_URL, SMS_USERNAME and SMS_API_KEY belong together",
            ),
            ("--sms-per-hour=0", "SMS_PER_HOUR must be at least 1, and SMS_PER_DAY not less"),
            ("--sms-per-day=999", "SMS_PER_HOUR must be at least 1, and SMS_PER_DAY not less"),
            (
                "--mail-url=smtp://playon:secret@mail.example",
                "MAIL_URL would send its password in the clear: use smtps:// or ?tls=required",
            ),
            (
                "--mail-from=no-reply",
                "MAIL_FROM is not of the form PlayOn <no-reply@playon.example>",
            ),
            ("--first-operators=wanjiru,1st", "FIRST_OPERATORS: 1st is no operator's name"),
            ("--oauth-secret=AAEC", "OAUTH_SECRET must hold at least 32 bytes, and holds 3"),
            (
                "--google-client-id=playon",
                "GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together",
            ),
            (
                "--facebook-client-secret=secret",
                "FACEBOOK_CLIENT_ID and FACEBOOK_CLIENT_SECRET belong together",
            ),
            ("--sign-in-failures=0", "SIGN_IN_FAILURES must be at least 1"),
            (
                "--session-idle=91d",
                "REFRESH_GRACE must be shorter than SESSION_IDLE, and SESSION_IDLE not longer than SESSION_TTL",
            ),
        ] {
            let validated = config(&[flag]).validate(&Rng::from_seed(1), &Clock::system());
            assert_eq!(validated.err().unwrap().to_string(), sentence, "{flag}");
        }
        assert!(config(&[]).validate(&Rng::from_seed(1), &Clock::system()).is_ok());
    }

    #[test]
    fn debug_output_hides_secrets() {
        let printed = format!("{:?}", config(&[]));
        assert!(!printed.contains(SECRET), "{printed}");
    }
}
