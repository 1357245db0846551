//! The gateway's shared state.

use std::sync::Arc;

use axum::{Router, response::IntoResponse as _};
use mesh::{
    Base, Shutdown,
    auth::{DeviceTokens, MacKey, Verifier},
    http_server::{HttpLimits, HttpServer},
    permits::{KeyedPermits, LimitReached},
};
use types::{Clock, PlayerId, Rng};

use crate::{
    Args,
    config::{LiveArgs, Rates},
    envelope::Refusal,
    headers::SecurityHeaders,
    media::{MediaStore, UploadMemory},
    public_players::PublicPlayers,
    rate_limiter::{RateLimiter, RateSubject},
    upstreams::Upstreams,
    web_app::WebApp,
};

/// The gateway's parts. Cheap to clone.
#[derive(Clone)]
pub struct Gateway(Arc<Parts>);

struct Parts {
    base: Base,
    upstreams: Upstreams,
    public_players: PublicPlayers,
    verifier: Verifier,
    devices: DeviceTokens,
    rate_limiter: RateLimiter,
    stream_permits: KeyedPermits<PlayerId>,
    upload_permits: KeyedPermits<PlayerId>,
    password_permits: KeyedPermits<RateSubject>,
    media: MediaStore,
    upload_memory: UploadMemory,
    web_app: WebApp,
    headers: SecurityHeaders,
    args: Args,
}

impl Gateway {
    /// Makes the parts, reads the web app's files and opens the media store. Dials no
    /// upstream.
    pub(crate) fn new(base: &Base, args: Args) -> anyhow::Result<Self> {
        let upstreams = Upstreams::connect(base, &args.upstreams)?;
        let verifier =
            Verifier::remote(base.clock.clone(), upstreams.auth_channel(), &base.shutdown);
        let (live, media) = (&args.live, &args.media);
        let rate_limiter = RateLimiter::new(args.redis_url.as_ref(), args.redis_limit)?;
        Ok(Self(Arc::new(Parts {
            base: base.clone(),
            upstreams,
            public_players: PublicPlayers::new(base.clock.clone()),
            verifier,
            devices: DeviceTokens::new(MacKey::parse("DEVICE_SECRET", &args.device_secret)?),
            rate_limiter,
            stream_permits: KeyedPermits::new(
                "live_streams",
                live.live_streams,
                live.live_streams_per_player,
            ),
            upload_permits: KeyedPermits::new("uploads", media.uploads, media.uploads_per_player),
            password_permits: KeyedPermits::new(
                "password_calls",
                args.http.password_calls,
                args.http.password_calls_per_address,
            ),
            media: MediaStore::open(&media.media_url)?,
            upload_memory: UploadMemory::new()?,
            web_app: WebApp::load(&args.web_root, args.web_root_limit)?,
            headers: SecurityHeaders::new(args.hsts_max_age, &args.public_url, &args.games.origin)?,
            args,
        })))
    }

    /// The public server of a router: its limits, and the reply beyond them.
    pub(crate) fn http_server(&self, router: Router) -> HttpServer {
        let args = self.args();
        let limits = HttpLimits {
            connections: args.http.connections,
            connections_per_client: args.http.connections_per_address,
            calls: args.http.calls,
            calls_per_client: args.http.calls_per_address,
            trusted_proxies: args.trusted_proxies.clone(),
            exempt_loopback: true,
        };
        let headers = self.headers().clone();
        let refuse = move |reached: LimitReached| {
            let mut response = Refusal::too_many_calls(reached).into_response();
            headers.add(response.headers_mut());
            response
        };
        HttpServer { router, limits, refuse: Arc::new(refuse) }
    }

    /// The security headers of every reply.
    pub(crate) fn headers(&self) -> &SecurityHeaders {
        &self.0.headers
    }

    pub(crate) fn upstreams(&self) -> &Upstreams {
        &self.0.upstreams
    }

    pub(crate) fn public_players(&self) -> &PublicPlayers {
        &self.0.public_players
    }

    pub(crate) fn verifier(&self) -> &Verifier {
        &self.0.verifier
    }

    /// Verifies the tokens of devices.
    pub(crate) fn devices(&self) -> &DeviceTokens {
        &self.0.devices
    }

    pub(crate) fn rate_limiter(&self) -> &RateLimiter {
        &self.0.rate_limiter
    }

    /// The permits of live streams.
    pub(crate) fn stream_permits(&self) -> &KeyedPermits<PlayerId> {
        &self.0.stream_permits
    }

    pub(crate) fn upload_permits(&self) -> &KeyedPermits<PlayerId> {
        &self.0.upload_permits
    }

    /// The permits of calls that compare or set a password.
    pub(crate) fn password_permits(&self) -> &KeyedPermits<RateSubject> {
        &self.0.password_permits
    }

    pub(crate) fn media(&self) -> &MediaStore {
        &self.0.media
    }

    /// The memory in which uploads are processed.
    pub(crate) fn upload_memory(&self) -> &UploadMemory {
        &self.0.upload_memory
    }

    pub(crate) fn web_app(&self) -> &WebApp {
        &self.0.web_app
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.0.base.clock
    }

    pub(crate) fn rng(&self) -> &Rng {
        &self.0.base.rng
    }

    pub(crate) fn shutdown(&self) -> &Shutdown {
        &self.0.base.shutdown
    }

    pub(crate) fn rates(&self) -> &Rates {
        &self.0.args.rates
    }

    pub(crate) fn live(&self) -> &LiveArgs {
        &self.0.args.live
    }

    pub(crate) fn args(&self) -> &Args {
        &self.0.args
    }
}
