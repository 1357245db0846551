//! The arguments of svc-games. All are validated before a port opens.

use mesh::args::{AuthArgs, DatabaseArgs, SecretUrl};

/// The arguments of svc-games; each is a flag and an environment variable.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "svc-games", version, about = "Games.")]
pub struct Args {
    /// Where the service listens, and how it stops.
    #[command(flatten)]
    pub mesh: mesh::Args,

    /// URL of the service's Postgres database, with the role that uses its tables.
    #[arg(long, env = "GAMES_DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretUrl,

    /// URL of the same database, with the role that owns and migrates its tables.
    /// Without it the schema must be current.
    #[arg(long, env = "GAMES_OWNER_DATABASE_URL", hide_env_values = true)]
    pub owner_database_url: Option<SecretUrl>,

    /// How the service uses the database.
    #[command(flatten)]
    pub database: DatabaseArgs,

    /// Where the keys that sign access tokens are published.
    #[command(flatten)]
    pub auth: AuthArgs,

    /// svc-tournament, which has rounds and boards. Games are played without it.
    #[arg(long, env)]
    pub tournament_url: String,
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
    fn flags_and_variables_do_not_collide() {
        Args::command().debug_assert();
    }
}
