//! Moves news from their source to one reader until something ends it.

use std::{panic::AssertUnwindSafe, pin::pin, time::Duration};

use futures_util::{FutureExt, Stream, StreamExt};
use mesh::{
    Fault, Shutdown,
    auth::{Player, RevokedSessions},
};
use metrics::counter;
use proto::{
    live::v1::{Heartbeat, Hello, LiveEvent, PaymentUpdate, live_event::Event},
    timestamp,
    wallet::v1::WatchPaymentsResponse,
};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};
use tonic::{Code, Status};
use tracing::{Instrument, Span, info};
use types::{Clock, SessionId};

use super::outlet::{Inlet, Missed, Outlet, pair};
use crate::{Gateway, edge::panic, seats::Seat};

/// What svc-wallet tells, or why it will tell no more.
type Update = Result<WatchPaymentsResponse, Fault>;

/// One stream at work.
pub(super) struct Pump {
    inlet: Inlet,
    clock: Clock,
    stop: Shutdown,
    heartbeat: Duration,
    max_age: Duration,
    session: SessionId,
    ended: RevokedSessions,
    _seat: Seat,
}

/// How a stream ended.
enum Ending {
    /// All that was to be told has been told.
    Told,
    /// The reader left.
    Left,
    /// Something kept us from going on.
    Cut(Fault),
}

impl Pump {
    /// A pump and what it fills.
    pub(super) fn new(gateway: &Gateway, player: Player, seat: Seat) -> (Self, Outlet) {
        let (inlet, outlet) = pair();
        let left = player.expires_at - gateway.clock().now().unix_timestamp();
        let left = Duration::from_secs(u64::try_from(left).unwrap_or(0));
        let pump = Self {
            inlet,
            clock: gateway.clock().clone(),
            stop: gateway.shutdown().clone(),
            heartbeat: gateway.live().live_heartbeat,
            // Its token is not looked at again.
            max_age: gateway.live().live_max_age.min(left),
            session: player.session,
            ended: gateway.verifier().revoked_sessions().clone(),
            _seat: seat,
        };
        (pump, outlet)
    }

    /// Works until the end, and says once how it was.
    ///
    /// A panic ends this stream alone: the task's own would stop the gateway, and
    /// with it everybody's.
    pub(super) async fn run(self, updates: impl Stream<Item = Update>, span: Span) {
        let begun = Instant::now();
        async {
            let ending = match AssertUnwindSafe(self.fill(updates)).catch_unwind().await {
                Ok(Ok(ending)) => ending,
                Ok(Err(Missed::Gone)) => Ending::Left,
                Ok(Err(Missed::Behind)) => Ending::Cut(fell_behind()),
                Err(panic) => Ending::Cut(panic::fault("a live stream", &*panic)),
            };
            let (code, last_word) = match ending {
                Ending::Told => (Code::Ok, None),
                Ending::Left => (Code::Cancelled, None),
                Ending::Cut(fault) => (fault.code, Some(Status::from(fault))),
            };
            let seconds = begun.elapsed().as_secs();
            counter!("live_streams_ended_total", "code" => format!("{code:?}")).increment(1);
            info!(?code, seconds, "a live stream ended");
            self.inlet.end(last_word);
        }
        .instrument(span)
        .await;
    }

    async fn fill(&self, updates: impl Stream<Item = Update>) -> Result<Ending, Missed> {
        let now = Instant::now();
        let mut beat = interval_at(now + self.heartbeat, self.heartbeat);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut old_age = pin!(sleep_until(now + self.max_age));
        let mut updates = pin!(updates);
        let mut signed_out = pin!(self.ended.revoked(self.session));
        self.offer(Event::Hello(Hello { at: self.now() }))?;
        loop {
            tokio::select! {
                () = self.stop.stopping() => return Ok(Ending::Cut(Fault::unavailable())),
                () = &mut old_age => return Ok(Ending::Cut(Fault::unavailable())),
                () = &mut signed_out => return Ok(Ending::Cut(Fault::unauthenticated())),
                () = self.inlet.gone() => return Ok(Ending::Left),
                _ = beat.tick() => self.offer(Event::Heartbeat(Heartbeat { at: self.now() }))?,
                update = updates.next() => match update {
                    Some(Ok(update)) => self.offer(payment(update))?,
                    Some(Err(fault)) => return Ok(Ending::Cut(fault)),
                    None => return Ok(Ending::Told),
                },
            }
        }
    }

    fn offer(&self, event: Event) -> Result<(), Missed> {
        self.inlet.offer(LiveEvent { event: Some(event) })
    }

    #[expect(clippy::unnecessary_wraps, reason = "the wire's fields are optional")]
    fn now(&self) -> Option<prost_types::Timestamp> {
        Some(timestamp(self.clock.now()))
    }
}

fn payment(update: WatchPaymentsResponse) -> Event {
    Event::Payment(PaymentUpdate {
        payment_id: update.payment_id,
        status: update.status,
        message: update.message,
    })
}

/// The reader opens the next stream and is told the current state.
fn fell_behind() -> Fault {
    Fault::new(Code::ResourceExhausted, "FELL_BEHIND")
}

#[cfg(test)]
mod tests {
    use futures_util::stream;
    use types::{PlayerId, Rng};

    use super::*;
    use crate::{live::SEATS, seats::Seats};

    #[tokio::test]
    async fn a_panic_ends_its_own_stream_and_nothing_else() {
        let (clock, stop, seats) = (Clock::system(), Shutdown::new(), Seats::new(&SEATS, 1, 1));
        let player = PlayerId::generate(&clock, &Rng::system());
        let (inlet, mut outlet) = pair();
        let pump = Pump {
            inlet,
            clock,
            stop: stop.clone(),
            heartbeat: Duration::from_mins(1),
            max_age: Duration::from_mins(1),
            session: SessionId::generate(&Clock::system(), &Rng::system()),
            ended: RevokedSessions::default(),
            _seat: seats.take(player).unwrap(),
        };
        let updates = stream::poll_fn(|_| panic!("as expected by this test"));
        stop.spawn("live stream", pump.run(updates, Span::none()));

        assert!(outlet.next().await.unwrap().is_ok(), "Hello");
        let last = outlet.next().await.unwrap().unwrap_err();
        assert_eq!(last.code(), Code::Internal);
        assert!(!last.message().contains("expected"));
        assert!(!stop.is_stopping());
        stop.stop();
        assert!(stop.drained(Duration::from_secs(5)).await);
        assert!(seats.take(player).is_ok(), "the place is free again");
    }
}
