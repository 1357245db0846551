//! What the gateway is told: each a flag and an environment variable, all of it
//! judged before the port opens.

use std::{net::IpAddr, path::PathBuf, str::FromStr, time::Duration};

use clap::Parser;
use http::Uri;
use ipnet::IpNet;
use mesh::args::{SecretUrl, duration};

use crate::media::MediaUrl;

/// Everything the gateway can be told.
#[derive(Debug, Clone, Parser)]
pub struct Args {
    /// Where it listens and how it leaves.
    #[command(flatten)]
    pub mesh: mesh::Args,

    /// Its neighbours.
    #[command(flatten)]
    pub upstreams: UpstreamArgs,

    /// Where players reach PlayOn: the origin, as `https://playon.example`. With https,
    /// cookies are sent over nothing else.
    #[arg(long, env, value_parser = origin)]
    pub public_url: Uri,

    /// Redis, which counts calls for all replicas together. Without one, or
    /// while it is away, each replica counts by itself.
    #[arg(long, env)]
    pub redis_url: Option<SecretUrl>,

    /// Longest that counting in Redis may hold up a call; without an answer by then
    /// this replica counts by itself for a second.
    #[arg(long, env, default_value = "100ms", value_parser = duration)]
    pub redis_limit: Duration,

    /// Folder of the built web app.
    #[arg(long, env, default_value = "frontend/dist")]
    pub web_root: PathBuf,

    /// Networks (CIDR, comma-separated) whose `X-Forwarded-For` is believed;
    /// nobody's by default.
    #[arg(long, env, default_value = "")]
    pub trusted_proxies: Proxies,

    /// Largest body of a call, in bytes.
    #[arg(long, env, default_value_t = 64 * 1024)]
    pub body_limit: usize,

    /// Longest a call may take; services are given what is left of it.
    #[arg(long, env, default_value = "15s", value_parser = duration)]
    pub call_limit: Duration,

    /// How long browsers shall insist on https (HSTS), for all names below the host's as
    /// well; 0 for not at all. When it is not set and the public URL is https: a year,
    /// for the host alone.
    #[arg(long, env, value_parser = duration)]
    pub hsts_max_age: Option<Duration>,

    /// How many may be connected.
    #[command(flatten)]
    pub crowd: CrowdArgs,

    /// How often who may call.
    #[command(flatten)]
    pub rates: Rates,

    /// The live streams.
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

/// Where the five services are.
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

/// How many connections there may be; each is a file to the system (`ulimit -n`).
#[derive(Debug, Clone, clap::Args)]
pub struct CrowdArgs {
    /// Connections that one replica holds at a time: over HTTP/1.1 each live stream has
    /// one. In a full house probes are answered, and everybody else is told so.
    #[arg(long, env, default_value_t = 25_000)]
    pub connections: usize,

    /// Connections that one address (of IPv6 a /56) may have, unless it is a trusted
    /// proxy's or this machine's own. Carriers put thousands of players behind one.
    #[arg(long, env, default_value_t = 2_500)]
    pub connections_per_address: usize,
}

/// Limits of the rate classes (see [`crate::surface::Class`]), as `600/1m`.
#[derive(Debug, Clone, clap::Args)]
pub struct Rates {
    /// Calls without a usable token, per address. Carriers put thousands of
    /// players behind one address, so this is a last line only.
    #[arg(long = "rate-guest", env = "RATE_GUEST", default_value = "600/1m")]
    pub guest: Rate,

    /// Reads, per player.
    #[arg(long = "rate-read", env = "RATE_READ", default_value = "1200/1m")]
    pub read: Rate,

    /// Calls that send a text message or a mail, per address. The captcha, the limits of
    /// each phone and mailbox and the cap on what messages may cost come first.
    #[arg(long = "rate-message", env = "RATE_MESSAGE", default_value = "120/1m")]
    pub message: Rate,

    /// Files uploaded, per player.
    #[arg(long = "rate-upload", env = "RATE_UPLOAD", default_value = "30/1m")]
    pub upload: Rate,

    /// Media read, per address: a page has many, for many players behind one address.
    #[arg(long = "rate-media", env = "RATE_MEDIA", default_value = "12000/1m")]
    pub media: Rate,

    /// Writes that move no money, per player.
    #[arg(long = "rate-write", env = "RATE_WRITE", default_value = "240/1m")]
    pub write: Rate,

    /// Writes that move money, per player.
    #[arg(long = "rate-money", env = "RATE_MONEY", default_value = "60/1m")]
    pub money: Rate,

    /// Live streams opened, per player.
    #[arg(long = "rate-live", env = "RATE_LIVE", default_value = "120/1m")]
    pub live: Rate,

    /// Providers' callbacks, per address: a provider has few, and is busy.
    #[arg(long = "rate-hook", env = "RATE_HOOK", default_value = "6000/1m")]
    pub hook: Rate,

    /// Failed sign-ins, per address, over all accounts.
    #[arg(
        long = "rate-sign-in-failures",
        env = "RATE_SIGN_IN_FAILURES",
        default_value = "300/15m"
    )]
    pub sign_in_failures: Rate,
}

/// How live streams behave.
#[derive(Debug, Clone, clap::Args)]
pub struct LiveArgs {
    /// Pause between two heart-beats of a live stream.
    #[arg(long, env, default_value = "15s", value_parser = duration)]
    pub live_heartbeat: Duration,

    /// Longest life of a live stream, which ends with the token that opened it at the
    /// latest.
    #[arg(long, env, default_value = "15m", value_parser = duration)]
    pub live_max_age: Duration,

    /// Live streams that one player may have open at a time.
    #[arg(long, env, default_value_t = 10)]
    pub live_streams_per_player: usize,

    /// Live streams that one replica carries at a time.
    #[arg(long, env, default_value_t = 20_000)]
    pub live_streams: usize,
}

/// Where media are kept, and what keeping them may cost.
#[derive(Debug, Clone, clap::Args)]
pub struct MediaArgs {
    /// Where media are kept: `file:///folder`, or `s3://bucket/prefix` with the usual
    /// `AWS_…` variables. All replicas need the same one.
    #[arg(long, env, default_value = "file:///var/lib/playon/media")]
    pub media_url: MediaUrl,

    /// Longest an upload may take: a phone's uplink is slower than any other call needs.
    #[arg(long, env, default_value = "60s", value_parser = duration)]
    pub upload_limit: Duration,

    /// Uploads that one replica takes at a time, each held in memory: some 32 MiB.
    #[arg(long, env, default_value_t = 16)]
    pub uploads: usize,

    /// Uploads that one player may have under way at a time.
    #[arg(long, env, default_value_t = 2)]
    pub uploads_per_player: usize,

    /// Pictures that one replica decodes at a time, each in up to 300 MiB.
    #[arg(long, env, default_value_t = 2)]
    pub pictures_at_a_time: usize,

    /// Pause between two looks for pictures that no profile has.
    #[arg(long, env, default_value = "24h", value_parser = duration)]
    pub media_sweep: Duration,
}

/// So many within such a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// How many.
    pub limit: u32,
    /// Within which time.
    pub per: Duration,
}

impl FromStr for Rate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "a rate looks like 600/1m";
        let (limit, per) = text.split_once('/').ok_or(FORM)?;
        let limit = limit.parse().map_err(|_| FORM)?;
        let per = duration(per).map_err(|_| FORM)?;
        if limit == 0 || per < Duration::from_millis(1) {
            return Err("a rate of nothing would shut the door");
        }
        Ok(Self { limit, per })
    }
}

/// Reads the origin of a web site.
fn origin(text: &str) -> Result<Uri, &'static str> {
    const FORM: &str = "an origin looks like https://playon.example";
    let uri: Uri = text.parse().map_err(|_| FORM)?;
    let web = matches!(uri.scheme_str(), Some("http" | "https"));
    let bare = matches!(uri.path_and_query().map(ToString::to_string).as_deref(), None | Some("/"));
    if web && bare && uri.host().is_some() { Ok(uri) } else { Err(FORM) }
}

/// The networks whose word about a client's address is taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proxies(Vec<IpNet>);

impl Proxies {
    /// Whether an address is one of them.
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.0.iter().any(|net| net.contains(&address))
    }
}

impl FromStr for Proxies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| {
                part.parse::<IpNet>()
                    .or_else(|_| part.parse::<IpAddr>().map(IpNet::from))
                    .map_err(|_| format!("{part} is neither a network nor an address"))
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_number_and_a_time() {
        assert_eq!("600/1m".parse(), Ok(Rate { limit: 600, per: Duration::from_mins(1) }));
        for text in ["", "600", "/1m", "-1/1m", "600/", "0/1m", "5/0s"] {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_origin_is_of_the_web_and_has_no_path() {
        for good in ["https://playon.example", "http://127.0.0.1:8080", "https://playon.example/"] {
            assert!(origin(good).is_ok(), "{good}");
        }
        for bad in ["", "playon.example", "ftp://playon.example", "https://playon.example/app", "/"]
        {
            assert!(origin(bad).is_err(), "{bad}");
        }
    }

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

    #[test]
    fn proxies_are_networks_or_addresses_and_nobody_by_default() {
        let proxies: Proxies = "10.0.0.0/8, 192.0.2.7,fd00::/8".parse().unwrap();
        for (address, trusted) in [
            ("10.1.2.3", true),
            ("192.0.2.7", true),
            ("192.0.2.8", false),
            ("fd00::1", true),
            ("2001:db8::1", false),
        ] {
            assert_eq!(proxies.trusts(address.parse().unwrap()), trusted, "{address}");
        }
        assert_eq!("".parse(), Ok(Proxies::default()));
        assert!("10.0.0.0/33".parse::<Proxies>().is_err());
    }
}
