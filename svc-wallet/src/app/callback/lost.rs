//! Results about payments that the database does not have. A secret is stored before the provider
//! gets it, so such a result means that the database has lost commits, as by a failover to a standby
//! that was behind.

use metrics::counter;
use sqlx::PgConnection;
use tracing::error;
use types::Money;

use crate::{
    app::{
        Cx,
        inbox::{close, secret},
    },
    clients::daraja::{parse_callback, parse_payout_result, parse_reversal_result},
    domain::{BreakKind, CallbackKind, Day, Difference, Evidence, ReversalEvent, StatementOf},
    error::Error,
    store::{self, callback::StoredCallback},
};

/// The outcome of a result about a lost payment.
const LOST: &str = "lost";
/// The actor and the reason of the pause after a lost payment.
const PAUSE: (&str, &str) = ("svc-wallet", "M-Pesa has a payment that the database has lost");

/// The money that a result reports.
#[derive(Default)]
struct Reported {
    /// M-Pesa's receipt.
    receipt: Option<String>,
    /// Our id or Daraja's.
    id: Option<String>,
    amount: Option<Money>,
    /// Whether money certainly did not move.
    is_refusal: bool,
}

/// Whether a call with an unknown secret is about a payment that the database has lost: the secret
/// is ours, and of this kind. Nothing depends on a query that was lost.
pub(super) fn is_lost(cx: &Cx, kind: CallbackKind, secret: &str) -> bool {
    use CallbackKind::{MpesaB2c, MpesaReversal, MpesaStk, MpesaTimeout};
    let is_of = |kind| secret::is_ours(&cx.callback_key, kind, secret);
    match kind {
        MpesaStk | MpesaB2c | MpesaReversal => is_of(kind),
        // Daraja calls the same URL for payouts and reversals.
        MpesaTimeout => is_of(MpesaB2c) || is_of(MpesaReversal),
        CallbackKind::MpesaStatus | CallbackKind::Airtime | CallbackKind::Paystack => false,
    }
}

/// Closes a result about a lost payment, which was stored. Where money may have moved, opens a
/// break, and returns true: the caller pauses payouts after the commit.
pub(super) async fn keep_lost(
    conn: &mut PgConnection,
    cx: &Cx,
    stored: &StoredCallback,
) -> Result<bool, Error> {
    let Reported { receipt, id, amount, is_refusal } = reported(stored);
    error!(callback.id = %stored.id, kind = <&str>::from(stored.kind), receipt, daraja.id = id,
        "M-Pesa has a payment that the database has lost");
    if !is_refusal {
        let (of, at) = (StatementOf::Mpesa, stored.received_at);
        let lost = Difference {
            reference: receipt.or(id).unwrap_or_else(|| stored.id.to_string()),
            kind: BreakKind::Lost,
            ours: None,
            theirs: amount,
        };
        let id = cx.rng.uuid_v7(at);
        store::recon_break::open(conn, id, of, Day::of(at), &lost, at).await?;
    }
    counter!("callbacks_total", "outcome" => LOST).increment(1);
    close(conn, stored, LOST).await?;
    Ok(!is_refusal)
}

/// Pauses payouts because of a lost payment, until two operators resume them. Until its break is
/// resolved they are paused already, so a failure here is only logged: the result is stored.
pub(super) async fn pause(cx: &Cx) {
    let (by, reason) = PAUSE;
    let paused = async {
        let mut conn = cx.db.acquire().await?;
        store::payout_pause::begin(&mut conn, by, reason, cx.clock.now()).await
    };
    if let Err(error) = paused.await {
        error!(%error, "cannot pause payouts; the break of the lost payment does");
    }
}

/// Reads a result. One that cannot be read may be about money.
fn reported(stored: &StoredCallback) -> Reported {
    match stored.kind {
        CallbackKind::MpesaStk => parse_callback(&stored.body)
            .map(|callback| Reported::of(callback.evidence.as_ref(), callback.merchant_request_id))
            .unwrap_or_default(),
        CallbackKind::MpesaReversal => parse_reversal_result(&stored.body)
            .map(|report| Reported {
                receipt: report.reversal_receipt.or(report.receipt),
                id: report.conversation_id,
                amount: match report.event {
                    Some(ReversalEvent::Reversed { amount }) => amount,
                    _ => None,
                },
                is_refusal: matches!(report.event, Some(ReversalEvent::Refused)),
            })
            .unwrap_or_default(),
        kind => parse_payout_result(&stored.body)
            .map(|report| {
                let id = report.originator_conversation_id.or(report.conversation_id);
                // A time-out in Daraja's queue is no evidence.
                let evidence = report.evidence.filter(|_| kind == CallbackKind::MpesaB2c);
                Reported::of(evidence.as_ref(), id)
            })
            .unwrap_or_default(),
    }
}

impl Reported {
    fn of(evidence: Option<&Evidence>, id: Option<String>) -> Self {
        match evidence {
            Some(Evidence::Paid { receipt, amount, .. }) => {
                Self { receipt: receipt.clone(), id, amount: *amount, is_refusal: false }
            }
            Some(Evidence::Refused { .. }) => Self { id, is_refusal: true, ..Self::default() },
            None => Self { id, ..Self::default() },
        }
    }
}
