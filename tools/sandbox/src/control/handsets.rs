//! Handsets: their scripts, prompts and inboxes, and what a person does on them.

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::reply::{ApiError, Body};
use crate::clock;
use crate::config::Merchant;
use crate::daraja::prompt::{self, PromptAction};
use crate::world::Shared;
use crate::world::handset::{Handset, Script, Stk};
use crate::world::msisdn::Msisdn;
use crate::world::payment::{Outcome, Payment};
use crate::world::sms::Sms;
use crate::world::state::{Fact, WorldState};

/// The PIN that is wrong on every handset; any other four digits are right.
const WRONG_PIN: &str = "0000";

#[derive(Serialize)]
pub(super) struct View {
    msisdn: Msisdn,
    #[serde(flatten)]
    script: Script,
    #[serde(rename = "usedAt", with = "time::serde::rfc3339")]
    used_at: OffsetDateTime,
    prompt: Option<PromptView>,
    /// The received messages, newest first.
    inbox: Vec<Sms>,
}

/// The prompt on the screen.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PromptView {
    checkout_request_id: String,
    text: String,
    /// The amount in whole shillings.
    amount: u64,
    account: String,
    #[serde(with = "time::serde::rfc3339")]
    requested_at: OffsetDateTime,
    /// When the script answers, or the prompt times out.
    #[serde(with = "time::serde::rfc3339")]
    due_at: OffsetDateTime,
    /// Whether the prompt waits for a person.
    manual: bool,
}

#[derive(Deserialize)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ActionBody {
    /// Takes the prompt from its script.
    Take {},
    Pin {
        pin: String,
    },
    Cancel {},
}

/// `GET /control/handsets`
pub(super) async fn list(State(world): State<Shared>) -> Json<Vec<View>> {
    Json(world.read(|state| {
        state.handsets.values().map(|handset| view(state, handset, &world.merchant)).collect()
    }))
}

/// `GET /control/handsets/{msisdn}`
pub(super) async fn get(
    State(world): State<Shared>,
    Path(number): Path<String>,
) -> Result<Json<View>, ApiError> {
    let msisdn = parse(&number)?;
    let found = world.read(|state| {
        state.handsets.get(&msisdn).map(|handset| view(state, handset, &world.merchant))
    });
    found.map(Json).ok_or_else(|| ApiError::not_found("this number has no handset yet"))
}

/// `PUT /control/handsets/{msisdn}`: replaces the whole script.
pub(super) async fn put(
    State(world): State<Shared>,
    Path(number): Path<String>,
    Body(script): Body<Script>,
) -> Result<Json<View>, ApiError> {
    let msisdn = parse(&number)?;
    script.validate().map_err(ApiError::bad_request)?;
    Ok(Json(world.update(|state| {
        let now = clock::now();
        let mut handset = state.handset_or_new(&msisdn, now);
        handset.script = script;
        handset.used_at = now;
        let view = view(state, &handset, &world.merchant);
        (vec![Fact::Handset(Box::new(handset))], view)
    })))
}

/// `POST /control/handsets/{msisdn}/prompt`
pub(super) async fn act(
    State(world): State<Shared>,
    Path(number): Path<String>,
    Body(body): Body<ActionBody>,
) -> Result<Json<View>, ApiError> {
    let msisdn = parse(&number)?;
    let action = match body {
        ActionBody::Take {} => PromptAction::Take,
        ActionBody::Cancel {} => PromptAction::Answer(Outcome::Cancelled),
        ActionBody::Pin { pin } if pin == WRONG_PIN => PromptAction::Answer(Outcome::WrongPin),
        ActionBody::Pin { pin } if pin.len() == 4 && pin.bytes().all(|b| b.is_ascii_digit()) => {
            PromptAction::Answer(Outcome::Paid)
        }
        ActionBody::Pin { .. } => return Err(ApiError::bad_request("a PIN has four digits")),
    };
    if !prompt::act(&world, &msisdn, action) {
        return Err(ApiError::conflict("no prompt is open on this handset"));
    }
    get(State(world), Path(number)).await
}

fn parse(number: &str) -> Result<Msisdn, ApiError> {
    Msisdn::lenient(number)
        .ok_or_else(|| ApiError::bad_request("a number is 2547XXXXXXXX or 2541XXXXXXXX"))
}

fn view(state: &WorldState, handset: &Handset, merchant: &Merchant) -> View {
    View {
        msisdn: handset.msisdn.clone(),
        script: handset.script.clone(),
        used_at: handset.used_at,
        prompt: prompt::shown_on(state, &handset.msisdn).map(|p| prompt_view(p, merchant)),
        inbox: handset.inbox.iter().cloned().collect(),
    }
}

fn prompt_view(payment: &Payment, merchant: &Merchant) -> PromptView {
    PromptView {
        checkout_request_id: payment.checkout_request_id.clone(),
        text: prompt::text(payment, merchant),
        amount: payment.amount,
        account: payment.account_reference.clone(),
        requested_at: payment.requested_at,
        due_at: payment.due_at,
        manual: payment.script.stk == Stk::Manual,
    }
}
