//! What svc-{{name}} is configured with. All of it is judged before its port opens.

use mesh::args::{Args, AuthArgs, PoolArgs, SecretUrl};

/// Arguments of svc-{{name}}; each is a flag and an environment variable.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "svc-{{name}}", version, about = "{{Nouns_words}}.")]
pub struct Config {
    /// Where to listen, how to leave.
    #[command(flatten)]
    pub common: Args,

    /// The service's own Postgres database.
    #[arg(long, env = "{{NAME}}_DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretUrl,

    /// How the database is used.
    #[command(flatten)]
    pub pool: PoolArgs,

    /// Whose tokens are believed.
    #[command(flatten)]
    pub auth: AuthArgs,
}

impl AsRef<Args> for Config {
    fn as_ref(&self) -> &Args {
        &self.common
    }
}
