//! What svc-{{name}} is told at its start. All of it is judged before its port opens.

use mesh::args::{AuthArgs, PoolArgs, SecretUrl};

/// The arguments of svc-{{name}}; each is a flag and an environment variable.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "svc-{{name}}", version, about = "{{Nouns_words}}.")]
pub struct Args {
    /// What all services share.
    #[command(flatten)]
    pub mesh: mesh::Args,

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

impl AsRef<mesh::Args> for Args {
    fn as_ref(&self) -> &mesh::Args {
        &self.mesh
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Args;

    #[test]
    fn the_arguments_agree_with_each_other() {
        Args::command().debug_assert();
    }
}
