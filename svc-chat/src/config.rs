//! The arguments of svc-chat. All are validated before a port opens.

mod push;
mod support;

use std::time::Duration;

use mesh::args::{AuthArgs, DatabaseArgs, SecretUrl, duration};

pub use push::PushArgs;
pub(crate) use support::Support;
pub use support::SupportArgs;

/// The arguments of svc-chat; each is a flag and an environment variable.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "svc-chat", version, about = "Chat rooms, and players' notifications.")]
pub struct Args {
    /// Where the service listens, and how it stops.
    #[command(flatten)]
    pub mesh: mesh::Args,

    /// URL of the service's Postgres database, with the role that uses its tables.
    #[arg(long, env = "CHAT_DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretUrl,

    /// URL of the same database, with the role that owns and migrates its tables.
    /// Without it the schema must be current.
    #[arg(long, env = "CHAT_OWNER_DATABASE_URL", hide_env_values = true)]
    pub owner_database_url: Option<SecretUrl>,

    /// How the service uses the database.
    #[command(flatten)]
    pub database: DatabaseArgs,

    /// Where the keys that sign access tokens are published.
    #[command(flatten)]
    pub auth: AuthArgs,

    /// Redis for published changes and for who is online. The service works without it, with
    /// slower updates.
    #[arg(long, env, hide_env_values = true)]
    pub redis_url: SecretUrl,

    /// How long a notification is kept, read or not, together with its source.
    #[arg(long, env, default_value = "90d", value_parser = duration)]
    pub notification_retention: Duration,

    /// How long a message is kept, removed or not.
    #[arg(long, env, default_value = "365d", value_parser = duration)]
    pub message_retention: Duration,

    /// Messages that a player may send to one room within 10 s, by each replica. Keeps one
    /// player from filling the screens of all.
    #[arg(long, env, default_value_t = 10)]
    pub messages_per_room: usize,

    /// Messages that a player may send to all rooms together within 10 s, by each replica.
    #[arg(long, env, default_value_t = 20)]
    pub messages_per_player: usize,

    /// Players whom one sender's mentions may notify in an hour, in all rooms together. Keeps
    /// one player from having others' phones ring all day.
    #[arg(long, env, default_value_t = 60)]
    pub mentions_per_hour: u32,

    /// Presence heartbeat interval. A player is offline after three missed beats, and leaves the
    /// counts of streams one beat later: with 12 s, 49 s after a crash.
    #[arg(long, env, default_value = "12s", value_parser = duration)]
    pub presence_interval: Duration,

    /// How feedback to the support is kept and mailed.
    #[command(flatten)]
    pub support: SupportArgs,

    /// How notifications reach browsers.
    #[command(flatten)]
    pub push: PushArgs,
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
