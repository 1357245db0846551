//! Encoding the contract's replies.

use anyhow::Context as _;
use proto::{
    timestamp,
    types::v1::PaymentStatus,
    wallet::v1::{
        Direction, GetWithdrawChargesResponse, ListWalletContentResponse, Payin,
        Payment as WirePayment, PaymentMethod, PaymentMethodManifest, PaymentType, Payout,
        StatementFormat, SubscriptionPackageManifest, Transaction, TransactionDesc,
        TransactionKind, WatchPaymentsResponse,
    },
};
use types::{Language, Money, PlayerId};

use crate::{
    app::Content,
    document,
    domain::{
        Charge, HistoryLine, JournalKind, ListedMethod, Payment, PaymentKind, State, Statement,
    },
    error::Error,
};

/// A method as a player of this language reads it.
pub(super) fn method(listed: ListedMethod, language: Language) -> PaymentMethod {
    PaymentMethod {
        id: listed.id.to_string(),
        name: listed.name.in_language(language),
        code: listed.method.code().to_owned(),
    }
}

pub(super) fn payment(payment: &Payment) -> WirePayment {
    WirePayment {
        payment_id: payment.id.to_string(),
        status: status(payment.state).into(),
        text: Some(payment.text().into()),
        r#type: match payment.kind {
            PaymentKind::TopUp => PaymentType::Topup.into(),
            PaymentKind::Boost => PaymentType::Boost.into(),
            PaymentKind::Withdrawal => PaymentType::Withdrawal.into(),
            PaymentKind::Subscription => PaymentType::Subscription.into(),
        },
        amount: Some(payment.amount.into()),
        fee: Some(payment.fee.into()),
        tx_gw_session_url: payment.page.clone(),
        held_until: payment.held_until().map(timestamp),
    }
}

pub(super) fn update(payment: &Payment) -> WatchPaymentsResponse {
    WatchPaymentsResponse {
        payment_id: payment.id.to_string(),
        status: status(payment.state).into(),
        text: Some(payment.text().into()),
        held_until: payment.held_until().map(timestamp),
    }
}

const fn status(state: State) -> PaymentStatus {
    match state {
        State::Created | State::Held | State::Submitting => PaymentStatus::Pending,
        State::Submitted => PaymentStatus::InProgress,
        State::Succeeded => PaymentStatus::Completed,
        State::Failed(_) | State::Expired | State::Conflicted => PaymentStatus::Error,
    }
}

/// Encodes a line of history. The specification has one credit, the top-up, and three debits.
pub(super) fn transaction(player: PlayerId, line: HistoryLine) -> Transaction {
    let credit = line.amount > Money::ZERO;
    let desc = match line.kind {
        _ if credit => TransactionDesc::TopupWallet,
        JournalKind::Boost => TransactionDesc::BoostFriend,
        JournalKind::Subscription => TransactionDesc::Subscription,
        JournalKind::TopUp
        | JournalKind::Suspense
        | JournalKind::Award
        | JournalKind::Withdrawal
        | JournalKind::Refund
        | JournalKind::Reversal
        | JournalKind::Credit
        | JournalKind::Fee
        | JournalKind::Funding
        | JournalKind::Former
        | JournalKind::Excise
        | JournalKind::Withholding => TransactionDesc::WithdrawWallet,
    };
    let amount = if credit { line.amount } else { line.amount.checked_neg().unwrap_or_default() };
    let (paid_at, receipt) = (line.paid_at.map(timestamp), line.receipt.clone());
    let (payment, payout) = if line.kind == JournalKind::Withdrawal {
        let transaction_completed_date_time = paid_at.or_else(|| Some(timestamp(line.at)));
        (None, Some(Payout { successful: true, transaction_completed_date_time, receipt }))
    } else {
        (Some(Payin { successful: true, mpesa_transaction_date: paid_at, receipt }), None)
    };
    let counterparty_id = line.other_player().map(|player| player.to_string());
    Transaction {
        id: line.id.to_string(),
        user_id: player.to_string(),
        transaction_desc: desc.into(),
        kind: transaction_kind(line.kind).into(),
        amount: Some(amount.into()),
        direction: if credit { Direction::Credit.into() } else { Direction::Debit.into() },
        balance_after: line.balance_after.map(Into::into),
        detail: line.detail,
        created_at: Some(timestamp(line.at)),
        updated_at: Some(timestamp(line.at)),
        payment,
        payout,
        tax: line.tax.map(Into::into),
        cursor: line.cursor.to_string(),
        counterparty_id,
    }
}

const fn transaction_kind(kind: JournalKind) -> TransactionKind {
    match kind {
        // Fees and fundings move between house accounts only, so no player has them in the history.
        JournalKind::TopUp | JournalKind::Suspense | JournalKind::Fee | JournalKind::Funding => {
            TransactionKind::TopUp
        }
        JournalKind::Boost => TransactionKind::Boost,
        JournalKind::Award => TransactionKind::Prize,
        JournalKind::Withdrawal => TransactionKind::Withdrawal,
        JournalKind::Subscription => TransactionKind::Subscription,
        JournalKind::Refund => TransactionKind::Refund,
        JournalKind::Reversal => TransactionKind::Reversal,
        JournalKind::Credit => TransactionKind::Credit,
        JournalKind::Former => TransactionKind::FormerAccount,
        JournalKind::Excise => TransactionKind::ExciseDuty,
        JournalKind::Withholding => TransactionKind::WithholdingTax,
    }
}

/// Encodes the statement as a document. It is drawn on a separate thread, because thousands of
/// lines take some tenths of a second.
pub(super) async fn statement(
    statement: Statement,
    format: StatementFormat,
) -> Result<Vec<u8>, Error> {
    let drawn = tokio::task::spawn_blocking(move || match format {
        StatementFormat::Pdf => document::pdf(&statement),
        StatementFormat::Csv | StatementFormat::Unspecified => Some(document::csv(&statement)),
    });
    let document = drawn.await.context("the drawing of a statement panicked")?;
    Ok(document.context("the build has broken fonts")?)
}

pub(super) fn charge(charge: Charge) -> GetWithdrawChargesResponse {
    GetWithdrawChargesResponse {
        fee: Some(charge.fee.into()),
        valid_until: charge.valid_until.map(timestamp),
    }
}

pub(super) fn content(content: Content) -> ListWalletContentResponse {
    let packages = content.packages.into_iter().map(|manifest| SubscriptionPackageManifest {
        key: manifest.package.key().to_owned(),
        name: manifest.package.name().to_owned(),
        description: manifest.description.en,
        description_sw: manifest.description.sw,
        amount: Some(manifest.amount.into()),
    });
    let methods = content.methods.into_iter().map(|manifest| PaymentMethodManifest {
        key: manifest.method.key().to_owned(),
        name: manifest.name.en,
        name_sw: manifest.name.sw,
        position: manifest.position.unsigned_abs(),
        enabled: manifest.is_enabled,
    });
    ListWalletContentResponse { packages: packages.collect(), methods: methods.collect() }
}

#[cfg(test)]
mod tests {
    use time::OffsetDateTime;
    use types::uuid::Uuid;

    use super::*;
    use crate::domain::{Counterparty, HouseAccount};

    /// A line of a kind that moved this many cents.
    fn line(kind: JournalKind, cents: i64) -> Transaction {
        let player = PlayerId::from(Uuid::from_u128(1));
        let line = HistoryLine {
            id: Uuid::from_u128(2).into(),
            kind,
            amount: Money::from_cents(cents),
            balance_after: None,
            detail: None,
            counterparty: Counterparty::House(HouseAccount::Promotions),
            cursor: 1,
            at: OffsetDateTime::UNIX_EPOCH,
            tax: None,
            receipt: None,
            paid_at: None,
        };
        transaction(player, line)
    }

    #[test]
    fn every_credit_is_a_top_up_and_no_debit_is() {
        let credits = [
            (JournalKind::TopUp, TransactionKind::TopUp),
            (JournalKind::Boost, TransactionKind::Boost),
            (JournalKind::Award, TransactionKind::Prize),
            (JournalKind::Refund, TransactionKind::Refund),
            (JournalKind::Reversal, TransactionKind::Reversal),
            (JournalKind::Credit, TransactionKind::Credit),
            (JournalKind::Former, TransactionKind::FormerAccount),
        ];
        for (kind, shown) in credits {
            let line = line(kind, 500);
            assert_eq!(
                (line.transaction_desc(), line.kind()),
                (TransactionDesc::TopupWallet, shown)
            );
            assert_eq!(line.direction(), Direction::Credit);
        }
        let debits = [
            (JournalKind::Boost, TransactionDesc::BoostFriend, TransactionKind::Boost),
            (JournalKind::Withdrawal, TransactionDesc::WithdrawWallet, TransactionKind::Withdrawal),
            (
                JournalKind::Subscription,
                TransactionDesc::Subscription,
                TransactionKind::Subscription,
            ),
            (JournalKind::Refund, TransactionDesc::WithdrawWallet, TransactionKind::Refund),
            (JournalKind::Reversal, TransactionDesc::WithdrawWallet, TransactionKind::Reversal),
            (JournalKind::Former, TransactionDesc::WithdrawWallet, TransactionKind::FormerAccount),
            (JournalKind::Excise, TransactionDesc::WithdrawWallet, TransactionKind::ExciseDuty),
            (
                JournalKind::Withholding,
                TransactionDesc::WithdrawWallet,
                TransactionKind::WithholdingTax,
            ),
        ];
        for (kind, desc, shown) in debits {
            let line = line(kind, -500);
            assert_eq!((line.transaction_desc(), line.kind()), (desc, shown));
            assert_eq!(
                (line.direction(), line.amount),
                (Direction::Debit, Some(Money::from_cents(500).into()))
            );
        }
    }
}
