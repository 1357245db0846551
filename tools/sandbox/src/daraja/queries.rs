//! Calls of the operator that are answered later, at `ResultURL`: the status of a
//! transaction, the reversal of a payment, and the accounts.

use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use serde_json::{Value, json};
use time::OffsetDateTime;

use super::prompt::grouped;
use super::refusal::Refusal;
use super::result::{self, Ids, Parameter, empty, number, text};
use super::validate::{self, Fields};
use super::{ids, initiator, token};
use crate::clock;
use crate::outgoing;
use crate::world::Shared;
use crate::world::b2c::B2c;
use crate::world::book::{Float, Line, Side};
use crate::world::outgoing::Outgoing;
use crate::world::payment::receipt;
use crate::world::payout::{PaidOut, Payout};
use crate::world::sms::Sms;
use crate::world::state::{Fact, Received, WorldState};

/// The time from the reply to the result.
const DELAY: Duration = Duration::from_millis(200);

type Code = (&'static str, &'static str);
const OK: Code = ("0", "The service request is processed successfully.");
const WRONG_INITIATOR: Code = ("2001", "The initiator information is invalid.");
const ALREADY_REVERSED: Code = ("R000001", "The transaction has already been reversed.");
const UNKNOWN: Code = ("R000002", "The OriginalTransactionID is invalid.");

/// The answer to a call: the code and the parameters of the result, and the facts that change the
/// state.
type Answer = (Code, Vec<Parameter>, Vec<Fact>);

/// `POST mpesa/transactionstatus/v1/query`
pub(super) async fn status(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    answer(
        &world,
        &headers,
        &body,
        "transaction status",
        "TransactionStatusQuery",
        |state, fields, _| {
            fields.parse_field("PartyA", validate::short_code)?;
            fields.parse_field("IdentifierType", |kind| (kind == "4").then_some(()))?;
            let receipt = fields.optional("TransactionID")?;
            let (original, older) = (
                fields.optional("OriginalConversationID")?,
                fields.optional("OriginatorConversationID")?,
            );
            let ids = [receipt, original, older];
            if ids.iter().all(String::is_empty) {
                return Err(Refusal::BadField("TransactionID"));
            }
            let is = |id: &str| ids.iter().any(|asked| !asked.is_empty() && asked == id);
            let payout = state.payout(|p| {
                is(&p.conversation_id)
                    || is(&p.originator_conversation_id)
                    || p.settled.as_ref().is_some_and(|paid| is(&paid.transaction_id))
            });
            let received = state.book.iter().find(|line| is(&line.receipt));
            Ok(match (payout, received) {
                (Some(payout), _) => (OK, of_payout(payout, &world.merchant.name), Vec::new()),
                (None, Some(line)) => {
                    let reversed = state.lines.iter().any(|other| reverses(other, &line.receipt));
                    (OK, of_payment(line, reversed, &world.merchant.name), Vec::new())
                }
                (None, None) => (UNKNOWN, Vec::new(), Vec::new()),
            })
        },
    )
}

/// `POST mpesa/reversal/v1/request`: gives a payment by STK push back.
pub(super) async fn reversal(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    answer(&world, &headers, &body, "reversal", "TransactionReversal", |state, fields, now| {
        let original = fields.text("TransactionID")?;
        let amount = fields.parse_field("Amount", validate::amount)?;
        fields.parse_field("ReceiverParty", validate::short_code)?;
        fields.parse_field("RecieverIdentifierType", |kind| (kind == "11").then_some(()))?;
        if state.lines.iter().any(|line| reverses(line, &original)) {
            return Ok((ALREADY_REVERSED, Vec::new(), Vec::new()));
        }
        let payment = state.book.iter().find(|line| line.receipt == original);
        let Some(payment) = payment.filter(|payment| payment.amount == amount) else {
            return Ok((UNKNOWN, Vec::new(), Vec::new()));
        };
        if state.float.utility < amount {
            return Ok((B2c::NoFloat.result(), Vec::new(), Vec::new()));
        }
        Ok(reversed(state, payment, now))
    })
}

/// `POST mpesa/accountbalance/v1/query`
pub(super) async fn balance(
    State(world): State<Shared>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Json<Value>, Refusal> {
    answer(&world, &headers, &body, "account balance", "AccountBalance", |state, fields, now| {
        let short_code = fields.parse_field("PartyA", validate::short_code)?;
        fields.parse_field("IdentifierType", |kind| (kind == "4").then_some(()))?;
        // Another number of the business than the paybill has nothing.
        let is_paybill = short_code == world.merchant.short_code;
        let nothing = Float { utility: 0, charges: 0 };
        let Float { utility, charges } = if is_paybill { state.float } else { nothing };
        let record = |name: &str, sum: String| format!("{name}|KES|{sum}.00|{sum}.00|0.00|0.00");
        let records = [
            record("Working Account", "0".to_owned()),
            record("Utility Account", utility.to_string()),
            record("Charges Paid Account", format!("-{charges}")),
            record("Organization Settlement Account", "0".to_owned()),
        ];
        let parameters = vec![
            text("AccountBalance", &records.join("&")),
            number("BOCompletedTime", clock::compact(now)),
        ];
        Ok((OK, parameters, Vec::new()))
    })
}

/// Validates what the three calls share, and posts the answer.
fn answer(
    world: &Shared,
    headers: &HeaderMap,
    body: &[u8],
    what: &str,
    command: &str,
    decide: impl FnOnce(&WorldState, &Fields, OffsetDateTime) -> Result<Answer, Refusal>,
) -> Result<Json<Value>, Refusal> {
    token::check(world, headers).map_err(|_| Refusal::BadInitiatorToken)?;
    let fields = Fields::parse(body)?;
    let now = clock::now();
    let knows = initiator::is_known(&fields, "Initiator", &world.merchant)?;
    fields.parse_field("CommandID", |given| (given == command).then_some(()))?;
    fields.parse_field("QueueTimeOutURL", validate::callback_url)?;
    let url = fields.parse_field("ResultURL", validate::callback_url)?;
    fields.text("Remarks")?;
    let (originator, conversation) = (ids::request_id(), ids::conversation_id(now));
    let posted = world.change(|state| {
        let mut answer = decide(state, &fields, now)?;
        if !knows {
            answer = (WRONG_INITIATOR, Vec::new(), Vec::new());
        }
        let (code, parameters, mut facts) = answer;
        let transaction = receipt(now);
        let ids =
            Ids { originator: &originator, conversation: &conversation, transaction: &transaction };
        let body = result::body(&ids, code, parameters);
        let outgoing = Outgoing::once(what, &conversation, &url, body, now + DELAY);
        facts.push(Fact::Outgoing(Box::new(outgoing)));
        let posted = outgoing::ids(&facts);
        Ok((facts, posted))
    })?;
    outgoing::start(world, posted);
    tracing::info!(what, conversation_id = conversation, "daraja answers later");
    Ok(Json(json!({
        "OriginatorConversationID": originator,
        "ConversationID": conversation,
        "ResponseCode": "0",
        "ResponseDescription": "Accept the service request successfully.",
    })))
}

fn of_payout(payout: &Payout, merchant: &str) -> Vec<Parameter> {
    let settled = payout.settled.as_ref();
    let status = match settled {
        None => "Pending",
        Some(PaidOut { outcome, .. }) if outcome.pays() => "Completed",
        Some(_) => "Failed",
    };
    let mut parameters = vec![
        // A key may come twice.
        empty("DebitPartyName"),
        text("DebitPartyName", merchant),
        text("CreditPartyName", &format!("{} - Mary Wanjiku", payout.msisdn)),
        text("TransactionStatus", status),
        number("Amount", payout.amount),
        number("InitiatedTime", clock::compact(payout.requested_at)),
        text("ReasonType", "Business Payment to Customer via API"),
        empty("TransactionReason"),
        text("DebitAccountType", "Utility Account"),
        text("OriginatorConversationID", &payout.originator_conversation_id),
        text("ConversationID", &payout.conversation_id),
    ];
    if let Some(paid) = settled {
        parameters.push(text("ReceiptNo", &paid.transaction_id));
        parameters.push(number("FinalisedTime", clock::compact(paid.at)));
        if !paid.outcome.pays() {
            parameters.push(text("ResultDesc", paid.outcome.result().1));
        }
        let charge = format!("Fee For B2C Payment|KES|{}.00", paid.charge_cents / 100);
        parameters.push(text("DebitPartyCharges", &charge));
    }
    parameters
}

/// Whether a line of the book reverses the payment with this receipt.
fn reverses(line: &Line, receipt: &str) -> bool {
    line.side == Side::Reversed && line.reference == receipt
}

fn of_payment(line: &Received, reversed: bool, merchant: &str) -> Vec<Parameter> {
    vec![
        text("ReceiptNo", &line.receipt),
        number("Amount", line.amount),
        text("TransactionStatus", if reversed { "Reversed" } else { "Completed" }),
        number("InitiatedTime", clock::compact(line.at)),
        number("FinalisedTime", clock::compact(line.at)),
        text("DebitPartyName", &format!("{} - Mary Wanjiku", line.msisdn)),
        text("CreditPartyName", merchant),
        text("ReasonType", "Pay Bill Online"),
        text("ConversationID", &line.checkout_request_id),
    ]
}

fn reversed(state: &WorldState, payment: &Received, now: OffsetDateTime) -> Answer {
    let float = Float { utility: state.float.utility - payment.amount, ..state.float };
    let receipt = receipt(now);
    let mut handset = state.handset_or_new(&payment.msisdn, now);
    let text_message = format!(
        "{receipt} Confirmed. Transaction {} of Ksh{}.00 has been reversed to your account on {}.",
        payment.receipt,
        grouped(payment.amount),
        clock::in_sms(now),
    );
    handset.receive(Sms { from: "MPESA".into(), text: text_message, at: now });
    let parameters = vec![
        text(
            "DebitAccountBalance",
            &format!("Utility Account|KES|{0}.00|{0}.00|0.00|0.00", float.utility),
        ),
        number("Amount", format!("{}.00", payment.amount)),
        number("TransCompletedTime", clock::compact(now)),
        text("OriginalTransactionID", &payment.receipt),
        number("Charge", "0.00"),
        text("CreditPartyPublicName", &format!("{} - Mary Wanjiku", payment.msisdn)),
        text("DebitPartyPublicName", &payment.short_code),
    ];
    let line = Line {
        side: Side::Reversed,
        receipt,
        reference: payment.receipt.clone(),
        party: payment.msisdn.to_string(),
        amount_cents: payment.amount * 100,
        charge_cents: 0,
        at: now,
    };
    let facts = vec![Fact::Handset(Box::new(handset)), Fact::Line(line), Fact::Float(float)];
    (OK, parameters, facts)
}
