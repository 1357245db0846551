//! The arguments of svc-tournament. All are validated before a port opens.

use std::time::Duration;

use mesh::args::{AuthArgs, DatabaseArgs, SecretUrl, duration};

/// The arguments of svc-tournament; each is a flag and an environment variable.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "svc-tournament", version, about = "Tournaments.")]
pub struct Args {
    /// Where the service listens, and how it stops.
    #[command(flatten)]
    pub mesh: mesh::Args,

    /// URL of the service's Postgres database, with the role that uses its tables.
    #[arg(long, env = "TOURNAMENT_DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretUrl,

    /// URL of the same database, with the role that owns and migrates its tables.
    /// Without it the schema must be current.
    #[arg(long, env = "TOURNAMENT_OWNER_DATABASE_URL", hide_env_values = true)]
    pub owner_database_url: Option<SecretUrl>,

    /// How the service uses the database.
    #[command(flatten)]
    pub database: DatabaseArgs,

    /// Where the keys that sign access tokens are published.
    #[command(flatten)]
    pub auth: AuthArgs,

    /// svc-games: the games of tournaments, and the runs that are not finished. Without it boards
    /// can be read, but no tournament is applied or settled.
    #[arg(long, env)]
    pub games_url: String,

    /// svc-wallet, which pays awards. Without it awards wait.
    #[arg(long, env)]
    pub wallet_url: String,

    /// svc-chat, which keeps players' notifications. Without it notifications wait.
    #[arg(long, env)]
    pub chat_url: String,

    /// Redis for published changes. The service works without it, with slower updates.
    #[arg(long, env, hide_env_values = true)]
    pub redis_url: SecretUrl,

    /// Most entries of all boards in memory, about 100 bytes each. Beyond this number the least
    /// recently read boards are dropped; a single board may be larger.
    #[arg(long, env, default_value_t = 2_000_000)]
    pub board_entries: usize,

    /// How long awards of money wait before they are paid, for operators to look at them.
    #[arg(long, env, default_value = "24h", value_parser = award_hold)]
    pub award_hold: Duration,

    /// A tournament with more cash than this in all, in KES, is published once a second operator
    /// has applied the same manifest. So is an award above it that an operator approves.
    #[arg(long, env, default_value_t = 10_000)]
    pub cash_confirmed_over: i32,

    /// So is each tournament with cash beyond this sum, in KES, of what one operator published in
    /// a day.
    #[arg(long, env, default_value_t = 50_000)]
    pub cash_alone_a_day: i32,
}

/// Parses a hold of at most six days: the money of awards stays reserved for a week.
fn award_hold(text: &str) -> Result<Duration, String> {
    match duration(text) {
        Ok(hold) if hold <= Duration::from_hours(6 * 24) => Ok(hold),
        Ok(_) => Err("longer than six days".to_owned()),
        Err(error) => Err(error.to_string()),
    }
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
