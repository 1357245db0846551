//! `SpendingService`: what players spend and win, and the limits that they set themselves.

use mesh::{Fault, auth::player};
use proto::{
    timestamp,
    wallet::v1::{
        GetSpendingRequest, GetSpendingResponse, PeriodSpending, SetSpendingLimitRequest,
        SetSpendingLimitResponse, Spending as WireSpending, SpendingKind as WireKind,
        SpendingLimitChange, SpendingPeriod, spending_service_server::SpendingService,
    },
};
use tonic::{Request, Response, Status};

use crate::{
    app::{self, Cx, Spending},
    domain::{Period, SpendingKind, SpendingLimit},
};

pub(super) struct Spendings(pub(super) Cx);

#[tonic::async_trait]
impl SpendingService for Spendings {
    async fn get_spending(
        &self,
        request: Request<GetSpendingRequest>,
    ) -> Result<Response<GetSpendingResponse>, Status> {
        let spending = app::spending(&self.0, player(&request)?).await?;
        Ok(Response::new(GetSpendingResponse { periods: periods(&spending) }))
    }

    async fn set_spending_limit(
        &self,
        request: Request<SetSpendingLimitRequest>,
    ) -> Result<Response<SetSpendingLimitResponse>, Status> {
        let player = player(&request)?;
        let request = request.into_inner();
        let (of, limit) = (limit_of(&request)?, request.limit.map(Into::into));
        let spending = app::set_spending_limit(&self.0, player, of, limit).await?;
        Ok(Response::new(SetSpendingLimitResponse { periods: periods(&spending) }))
    }
}

/// Decodes which limit is set.
fn limit_of(request: &SetSpendingLimitRequest) -> Result<(SpendingKind, Period), Fault> {
    let kind = match request.kind() {
        WireKind::Unspecified => return Err(Fault::invalid_field("kind", "SPENDING_KIND_UNKNOWN")),
        WireKind::MoneyIn => SpendingKind::MoneyIn,
        WireKind::Packages => SpendingKind::Packages,
    };
    let period = match request.period() {
        SpendingPeriod::Unspecified => {
            return Err(Fault::invalid_field("period", "PERIOD_UNKNOWN"));
        }
        SpendingPeriod::Day => Period::Day,
        SpendingPeriod::Week => Period::Week,
        SpendingPeriod::Month => Period::Month,
    };
    Ok((kind, period))
}

fn periods(spending: &Spending) -> Vec<PeriodSpending> {
    let periods = Period::ALL.into_iter().map(|period| PeriodSpending {
        period: match period {
            Period::Day => SpendingPeriod::Day,
            Period::Week => SpendingPeriod::Week,
            Period::Month => SpendingPeriod::Month,
        }
        .into(),
        since: Some(timestamp(period.begin(spending.now))),
        money_in: Some(spent(spending, SpendingKind::MoneyIn, period)),
        packages: Some(spent(spending, SpendingKind::Packages, period)),
        won: Some(spending.won.of(period).into()),
    });
    periods.collect()
}

/// Encodes what was spent on one kind in one period, with the limit as it is now.
fn spent(spending: &Spending, kind: SpendingKind, period: Period) -> WireSpending {
    let own = spending.limits.iter().find(|limit| (limit.kind, limit.period) == (kind, period));
    let own = own.copied().unwrap_or(SpendingLimit::none(kind, period)).at(spending.now);
    WireSpending {
        spent: Some(spending.spent.of(kind).of(period).into()),
        limit: own.limit.map(Into::into),
        change: own.change.map(|change| SpendingLimitChange {
            limit: change.limit.map(Into::into),
            begins_at: Some(timestamp(change.begins_at)),
        }),
    }
}
