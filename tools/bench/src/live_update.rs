//! The latency of a live update: from M-Pesa's result in the sandbox to the COMPLETED
//! event on the player's stream, through callback, outbox, settlement and Redis.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use proto::{
    live::v1::{SubscribeRequest, live_event::Event},
    types::v1::PaymentStatus,
};
use time::OffsetDateTime;
use tokio::time::timeout;
use types::Clock;

use crate::{
    address::Target,
    client::Connection,
    figures::{Figures, Recorder},
    live_stream::LiveStream,
    players::{Player, Players, poll_until},
    sandbox::Sandbox,
};

/// The longest that an event is awaited.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Measures `samples` payments one after the other; the mesh has no other load.
pub(crate) async fn measure(
    target: Target,
    sandbox: Target,
    players: &Players,
    samples: u16,
) -> Result<Figures> {
    let mut recorder = Recorder::new()?;
    let mut total = Duration::ZERO;
    let mut sandbox = Sandbox::new(sandbox);
    let mut connection = Connection::new(target);
    for number in 0..usize::from(samples) {
        let player = players.get(number)?;
        sandbox.keep_prompts(&player.msisdn).await?;
        let key = format!("live-{number}");
        let payment = players.top_up_by_mpesa(&mut connection, player, 1, &key).await?;
        match sample(target, &mut sandbox, player, &payment.id).await {
            Ok(latency) => {
                total += latency;
                recorder.success(latency);
            }
            Err(error) => recorder.error(format!("{error:#}")),
        }
    }
    Ok(recorder.figures(total))
}

async fn sample(
    target: Target,
    sandbox: &mut Sandbox,
    player: &Player,
    payment: &str,
) -> Result<Duration> {
    let topics =
        SubscribeRequest { payment_ids: vec![payment.to_owned()], ..SubscribeRequest::default() };
    let mut stream = LiveStream::open(target, player, &topics).await?;
    // A callback that arrived before the push was answered would be stored and applied
    // later: that race is not part of this latency.
    wait_for(&mut stream, PaymentStatus::InProgress).await?;
    poll_until("a prompt", async || sandbox.has_prompt(&player.msisdn).await).await?;
    let completed = wait_for(&mut stream, PaymentStatus::Completed);
    let (entered, seen) = tokio::join!(sandbox.enter_pin(&player.msisdn), completed);
    entered?;
    let latency = seen? - sandbox.settled_at(&player.msisdn).await?;
    Duration::try_from(latency).ok().context("the event is older than its cause: clocks disagree")
}

/// Reads events until the payment has the status; returns when that event arrived.
async fn wait_for(stream: &mut LiveStream, wanted: PaymentStatus) -> Result<OffsetDateTime> {
    let clock = Clock::system();
    let arrived = timeout(TIMEOUT, async {
        loop {
            let Some(Event::Payment(update)) = stream.next().await?.event else {
                continue;
            };
            let at = clock.now();
            match update.status() {
                status if status == wanted => return Ok(at),
                PaymentStatus::Completed | PaymentStatus::Error => {
                    bail!("the payment ended early: {}", update.message)
                }
                _ => {}
            }
        }
    });
    arrived.await.with_context(|| format!("no {} within 10 s", wanted.as_str_name()))?
}
