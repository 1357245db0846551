//! Moves news from their source to one reader until something ends it.

use std::{pin::pin, time::Duration};

use futures_util::StreamExt;
use mesh::{Fault, Shutdown};
use metrics::counter;
use proto::{
    live::v1::{Heartbeat, Hello, LiveEvent, PaymentUpdate, live_event::Event},
    timestamp,
    wallet::v1::WatchPaymentsResponse,
};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};
use tonic::{Code, Status};
use tracing::{Instrument, Span, info};
use types::Clock;

use super::{
    outlet::{Inlet, Missed, Outlet, pair},
    seats::Seat,
    watch::Watch,
};
use crate::Gateway;

/// One stream at work.
pub(super) struct Pump {
    inlet: Inlet,
    clock: Clock,
    stop: Shutdown,
    heartbeat: Duration,
    max_age: Duration,
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
    pub(super) fn new(gateway: &Gateway, seat: Seat) -> (Self, Outlet) {
        let (inlet, outlet) = pair();
        let pump = Self {
            inlet,
            clock: gateway.clock().clone(),
            stop: gateway.shutdown().clone(),
            heartbeat: gateway.live().live_heartbeat,
            max_age: gateway.live().live_max_age,
            _seat: seat,
        };
        (pump, outlet)
    }

    /// Works until the end, and says once how it was.
    pub(super) async fn run(self, watch: Watch, span: Span) {
        let begun = Instant::now();
        async {
            let ending = match self.fill(watch).await {
                Ok(ending) => ending,
                Err(Missed::Gone) => Ending::Left,
                Err(Missed::Behind) => Ending::Cut(fell_behind()),
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

    async fn fill(&self, watch: Watch) -> Result<Ending, Missed> {
        let now = Instant::now();
        let mut beat = interval_at(now + self.heartbeat, self.heartbeat);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut old_age = pin!(sleep_until(now + self.max_age));
        let mut updates = pin!(watch.updates());
        self.offer(Event::Hello(Hello { at: self.now() }))?;
        loop {
            tokio::select! {
                () = self.stop.stopping() => return Ok(Ending::Cut(Fault::unavailable())),
                () = &mut old_age => return Ok(Ending::Cut(Fault::unavailable())),
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
    Fault::new(Code::ResourceExhausted, "FELL_BEHIND", "You are missing news. Please reload.")
}
