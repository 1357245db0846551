//! What every handler is given.

use std::sync::Arc;

use mesh::{Base, ConnectionLimits, Shutdown, auth::Verifier};
use types::{Clock, Rng};

use crate::{
    Args,
    config::{LiveArgs, Proxies, Rates},
    edge::window::Limiter,
    http::upload,
    live,
    media::{MediaStore, Pictures},
    seats::Seats,
    upstreams::Upstreams,
};

/// The gateway's parts. Cheap to clone.
#[derive(Clone)]
pub struct Gateway(Arc<Parts>);

struct Parts {
    base: Base,
    upstreams: Upstreams,
    verifier: Verifier,
    limiter: Limiter,
    seats: Seats,
    uploads: Seats,
    media: MediaStore,
    pictures: Pictures,
    args: Args,
}

impl Gateway {
    /// Puts the parts together; dials nobody, but needs the media folder, if it is one.
    pub(crate) fn new(base: &Base, args: Args) -> anyhow::Result<Self> {
        let upstreams = Upstreams::connect(&args.upstreams, base.clock.clone())?;
        let verifier =
            Verifier::remote(base.clock.clone(), upstreams.auth_channel(), &base.shutdown);
        Ok(Self(Arc::new(Parts {
            base: base.clone(),
            upstreams,
            verifier,
            limiter: Limiter::new(args.redis_url.as_ref(), args.redis_limit)?,
            seats: Seats::new(
                &live::SEATS,
                args.live.live_streams,
                args.live.live_streams_per_player,
            ),
            uploads: Seats::new(&upload::SEATS, args.media.uploads, args.media.uploads_per_player),
            media: MediaStore::open(&args.media.media_url)?,
            pictures: Pictures::new(args.media.pictures_at_a_time),
            args,
        })))
    }

    /// The neighbours.
    pub(crate) fn upstreams(&self) -> &Upstreams {
        &self.0.upstreams
    }

    /// Who judges tokens.
    pub(crate) fn verifier(&self) -> &Verifier {
        &self.0.verifier
    }

    /// Who counts calls.
    pub(crate) fn limiter(&self) -> &Limiter {
        &self.0.limiter
    }

    /// The places that live streams take.
    pub(crate) fn seats(&self) -> &Seats {
        &self.0.seats
    }

    /// The places that uploads take.
    pub(crate) fn uploads(&self) -> &Seats {
        &self.0.uploads
    }

    /// Where media are kept.
    pub(crate) fn media(&self) -> &MediaStore {
        &self.0.media
    }

    /// Who makes profiles' pictures.
    pub(crate) fn pictures(&self) -> &Pictures {
        &self.0.pictures
    }

    /// The time.
    pub(crate) fn clock(&self) -> &Clock {
        &self.0.base.clock
    }

    /// Randomness.
    pub(crate) fn rng(&self) -> &Rng {
        &self.0.base.rng
    }

    /// The word to stop.
    pub(crate) fn shutdown(&self) -> &Shutdown {
        &self.0.base.shutdown
    }

    /// The rate classes' limits.
    pub(crate) fn rates(&self) -> &Rates {
        &self.0.args.rates
    }

    /// How live streams behave.
    pub(crate) fn live(&self) -> &LiveArgs {
        &self.0.args.live
    }

    /// Whose word about an address is taken.
    pub(crate) fn proxies(&self) -> &Proxies {
        &self.0.args.trusted_proxies
    }

    /// How many may be connected.
    pub(crate) fn crowd(&self) -> ConnectionLimits {
        let parts = self.0.clone();
        ConnectionLimits {
            connections: parts.args.crowd.connections,
            per_subscriber: parts.args.crowd.connections_per_address,
            // Behind this machine's own address may be anybody, too.
            proxies: Arc::new(move |from| {
                from.is_loopback() || parts.args.trusted_proxies.trusts(from)
            }),
        }
    }

    /// All it was told.
    pub(crate) fn args(&self) -> &Args {
        &self.0.args
    }
}
