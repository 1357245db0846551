//! `MoneyOperationsService`: what operators do with money.

use mesh::{auth::operator, idempotency::RequestId};
use proto::wallet::v1::{
    DecideOperationRequest, DecideOperationResponse, GetPayoutPauseRequest, GetPayoutPauseResponse,
    GetPromotionsRequest, GetPromotionsResponse, GetTaxesRequest, GetTaxesResponse,
    InspectPaymentRequest, InspectPaymentResponse, ListBreaksRequest, ListBreaksResponse,
    ListOpenCasesRequest, ListOpenCasesResponse, ListOperationsRequest, ListOperationsResponse,
    PausePayoutsRequest, PausePayoutsResponse, RequestOperationRequest, RequestOperationResponse,
    ResolveBreakRequest, ResolveBreakResponse, ResumePayoutsRequest, ResumePayoutsResponse,
    money_operations_service_server::MoneyOperationsService,
};
use tonic::{Request, Response, Status};

use super::{decode, operations_wire as wire};
use crate::app::{self, CasePage, Cx, Decision};

pub(super) struct Operations(pub(super) Cx);

#[tonic::async_trait]
impl MoneyOperationsService for Operations {
    async fn list_open_cases(
        &self,
        request: Request<ListOpenCasesRequest>,
    ) -> Result<Response<ListOpenCasesResponse>, Status> {
        operator(&request)?;
        let request = request.into_inner();
        let page = CasePage {
            kind: wire::case_kind(request.kind()),
            after: wire::cursor(&request.after, "after")?,
            limit: wire::limit(request.page_size)?,
        };
        let (cases, now) = app::list_open_cases(&self.0, &page).await?;
        let cases = cases.iter().map(|case| wire::case(case, now)).collect();
        Ok(Response::new(ListOpenCasesResponse { cases }))
    }

    async fn inspect_payment(
        &self,
        request: Request<InspectPaymentRequest>,
    ) -> Result<Response<InspectPaymentResponse>, Status> {
        operator(&request)?;
        let id = wire::payment(&request.into_inner().payment_id)?;
        let lines = app::inspect_payment(&self.0, id).await?;
        let lines = lines.into_iter().map(|(at, text)| wire::line(at, text)).collect();
        Ok(Response::new(InspectPaymentResponse { lines }))
    }

    async fn request_operation(
        &self,
        request: Request<RequestOperationRequest>,
    ) -> Result<Response<RequestOperationResponse>, Status> {
        let operator = operator(&request)?;
        let request = request.into_inner();
        let id = RequestId::parse(&request.request_id)?;
        let asked = wire::asked(request)?;
        let operation = app::request_operation(&self.0, &operator, &id, asked).await?;
        let operation = Some(wire::operation(operation));
        Ok(Response::new(RequestOperationResponse { operation }))
    }

    async fn decide_operation(
        &self,
        request: Request<DecideOperationRequest>,
    ) -> Result<Response<DecideOperationResponse>, Status> {
        let operator = operator(&request)?;
        let DecideOperationRequest { operation_id, approve, reason } = request.into_inner();
        let id = wire::operation_id(&operation_id)?;
        let decision = Decision { approve, reason };
        let operation = app::decide_operation(&self.0, &operator, id, &decision).await?;
        let operation = Some(wire::operation(operation));
        Ok(Response::new(DecideOperationResponse { operation }))
    }

    async fn list_operations(
        &self,
        request: Request<ListOperationsRequest>,
    ) -> Result<Response<ListOperationsResponse>, Status> {
        operator(&request)?;
        let request = request.into_inner();
        let state = wire::state(request.state());
        let before = wire::cursor(&request.before, "before")?;
        let limit = wire::limit(request.page_size)?;
        let operations = app::list_operations(&self.0, state, before, limit).await?;
        let operations = operations.into_iter().map(wire::operation).collect();
        Ok(Response::new(ListOperationsResponse { operations }))
    }

    async fn get_promotions(
        &self,
        request: Request<GetPromotionsRequest>,
    ) -> Result<Response<GetPromotionsResponse>, Status> {
        operator(&request)?;
        let (promotions, open) = app::get_promotions(&self.0).await?;
        Ok(Response::new(wire::promotions(promotions, open)))
    }

    async fn get_taxes(
        &self,
        request: Request<GetTaxesRequest>,
    ) -> Result<Response<GetTaxesResponse>, Status> {
        operator(&request)?;
        let GetTaxesRequest { from, to } = request.into_inner();
        let taxes = app::taxes(&self.0, decode::days(&from, &to)?).await?;
        let taxes = taxes.into_iter().map(wire::tax).collect();
        Ok(Response::new(GetTaxesResponse { taxes }))
    }

    async fn get_payout_pause(
        &self,
        request: Request<GetPayoutPauseRequest>,
    ) -> Result<Response<GetPayoutPauseResponse>, Status> {
        operator(&request)?;
        let pause = app::get_payout_pause(&self.0).await?;
        Ok(Response::new(GetPayoutPauseResponse { pause: Some(wire::payout_pause(&pause)) }))
    }

    async fn pause_payouts(
        &self,
        request: Request<PausePayoutsRequest>,
    ) -> Result<Response<PausePayoutsResponse>, Status> {
        let operator = operator(&request)?;
        let reason = request.into_inner().reason;
        let pause = app::pause_payouts(&self.0, &operator, &reason).await?;
        Ok(Response::new(PausePayoutsResponse { pause: Some(wire::payout_pause(&pause)) }))
    }

    async fn resume_payouts(
        &self,
        request: Request<ResumePayoutsRequest>,
    ) -> Result<Response<ResumePayoutsResponse>, Status> {
        let operator = operator(&request)?;
        let reason = request.into_inner().reason;
        let pause = app::resume_payouts(&self.0, &operator, &reason).await?;
        Ok(Response::new(ResumePayoutsResponse { pause: Some(wire::payout_pause(&pause)) }))
    }

    async fn list_breaks(
        &self,
        request: Request<ListBreaksRequest>,
    ) -> Result<Response<ListBreaksResponse>, Status> {
        operator(&request)?;
        let request = request.into_inner();
        let after = wire::cursor(&request.after, "after")?;
        let limit = wire::limit(request.page_size)?;
        let breaks = app::list_breaks(&self.0, request.resolved_too, after, limit).await?;
        let breaks = breaks.into_iter().map(wire::recon_break).collect();
        Ok(Response::new(ListBreaksResponse { breaks }))
    }

    async fn resolve_break(
        &self,
        request: Request<ResolveBreakRequest>,
    ) -> Result<Response<ResolveBreakResponse>, Status> {
        let operator = operator(&request)?;
        let ResolveBreakRequest { break_id, resolution } = request.into_inner();
        let id = wire::break_id(&break_id)?;
        app::resolve_break(&self.0, &operator, id, &resolution).await?;
        Ok(Response::new(ResolveBreakResponse {}))
    }
}
