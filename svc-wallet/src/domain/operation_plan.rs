//! Plans the effects of an operation on a payment, from what the books have of the payment.

use types::{Money, PlayerId};

use super::{
    Evidence, Failure, HouseAccount, JournalId, JournalKind, Method, Payment, PaymentKind,
    ProviderRefusal, ReversalSource, Side, State,
    operation::{
        Dispute, Facts, InvalidOperation, LateReversal, NewOperation, NewReversal, OperationKind,
        Plan, SecondReceipt, Step, UnknownReversal,
    },
    stored_detail,
};

impl NewOperation {
    /// Plans the operation. `facts` is `None` for a credit without a payment.
    pub(crate) fn plan(&self, facts: Option<&Facts>) -> Result<Plan, InvalidOperation> {
        match (self.kind, facts) {
            (OperationKind::Credit, None) => self.promotion(),
            (OperationKind::Fund, None) => self.fund(),
            (OperationKind::Fund, Some(_)) => {
                Err(InvalidOperation::new("payment_id", "is not of FUND"))
            }
            (OperationKind::Credit, Some(facts)) => self.credit(facts),
            (OperationKind::Refund, Some(facts)) => self.refund(facts),
            (OperationKind::Confirm, Some(facts)) => self.confirm(facts),
            (OperationKind::Release, Some(facts)) => self.release(facts),
            (OperationKind::Approve, Some(facts)) => Self::approve(facts),
            (OperationKind::Outflow, Some(facts)) => self.outflow(facts),
            (_, None) => Err(InvalidOperation::new("payment_id", "is missing")),
        }
    }

    fn promotion(&self) -> Result<Plan, InvalidOperation> {
        let missing = |field| InvalidOperation::new(field, "is missing");
        let player = self.player.ok_or_else(|| missing("player_id"))?;
        let amount = self.amount.ok_or_else(|| missing("amount"))?;
        let step = credit(HouseAccount::Promotions, player, stored_detail::GIFT);
        Ok(Plan { notify: Some(player), ..Plan::new(amount, step) })
    }

    /// Plans the posting of money that PlayOn paid in for promotions. One operator alone must not
    /// say that there is more to give away, so a second one compares it with M-Pesa's statement.
    fn fund(&self) -> Result<Plan, InvalidOperation> {
        let amount = self.amount.ok_or_else(|| InvalidOperation::new("amount", "is missing"))?;
        let step = Step::Post {
            kind: JournalKind::Funding,
            from: Side::House(HouseAccount::MpesaUtility),
            to: Side::House(HouseAccount::Promotions),
            reverses: None,
        };
        Ok(Plan { needs_second_operator: true, ..Plan::new(amount, step) })
    }

    fn credit(&self, facts: &Facts) -> Result<Plan, InvalidOperation> {
        let player = self.player.unwrap_or(facts.payment.beneficiary);
        if let Some(late) = &facts.late_reversal {
            return Err(late.comes_first());
        }
        if facts.payment.method == Method::SafaricomCredit {
            let problem = "was paid by airtime, which is never money in a wallet: refund takes it \
                           out of the books, and the carrier gives it back";
            return Err(InvalidOperation::new("payment_id", problem));
        }
        if facts.suspended > Money::ZERO {
            let amount = self.amount.unwrap_or(facts.suspended);
            at_most(amount, facts.suspended, "in suspense")?;
            let step = credit(HouseAccount::Suspense, player, stored_detail::CORRECTION);
            return Ok(Plan { notify: Some(player), ..Plan::new(amount, step) });
        }
        if let Some(second) = &facts.second {
            second.is_of_payment_in(&facts.payment)?;
            let amount = second_amount(self.amount, second)?;
            let from = facts.payment.source().unwrap_or(HouseAccount::MpesaUtility);
            let step = credit(from, player, stored_detail::CORRECTION);
            let settles = Some(second.receipt.clone());
            return Ok(Plan { settles, notify: Some(player), ..Plan::new(amount, step) });
        }
        Err(InvalidOperation::new("payment_id", "has nothing in suspense and no second receipt"))
    }

    fn refund(&self, facts: &Facts) -> Result<Plan, InvalidOperation> {
        if let Some(unknown) = &facts.unknown_reversal {
            return self.resend(unknown);
        }
        if let Some(late) = &facts.late_reversal {
            return self.take_late(facts, late);
        }
        let payment = &facts.payment;
        let provider = payment.source().unwrap_or(HouseAccount::MpesaUtility);
        let to_provider = Side::House(provider);
        if facts.suspended > Money::ZERO {
            let amount = self.amount.unwrap_or(facts.suspended);
            at_most(amount, facts.suspended, "in suspense")?;
            let from = Side::House(HouseAccount::Suspense);
            let step = reverse(facts, ReversalSource::Suspense, amount)
                .unwrap_or_else(|| refund(from, to_provider, facts.journal));
            return Ok(Plan::new(amount, step));
        }
        if let Some(second) = &facts.second {
            second.is_of_payment_in(payment)?;
            let amount = second_amount(self.amount, second)?;
            let settles = Some(second.receipt.clone());
            let step = reverse_second(payment, second, amount).unwrap_or(Step::Note);
            return Ok(Plan { settles, ..Plan::new(amount, step) });
        }
        if payment.kind == PaymentKind::Subscription && payment.state == State::Succeeded {
            return self.refund_subscription(facts);
        }
        let is_credited = matches!(payment.kind, PaymentKind::TopUp | PaymentKind::Boost);
        let post = |detail: &str| {
            let from =
                Side::Wallet { player: payment.beneficiary, detail: Some(detail.to_owned()) };
            refund(from, to_provider, facts.journal)
        };
        let step = match (payment.method, facts.dispute) {
            (Method::Mpesa, _) => post(stored_detail::MPESA_REFUND),
            (Method::Card, None) => Step::RefundCard { reverses: facts.journal },
            (Method::Card, Some(Dispute::Lost)) => post(stored_detail::CARD_DISPUTE_LOST),
            (Method::Card, Some(Dispute::Open)) => {
                return Err(wrong_state(payment, "is disputed, and Paystack decides first"));
            }
            _ => return Err(wrong_state(payment, "is not refunded")),
        };
        if payment.state != State::Succeeded || !is_credited {
            return Err(wrong_state(payment, "is not refunded"));
        }
        let left = payment.amount.checked_sub(facts.refunded).unwrap_or_default();
        let amount = self.amount.unwrap_or(left);
        at_most(amount, left, "to give back")?;
        let step = reverse(facts, ReversalSource::Wallet, amount).unwrap_or(step);
        Ok(Plan::new(amount, step))
    }

    /// Sends a reversal whose outcome is unknown again, whole.
    fn resend(&self, unknown: &UnknownReversal) -> Result<Plan, InvalidOperation> {
        let UnknownReversal { id, amount, .. } = *unknown;
        if unknown.is_of_other_amount {
            let problem = "has a reversal of another amount: confirm or release ends it";
            return Err(InvalidOperation::new("payment_id", problem));
        }
        self.is_whole(amount, "whose reversal has an unknown outcome")?;
        let step = Step::ResendReversal(id);
        Ok(Plan::new(amount, step))
    }

    /// Takes the money of a late reversal out of its source, and has M-Pesa say once more that it
    /// is reversed. The source is the wallet if suspense or a second receipt was credited
    /// meanwhile.
    fn take_late(&self, facts: &Facts, late: &LateReversal) -> Result<Plan, InvalidOperation> {
        let LateReversal { receipt, amount, .. } = late;
        self.is_whole(*amount, "which M-Pesa has reversed")?;
        let source = late.source_now(facts);
        let is_second = late.source == ReversalSource::SecondReceipt;
        let new = NewReversal {
            receipt: receipt.clone(),
            source,
            reverses: facts.journal.filter(|_| !is_second),
        };
        let settles = (source == ReversalSource::SecondReceipt).then(|| receipt.clone());
        let step = Step::ReverseMpesa(new);
        Ok(Plan { settles, ..Plan::new(*amount, step) })
    }

    /// Refuses another amount than `amount`, which can only be given back whole.
    fn is_whole(&self, amount: Money, what: &str) -> Result<(), InvalidOperation> {
        if self.amount.is_some_and(|asked| asked != amount) {
            return Err(InvalidOperation::new("amount", format!("is not {amount}, {what}")));
        }
        Ok(())
    }

    /// Plans the refund of a package: whole, to the wallet of its payer, and the package ends. A
    /// package that was paid by airtime is refunded by the carrier, because airtime is never money
    /// in a wallet.
    fn refund_subscription(&self, facts: &Facts) -> Result<Plan, InvalidOperation> {
        let Payment { amount, payer, .. } = facts.payment;
        if facts.refunded > Money::ZERO {
            return Err(InvalidOperation::new("payment_id", "has nothing left to give back"));
        }
        if facts.dispute.is_some() {
            // The card's owner has the money already, or may get it.
            return Err(InvalidOperation::new("payment_id", "is disputed by the card's owner"));
        }
        if self.amount.is_some_and(|asked| asked != amount) {
            let problem = format!("is not {amount}: a package is given back whole");
            return Err(InvalidOperation::new("amount", problem));
        }
        let from = Side::House(HouseAccount::SubscriptionRevenue);
        if facts.payment.method == Method::SafaricomCredit {
            let step = refund(from, Side::House(HouseAccount::CarrierReceivable), facts.journal);
            return Ok(Plan { revokes: Some(payer), ..Plan::new(amount, step) });
        }
        let step = refund(from, Side::wallet(payer), facts.journal);
        Ok(Plan { revokes: Some(payer), notify: Some(payer), ..Plan::new(amount, step) })
    }

    /// Frees what a withdrawal holds. A withdrawal that M-Pesa has, and that is no case yet, may be
    /// paid at any moment, so two operators compare it with the portal. If it was paid after its
    /// hold was freed, PlayOn bears the loss. A release that concerns a receipt names it: an
    /// operation that waits must not close another case than the one that it was requested for.
    fn release(&self, facts: &Facts) -> Result<Plan, InvalidOperation> {
        if let Some(receipt) = &self.receipt {
            return release_receipt(facts, receipt);
        }
        if let Some(UnknownReversal { id, amount, .. }) = facts.unknown_reversal {
            let step = Step::EndReversal { id, receipt: None };
            return Ok(Plan::new(amount, step));
        }
        let payment = &facts.payment;
        if let Some(plan) = paid_after_failure(facts, Side::House(HouseAccount::Promotions)) {
            return Ok(plan);
        }
        if let Some(plan) = release_charge(facts) {
            return Ok(plan);
        }
        let late = facts.late_reversal.as_ref().map(|late| &late.receipt);
        if let Some(receipt) = late.or(facts.second.as_ref().map(|second| &second.receipt)) {
            let problem = format!("is missing: {receipt} is the one that may be closed");
            return Err(InvalidOperation::new("receipt", problem));
        }
        if payment.kind != PaymentKind::Withdrawal || payment.state.is_final() {
            return Err(wrong_state(payment, "is no withdrawal that waits"));
        }
        let step = Step::Settle(refused());
        let is_sent = matches!(payment.state, State::Submitting | State::Submitted);
        let needs_second_operator = is_sent && !facts.is_overdue;
        Ok(Plan { needs_second_operator, ..Plan::new(payment.amount, step) })
    }

    fn approve(facts: &Facts) -> Result<Plan, InvalidOperation> {
        let payment = &facts.payment;
        if payment.kind != PaymentKind::Withdrawal || payment.state != State::Held {
            return Err(wrong_state(payment, "is no withdrawal that is held"));
        }
        let (amount, step) = (payment.amount, Step::Send);
        Ok(Plan::new(amount, step))
    }

    /// Posts money that left M-Pesa a second time for a withdrawal, so that the books and M-Pesa
    /// agree. A confirm or a release decides afterwards who bears the loss.
    fn outflow(&self, facts: &Facts) -> Result<Plan, InvalidOperation> {
        let second = facts.second.as_ref();
        let second = second.filter(|second| Some(&second.receipt) == self.receipt.as_ref());
        let Some(second) = second.filter(|_| facts.payment.kind == PaymentKind::Withdrawal) else {
            let problem = "is no second receipt of a withdrawal that is open";
            return Err(InvalidOperation::new("receipt", problem));
        };
        let amount = second_amount(self.amount, second)?;
        let step = Step::Post {
            kind: JournalKind::Suspense,
            from: Side::House(HouseAccount::Suspense),
            to: Side::House(HouseAccount::MpesaUtility),
            reverses: None,
        };
        Ok(Plan { settles: Some(second.receipt.clone()), ..Plan::new(amount, step) })
    }

    fn confirm(&self, facts: &Facts) -> Result<Plan, InvalidOperation> {
        if let Some(unknown) = &facts.unknown_reversal {
            self.is_of_reversal(facts, unknown)?;
            let UnknownReversal { id, amount, .. } = *unknown;
            let step = Step::EndReversal { id, receipt: self.receipt.clone() };
            return Ok(Plan::new(amount, step));
        }
        if let Some((id, amount)) = facts.unknown_refund {
            return Ok(Plan::new(amount, Step::EndRefund { id, is_done: true }));
        }
        let payment = &facts.payment;
        let wallet = Side::Wallet { player: payment.payer, detail: None };
        if let Some(plan) = paid_after_failure(facts, wallet) {
            return Ok(plan);
        }
        // A database that has lost commits may have a withdrawal that was paid as one not yet sent.
        let is_payout = payment.kind == PaymentKind::Withdrawal && !payment.state.is_final();
        // For a card, Paystack is asked instead: it knows every transaction.
        let is_payment_in = payment.kind != PaymentKind::Withdrawal
            && matches!(payment.method, Method::Mpesa | Method::SafaricomCredit);
        let is_open = !matches!(payment.state, State::Succeeded | State::Conflicted);
        if !(is_payout || is_payment_in && is_open) {
            return Err(wrong_state(payment, "is not confirmed"));
        }
        let evidence = Evidence::Paid {
            receipt: self.receipt.clone(),
            amount: Some(payment.amount),
            at: None,
        };
        let step = Step::Settle(evidence);
        let needs_second_operator = matches!(payment.state, State::Created | State::Held)
            && payment.kind == PaymentKind::Withdrawal;
        Ok(Plan { needs_second_operator, ..Plan::new(payment.amount, step) })
    }

    /// Refuses a receipt of incoming money, because M-Pesa's receipt of the reversal is needed.
    fn is_of_reversal(
        &self,
        facts: &Facts,
        unknown: &UnknownReversal,
    ) -> Result<(), InvalidOperation> {
        let came = [
            Some(&unknown.receipt),
            facts.received.as_ref().map(|received| &received.receipt),
            facts.second.as_ref().map(|second| &second.receipt),
        ];
        let asked = self.receipt.as_deref().unwrap_or_default();
        if came.into_iter().flatten().any(|receipt| receipt.eq_ignore_ascii_case(asked)) {
            let problem = "is the payment's: the one of its reversal is needed";
            return Err(InvalidOperation::new("receipt", problem));
        }
        Ok(())
    }
}

impl SecondReceipt {
    /// Refuses a receipt of a withdrawal: it records money leaving.
    fn is_of_payment_in(&self, payment: &Payment) -> Result<(), InvalidOperation> {
        if payment.kind != PaymentKind::Withdrawal {
            return Ok(());
        }
        let problem = format!(
            "was paid twice: outflow posts receipt {}, release closes one that M-Pesa does not know",
            self.receipt
        );
        Err(InvalidOperation::new("payment_id", problem))
    }
}

impl LateReversal {
    /// Returns where the money of the reversal is now.
    fn source_now(&self, facts: &Facts) -> ReversalSource {
        match self.source {
            ReversalSource::Suspense if facts.suspended >= self.amount => ReversalSource::Suspense,
            ReversalSource::SecondReceipt if self.is_open => ReversalSource::SecondReceipt,
            _ => ReversalSource::Wallet,
        }
    }

    fn comes_first(&self) -> InvalidOperation {
        let problem = format!(
            "has receipt {}, which M-Pesa reversed after its money had been returned: refund takes \
             it out again first",
            self.receipt
        );
        InvalidOperation::new("payment_id", problem)
    }
}

/// Closes the case of a receipt without moving money to a player: a second receipt that M-Pesa does
/// not know, or one that M-Pesa reversed late and whose money the player has spent.
fn release_receipt(facts: &Facts, receipt: &str) -> Result<Plan, InvalidOperation> {
    let payment = &facts.payment;
    if let Some(late) = facts.late_reversal.as_ref().filter(|late| late.receipt == receipt) {
        if late.source_now(facts) != ReversalSource::Wallet {
            return Err(late.comes_first());
        }
        let step = Step::BearLoss { id: late.id, reverses: facts.journal };
        let amount = late.amount;
        return Ok(Plan::new(amount, step));
    }
    let second = facts.second.as_ref().filter(|second| second.receipt == receipt);
    let Some(second) = second else {
        let problem = "is no second receipt that is open, nor one that was reversed late";
        return Err(InvalidOperation::new("receipt", problem));
    };
    // M-Pesa does not know the receipt, so it moved no money.
    let amount = second.amount.unwrap_or(payment.amount);
    let settles = Some(second.receipt.clone());
    Ok(Plan { settles, ..Plan::new(amount, Step::Note) })
}

/// Ends as failed a refund to a card, or a charge to airtime, without an outcome, or closes the
/// mismatch or contradiction of a card payment.
fn release_charge(facts: &Facts) -> Option<Plan> {
    let payment = &facts.payment;
    if let Some((id, amount)) = facts.unknown_refund {
        return Some(Plan::new(amount, Step::EndRefund { id, is_done: false }));
    }
    if let Some((id, amount)) = facts.contradicted_refund {
        return Some(Plan::new(amount, Step::CloseContradiction(id)));
    }
    if facts.has_mismatch {
        return Some(Plan::new(payment.amount, Step::CloseMismatch));
    }
    let is_charge = payment.method == Method::SafaricomCredit
        && matches!(payment.state, State::Submitting | State::Submitted | State::Expired);
    is_charge.then(|| Plan::new(payment.amount, Step::Settle(refused())))
}

/// Returns the evidence of an operator who saw that nothing was paid.
fn refused() -> Evidence {
    let refusal = ProviderRefusal { failure: Failure::ProviderError, code: "OPERATOR".to_owned() };
    Evidence::Refused { refusal }
}

fn credit(from: HouseAccount, player: PlayerId, detail: &str) -> Step {
    Step::Post {
        kind: JournalKind::Credit,
        from: Side::House(from),
        to: Side::Wallet { player, detail: Some(detail.to_owned()) },
        reverses: None,
    }
}

const fn refund(from: Side, to: Side, reverses: Option<JournalId>) -> Step {
    Step::Post { kind: JournalKind::Refund, from, to, reverses }
}

/// Returns the reversal of all money that came from M-Pesa under one receipt; `None` if `amount` is
/// a part of it, or the receipt is not known.
fn reverse(facts: &Facts, source: ReversalSource, amount: Money) -> Option<Step> {
    let received = facts.received.as_ref()?;
    let is_whole = amount == received.amount && amount.whole_shillings().is_some();
    (facts.payment.method == Method::Mpesa && is_whole).then(|| {
        let (receipt, reverses) = (received.receipt.clone(), facts.journal);
        Step::ReverseMpesa(NewReversal { receipt, source, reverses })
    })
}

/// Returns the reversal of a second receipt.
fn reverse_second(payment: &Payment, second: &SecondReceipt, amount: Money) -> Option<Step> {
    (payment.method == Method::Mpesa && amount.whole_shillings().is_some()).then(|| {
        let (receipt, source) = (second.receipt.clone(), ReversalSource::SecondReceipt);
        Step::ReverseMpesa(NewReversal { receipt, source, reverses: None })
    })
}

/// Plans who bears the loss of a withdrawal that was given back and paid after all, or paid twice:
/// `from` fills the negative amount in suspense.
fn paid_after_failure(facts: &Facts, from: Side) -> Option<Plan> {
    let amount = facts.suspended.checked_neg().filter(|missing| *missing > Money::ZERO)?;
    let (kind, to) = (JournalKind::Reversal, Side::House(HouseAccount::Suspense));
    let step = Step::Post { kind, from, to, reverses: facts.outflow.or(facts.journal) };
    Some(Plan::new(amount, step))
}

/// Returns the amount of a second receipt, which is credited or given back whole.
fn second_amount(asked: Option<Money>, second: &SecondReceipt) -> Result<Money, InvalidOperation> {
    if second.is_of_another {
        let problem = format!(
            "has second receipt {}, which is another payment's: release closes it",
            second.receipt
        );
        return Err(InvalidOperation::new("payment_id", problem));
    }
    match (asked, second.amount) {
        (Some(asked), Some(amount)) if asked != amount => {
            let problem = format!("is not {amount}, as of receipt {}", second.receipt);
            Err(InvalidOperation::new("amount", problem))
        }
        (Some(amount), _) | (None, Some(amount)) => Ok(amount),
        (None, None) => Err(InvalidOperation::new(
            "amount",
            format!("is missing: the message with receipt {} had none", second.receipt),
        )),
    }
}

fn at_most(amount: Money, left: Money, what: &str) -> Result<(), InvalidOperation> {
    if left <= Money::ZERO {
        return Err(InvalidOperation::new("payment_id", format!("has nothing left {what}")));
    }
    if amount <= left {
        return Ok(());
    }
    Err(InvalidOperation::new("amount", format!("is more than {left}, which is {what}")))
}

fn wrong_state(payment: &Payment, problem: &str) -> InvalidOperation {
    let (kind, state): (&str, &str) = (payment.kind.into(), payment.state.into());
    InvalidOperation::new(
        "payment_id",
        format!("{problem}: {kind} by {}, {state}", payment.method.key()),
    )
}
