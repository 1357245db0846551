//! A player's money. svc-wallet validates amounts and methods.

use axum::extract::State;
use proto::{
    Absent,
    types::v1::PaymentStatus,
    wallet::v1::{
        self as rpc, Direction, GetBalanceRequest, GetPaymentRequest, GetTransactionRequest,
        ListPaymentMethodsRequest, ListTransactionsRequest, PaymentType, TopUpRequest,
        TransactionDesc, TransactionKind,
    },
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    HandlerResult,
    body::{Body, request},
    param::{PageQuery, Query, RequestId, Segment},
    wire::{At, Kes},
};
use crate::{Gateway, envelope::Reply, language, openapi::schema::payloads};

/// `GET /payment-methods/list`
pub(crate) async fn payment_methods(
    State(gateway): State<Gateway>,
) -> HandlerResult<Vec<PaymentMethod>> {
    let mut wallet = gateway.upstreams().wallet();
    let reply = wallet.list_payment_methods(ListPaymentMethodsRequest {}).await?;
    let methods = reply.into_inner().payment_methods;
    Ok(Reply::ok(methods.into_iter().map(Into::into).collect()))
}

/// `GET /wallets/balance`
pub(crate) async fn balance(State(gateway): State<Gateway>) -> HandlerResult<Balance> {
    let mut wallet = gateway.upstreams().wallet();
    let balance = wallet.get_balance(GetBalanceRequest {}).await?.into_inner();
    Ok(Reply::ok(balance.try_into()?))
}

/// `GET /wallets/list`
pub(crate) async fn transactions(
    State(gateway): State<Gateway>,
    Query(rest): Query<ReadOn>,
    // This extractor comes last, because its field names differ from the contract's.
    PageQuery { page, page_size }: PageQuery,
) -> HandlerResult<Vec<Transaction>> {
    let request = ListTransactionsRequest { page, page_size, before: rest.before };
    let reply = gateway.upstreams().wallet().list_transactions(request).await?;
    let list = reply.into_inner().transactions;
    let list: Result<_, Absent> = list.into_iter().map(TryInto::try_into).collect();
    Ok(Reply::ok(list?))
}

/// `GET /wallets/transactions/{id}`
pub(crate) async fn transaction(
    State(gateway): State<Gateway>,
    Segment(transaction_id): Segment,
) -> HandlerResult<Transaction> {
    let request = GetTransactionRequest { transaction_id };
    let reply = gateway.upstreams().wallet().get_transaction(request).await?;
    let transaction = reply.into_inner().transaction.ok_or(Absent("transaction"))?;
    Ok(Reply::ok(transaction.try_into()?))
}

/// `POST /payments/top-up`
pub(crate) async fn top_up(
    State(gateway): State<Gateway>,
    RequestId(request_id): RequestId,
    Body(body): Body<TopUp>,
) -> HandlerResult<Payment> {
    let request = TopUpRequest {
        request_id,
        payment_method_id: body.payment_method_id,
        amount: Some(body.amount.0.into()),
        mpesa_phone_number: body.mpesa_phone_number,
        beneficiary_id: body.beneficiary_id,
    };
    let reply = gateway.upstreams().wallet().top_up(request).await?;
    Ok(Reply::ok(reply.into_inner().payment.try_into()?))
}

/// `GET /payments/{id}`
pub(crate) async fn payment(
    State(gateway): State<Gateway>,
    Segment(payment_id): Segment,
) -> HandlerResult<Payment> {
    let request = GetPaymentRequest { payment_id };
    let reply = gateway.upstreams().wallet().get_payment(request).await?;
    Ok(Reply::ok(reply.into_inner().payment.try_into()?))
}

request! {
    /// Where the next page begins.
    pub(crate) struct ReadOn {
        /// The cursor of the last transaction that the reader has. With it, `page` has no
        /// meaning.
        before: Option<String> = "before",
    }
}

request! {
    /// A top-up of the player's wallet, or of a friend's.
    pub(crate) struct TopUp {
        payment_method_id: String = "paymentMethodId",
        amount: Kes = "amount",
        /// The phone that is asked to pay; without it, the profile's.
        mpesa_phone_number: Option<String> = "mpesaPhoneNumber",
        /// The friend whose wallet is topped up; without it, the player's own.
        beneficiary_id: Option<String> = "userId",
    }
}

payloads!(PaymentMethod, Balance, Payment, Transaction);

/// A payment method.
#[derive(Serialize, ToSchema)]
pub(crate) struct PaymentMethod {
    id: String,
    name: String,
    code: String,
}

impl From<rpc::PaymentMethod> for PaymentMethod {
    fn from(method: rpc::PaymentMethod) -> Self {
        Self { id: method.id, name: method.name, code: method.code }
    }
}

/// The balance of a wallet.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Balance {
    balance: Kes,
    /// The part of the balance that is not held for a payout.
    available: Kes,
    /// The excise duty on a top-up today, in hundredths of a percent; 0 while there is none.
    top_up_tax: u32,
}

impl TryFrom<rpc::GetBalanceResponse> for Balance {
    type Error = Absent;

    fn try_from(reply: rpc::GetBalanceResponse) -> Result<Self, Absent> {
        Ok(Self {
            balance: Kes::promised(reply.balance, "balance")?,
            available: Kes::promised(reply.available, "available")?,
            top_up_tax: reply.top_up_tax,
        })
    }
}

/// The state of a payment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Status {
    Pending,
    InProgress,
    Completed,
    Error,
}

/// The purpose of a payment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum PaymentKind {
    Topup,
    Boost,
    Withdrawal,
    Subscription,
}

/// A payment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Payment {
    payment_id: String,
    #[schema(inline)]
    status: Status,
    message: String,
    #[serde(rename = "type")]
    #[schema(inline)]
    kind: PaymentKind,
    amount: Kes,
    fee: Kes,
    /// The page of a card payment.
    tx_gw_session_url: Option<String>,
    /// By when operators decide on a withdrawal that they look at before it is sent.
    held_until: Option<At>,
}

impl TryFrom<Option<rpc::Payment>> for Payment {
    type Error = Absent;

    fn try_from(payment: Option<rpc::Payment>) -> Result<Self, Absent> {
        let payment = payment.ok_or(Absent("payment"))?;
        Ok(Self {
            status: match payment.status() {
                PaymentStatus::Unspecified => return Err(Absent("status")),
                PaymentStatus::Pending => Status::Pending,
                PaymentStatus::InProgress => Status::InProgress,
                PaymentStatus::Completed => Status::Completed,
                PaymentStatus::Error => Status::Error,
            },
            kind: match payment.r#type() {
                PaymentType::Unspecified => return Err(Absent("type")),
                PaymentType::Topup => PaymentKind::Topup,
                PaymentType::Boost => PaymentKind::Boost,
                PaymentType::Withdrawal => PaymentKind::Withdrawal,
                PaymentType::Subscription => PaymentKind::Subscription,
            },
            payment_id: payment.payment_id,
            message: language::render(payment.text),
            amount: Kes::promised(payment.amount, "amount")?,
            fee: Kes::promised(payment.fee, "fee")?,
            tx_gw_session_url: payment.tx_gw_session_url,
            held_until: At::optional(payment.held_until, "held_until")?,
        })
    }
}

/// What the specification calls a transaction: `TOPUP_WALLET` for every credit.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Subject {
    TopupWallet,
    WithdrawWallet,
    BoostFriend,
    Subscription,
}

/// The event that moved the money of a transaction.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Event {
    TopUp,
    Boost,
    Prize,
    Withdrawal,
    Subscription,
    Refund,
    Reversal,
    Credit,
    FormerAccount,
    ExciseDuty,
    WithholdingTax,
}

impl Event {
    /// The kind of a transaction. A svc-wallet before kinds sends none: its description is all that
    /// is known then.
    fn of(line: &rpc::Transaction) -> Result<Self, Absent> {
        Ok(match line.kind() {
            TransactionKind::TopUp => Self::TopUp,
            TransactionKind::Boost => Self::Boost,
            TransactionKind::Prize => Self::Prize,
            TransactionKind::Withdrawal => Self::Withdrawal,
            TransactionKind::Subscription => Self::Subscription,
            TransactionKind::Refund => Self::Refund,
            TransactionKind::Reversal => Self::Reversal,
            TransactionKind::Credit => Self::Credit,
            TransactionKind::FormerAccount => Self::FormerAccount,
            TransactionKind::ExciseDuty => Self::ExciseDuty,
            TransactionKind::WithholdingTax => Self::WithholdingTax,
            TransactionKind::Unspecified => match line.transaction_desc() {
                TransactionDesc::Unspecified => return Err(Absent("kind")),
                TransactionDesc::TopupWallet => Self::TopUp,
                TransactionDesc::WithdrawWallet => Self::Withdrawal,
                TransactionDesc::BoostFriend => Self::Boost,
                TransactionDesc::Subscription => Self::Subscription,
            },
        })
    }
}

/// Whether money came in or went out.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Flow {
    Credit,
    Debit,
}

/// A transaction of a wallet.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Transaction {
    id: String,
    user_id: String,
    #[schema(inline)]
    transaction_desc: Subject,
    transaction_desc_id: String,
    #[schema(inline)]
    kind: Event,
    amount: Kes,
    #[schema(inline)]
    direction: Flow,
    balance_after: Option<Kes>,
    detail: Option<String>,
    created_at: At,
    updated_at: At,
    payment: Option<Payin>,
    payout: Option<Payout>,
    /// The transaction's place in the history, for `before`.
    cursor: String,
    /// The other player of a boost.
    counterparty_id: Option<String>,
    /// The tax that was taken of this money.
    tax: Option<Kes>,
}

impl TryFrom<rpc::Transaction> for Transaction {
    type Error = Absent;

    fn try_from(line: rpc::Transaction) -> Result<Self, Absent> {
        Ok(Self {
            transaction_desc: match line.transaction_desc() {
                TransactionDesc::Unspecified => return Err(Absent("transaction_desc")),
                TransactionDesc::TopupWallet => Subject::TopupWallet,
                TransactionDesc::WithdrawWallet => Subject::WithdrawWallet,
                TransactionDesc::BoostFriend => Subject::BoostFriend,
                TransactionDesc::Subscription => Subject::Subscription,
            },
            transaction_desc_id: line.transaction_desc.to_string(),
            kind: Event::of(&line)?,
            direction: match line.direction() {
                Direction::Unspecified => return Err(Absent("direction")),
                Direction::Credit => Flow::Credit,
                Direction::Debit => Flow::Debit,
            },
            id: line.id,
            user_id: line.user_id,
            amount: Kes::promised(line.amount, "amount")?,
            balance_after: Kes::optional(line.balance_after),
            detail: line.detail,
            created_at: At::promised(line.created_at, "created_at")?,
            updated_at: At::promised(line.updated_at, "updated_at")?,
            payment: line.payment.map(TryInto::try_into).transpose()?,
            payout: line.payout.map(TryInto::try_into).transpose()?,
            tax: Kes::optional(line.tax),
            cursor: line.cursor,
            counterparty_id: line.counterparty_id,
        })
    }
}

/// The payment of a transaction.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Payin {
    successful: bool,
    mpesa_transaction_date: Option<At>,
    /// The specification spells the field both ways, so both are sent.
    #[serde(rename = "mpesaRransactionDate")]
    mpesa_transaction_date_misspelt: Option<At>,
    receipt: Option<String>,
}

impl TryFrom<rpc::Payin> for Payin {
    type Error = Absent;

    fn try_from(payin: rpc::Payin) -> Result<Self, Absent> {
        let date = At::optional(payin.mpesa_transaction_date, "mpesa_transaction_date")?;
        Ok(Self {
            successful: payin.successful,
            mpesa_transaction_date: date,
            mpesa_transaction_date_misspelt: date,
            receipt: payin.receipt,
        })
    }
}

/// The payout of a transaction.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Payout {
    successful: bool,
    transaction_completed_date_time: Option<At>,
    receipt: Option<String>,
}

impl TryFrom<rpc::Payout> for Payout {
    type Error = Absent;

    fn try_from(payout: rpc::Payout) -> Result<Self, Absent> {
        Ok(Self {
            successful: payout.successful,
            transaction_completed_date_time: At::optional(
                payout.transaction_completed_date_time,
                "transaction_completed_date_time",
            )?,
            receipt: payout.receipt,
        })
    }
}
