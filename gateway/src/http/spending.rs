//! What a player spends and wins, and the limits that the player sets. svc-wallet has both.

use axum::extract::State;
use proto::{
    Absent,
    wallet::v1::{
        self as rpc, GetSpendingRequest, SetSpendingLimitRequest, SpendingKind, SpendingPeriod,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
    wire::{At, Kes},
};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `GET /spending`
pub(crate) async fn read(State(gateway): State<Gateway>) -> HandlerResult<Vec<PeriodSpending>> {
    let reply = gateway.upstreams().spending().get_spending(GetSpendingRequest {}).await?;
    Ok(Reply::ok(periods(reply.into_inner().periods)?))
}

/// `PUT /spending/limit`
pub(crate) async fn set_limit(
    State(gateway): State<Gateway>,
    Body(body): Body<SpendingLimit>,
) -> HandlerResult<Vec<PeriodSpending>> {
    let request = SetSpendingLimitRequest {
        kind: parse_kind(&body.kind).into(),
        period: parse_period(&body.period).into(),
        limit: body.limit.map(|limit| limit.0.into()),
    };
    let reply = gateway.upstreams().spending().set_spending_limit(request).await?;
    Ok(Reply::ok(periods(reply.into_inner().periods)?))
}

/// Parses a kind of spending; an unknown one becomes unspecified, which svc-wallet refuses.
fn parse_kind(text: &str) -> SpendingKind {
    match text {
        "MONEY_IN" => SpendingKind::MoneyIn,
        "PACKAGES" => SpendingKind::Packages,
        _ => SpendingKind::Unspecified,
    }
}

/// Parses a period; an unknown one becomes unspecified, which svc-wallet refuses.
fn parse_period(text: &str) -> SpendingPeriod {
    match text {
        "DAY" => SpendingPeriod::Day,
        "WEEK" => SpendingPeriod::Week,
        "MONTH" => SpendingPeriod::Month,
        _ => SpendingPeriod::Unspecified,
    }
}

request! {
    /// A limit that the player sets or removes.
    pub(crate) struct SpendingLimit {
        /// `MONEY_IN` or `PACKAGES`.
        kind: String = "kind",
        /// `DAY`, `WEEK` or `MONTH`.
        period: String = "period",
        /// The new limit; absent or null for none.
        limit: Option<Kes> = "limit",
    }
}

payloads!(PeriodSpending, Spending, LimitChange);

/// A period of Nairobi's calendar.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Period {
    Day,
    Week,
    Month,
}

/// What the player spent and won in the current day, week or month.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PeriodSpending {
    #[schema(inline)]
    period: Period,
    since: At,
    /// Top-ups, and boosts that were paid from outside PlayOn.
    money_in: Spending,
    packages: Spending,
    /// The prizes of tournaments.
    won: Kes,
}

/// What was spent, and the player's limit.
#[derive(Serialize, ToSchema)]
pub(crate) struct Spending {
    /// Open payments included.
    spent: Kes,
    /// The limit in force, if there is one.
    limit: Option<Kes>,
    /// A change of the limit that is to come.
    change: Option<LimitChange>,
}

/// A change of a limit that is to come.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LimitChange {
    /// The limit from then on; null when it ends.
    limit: Option<Kes>,
    begins_at: At,
}

fn periods(periods: Vec<rpc::PeriodSpending>) -> Result<Vec<PeriodSpending>, Absent> {
    periods.into_iter().map(TryInto::try_into).collect()
}

impl TryFrom<rpc::PeriodSpending> for PeriodSpending {
    type Error = Absent;

    fn try_from(spending: rpc::PeriodSpending) -> Result<Self, Absent> {
        Ok(Self {
            period: match spending.period() {
                SpendingPeriod::Unspecified => return Err(Absent("period")),
                SpendingPeriod::Day => Period::Day,
                SpendingPeriod::Week => Period::Week,
                SpendingPeriod::Month => Period::Month,
            },
            since: At::promised(spending.since, "since")?,
            money_in: spending.money_in.ok_or(Absent("money_in"))?.try_into()?,
            packages: spending.packages.ok_or(Absent("packages"))?.try_into()?,
            won: Kes::promised(spending.won, "won")?,
        })
    }
}

impl TryFrom<rpc::Spending> for Spending {
    type Error = Absent;

    fn try_from(spending: rpc::Spending) -> Result<Self, Absent> {
        let change = spending.change.map(|change| {
            let begins_at = At::promised(change.begins_at, "begins_at")?;
            Ok(LimitChange { limit: Kes::optional(change.limit), begins_at })
        });
        Ok(Self {
            spent: Kes::promised(spending.spent, "spent")?,
            limit: Kes::optional(spending.limit),
            change: change.transpose()?,
        })
    }
}
