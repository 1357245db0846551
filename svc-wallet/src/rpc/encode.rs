//! Replies of the contract.

use proto::{
    timestamp,
    types::v1::{Change as WireChange, PaymentStatus},
    wallet::v1::{
        Direction, ListWalletContentResponse, Payin, Payment as WirePayment, PaymentMethod,
        PaymentMethodManifest, PaymentType, SubscriptionPackageManifest, Transaction,
        TransactionDesc, WatchPaymentsResponse,
    },
};
use types::{Change, Money, PlayerId};

use crate::{
    app::Content,
    domain::{HistoryLine, JournalKind, Kind, ListedMethod, Payment, State},
};

pub(super) fn method(listed: ListedMethod) -> PaymentMethod {
    PaymentMethod {
        id: listed.id.to_string(),
        name: listed.name,
        code: listed.method.code().to_owned(),
    }
}

pub(super) fn payment(payment: &Payment) -> WirePayment {
    WirePayment {
        payment_id: payment.id.to_string(),
        status: status(payment.state).into(),
        message: payment.message(),
        r#type: match payment.kind {
            Kind::TopUp => PaymentType::Topup.into(),
            Kind::Boost => PaymentType::Boost.into(),
        },
        amount: Some(payment.amount.into()),
        fee: Some(payment.fee.into()),
        tx_gw_session_url: None,
    }
}

pub(super) fn update(payment: &Payment) -> WatchPaymentsResponse {
    WatchPaymentsResponse {
        payment_id: payment.id.to_string(),
        status: status(payment.state).into(),
        message: payment.message(),
    }
}

const fn status(state: State) -> PaymentStatus {
    match state {
        State::Created | State::Submitting => PaymentStatus::Pending,
        State::Submitted => PaymentStatus::InProgress,
        State::Succeeded => PaymentStatus::Completed,
        State::Failed(_) | State::Expired | State::Conflicted => PaymentStatus::Error,
    }
}

/// A line of history. A boost is a top-up for the friend who gets it, and so is an award for
/// its winner, because the specification knows no other credit. Its detail says what it is.
pub(super) fn transaction(player: PlayerId, line: HistoryLine) -> Transaction {
    let credit = line.amount > Money::ZERO;
    let desc = match (line.kind, credit) {
        (JournalKind::Boost, false) => TransactionDesc::BoostFriend,
        (
            JournalKind::TopUp | JournalKind::Boost | JournalKind::Suspense | JournalKind::Award,
            _,
        ) => TransactionDesc::TopupWallet,
    };
    let amount = if credit { line.amount } else { line.amount.checked_neg().unwrap_or_default() };
    Transaction {
        id: line.journal.to_string(),
        user_id: player.to_string(),
        transaction_desc: desc.into(),
        amount: Some(amount.into()),
        direction: if credit { Direction::Credit.into() } else { Direction::Debit.into() },
        balance_after: Some(line.balance_after.into()),
        detail: line.detail,
        created_at: Some(timestamp(line.at)),
        updated_at: Some(timestamp(line.at)),
        payment: Some(Payin {
            successful: true,
            mpesa_transaction_date: line.paid_at.map(timestamp),
            receipt: line.receipt,
        }),
        payout: None,
    }
}

pub(super) fn change(change: Change) -> WireChange {
    match change {
        Change::Created => WireChange::Created,
        Change::Updated => WireChange::Updated,
        Change::Unchanged => WireChange::Unchanged,
        Change::Deleted => WireChange::Deleted,
    }
}

pub(super) fn content(content: Content) -> ListWalletContentResponse {
    let packages = content.packages.into_iter().map(|manifest| SubscriptionPackageManifest {
        key: manifest.package.key().to_owned(),
        name: manifest.package.name().to_owned(),
        description: manifest.description,
        amount: Some(manifest.amount.into()),
    });
    let methods = content.methods.into_iter().map(|manifest| PaymentMethodManifest {
        key: manifest.method.key().to_owned(),
        name: manifest.name,
        position: manifest.position.unsigned_abs(),
        enabled: manifest.is_enabled,
    });
    ListWalletContentResponse { packages: packages.collect(), methods: methods.collect() }
}
