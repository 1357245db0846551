//! Sending a payout to Daraja. An outbox delivery sends it, in the trace of the withdrawal.
//!
//! A payout is sent once: by the delivery that moves the payment from CREATED to SUBMITTING. If the
//! process dies after that, the payout may or may not be on its way: status queries ask Daraja, and
//! its money stays held meanwhile. If only the database fails, the process waits for it, and finds
//! its own claim by its secret.
//!
//! A payment in CREATED has an outbox row that sends it. A transaction that moves the payment back
//! to CREATED writes a new row, because the row of its own delivery may have been delivered again
//! and deleted meanwhile.

use std::time::Duration;

use mesh::{instrument, outbox::Delivery};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tracing::warn;

use crate::{
    app::{
        Cx, inbox,
        payment_changed::publish_payment_changed,
        payout::settle::{finish, settle_payout, settle_payout_in},
        provider_calls::{PAUSED, with_retries},
    },
    clients::daraja::PayoutSent,
    domain::{
        CallbackKind, Ended, Evidence, Failure, Payment, PaymentId, ProviderRefusal, State,
        next_payout_query,
    },
    error::Error,
    store::{self, b2c_payout::Purpose},
};

/// The outbox topic of payouts to send.
pub(crate) const PAYOUT_TOPIC: &str = "b2c.payout";

/// A payout that cannot be sent waits this long for Daraja; then its money is given back.
const WAIT_FOR_DARAJA: Duration = Duration::from_mins(10);
/// Pause between two tries to reach Daraja.
const RETRY_PAUSE: Duration = Duration::from_secs(5);

/// The payload of an outbox row about a payout.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct PayoutRef {
    pub(crate) payment: PaymentId,
    /// The time from which the payout was to be sent.
    #[serde(with = "time::serde::rfc3339")]
    pub(crate) since: OffsetDateTime,
}

/// Writes the row that sends the payout of a payment in CREATED. The caller notifies [`Cx::outbox`]
/// after the commit.
pub(crate) async fn put_payout(
    conn: &mut PgConnection,
    cx: &Cx,
    payment: PaymentId,
    now: OffsetDateTime,
) -> Result<(), Error> {
    let payload = PayoutRef { payment, since: now };
    Ok(mesh::outbox::put(conn, &cx.clock, &cx.rng, PAYOUT_TOPIC, &payload).await?)
}

/// Sends a payout, unless it was sent before. The delivery is put off while Daraja is out of reach.
/// After an error the delivery is repeated, which sends nothing that was claimed.
#[instrument(name = "wallet.send_payout", skip_all, fields(payment.id = %payout.payment))]
pub(crate) async fn send_payout(cx: &Cx, payout: &PayoutRef) -> Result<Delivery, Error> {
    let id = payout.payment;
    // Check this before the payment is claimed: a failure here means that nothing was sent.
    if !cx.daraja.can_initiate().await {
        return wait_or_give_up(cx, payout).await;
    }
    let secret = inbox::secret::generate(cx, CallbackKind::MpesaB2c);
    let claimed = match claim(cx, id, &secret).await {
        Err(error) => find_claim(cx, id, &secret).await?.ok_or(error).map(Claim::Ours),
        claimed => claimed,
    };
    let payment = match claimed? {
        Claim::Ours(payment) => *payment,
        Claim::Paused => return Ok(Delivery::Later(PAUSED)),
        Claim::Over => return Ok(Delivery::Done),
    };
    let (own, payout) = (cx.clone(), *payout);
    let own_secret = secret.clone();
    let sending = async move { send(&own, &payout, &payment, &own_secret).await };
    cx.shutdown.run_apart("payout", sending).await??;
    // A database that went on from a standby may have lost the claim: then this row is needed.
    let is_claimed = find_claim(cx, id, &secret).await?.is_some();
    Ok(if is_claimed { Delivery::Done } else { Delivery::Later(PAUSED) })
}

/// The result of a delivery's claim to send a payout.
enum Claim {
    Ours(Box<Payment>),
    /// Payouts are paused.
    Paused,
    /// Another delivery claimed the payment before, or it has ended.
    Over,
}

impl PayoutRef {
    fn is_given_up(&self, now: OffsetDateTime) -> bool {
        now - self.since >= WAIT_FOR_DARAJA
    }
}

/// Waits for Daraja, or gives back a payout that was not sent in time. One that waited through a
/// pause is not given back.
async fn wait_or_give_up(cx: &Cx, payout: &PayoutRef) -> Result<Delivery, Error> {
    let now = cx.clock.now();
    if !payout.is_given_up(now) {
        return Ok(Delivery::Later(RETRY_PAUSE));
    }
    let mut tx = cx.db.begin().await?;
    let payment = store::payment::lock(&mut tx, payout.payment).await?;
    if !store::payout_pause::read_shared(&mut tx).await?.gives_back(payment.created_at) {
        return Ok(Delivery::Later(PAUSED));
    }
    let ended = give_back_unsent(&mut tx, cx, payout.payment, now).await?;
    tx.commit().await?;
    if let Some(ended) = ended {
        finish(cx, &ended);
    }
    Ok(Delivery::Done)
}

/// Gives back a payout in CREATED. `None` if another delivery is sending it, or it has ended.
async fn give_back_unsent(
    conn: &mut PgConnection,
    cx: &Cx,
    id: PaymentId,
    now: OffsetDateTime,
) -> Result<Option<Ended>, Error> {
    if store::payment::lock(conn, id).await?.state != State::Created {
        return Ok(None);
    }
    let refusal = ProviderRefusal { failure: Failure::Unreachable, code: "NOT_SENT".to_owned() };
    let refused = Evidence::Refused { refusal };
    Ok(settle_payout_in(conn, cx, id, &refused, "not sent", now).await?.1)
}

/// Moves the payment to SUBMITTING, and stores the secret's hash and the time of the first query.
async fn claim(cx: &Cx, id: PaymentId, secret: &str) -> Result<Claim, Error> {
    let mut tx = cx.db.begin().await?;
    let payment = store::payment::lock(&mut tx, id).await?;
    if payment.state != State::Created {
        return Ok(Claim::Over);
    }
    if store::payout_pause::read_shared(&mut tx).await?.is_on() {
        return Ok(Claim::Paused);
    }
    let now = cx.clock.now();
    store::payment::advance(&mut tx, &payment, State::Submitting, "payout", now).await?;
    let due = next_payout_query(Duration::ZERO).map(|age| now + age);
    store::b2c_payout::set_submitted(&mut tx, id, now, due).await?;
    let hash = inbox::secret::hash(secret);
    store::b2c_payout::insert_secret(&mut tx, id, &hash, Purpose::Payout, now).await?;
    tx.commit().await?;
    Ok(Claim::Ours(Box::new(payment)))
}

/// Returns the payment, if this delivery has claimed it although the reply to its commit was lost.
async fn find_claim(cx: &Cx, id: PaymentId, secret: &str) -> Result<Option<Box<Payment>>, Error> {
    let hash = inbox::secret::hash(secret);
    with_retries("read who claimed a payout", || async {
        let mut conn = cx.db.acquire().await?;
        if store::b2c_payout::find_by_secret(&mut conn, &hash).await?.is_none() {
            return Ok(None);
        }
        Ok(Some(Box::new(store::payment::lock(&mut conn, id).await?)))
    })
    .await
}

/// Sends the payout, and stores what Daraja replies.
async fn send(cx: &Cx, payout: &PayoutRef, payment: &Payment, secret: &str) -> Result<(), Error> {
    let id = payment.id;
    let (Some(phone), Some(shillings)) = (&payment.phone, payment.amount.whole_shillings()) else {
        return Err(anyhow::anyhow!("a payout without a phone or with odd cents").into());
    };
    match cx.daraja.pay_out(id, phone, shillings, secret).await {
        PayoutSent::Accepted { conversation_id } => {
            accept(cx, id, Some(&conversation_id)).await?;
        }
        PayoutSent::Duplicate => accept(cx, id, None).await?,
        PayoutSent::NotSent => {
            with_retries("take a payout back", || take_back(cx, payout)).await?;
        }
        PayoutSent::Refused(refusal) => {
            let refused = Evidence::Refused { refusal };
            with_retries("give back a refused payout", || give_back_refused(cx, payment, &refused))
                .await?;
        }
        PayoutSent::Unknown => {
            warn!("Daraja's reply to a payout was lost; its result or a query decides");
        }
    }
    Ok(())
}

/// Gives back a payout that Daraja refused. One that waited through a pause stays open, because a
/// database that has lost commits does not know whether an earlier call was taken: a query or an
/// operator decides.
async fn give_back_refused(cx: &Cx, payment: &Payment, refused: &Evidence) -> Result<(), Error> {
    let mut conn = cx.db.acquire().await?;
    let pause = store::payout_pause::read(&mut conn).await?;
    drop(conn);
    if !pause.gives_back(payment.created_at) {
        warn!("Daraja refused a payout that waited through a pause; a query decides");
        return Ok(());
    }
    settle_payout(cx, payment.id, refused, "payout").await.map(drop)
}

/// Moves a payout that Daraja did not get back to CREATED, and writes the row that sends it again;
/// or gives it back, once it has waited long enough. If the process dies before the commit, the
/// payout stays SUBMITTING, as if it had been sent.
async fn take_back(cx: &Cx, payout: &PayoutRef) -> Result<(), Error> {
    let id = payout.payment;
    let mut tx = cx.db.begin().await?;
    let payment = store::payment::lock(&mut tx, id).await?;
    if payment.state != State::Submitting {
        return Ok(());
    }
    let now = cx.clock.now();
    store::payment::advance(&mut tx, &payment, State::Created, "not sent", now).await?;
    store::b2c_payout::set_unsent(&mut tx, id).await?;
    let mut ended = None;
    let pause = store::payout_pause::read_shared(&mut tx).await?;
    if payout.is_given_up(now) && pause.gives_back(payment.created_at) {
        ended = give_back_unsent(&mut tx, cx, id, now).await?;
    } else {
        let row = cx.rng.uuid_v7(now);
        mesh::outbox::put_delayed(&mut tx, PAYOUT_TOPIC, row, payout, RETRY_PAUSE).await?;
    }
    tx.commit().await?;
    if let Some(ended) = ended {
        finish(cx, &ended);
    }
    Ok(())
}

/// Stores that Daraja took the payout. If that fails, a query finds the payout by the payment's id.
async fn accept(cx: &Cx, id: PaymentId, conversation: Option<&str>) -> Result<(), Error> {
    with_retries("store that Daraja took a payout", || set_accepted(cx, id, conversation)).await
}

/// Moves the payment to SUBMITTED, and stores Daraja's id. If the result came first, the payment
/// has ended already, and only the id is stored.
async fn set_accepted(cx: &Cx, id: PaymentId, conversation: Option<&str>) -> Result<(), Error> {
    let mut tx = cx.db.begin().await?;
    let now = cx.clock.now();
    let payment = store::payment::lock(&mut tx, id).await?;
    if payment.state == State::Submitting {
        store::payment::advance(&mut tx, &payment, State::Submitted, "accepted", now).await?;
    }
    if let Some(conversation) = conversation.filter(|id| !id.is_empty()) {
        store::b2c_payout::set_conversation(&mut tx, id, conversation).await?;
    }
    tx.commit().await?;
    publish_payment_changed(cx, id);
    Ok(())
}
