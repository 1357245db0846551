//! Sending a reversal to Daraja. An outbox delivery sends it, in the trace of the operation.
//!
//! A reversal is sent once: by the delivery that moves it from CREATED to SUBMITTING. If the
//! process dies after that, the reversal may or may not be on its way: it becomes UNKNOWN, and
//! status queries ask Daraja. If only the database fails, the process waits for it, and finds its
//! own claim by its secret.

use std::time::Duration;

use mesh::{instrument, outbox::Delivery};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::warn;

use crate::{
    app::{
        Cx, inbox,
        provider_calls::{PAUSED, with_retries},
        reversal::settle::{ReversalEvidence, settle_reversal},
    },
    clients::daraja::ReversalSent,
    domain::{
        CallbackKind, MpesaReversal, MpesaReversalId, ReversalDecision, ReversalEvent,
        ReversalState, next_payout_query,
    },
    error::Error,
    store::{self, mpesa_reversal::Purpose},
};

/// The outbox topic of reversals to send.
pub(crate) const REVERSAL_TOPIC: &str = "daraja.reverse";

/// A reversal that cannot be sent waits this long for Daraja; then its money is returned.
const WAIT_FOR_DARAJA: Duration = Duration::from_hours(24);
/// Pause between two tries to reach Daraja.
const RETRY_PAUSE: Duration = Duration::from_secs(30);

/// The payload of an outbox row about a reversal.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReversalRef {
    pub(crate) reversal: MpesaReversalId,
    /// The time from which the reversal was to be sent.
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) since: OffsetDateTime,
}

/// Writes the row that sends a reversal in CREATED. The caller notifies [`Cx::outbox`] after the
/// commit.
pub(crate) async fn put_reversal(
    conn: &mut PgConnection,
    cx: &Cx,
    reversal: MpesaReversalId,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let payload = ReversalRef { reversal, since: now };
    Ok(mesh::outbox::put(conn, &cx.clock, &cx.rng, REVERSAL_TOPIC, &payload).await?)
}

/// Sends a reversal, unless it was sent before. The delivery is put off while Daraja is out of
/// reach. After an error the delivery is repeated, which sends nothing that was claimed.
#[instrument(name = "wallet.send_reversal", skip_all, fields(reversal.id = %given.reversal))]
pub(crate) async fn send_reversal(cx: &Cx, given: &ReversalRef) -> Result<Delivery, Error> {
    let id = given.reversal;
    // Check this before the reversal is claimed: a failure here means that nothing was sent.
    if !cx.daraja.can_initiate().await {
        return wait_or_give_up(cx, given).await;
    }
    let secret = inbox::secret::generate(cx, CallbackKind::MpesaReversal);
    let claimed = match claim(cx, id, &secret).await {
        Err(error) => find_claim(cx, &secret).await?.ok_or(error),
        claimed => claimed,
    };
    let reversal = match claimed? {
        Claim::Ours(reversal) => *reversal,
        // The other delivery may move the reversal back to CREATED; then this row sends it.
        Claim::UnderWay => return Ok(Delivery::Later(RETRY_PAUSE)),
        Claim::Paused => return Ok(Delivery::Later(PAUSED)),
        Claim::Over => return Ok(Delivery::Done),
    };
    let own = cx.clone();
    let own_secret = secret.clone();
    let sending = async move { send(&own, &reversal, &own_secret).await };
    match cx.shutdown.run_apart("reversal", sending).await?? {
        // A database that went on from a standby may have lost the claim: then this row is needed.
        Sent::Yes if find_claim(cx, &secret).await?.is_none() => Ok(Delivery::Later(PAUSED)),
        Sent::Yes => Ok(Delivery::Done),
        Sent::No => wait_or_give_up(cx, given).await,
    }
}

/// The result of a delivery's claim to send a reversal.
enum Claim {
    Ours(Box<MpesaReversal>),
    /// Another delivery is sending the reversal, or was about to when its process died: then the
    /// reversal becomes UNKNOWN soon.
    UnderWay,
    /// Payouts are paused.
    Paused,
    /// The reversal was sent before, or has ended.
    Over,
}

/// Whether a reversal may have reached Daraja.
enum Sent {
    Yes,
    No,
}

/// Waits for Daraja, or ends a reversal that was not sent in time.
async fn wait_or_give_up(cx: &Cx, given: &ReversalRef) -> Result<Delivery, Error> {
    if cx.clock.now() - given.since < WAIT_FOR_DARAJA {
        return Ok(Delivery::Later(RETRY_PAUSE));
    }
    let mut conn = cx.db.acquire().await?;
    let pause = store::payout_pause::read(&mut conn).await?;
    drop(conn);
    if !pause.gives_back(given.since) {
        return Ok(Delivery::Later(PAUSED));
    }
    settle_reversal(cx, given.reversal, ReversalEvidence::new(ReversalEvent::GivenUp, "NOT_SENT"))
        .await?;
    Ok(Delivery::Done)
}

/// Moves the reversal to SUBMITTING, and stores the secret's hash and the time of the first query.
async fn claim(cx: &Cx, id: MpesaReversalId, secret: &str) -> Result<Claim, Error> {
    let mut tx = cx.db.begin().await?;
    let Some(reversal) = store::mpesa_reversal::lock(&mut tx, id).await? else {
        return Ok(Claim::Over);
    };
    if !matches!(reversal.decide(ReversalEvent::Claimed), ReversalDecision::Move(_)) {
        let is_under_way = reversal.state == ReversalState::Submitting;
        return Ok(if is_under_way { Claim::UnderWay } else { Claim::Over });
    }
    if store::payout_pause::read_shared(&mut tx).await?.is_on() {
        return Ok(Claim::Paused);
    }
    let now = cx.clock.now();
    let due = next_payout_query(Duration::ZERO).map(|age| now + age);
    let attempt = store::mpesa_reversal::set_submitted(&mut tx, id, now, due).await?;
    let hash = inbox::secret::hash(secret);
    let secret_of = (Purpose::Reversal, attempt);
    store::mpesa_reversal::insert_secret(&mut tx, id, &hash, secret_of, now).await?;
    tx.commit().await?;
    Ok(Claim::Ours(Box::new(MpesaReversal { attempts: attempt, ..reversal })))
}

/// Returns the claim, if this delivery has made it although the reply to its commit was lost.
async fn find_claim(cx: &Cx, secret: &str) -> Result<Option<Claim>, Error> {
    let hash = inbox::secret::hash(secret);
    with_retries("read who claimed a reversal", || async {
        let mut conn = cx.db.acquire().await?;
        let found = store::mpesa_reversal::find_by_secret(&mut conn, &hash).await?;
        Ok(found.map(|found| Claim::Ours(Box::new(found.reversal))))
    })
    .await
}

/// Sends the reversal, and stores what Daraja replies.
async fn send(cx: &Cx, reversal: &MpesaReversal, secret: &str) -> Result<Sent, Error> {
    let id = reversal.id;
    let Some(shillings) = reversal.amount.whole_shillings() else {
        return Err(anyhow::anyhow!("a reversal of odd cents").into());
    };
    let (event, code) = match cx.daraja.reverse(reversal, shillings, secret).await {
        ReversalSent::Accepted { conversation_id } => {
            with_retries("store that Daraja took a reversal", || {
                set_accepted(cx, reversal, &conversation_id)
            })
            .await?;
            return Ok(Sent::Yes);
        }
        ReversalSent::NotSent => {
            return with_retries("take a reversal back", || take_back(cx, reversal)).await;
        }
        ReversalSent::Refused(code) => (ReversalEvent::Refused, code),
        ReversalSent::AlreadyReversed(code) => (ReversalEvent::Reversed { amount: None }, code),
        ReversalSent::Unknown => {
            warn!("Daraja's reply to a reversal was lost; its result or a query decides");
            (ReversalEvent::Doubtful, String::new())
        }
    };
    with_retries("store Daraja's reply to a reversal", || async {
        settle_reversal(cx, id, ReversalEvidence::new(event, &code)).await.map(drop)
    })
    .await?;
    Ok(Sent::Yes)
}

/// Moves a reversal that Daraja did not get back to CREATED, unless another call was made
/// meanwhile. If the process dies before the commit, the reversal stays SUBMITTING, as if it had
/// been sent.
async fn take_back(cx: &Cx, claimed: &MpesaReversal) -> Result<Sent, Error> {
    let id = claimed.id;
    let mut tx = cx.db.begin().await?;
    let Some(reversal) = store::mpesa_reversal::lock(&mut tx, id).await? else {
        return Ok(Sent::Yes);
    };
    let is_move = matches!(reversal.decide(ReversalEvent::NotSent), ReversalDecision::Move(_));
    if !is_move || reversal.attempts != claimed.attempts {
        return Ok(Sent::Yes);
    }
    store::mpesa_reversal::set_unsent(&mut tx, id, cx.clock.now()).await?;
    tx.commit().await?;
    Ok(Sent::No)
}

/// Stores that Daraja took the reversal. If the result came first, the reversal has ended already,
/// and only Daraja's id is stored.
async fn set_accepted(cx: &Cx, claimed: &MpesaReversal, conversation: &str) -> Result<(), Error> {
    let (id, attempt) = (claimed.id, claimed.attempts);
    let mut tx = cx.db.begin().await?;
    let Some(reversal) = store::mpesa_reversal::lock(&mut tx, id).await? else { return Ok(()) };
    let decision = reversal.decide(ReversalEvent::Accepted);
    if let ReversalDecision::Move(state) = decision
        && reversal.attempts == attempt
    {
        store::mpesa_reversal::advance(&mut tx, id, state, cx.clock.now()).await?;
    }
    if !conversation.is_empty() {
        store::mpesa_reversal::set_conversation(&mut tx, id, attempt, conversation).await?;
    }
    tx.commit().await?;
    Ok(())
}
