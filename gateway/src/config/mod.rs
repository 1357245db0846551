//! The gateway's arguments. Each is a flag and an environment variable; all are validated
//! before the port opens.

mod origins;
mod rates;

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::Parser;
use http::Uri;
use mesh::{
    args::{SecretUrl, duration},
    http_server::Networks,
};

use self::origins::origin;
pub use self::{
    origins::GamesOrigin,
    rates::{Rate, Rates},
};
use types::SecretString;

use crate::media::MediaUrl;

/// The arguments of the gateway.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// Where the gateway listens, and how it stops.
    #[command(flatten)]
    pub mesh: mesh::Args,

    /// The services that the gateway calls.
    #[command(flatten)]
    pub upstreams: UpstreamArgs,

    /// The origin at which players reach PlayOn, as `https://playon.example`. If it is https,
    /// cookies are sent over https only.
    #[arg(long, env, value_parser = origin)]
    pub public_url: Uri,

    /// At least 32 bytes in base64url, the same as svc-auth's. Verifies device tokens; with another
    /// one all browsers are strangers.
    #[arg(long, env, hide_env_values = true)]
    pub device_secret: SecretString,

    /// Redis, which counts calls for all replicas together. Without one, or while it is
    /// out of reach, each replica counts its own calls.
    #[arg(long, env)]
    pub redis_url: Option<SecretUrl>,

    /// Longest that a call waits for Redis to count it; without a reply by then, this replica
    /// counts its own calls for 1 s.
    #[arg(long, env, default_value = "100ms", value_parser = duration)]
    pub redis_limit: Duration,

    /// Folder of the built web app, which is read into memory at the start.
    #[arg(long, env, default_value = "frontend/dist")]
    pub web_root: PathBuf,

    /// Largest total size of the web app's files, in bytes; beyond it the gateway does not start.
    #[arg(long, env, default_value_t = 128 * 1024 * 1024)]
    pub web_root_limit: usize,

    /// The games' origin.
    #[command(flatten)]
    pub games: GamesArgs,

    /// Networks (CIDR, comma-separated) of the proxies whose `X-Forwarded-For` is used;
    /// none by default.
    #[arg(long, env, default_value = "")]
    pub trusted_proxies: Networks,

    /// Largest body of a call, in bytes.
    #[arg(long, env, default_value_t = 64 * 1024)]
    pub body_limit: usize,

    /// Longest a call may take; each upstream call gets the time that is left.
    #[arg(long, env, default_value = "15s", value_parser = duration)]
    pub call_limit: Duration,

    /// How long browsers use https only (HSTS), for all subdomains of the host as well; 0 switches
    /// it off. Without this option, and with an https public URL: one year, for the host only.
    #[arg(long, env, value_parser = duration)]
    pub hsts_max_age: Option<Duration>,

    /// Serve the calls' OpenAPI document at `/api/openapi.json`; for development.
    #[arg(long, env)]
    pub serve_openapi: bool,

    /// Connections and calls in flight.
    #[command(flatten)]
    pub http: HttpArgs,

    /// Rate limits.
    #[command(flatten)]
    pub rates: Rates,

    /// Live streams.
    #[command(flatten)]
    pub live: LiveArgs,

    /// Players' media.
    #[command(flatten)]
    pub media: MediaArgs,
}

impl AsRef<mesh::Args> for Args {
    fn as_ref(&self) -> &mesh::Args {
        &self.mesh
    }
}

/// Each game has an origin of its own, so that none reads the storage of the app or of another game.
#[derive(Debug, Clone, clap::Args)]
pub struct GamesArgs {
    /// The origins at which players reach the games, as `https://{slug}.playon-games.example`.
    #[arg(id = "games_origin", long = "games-origin", env = "PLAYON_GAMES_ORIGIN")]
    pub origin: GamesOrigin,

    /// Where the games' origins listen; without it this process does not serve it.
    #[arg(id = "games_listen", long = "games-listen", env = "GAMES_LISTEN")]
    pub listen: Option<SocketAddr>,

    /// Folder of the built games, one folder each, which is read into memory at the start.
    #[arg(
        id = "games_root",
        long = "games-root",
        env = "GAMES_ROOT",
        default_value = "games/dist"
    )]
    pub root: PathBuf,
}

/// The URLs of the five services.
#[derive(Debug, Clone, clap::Args)]
pub struct UpstreamArgs {
    /// svc-auth, which also publishes the keys that sign access tokens.
    #[arg(long, env)]
    pub auth_url: String,

    /// svc-wallet.
    #[arg(long, env)]
    pub wallet_url: String,

    /// svc-games.
    #[arg(long, env)]
    pub games_url: String,

    /// svc-tournament.
    #[arg(long, env)]
    pub tournament_url: String,

    /// svc-chat.
    #[arg(long, env)]
    pub chat_url: String,
}

/// Limits of connections and calls in flight. Trusted proxies and this machine's own addresses are
/// exempt from the limits per address.
#[derive(Debug, Clone, clap::Args)]
pub struct HttpArgs {
    /// Connections that one replica holds at the same time; over HTTP/1.1 each live stream needs
    /// one. Each connection is an open file (`ulimit -n`); a connection beyond the limit is closed.
    #[arg(long, env, default_value_t = 25_000)]
    pub connections: usize,

    /// Connections of one address (an IPv6 /56). Carriers have thousands of players behind one
    /// address.
    #[arg(long, env, default_value_t = 2_500)]
    pub connections_per_address: usize,

    /// Calls that one replica has in flight at the same time, from the head of the request to the
    /// beginning of the reply; a call beyond the limit is refused with a 503.
    #[arg(long = "calls-in-flight", env = "CALLS_IN_FLIGHT", default_value_t = 8_192)]
    pub calls: usize,

    /// Calls of one address (an IPv6 /56) in flight at the same time; a call beyond the limit is
    /// refused with a 429.
    #[arg(
        long = "calls-in-flight-per-address",
        env = "CALLS_IN_FLIGHT_PER_ADDRESS",
        default_value_t = 1_024
    )]
    pub calls_per_address: usize,

    /// Calls of one replica in flight that compare or set a password, each of which costs svc-auth
    /// a password hash; a call beyond the limit is refused with a 503.
    #[arg(long, env, default_value_t = 128)]
    pub password_calls: usize,

    /// Calls of one device, or of one address (an IPv6 /56) without devices, in flight that compare
    /// or set a password; a call beyond the limit is refused with a 429.
    #[arg(long, env, default_value_t = 16)]
    pub password_calls_per_address: usize,
}

/// The limits of live streams.
#[derive(Debug, Clone, clap::Args)]
pub struct LiveArgs {
    /// Pause between two heartbeats of a live stream.
    #[arg(long, env, default_value = "15s", value_parser = duration)]
    pub live_heartbeat: Duration,

    /// Longest life of a live stream. It ends no later than the token that opened it.
    #[arg(long, env, default_value = "15m", value_parser = duration)]
    pub live_max_age: Duration,

    /// Live streams that one player may have open at the same time.
    #[arg(long, env, default_value_t = 10)]
    pub live_streams_per_player: usize,

    /// Live streams that one replica carries at the same time.
    #[arg(long, env, default_value_t = 20_000)]
    pub live_streams: usize,
}

/// Where media are stored, and the limits of uploads.
#[derive(Debug, Clone, clap::Args)]
pub struct MediaArgs {
    /// Where media are stored: `file:///folder`, or `s3://bucket/prefix` with the usual `AWS_…`
    /// variables. All replicas need the same store.
    #[arg(long, env, default_value = "file:///var/lib/playon/media")]
    pub media_url: MediaUrl,

    /// Longest an upload may take: phones have slow uplinks.
    #[arg(long, env, default_value = "60s", value_parser = duration)]
    pub upload_limit: Duration,

    /// Uploads that one replica receives at the same time, each into a temporary file of at most 15
    /// MiB. All of them together are processed in 64 MiB of memory.
    #[arg(long, env, default_value_t = 64)]
    pub uploads: usize,

    /// Uploads that one player may have in progress at the same time.
    #[arg(long, env, default_value_t = 2)]
    pub uploads_per_player: usize,

    /// Pause between two sweeps of pictures that no profile has.
    #[arg(long, env, default_value = "24h", value_parser = duration)]
    pub media_sweep: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_are_in_a_folder_or_a_bucket() {
        assert_eq!("file:///srv/media".parse(), Ok(MediaUrl::Folder("/srv/media".into())));
        for (text, bucket, prefix) in
            [("s3://media", "media", ""), ("s3://media/play/on/", "media", "play/on")]
        {
            let url = MediaUrl::S3 { bucket: bucket.into(), prefix: prefix.into() };
            assert_eq!(text.parse(), Ok(url), "{text}");
        }
        for bad in ["", "/srv/media", "file://media", "file://", "s3://", "s3:///x", "https://x/y"]
        {
            assert!(bad.parse::<MediaUrl>().is_err(), "{bad}");
        }
    }
}
