//! Handsets: their scripts, what they show, and the fingers on them.

use axum::Json;
use axum::extract::{Path, State as Held};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::reply::{Body, Trouble};
use crate::clock;
use crate::config::Merchant;
use crate::daraja::prompt::{self, Gesture};
use crate::world::Shared;
use crate::world::handset::{Handset, Msisdn, Script, Sms};
use crate::world::payment::{Outcome, Payment};
use crate::world::state::{Fact, State};

/// The PIN that is wrong on every handset; any other four digits are right.
const WRONG_PIN: &str = "0000";

/// A handset as one sees it.
#[derive(Serialize)]
pub(super) struct View {
    msisdn: Msisdn,
    #[serde(flatten)]
    script: Script,
    #[serde(rename = "usedAt", with = "time::serde::rfc3339")]
    used_at: OffsetDateTime,
    prompt: Option<PromptView>,
    /// Newest first.
    inbox: Vec<Sms>,
}

/// A prompt as it stands on the screen.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PromptView {
    checkout_request_id: String,
    text: String,
    /// Whole shillings.
    amount: u64,
    account: String,
    #[serde(with = "time::serde::rfc3339")]
    requested_at: OffsetDateTime,
    /// When the script answers, or M-Pesa gives up on the person.
    #[serde(with = "time::serde::rfc3339")]
    due_at: OffsetDateTime,
    /// Whether it waits for a person.
    manual: bool,
}

/// A gesture on the PIN pad.
#[derive(Deserialize)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Act {
    /// Keep the script from answering.
    Take {},
    /// Send the PIN.
    Pin { pin: String },
    /// Decline.
    Cancel {},
}

/// `GET /control/handsets`
pub(super) async fn list(Held(world): Held<Shared>) -> Json<Vec<View>> {
    let views = world.read(|state| {
        state.handsets.values().map(|handset| view(state, handset, &world.merchant)).collect()
    });
    Json(views)
}

/// `GET /control/handsets/{msisdn}`
pub(super) async fn get(
    Held(world): Held<Shared>,
    Path(number): Path<String>,
) -> Result<Json<View>, Trouble> {
    let msisdn = parse(&number)?;
    let found = world.read(|state| {
        state.handsets.get(&msisdn).map(|handset| view(state, handset, &world.merchant))
    });
    found.map(Json).ok_or_else(|| Trouble::not_found("this number has not been seen yet"))
}

/// `PUT /control/handsets/{msisdn}`: the script as given, defaults for the rest.
pub(super) async fn put(
    Held(world): Held<Shared>,
    Path(number): Path<String>,
    Body(script): Body<Script>,
) -> Result<Json<View>, Trouble> {
    let msisdn = parse(&number)?;
    script.judge().map_err(Trouble::bad_request)?;
    let view = world
        .change(|state| {
            let now = clock::now();
            let mut handset = state.handset_or_new(&msisdn, now);
            handset.script = script;
            handset.used_at = now;
            let seen = view(state, &handset, &world.merchant);
            Ok::<_, Trouble>((vec![Fact::Handset(Box::new(handset))], seen))
        })
        .await?;
    Ok(Json(view))
}

/// `POST /control/handsets/{msisdn}/prompt`
pub(super) async fn act(
    Held(world): Held<Shared>,
    Path(number): Path<String>,
    Body(act): Body<Act>,
) -> Result<Json<View>, Trouble> {
    let msisdn = parse(&number)?;
    let gesture = match act {
        Act::Take {} => Gesture::Take,
        Act::Cancel {} => Gesture::Answer(Outcome::Cancelled),
        Act::Pin { pin } if pin == WRONG_PIN => Gesture::Answer(Outcome::WrongPin),
        Act::Pin { pin } if pin.len() == 4 && pin.bytes().all(|b| b.is_ascii_digit()) => {
            Gesture::Answer(Outcome::Paid)
        }
        Act::Pin { .. } => return Err(Trouble::bad_request("a PIN has four digits")),
    };
    if !prompt::act(&world, &msisdn, gesture).await {
        return Err(Trouble::conflict("no prompt is open on this handset"));
    }
    get(Held(world), Path(number)).await
}

fn parse(number: &str) -> Result<Msisdn, Trouble> {
    Msisdn::lenient(number)
        .ok_or_else(|| Trouble::bad_request("a number is 2547XXXXXXXX or 2541XXXXXXXX"))
}

fn view(state: &State, handset: &Handset, merchant: &Merchant) -> View {
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
        text: prompt::words(payment, merchant),
        amount: payment.amount,
        account: payment.account_reference.clone(),
        requested_at: payment.requested_at,
        due_at: payment.due_at,
        manual: payment.script.stk == crate::world::handset::Stk::Manual,
    }
}
