//! Web Push (RFC 8030): sends messages to the push services of browsers, encrypted for the
//! browser (RFC 8291) and signed with this deployment's key (RFC 8292).

mod hosts;
mod public_address;
mod resolver;
mod sent;
#[cfg(test)]
mod tests;
mod vapid;

use std::{sync::Arc, time::Duration};

use anyhow::Context as _;
use reqwest::{
    Response, StatusCode,
    header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, RETRY_AFTER},
};
use tokio::task::spawn_blocking;
use types::Clock;
use web_push_native::{Auth, p256::PublicKey};

pub(crate) use self::resolver::{Lookup, SystemLookup};
pub(crate) use self::sent::Sent;
use self::{hosts::Hosts, resolver::Resolver, vapid::VapidKey};
use crate::{
    config::PushArgs,
    domain::{BrowserKeys, InvalidEndpoint, PushEndpoint, PushServices},
};

/// How long a push service may take.
const LIMITS: Limits = Limits { connect: Duration::from_secs(5), total: Duration::from_secs(10) };
/// Largest message, in bytes: RFC 8030 lets push services refuse more than 4,096 encrypted
/// ones.
const MESSAGE_MAX: usize = 3_000;
/// Bytes of a reply that are read, so that the connection can be used again.
const REPLY_MAX: usize = 4_096;

/// Sends messages to push services.
pub(crate) struct PushClient {
    http: reqwest::Client,
    key: VapidKey,
    services: Arc<PushServices>,
    hosts: Hosts,
    clock: Clock,
}

/// The longest that a push service may take.
#[derive(Clone, Copy)]
struct Limits {
    /// Time limit for connecting.
    connect: Duration,
    /// Time limit for a whole delivery.
    total: Duration,
}

/// A message to a browser.
pub(crate) struct PushMessage<'a> {
    pub(crate) endpoint: &'a PushEndpoint,
    pub(crate) keys: &'a BrowserKeys,
    pub(crate) payload: Vec<u8>,
    /// How long the push service keeps it for a browser that is not connected.
    pub(crate) ttl: Duration,
    /// At most 32 characters of base64url. A message replaces an undelivered one with the same
    /// topic.
    pub(crate) topic: String,
}

impl PushClient {
    /// Builds the client; `None` without a key, when nothing is pushed.
    pub(crate) fn new(args: &PushArgs, clock: Clock) -> anyhow::Result<Option<Self>> {
        let Some(secret) = &args.vapid_private_key else { return Ok(None) };
        let key = VapidKey::parse(secret, &args.vapid_subject)?;
        Self::with(args, key, clock, Arc::new(SystemLookup), LIMITS).map(Some)
    }

    fn with(
        args: &PushArgs,
        key: VapidKey,
        clock: Clock,
        lookup: Arc<dyn Lookup>,
        limits: Limits,
    ) -> anyhow::Result<Self> {
        let services =
            Arc::new(PushServices::new(args.push_services.clone(), args.push_sandbox_url.clone()));
        // Chosen once for the whole process; installing it again fails, and changes nothing.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            // A redirect would lead past the allow-list, and a proxy past the resolver.
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .https_only(args.push_sandbox_url.is_none())
            .dns_resolver(Arc::new(Resolver::new(lookup, Arc::clone(&services))))
            .connect_timeout(limits.connect)
            .timeout(limits.total)
            .user_agent(concat!("PlayOn/", env!("CARGO_PKG_VERSION")))
            .build()
            .context("an HTTP client for push services")?;
        Ok(Self { http, key, services, hosts: Hosts::default(), clock })
    }

    /// The key that browsers subscribe with.
    pub(crate) fn public_key(&self) -> &str {
        self.key.public_key()
    }

    /// Parses an endpoint, which must be one of the configured push services.
    pub(crate) fn endpoint(&self, text: &str) -> Result<PushEndpoint, InvalidEndpoint> {
        self.services.endpoint(text)
    }

    /// Sends a message. A push service's failure is an outcome; only a fault of this service is an
    /// error.
    pub(crate) async fn send(&self, message: PushMessage<'_>) -> anyhow::Result<Sent> {
        let PushMessage { endpoint, keys, payload, ttl, topic } = message;
        if payload.len() > MESSAGE_MAX {
            return Ok(Sent::Refused("the message is too large".into()));
        }
        let in_flight = match self.hosts.begin(endpoint.host(), self.clock.now()) {
            Ok(in_flight) => in_flight,
            Err(put_off) => return Ok(put_off),
        };
        let browser = PublicKey::from_sec1_bytes(keys.p256dh()).context("a browser's key")?;
        let auth = Auth::from(*keys.auth());
        // Encryption takes two multiplications on a curve, about a millisecond.
        let encrypt = move || web_push_native::encrypt(payload, &browser, &auth);
        let body = spawn_blocking(encrypt).await?.context("encryption")?;
        let authorization = self.key.authorization(endpoint, self.clock.now())?;
        let sent = self
            .http
            .post(endpoint.url().clone())
            .header(AUTHORIZATION, authorization)
            .header(CONTENT_ENCODING, "aes128gcm")
            .header(CONTENT_TYPE, "application/octet-stream")
            .header("ttl", ttl.as_secs())
            .header("urgency", "normal")
            .header("topic", topic)
            .body(body)
            .send()
            .await;
        Ok(match sent {
            Ok(reply) => {
                let sent = read(&reply);
                drain(reply).await;
                in_flight.reached();
                sent
            }
            Err(error) => {
                if error.is_timeout() || error.is_connect() {
                    in_flight.not_reached(self.clock.now());
                }
                // The error is logged without the URL, which is a secret of the browser.
                Sent::Unreachable(causes(&error.without_url()))
            }
        })
    }
}

fn read(reply: &Response) -> Sent {
    match reply.status() {
        status if status.is_success() => Sent::Accepted,
        StatusCode::NOT_FOUND | StatusCode::GONE => Sent::Gone,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT => {
            Sent::Later(retry_after(reply))
        }
        status if status.is_server_error() => Sent::Later(retry_after(reply)),
        status => Sent::Refused(format!("status {}", status.as_u16())),
    }
}

/// The seconds of `Retry-After`. A date is not parsed; the usual pause is used instead.
fn retry_after(reply: &Response) -> Option<Duration> {
    let seconds = reply.headers().get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds))
}

/// Reads a bounded part of a reply's body.
async fn drain(mut reply: Response) {
    let mut read = 0;
    while let Ok(Some(chunk)) = reply.chunk().await {
        read += chunk.len();
        if read > REPLY_MAX {
            return;
        }
    }
}

/// An error with its causes.
fn causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
