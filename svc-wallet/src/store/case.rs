//! Cases that wait for an operator, and the log of a payment.

use mesh::db::statement;
use sqlx::PgConnection;
use time::OffsetDateTime;
use types::Money;

use crate::domain::{CaseKind, HouseAccount, OpenCase, PaymentId};

/// Returns a page of open cases, one for each payment, by the payments' age. If a payment has
/// several, that of a reversal is returned, because what is done about another may depend on it.
#[statement]
pub(crate) async fn list(
    conn: &mut PgConnection,
    kind: Option<CaseKind>,
    unknown_before: OffsetDateTime,
    after: Option<PaymentId>,
    limit: i64,
) -> sqlx::Result<Vec<OpenCase>> {
    let rows = sqlx::query!(
        r#"WITH found AS (
               SELECT id, 'UNKNOWN' AS kind, updated_at AS since, state AS detail, NULL::bigint AS received
               FROM payment
               WHERE kind = 'WITHDRAWAL' AND state IN ('CREATED', 'SUBMITTING', 'SUBMITTED')
                   AND created_at < $2 AND updated_at < $2
               UNION ALL
               SELECT id, 'HELD', payment.created_at, review_reason, NULL
               FROM payment JOIN b2c_payout ON payment_id = id WHERE state = 'HELD'
               UNION ALL
               SELECT id, 'SUSPENDED', updated_at, state,
                      (SELECT sum(line.amount_cents) FROM posting line
                       JOIN journal j ON j.id = line.journal_id
                       WHERE line.account_id = $5
                           AND (j.ref = payment.id OR j.ref IN (SELECT operation.id
                                FROM money_operation operation
                                WHERE operation.payment_id = payment.id)))::bigint
               FROM payment
               WHERE id IN (SELECT id FROM payment WHERE state = 'CONFLICTED'
                            UNION
                            SELECT payment_id FROM money_operation
                            WHERE kind = 'OUTFLOW' AND state = 'DONE')
               UNION ALL
               SELECT payment_id, 'PAID_TWICE', found_at, receipt, amount_cents
               FROM second_receipt WHERE operation_id IS NULL
               UNION ALL
               SELECT payment_id, 'DISPUTED', disputed_at, dispute_id, disputed_cents
               FROM card_payment WHERE dispute_state = 'OPEN'
               UNION ALL
               SELECT payment_id, 'DISPUTED', disputed_at, dispute_resolution, disputed_cents
               FROM card_payment WHERE payment_id IN (SELECT payment_id FROM lost_dispute)
               UNION ALL
               SELECT payment_id, 'REVERSAL', coalesce(case_since, resent_at, created_at),
                      coalesce(nullif(case_kind, 'UNKNOWN'), state), amount_cents
               FROM mpesa_reversal first
               WHERE state NOT IN ('SUCCEEDED', 'FAILED')
                       AND (coalesce(resent_at, created_at) < $2 OR case_kind IS NOT NULL)
                   OR case_kind IS NOT NULL
                       AND NOT EXISTS (SELECT FROM mpesa_reversal later
                                       WHERE later.receipt = first.receipt AND later.state <> 'FAILED')
               UNION ALL
               SELECT payment_id, 'CHARGE', created_at, NULL, NULL
               FROM airtime_charge WHERE query_due_at IS NULL AND result IS NULL
               UNION ALL
               SELECT payment_id, 'CARD_MISMATCH', created_at, mismatch, NULL
               FROM card_payment WHERE mismatch IS NOT NULL AND mismatch_operation_id IS NULL
               UNION ALL
               SELECT payment_id, 'CARD_REFUND', coalesce(contradicted_at, created_at), state, amount_cents
               FROM card_refund
               WHERE state IN ('SENDING', 'PENDING') AND check_due_at IS NULL
                   OR contradicted_at IS NOT NULL AND contradiction_operation_id IS NULL
           )
           SELECT DISTINCT ON (payment.id) payment.id AS "id!", found.kind AS "kind!",
                  found.since AS "since!", found.detail, found.received,
                  payment.payer_id AS "player!", payment.amount_cents AS "amount!",
                  payment.kind = 'WITHDRAWAL' AS "is_payout!"
           FROM found JOIN payment ON payment.id = found.id
           WHERE ($1::text IS NULL OR found.kind = $1)
               AND ($3::uuid IS NULL OR payment.id > $3)
               AND (found.kind <> 'SUSPENDED' OR found.received <> 0)
           ORDER BY payment.id, found.kind <> 'REVERSAL', found.since LIMIT $4"#,
        kind.map(<&str>::from),
        unknown_before,
        after.map(PaymentId::uuid),
        limit,
        HouseAccount::Suspense.id()
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(OpenCase {
                payment: row.id.into(),
                kind: super::parse("case.kind", &row.kind)?,
                player: row.player.into(),
                amount: Money::from_cents(row.amount),
                is_payout: row.is_payout,
                note: row.detail,
                received: row.received.map(Money::from_cents),
                since: row.since,
            })
        })
        .collect()
}

/// Returns all that is known of a payment, in the order of time; empty for a payment that does not
/// exist.
#[statement]
pub(crate) async fn log(
    conn: &mut PgConnection,
    payment: PaymentId,
) -> sqlx::Result<Vec<(OffsetDateTime, String)>> {
    let rows = sqlx::query!(
        r#"WITH operation AS (SELECT * FROM money_operation WHERE payment_id = $1), line AS (
               SELECT created_at AS at, 0 AS place, concat_ws(' ', 'payment:', kind, 'by', method,
                          'of', to_char(amount_cents / 100.0, 'FM999999990.00'),
                          'fee', to_char(fee_cents / 100.0, 'FM999999990.00'), 'payer', payer_id, 'beneficiary',
                          beneficiary_id, 'state', state, failure) AS text
               FROM payment WHERE id = $1
               UNION ALL
               SELECT at, 1 + seq, 'state: ' || state || ' (' || cause || ')'
               FROM payment_event WHERE payment_id = $1
               UNION ALL
               SELECT created_at, 2, concat_ws(' ', 'push to', coalesce(nullif(msisdn, ''), 'a removed phone'), 'checkout', checkout_request_id, 'result', result_code,
                          'receipt', receipt, 'queries', queries)
               FROM stk_push WHERE payment_id = $1
               UNION ALL
               SELECT received_at, 3, 'callback: ' || provider || ', ' || coalesce(outcome, 'waits')
                          || ', ' || octet_length(body) || ' bytes from ' || source_ip
               FROM callback_inbox WHERE secret_hash IN
                   (SELECT secret_hash FROM stk_push WHERE payment_id = $1
                    UNION ALL SELECT sha256(convert_to(request_id, 'UTF8')) FROM airtime_charge
                        WHERE payment_id = $1
                    UNION ALL SELECT secret_hash FROM b2c_secret WHERE payment_id = $1
                    UNION ALL SELECT secret_hash FROM mpesa_reversal_secret JOIN mpesa_reversal r
                        ON r.id = reversal_id WHERE r.payment_id = $1)
               UNION ALL
               SELECT created_at, 2, concat_ws(' ', 'payout to', coalesce(nullif(msisdn, ''), 'a removed phone'), 'conversation',
                          conversation_id, 'result', result_code, 'receipt', receipt, 'queries',
                          queries, case_kind, 'reviewed for ' || review_reason)
               FROM b2c_payout WHERE payment_id = $1
               UNION ALL
               SELECT created_at, 2, concat_ws(' ', 'card page: initialised', attempts,
                          'result', result, 'receipt', receipt, 'mismatch ' || mismatch,
                          'dispute ' || lower(dispute_state), dispute_resolution)
               FROM card_payment WHERE payment_id = $1
               UNION ALL
               SELECT updated_at, 7, concat_ws(' ', 'refund to the card:',
                          to_char(amount_cents / 100.0, 'FM999999990.00'), lower(state), id,
                          'at Paystack ' || provider_id)
               FROM card_refund WHERE payment_id = $1
               UNION ALL
               SELECT updated_at, 7, concat_ws(' ', 'reversal by M-Pesa:',
                          to_char(amount_cents / 100.0, 'FM999999990.00'), lower(state), 'of receipt',
                          receipt, 'operation', id, 'sent', attempts, 'queries', queries,
                          'conversation ' || conversation_id, 'result ' || result_code,
                          'receipt ' || reversal_receipt, case_kind,
                          CASE WHEN loss_borne_at IS NOT NULL THEN 'loss borne' END)
               FROM mpesa_reversal WHERE payment_id = $1
               UNION ALL
               SELECT found_at, 4, concat_ws(' ', 'second receipt:', receipt, 'of',
                          to_char(amount_cents / 100.0, 'FM999999990.00'))
               FROM second_receipt WHERE payment_id = $1
               UNION ALL
               SELECT j.created_at, 5 + posting.seq, concat_ws(' ', 'posting:', j.kind,
                          to_char(posting.amount_cents / 100.0, 'FM999999990.00'), 'on',
                          coalesce((SELECT name FROM unnest($2::text[]) name
                                    WHERE house_account(name) = posting.account_id),
                                   'wallet ' || posting.account_id), 'journal', j.id, 'reverses ' || j.reverses_id)
               FROM posting JOIN journal j ON j.id = posting.journal_id
               WHERE j.ref = $1 OR j.ref IN (SELECT id FROM operation)
               UNION ALL
               SELECT audit.at, 6, concat_ws(' ', 'operation:', operation.kind, audit.action, 'by',
                          audit.operator, 'of',
                          to_char(operation.amount_cents / 100.0, 'FM999999990.00'), operation.id,
                          'because:', audit.reason)
               FROM money_audit audit JOIN operation ON operation.id = audit.subject_id
           )
           SELECT at AS "at!", text AS "text!" FROM line ORDER BY at, place"#,
        payment.uuid(),
        &HouseAccount::ALL.map(|account| <&str>::from(account).to_owned()) as &[String]
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.at, row.text)).collect())
}
