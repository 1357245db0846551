use std::sync::{Arc, Mutex};

use clap::Parser as _;
use mesh::{edges::OPERATORS, grpc::client::connect_untraced};
use proto::wallet::v1::{
    Break, DecideOperationResponse, GetPayoutPauseResponse, GetPromotionsResponse,
    GetTaxesResponse, InspectPaymentResponse, ListBreaksResponse, ListOpenCasesResponse,
    ListOperationsResponse, LogLine, OpenCase, PausePayoutsResponse, PromotionReservation,
    RequestOperationResponse, ResolveBreakResponse, ResumePayoutsResponse, TaxSum, TransactionKind,
    money_operations_service_server::{MoneyOperationsService, MoneyOperationsServiceServer},
};
use time::OffsetDateTime;
use tonic::{Request, Response, Status, service::Routes};
use types::Rng;

use super::*;

/// A stub that keeps the requests. An operation over KES 10,000 waits.
#[derive(Clone, Default)]
struct Stub {
    asked: Arc<Mutex<Vec<RequestOperationRequest>>>,
    decided: Arc<Mutex<Vec<DecideOperationRequest>>>,
}

#[expect(clippy::unnecessary_wraps, reason = "as the contract has the field")]
fn at() -> Option<prost_types::Timestamp> {
    Some(proto::timestamp(OffsetDateTime::UNIX_EPOCH))
}

#[expect(clippy::unnecessary_wraps, reason = "as the contract has the field")]
fn kes(shillings: i32) -> Option<proto::types::v1::Money> {
    Some(Money::from_shillings(shillings).into())
}

fn operation(state: OperationState) -> Operation {
    Operation {
        id: "op".to_owned(),
        kind: OperationKind::Credit.into(),
        state: state.into(),
        payment_id: Some("pay".to_owned()),
        amount: kes(120),
        reason: "Seen in the statement.".to_owned(),
        requested_by: "wanjiru".to_owned(),
        requested_at: at(),
        ..Operation::default()
    }
}

#[tonic::async_trait]
impl MoneyOperationsService for Stub {
    async fn list_open_cases(
        &self,
        request: Request<ListOpenCasesRequest>,
    ) -> Result<Response<ListOpenCasesResponse>, Status> {
        let after = request.into_inner().after;
        let case = |id: &str| OpenCase {
            payment_id: id.to_owned(),
            kind: CaseKind::Suspended.into(),
            player_id: "player".to_owned(),
            amount: kes(100),
            detail: "KES 120.00 in suspense".to_owned(),
            since: at(),
        };
        let ids = ["1", "2", "3"].into_iter().filter(|id| **id > *after).take(2);
        Ok(Response::new(ListOpenCasesResponse { cases: ids.map(case).collect() }))
    }

    async fn inspect_payment(
        &self,
        _: Request<InspectPaymentRequest>,
    ) -> Result<Response<InspectPaymentResponse>, Status> {
        let lines = vec![LogLine { at: at(), text: "state: CREATED (created)".to_owned() }];
        Ok(Response::new(InspectPaymentResponse { lines }))
    }

    async fn request_operation(
        &self,
        request: Request<RequestOperationRequest>,
    ) -> Result<Response<RequestOperationResponse>, Status> {
        let request = request.into_inner();
        let amount: Option<Money> = request.amount.map(Into::into);
        let over = amount.is_some_and(|amount| amount > Money::from_shillings(10_000));
        let is_refund = request.kind() == OperationKind::Refund;
        let remark = if is_refund { "M-Pesa is asked to reverse it" } else { "" }.to_owned();
        self.asked.lock().unwrap().push(request);
        let state = if over { OperationState::Waiting } else { OperationState::Done };
        let operation = Some(Operation { remark, ..operation(state) });
        Ok(Response::new(RequestOperationResponse { operation }))
    }

    async fn decide_operation(
        &self,
        request: Request<DecideOperationRequest>,
    ) -> Result<Response<DecideOperationResponse>, Status> {
        self.decided.lock().unwrap().push(request.into_inner());
        let operation = Some(Operation {
            decided_by: Some("otieno".to_owned()),
            ..operation(OperationState::Done)
        });
        Ok(Response::new(DecideOperationResponse { operation }))
    }

    async fn list_operations(
        &self,
        request: Request<ListOperationsRequest>,
    ) -> Result<Response<ListOperationsResponse>, Status> {
        let first = request.into_inner().before.is_empty();
        let operations = if first { vec![operation(OperationState::Waiting)] } else { Vec::new() };
        Ok(Response::new(ListOperationsResponse { operations }))
    }

    async fn get_promotions(
        &self,
        _: Request<GetPromotionsRequest>,
    ) -> Result<Response<GetPromotionsResponse>, Status> {
        let reservation = PromotionReservation {
            id: "1".to_owned(),
            purpose: "friday-dash".to_owned(),
            amount: kes(700),
            paid: kes(200),
            until: at(),
        };
        Ok(Response::new(GetPromotionsResponse {
            left: kes(5_000),
            reserved: kes(500),
            reservations: vec![reservation],
        }))
    }

    async fn get_taxes(
        &self,
        request: Request<GetTaxesRequest>,
    ) -> Result<Response<GetTaxesResponse>, Status> {
        let GetTaxesRequest { from, to } = request.into_inner();
        assert_eq!((from.as_str(), to.as_str()), ("2027-01-01", "2027-01-31"));
        let excise = TaxSum { tax: TransactionKind::ExciseDuty.into(), sum: kes(1_250), count: 25 };
        Ok(Response::new(GetTaxesResponse { taxes: vec![excise] }))
    }

    async fn get_payout_pause(
        &self,
        _: Request<GetPayoutPauseRequest>,
    ) -> Result<Response<GetPayoutPauseResponse>, Status> {
        Ok(Response::new(GetPayoutPauseResponse { pause: Some(PayoutPause::default()) }))
    }

    async fn pause_payouts(
        &self,
        request: Request<PausePayoutsRequest>,
    ) -> Result<Response<PausePayoutsResponse>, Status> {
        let causes = vec![format!("wanjiru paused them: {}", request.into_inner().reason)];
        let pause = Some(PayoutPause { causes, ..PayoutPause::default() });
        Ok(Response::new(PausePayoutsResponse { pause }))
    }

    async fn resume_payouts(
        &self,
        request: Request<ResumePayoutsRequest>,
    ) -> Result<Response<ResumePayoutsResponse>, Status> {
        let causes = vec![request.into_inner().reason];
        let resume_requested_by = Some("otieno".to_owned());
        let pause = Some(PayoutPause { causes, resume_requested_by });
        Ok(Response::new(ResumePayoutsResponse { pause }))
    }

    async fn list_breaks(
        &self,
        request: Request<ListBreaksRequest>,
    ) -> Result<Response<ListBreaksResponse>, Status> {
        let first = request.into_inner().after.is_empty();
        let found = Break {
            id: "1".to_owned(),
            provider: "M-Pesa".to_owned(),
            reference: "QKL1".to_owned(),
            kind: "MISSING_OURS".to_owned(),
            theirs: kes(100),
            found_at: at(),
            ..Break::default()
        };
        let breaks = if first { vec![found] } else { Vec::new() };
        Ok(Response::new(ListBreaksResponse { breaks }))
    }

    async fn resolve_break(
        &self,
        _: Request<ResolveBreakRequest>,
    ) -> Result<Response<ResolveBreakResponse>, Status> {
        Ok(Response::new(ResolveBreakResponse {}))
    }
}

#[derive(Debug, clap::Parser)]
struct Line {
    #[command(subcommand)]
    command: Command,
}

/// Runs a command line whose questions get `answer`; returns what it prints.
async fn printed(stub: &Stub, line: &str, answer: &str) -> anyhow::Result<String> {
    let words = std::iter::once("money").chain(line.split(' '));
    let command = Line::try_parse_from(words)?.command;
    let routes = Routes::new(MoneyOperationsServiceServer::new(stub.clone()));
    let url = testkit::serve("svc-wallet", routes).await;
    let certificates = testkit::certificates(OPERATORS);
    let connection = connect_untraced(&url, "svc-wallet", certificates, Rng::system())?;
    let mut out = Vec::new();
    run_over(connection, command, &mut answer.as_bytes(), &mut out).await?;
    Ok(String::from_utf8(out)?)
}

#[tokio::test]
async fn all_pages_of_cases_are_listed() {
    let text = printed(&Stub::default(), "cases --kind suspended", "").await.unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[2],
        "3  suspended        KES 100.00  1970-01-01 00:00:00Z  player player  KES 120.00 in suspense"
    );
}

#[tokio::test]
async fn an_operation_is_sent_only_after_yes() {
    let stub = Stub::default();
    let line = "credit --payment pay --amount 12.50 --reason because-it-was-seen";
    for answer in ["", "no\n", "y\n"] {
        let refused = printed(&stub, line, answer).await.unwrap_err();
        assert!(refused.to_string().starts_with("nothing was sent"), "{refused}");
    }
    assert!(stub.asked.lock().unwrap().is_empty());
    let text = printed(&stub, line, "yes\n").await.unwrap();
    assert!(text.starts_with("credit KES 12.50 of payment pay? Type yes: op  done"), "{text}");
    printed(&stub, &format!("{line} --yes --request-id again"), "").await.unwrap();
    let asked = stub.asked.lock().unwrap().clone();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[1].request_id, "again");
    assert_eq!(asked[0].amount, Some(Money::from_cents(1_250).into()));
    assert_ne!(asked[0].request_id, "");
}

#[tokio::test]
async fn what_waits_names_the_next_step_and_a_second_operator_decides() {
    let stub = Stub::default();
    let line = "credit --player player --amount 20000 --reason a-prize-of-the-year --yes";
    let text = printed(&stub, line, "").await.unwrap();
    assert!(text.contains("another operator decides: playonctl money decide op approve"), "{text}");
    let text =
        printed(&stub, "decide op approve --reason the-prize-is-right", "yes\n").await.unwrap();
    assert!(text.contains("by wanjiru, decided by otieno"), "{text}");
    printed(&stub, "decide op refuse --reason the-prize-is-wrong", "").await.unwrap();
    let decided = stub.decided.lock().unwrap().clone();
    assert_eq!(decided.iter().map(|one| one.approve).collect::<Vec<_>>(), [true, false]);
}

#[tokio::test]
async fn what_an_operator_must_know_of_a_refund_is_a_line_of_its_own() {
    let line = "refund pay --reason the-statement-says-so --yes";
    let text = printed(&Stub::default(), line, "").await.unwrap();
    assert!(text.ends_with("\nM-Pesa is asked to reverse it\n"), "{text}");
}

#[tokio::test]
async fn each_command_sends_its_kind() {
    let stub = Stub::default();
    for line in
        ["refund pay", "release pay --receipt QKL2", "confirm pay --receipt QKL1", "approve pay"]
    {
        printed(&stub, &format!("{line} --reason the-statement-says-so --yes"), "").await.unwrap();
    }
    let kinds: Vec<_> =
        stub.asked.lock().unwrap().iter().map(RequestOperationRequest::kind).collect();
    assert_eq!(
        kinds,
        [
            OperationKind::Refund,
            OperationKind::Release,
            OperationKind::Confirm,
            OperationKind::Approve
        ]
    );
    let receipts: Vec<_> =
        stub.asked.lock().unwrap().iter().map(|asked| asked.receipt.clone()).collect();
    assert_eq!(receipts, [None, Some("QKL2".to_owned()), Some("QKL1".to_owned()), None]);
    for line in ["credit --reason long-enough", "confirm pay --reason long-enough", "refund pay"] {
        assert!(printed(&stub, line, "yes\n").await.is_err(), "{line}");
    }
}

#[tokio::test]
async fn promotions_are_funded_by_a_receipt_and_listed_with_their_reservations() {
    let stub = Stub::default();
    let line = "fund --amount 50000 --receipt QKL9 --reason the-prizes-of-december";
    let text = printed(&stub, line, "yes\n").await.unwrap();
    assert!(
        text.starts_with("fund KES 50,000.00 by receipt QKL9? Type yes: op  waiting"),
        "{text}"
    );
    assert_eq!(stub.asked.lock().unwrap()[0].kind(), OperationKind::Fund);
    let text = printed(&stub, "promotions", "").await.unwrap();
    assert_eq!(
        text,
        "left      KES 5,000.00\nreserved  KES 500.00\n\
         1        KES 700.00, paid       KES 200.00  until 1970-01-01 00:00:00Z  friday-dash\n"
    );
}

#[tokio::test]
async fn the_taxes_of_a_month_are_printed() {
    let line = "taxes --from 2027-01-01 --to 2027-01-31";
    assert_eq!(
        printed(&Stub::default(), line, "").await.unwrap(),
        "excise duty          KES 1,250.00  taken 25 times\n"
    );
}

#[tokio::test]
async fn payouts_are_paused_and_resumed() {
    let stub = Stub::default();
    assert_eq!(printed(&stub, "payouts", "").await.unwrap(), "payouts are not paused\n");
    let text = printed(&stub, "pause --reason the-float-is-low", "").await.unwrap();
    assert_eq!(text, "payouts are paused: wanjiru paused them: the-float-is-low\n");
    let text = printed(&stub, "resume --reason compared", "").await.unwrap();
    assert_eq!(
        text,
        "payouts are paused: compared\n\
         otieno resumes them once another operator does: playonctl money resume\n"
    );
}

#[tokio::test]
async fn payments_operations_and_breaks_are_tables() {
    let stub = Stub::default();
    let text = printed(&stub, "inspect pay", "").await.unwrap();
    assert_eq!(text, "1970-01-01 00:00:00Z  state: CREATED (created)\n");
    let text = printed(&stub, "operations --waiting", "").await.unwrap();
    assert!(text.starts_with("op  waiting  credit         KES 120.00  payment pay"), "{text}");
    let text = printed(&stub, "breaks", "").await.unwrap();
    assert!(text.contains("MISSING_OURS   QKL1"), "{text}");
    let line = "resolve 1 --resolution credited-by-hand";
    assert_eq!(printed(&stub, line, "").await.unwrap(), "resolved  1\n");
}
