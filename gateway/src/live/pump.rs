//! Moves events from their source to one reader until the stream ends.

use std::{panic::AssertUnwindSafe, pin::pin, time::Duration};

use futures_util::{FutureExt, Stream, StreamExt};
use mesh::{
    Fault, Shutdown,
    auth::{Player, RevokedSessions},
    permits::KeyedPermit,
};
use metrics::counter;
use proto::{
    live::v1::{Heartbeat, Hello, live_event::Event},
    timestamp,
};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};
use tonic::{Code, Status};
use tracing::{Instrument, Span, info};
use types::{Clock, PlayerId, SessionId};

use super::{
    events::{EncodedEvents, EventReceiver, EventSender, Missed, channel},
    topics::Refused,
};
use crate::{Gateway, panic};

/// Events of a topic, or why there will be no more.
type Update = Result<EncodedEvents, Refused>;

/// The task of one stream.
pub(super) struct Pump {
    events: EventSender,
    clock: Clock,
    stop: Shutdown,
    heartbeat: Duration,
    max_age: Duration,
    session: SessionId,
    revoked: RevokedSessions,
    _permit: KeyedPermit<PlayerId>,
}

/// How a stream ended.
enum Ending {
    /// All payments are final.
    Complete,
    /// The reader closed the stream.
    ReaderGone,
    /// The stream cannot go on.
    Failed(Refused),
}

impl Pump {
    /// A pump, and the queue that it fills.
    pub(super) fn new(
        gateway: &Gateway,
        player: Player,
        permit: KeyedPermit<PlayerId>,
    ) -> (Self, EventReceiver) {
        let (events, receiver) = channel();
        let left = player.expires_at - gateway.clock().now().unix_timestamp();
        let left = Duration::from_secs(u64::try_from(left).unwrap_or(0));
        let pump = Self {
            events,
            clock: gateway.clock().clone(),
            stop: gateway.shutdown().clone(),
            heartbeat: gateway.live().live_heartbeat,
            // The stream ends with its token, which is not verified again.
            max_age: gateway.live().live_max_age.min(left),
            session: player.session,
            revoked: gateway.verifier().revoked_sessions().clone(),
            _permit: permit,
        };
        (pump, receiver)
    }

    /// Runs until the stream ends, and logs once how it ended.
    ///
    /// A panic is caught here and ends this stream alone; a panic of the task would stop
    /// the gateway.
    pub(super) async fn run(self, updates: impl Stream<Item = Update>, span: Span) {
        let begun = Instant::now();
        async {
            let ending = match AssertUnwindSafe(self.fill(updates)).catch_unwind().await {
                Ok(Ok(ending)) => ending,
                Ok(Err(Missed::Gone)) => Ending::ReaderGone,
                Ok(Err(Missed::Behind)) => Ending::Failed(fell_behind().into()),
                Err(panic) => Ending::Failed(panic::fault("a live stream", &*panic).into()),
            };
            let (code, final_status) = match ending {
                Ending::Complete => (Code::Ok, None),
                Ending::ReaderGone => (Code::Cancelled, None),
                Ending::Failed(refused) => (refused.fault.code, Some(Status::from(refused))),
            };
            let seconds = begun.elapsed().as_secs();
            counter!("live_streams_ended_total", "code" => format!("{code:?}")).increment(1);
            info!(?code, seconds, "a live stream ended");
            self.events.end(final_status);
        }
        .instrument(span)
        .await;
    }

    async fn fill(&self, updates: impl Stream<Item = Update>) -> Result<Ending, Missed> {
        let now = Instant::now();
        let mut beat = interval_at(now + self.heartbeat, self.heartbeat);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut max_age = pin!(sleep_until(now + self.max_age));
        let mut updates = pin!(updates);
        let mut revoked = pin!(self.revoked.revoked(self.session));
        self.events.send(Event::Hello(Hello { at: self.now() }).into()).await?;
        loop {
            tokio::select! {
                () = self.stop.stopping() => return Ok(Ending::Failed(Fault::unavailable().into())),
                () = &mut max_age => return Ok(Ending::Failed(Fault::unavailable().into())),
                () = &mut revoked => return Ok(Ending::Failed(Fault::unauthenticated().into())),
                () = self.events.closed() => return Ok(Ending::ReaderGone),
                _ = beat.tick() => {
                    let beat = Event::Heartbeat(Heartbeat { at: self.now() });
                    self.events.send(beat.into()).await?;
                }
                update = updates.next() => match update {
                    Some(Ok(events)) => self.events.send(events).await?,
                    Some(Err(refused)) => return Ok(Ending::Failed(refused)),
                    None => return Ok(Ending::Complete),
                },
            }
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "the wire's fields are optional")]
    fn now(&self) -> Option<prost_types::Timestamp> {
        Some(timestamp(self.clock.now()))
    }
}

/// The fault of a reader that fell behind. It opens another stream, which begins with the current
/// states.
fn fell_behind() -> Fault {
    Fault::new(Code::ResourceExhausted, "FELL_BEHIND")
}

#[cfg(test)]
mod tests {
    use futures_util::stream;
    use mesh::permits::KeyedPermits;
    use types::Rng;

    use super::*;

    #[tokio::test]
    async fn a_panic_ends_its_own_stream_alone() {
        let (clock, stop) = (Clock::system(), Shutdown::new());
        let permits = KeyedPermits::new("test_streams", 1, 1);
        let player = PlayerId::generate(&clock, &Rng::system());
        let (events, mut receiver) = channel();
        let pump = Pump {
            events,
            clock,
            stop: stop.clone(),
            heartbeat: Duration::from_mins(1),
            max_age: Duration::from_mins(1),
            session: SessionId::generate(&Clock::system(), &Rng::system()),
            revoked: RevokedSessions::default(),
            _permit: permits.acquire(Some(player)).unwrap(),
        };
        let updates = stream::poll_fn(|_| panic!("as this test expects"));
        stop.spawn("live stream", pump.run(updates, Span::none()));

        assert!(receiver.next().await.unwrap().is_ok(), "Hello");
        let last = receiver.next().await.unwrap().unwrap_err();
        assert_eq!(last.code(), Code::Internal);
        assert!(!last.message().contains("expects"));
        assert!(!stop.is_stopping());
        stop.stop();
        assert!(stop.drained(Duration::from_secs(5)).await);
        assert!(permits.acquire(Some(player)).is_ok(), "the permit was released");
    }
}
