//! The arguments of svc-{{name}}. All are validated before a port opens.

use std::time::Duration;

use mesh::args::{AuthArgs, DatabaseArgs, SecretUrl, duration};

/// The arguments of svc-{{name}}; each is a flag and an environment variable.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "svc-{{name}}", version, about = "{{Nouns_words}}.")]
pub struct Args {
    /// Where the service listens, and how it stops.
    #[command(flatten)]
    pub mesh: mesh::Args,

    /// URL of the service's Postgres database, with the role that uses its tables.
    #[arg(long, env = "{{NAME}}_DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretUrl,

    /// URL of the same database, with the role that owns and migrates its tables.
    /// Without it the schema must be current.
    #[arg(long, env = "{{NAME}}_OWNER_DATABASE_URL", hide_env_values = true)]
    pub owner_database_url: Option<SecretUrl>,

    /// How the service uses the database.
    #[command(flatten)]
    pub database: DatabaseArgs,

    /// Where the keys that sign access tokens are published.
    #[command(flatten)]
    pub auth: AuthArgs,

    /// How long {{a_noun_words}} is valid after its creation.
    #[arg(long, env = "{{NOUN}}_LIFETIME", default_value = "30d", value_parser = lifetime)]
    pub {{noun}}_lifetime: Duration,
}

impl AsRef<mesh::Args> for Args {
    fn as_ref(&self) -> &mesh::Args {
        &self.mesh
    }
}

fn lifetime(text: &str) -> anyhow::Result<Duration> {
    let lifetime = duration(text)?;
    anyhow::ensure!(!lifetime.is_zero(), "a lifetime is longer than 0");
    Ok(lifetime)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn flags_and_variables_do_not_collide() {
        Args::command().debug_assert();
    }

    #[test]
    fn refuses_a_lifetime_of_zero() {
        assert!(lifetime("0s").is_err());
        assert!(lifetime("1s").is_ok());
    }
}
