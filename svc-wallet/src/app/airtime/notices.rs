//! The carrier's notifications: stored before the reply, and applied afterwards, by an outbox
//! delivery.

use mesh::{instrument, outbox::Delivery};
use metrics::counter;
use sha2::{Digest, Sha256};
use tracing::error;
use uuid::Uuid;

use crate::{
    app::{
        Cx,
        inbox::{CallbackRef, check_count, secret},
        payin::settle::{CALLBACK, Settled, settle},
    },
    clients::carrier::{BadNotification, Notification, parse_notification},
    domain::{CallbackKind, ChargeResult},
    error::{Error, Refused},
    store::{self, callback::StoredCallback},
};

/// The outbox topic of notifications to apply.
pub(crate) const AIRTIME_NOTICE_TOPIC: &str = "airtime.notice";

/// A notice as the gateway received it.
#[derive(Debug, Clone)]
pub(crate) struct NewNotice {
    /// The secret in the notification's path.
    pub(crate) secret: String,
    /// The body as received, unchanged.
    pub(crate) body: Vec<u8>,
    /// The sender's address, for the record.
    pub(crate) source_ip: String,
}

/// Stores a notification, once per content, with the outbox row that applies it. The secret in its
/// path is agreed with the carrier; the body names the charge. The number of notifications per
/// charge is limited, and so is the number of all that name no charge of ours.
#[instrument(name = "wallet.store_airtime_notice", skip_all, fields(callback.id))]
pub(crate) async fn store_airtime_notice(cx: &Cx, notice: NewNotice) -> Result<(), Error> {
    if !cx.carrier.is_secret(&notice.secret) {
        return Err(Refused::UnknownCallback.into());
    }
    let now = cx.clock.now();
    let content_hash = Sha256::digest(&notice.body).to_vec();
    let mut tx = cx.db.begin().await?;
    let mut about = String::new();
    if let Ok(Notification { request_id, .. }) = parse_notification(&notice.body, now)
        && store::airtime_charge::find_by_request(&mut tx, &request_id).await?.is_some()
    {
        about = request_id;
    }
    let stored = StoredCallback {
        id: cx.rng.uuid_v7(now),
        kind: CallbackKind::Airtime,
        secret_hash: secret::hash(&about),
        body: notice.body,
        received_at: now,
    };
    tracing::Span::current().record("callback.id", stored.id.to_string());
    let is_new =
        store::callback::insert(&mut tx, &stored, &content_hash, &notice.source_ip).await?;
    if is_new {
        check_count(&mut tx, &stored.secret_hash).await?;
        let payload = CallbackRef { callback: stored.id };
        mesh::outbox::put(&mut tx, &cx.clock, &cx.rng, AIRTIME_NOTICE_TOPIC, &payload).await?;
    }
    tx.commit().await?;
    cx.outbox.notify(AIRTIME_NOTICE_TOPIC);
    Ok(())
}

/// Applies a notification, and stores its outcome.
#[instrument(name = "wallet.apply_airtime_notice", skip_all, fields(callback.id = %id))]
pub(crate) async fn apply_airtime_notice(cx: &Cx, id: Uuid) -> Result<Delivery, Error> {
    let mut conn = cx.db.acquire().await?;
    let Some(stored) = store::callback::find_open(&mut conn, id).await? else {
        return Ok(Delivery::Done);
    };
    drop(conn);
    let outcome = match parse_notification(&stored.body, stored.received_at) {
        Err(BadNotification) => {
            error!("cannot parse a notification of the carrier; callback_inbox has it");
            "unreadable"
        }
        Ok(notification) => apply(cx, notification).await?,
    };
    let mut conn = cx.db.acquire().await?;
    store::callback::close(&mut conn, stored.id, outcome).await?;
    counter!("callbacks_total", "outcome" => outcome).increment(1);
    Ok(Delivery::Done)
}

async fn apply(cx: &Cx, notification: Notification) -> Result<&'static str, Error> {
    let mut conn = cx.db.acquire().await?;
    let charge =
        store::airtime_charge::find_by_request(&mut conn, &notification.request_id).await?;
    drop(conn);
    let Some((payment, msisdn)) = charge else {
        error!("a notification names a charge that is none of ours");
        return Ok("unknown charge");
    };
    if notification.phone.is_some_and(|phone| phone.digits() != msisdn) {
        error!("a notification has another phone than its charge");
        return Ok("another phone");
    }
    let Some(evidence) = notification.result.evidence() else {
        if notification.result == ChargeResult::Unknown {
            error!("a notification has an undocumented status");
            return Ok("unknown result code");
        }
        // The charge is under way: another notification follows.
        return Ok("applied");
    };
    Ok(match settle(cx, payment, &evidence, CALLBACK).await? {
        Settled::Applied => "applied",
        Settled::ReceiptUsed => "receipt already used",
        Settled::SecondReceipt => "second receipt",
        Settled::OtherAmount => "another amount",
    })
}
