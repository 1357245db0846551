//! Operations of money: what waits for an operator, and what operators do about it.

mod table;

use std::{
    io::{BufRead, IsTerminal as _, Write},
    path::Path,
};

use anyhow::{Context as _, bail};
use clap::{Subcommand, ValueEnum};
use mesh::grpc::client::Outgoing;
use proto::wallet::v1::{
    CaseKind, DecideOperationRequest, GetPayoutPauseRequest, GetPromotionsRequest, GetTaxesRequest,
    InspectPaymentRequest, ListBreaksRequest, ListOpenCasesRequest, ListOperationsRequest,
    Operation, OperationKind, OperationState, PausePayoutsRequest, PayoutPause,
    RequestOperationRequest, ResolveBreakRequest, ResumePayoutsRequest,
    money_operations_service_client::MoneyOperationsServiceClient,
};
use types::{Clock, Money, Rng};

use crate::service::{self, Service};

type Client = MoneyOperationsServiceClient<Outgoing>;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the payments that wait for an operator, the oldest first.
    Cases {
        /// Print only cases of one kind.
        #[arg(long)]
        kind: Option<Case>,
    },
    /// Print all that is known of a payment: states, callbacks, postings and operations.
    Inspect {
        /// The payment's id.
        payment: String,
    },
    /// Credit a wallet: with money that a payment has in suspense or that came with its second
    /// receipt (--payment), or with a gift from PlayOn (--player and --amount).
    Credit {
        /// The payment whose money is credited.
        #[arg(long, required_unless_present = "player")]
        payment: Option<String>,
        /// The player who gets the money; by default the payment's beneficiary.
        #[arg(long)]
        player: Option<String>,
        /// The amount in KES; by default all the money that there is.
        #[arg(long, value_parser = kes, required_unless_present = "payment")]
        amount: Option<Money>,
        #[command(flatten)]
        request: Request,
    },
    /// Give a payment back: a top-up to its payer, a package to the wallet. Paystack gives the
    /// money back to the card, and M-Pesa reverses a receipt as a whole. Two things are only taken
    /// out of the books: a payment by airtime (have the carrier give it back), and a part of a
    /// receipt of M-Pesa (give it back in M-Pesa's portal). A reversal whose outcome is unknown is
    /// sent again, which pays nothing twice. Money that M-Pesa reversed after it had been returned
    /// is taken out again.
    Refund {
        /// The payment's id.
        payment: String,
        /// The amount in KES; by default all that is left.
        #[arg(long, value_parser = kes)]
        amount: Option<Money>,
        #[command(flatten)]
        request: Request,
    },
    /// End a withdrawal as failed, which frees its money; within an hour after it was sent a second
    /// operator decides, whatever the amount. Or end a reversal whose outcome is unknown: the money
    /// is where it was. Or close a second receipt (--receipt). Do these only where the provider's
    /// statement shows that nothing was paid. Or bear the loss of a receipt that was reversed after
    /// its money had been returned, and spent (--receipt). Or end a charge to airtime or a refund
    /// to a card without an outcome as failed, or close a mismatch of a card payment.
    Release {
        /// The payment's id.
        payment: String,
        /// The receipt that is closed: a second one, or one that was reversed late.
        #[arg(long)]
        receipt: Option<String>,
        #[command(flatten)]
        request: Request,
    },
    /// End a payment as paid, by the receipt on the provider's statement. Or end a reversal whose
    /// outcome is unknown, by M-Pesa's receipt of the reversal; or a refund to a card, by
    /// Paystack's id of the refund.
    Confirm {
        /// The payment's id.
        payment: String,
        /// The provider's receipt.
        #[arg(long)]
        receipt: String,
        #[command(flatten)]
        request: Request,
    },
    /// Send a withdrawal that was held.
    Approve {
        /// The payment's id.
        payment: String,
        #[command(flatten)]
        request: Request,
    },
    /// Post money that left M-Pesa a second time for a withdrawal, by the second receipt on
    /// M-Pesa's statement. Then confirm takes it from the player's wallet, or release has PlayOn
    /// bear the loss.
    Outflow {
        /// The payment's id.
        payment: String,
        /// The second receipt.
        #[arg(long)]
        receipt: String,
        /// The amount in KES, where M-Pesa's message did not say it.
        #[arg(long, value_parser = kes)]
        amount: Option<Money>,
        #[command(flatten)]
        request: Request,
    },
    /// Note money that PlayOn paid into its M-Pesa account for promotions, from which awards and
    /// gifts are paid. Another operator compares it with M-Pesa's statement, and decides.
    Fund {
        /// The amount in KES.
        #[arg(long, value_parser = kes)]
        amount: Money,
        /// M-Pesa's receipt of the transfer.
        #[arg(long)]
        receipt: String,
        #[command(flatten)]
        request: Request,
    },
    /// Print what is left for promotions, and for which contests it is reserved.
    Promotions,
    /// Print what was taken of each tax from one day to another.
    Taxes {
        /// The first day, such as 2027-01-01.
        #[arg(long)]
        from: String,
        /// The last day.
        #[arg(long)]
        to: String,
    },
    /// Print whether payouts are paused, and why.
    Payouts,
    /// Pause payouts, reversals and refunds to cards: unsent ones wait, new withdrawals are
    /// refused, and every operation needs a second operator.
    Pause {
        /// The reason, for the audit: 10 to 500 characters. Players do not read it.
        #[arg(long)]
        reason: String,
    },
    /// Resume payouts, once another operator says the same. Do it after the books were compared
    /// with the providers, and every break of a lost payment is resolved.
    Resume {
        /// The books that were compared, for the audit: 10 to 500 characters.
        #[arg(long)]
        reason: String,
    },
    /// Print operations, the newest first.
    Operations {
        /// Print only operations that wait for a second operator.
        #[arg(long)]
        waiting: bool,
        /// Print at most this many operations.
        #[arg(long, default_value_t = 50)]
        limit: usize,
    },
    /// Decide on an operation of another operator.
    Decide {
        /// The operation's id.
        operation: String,
        /// Carry it out, or refuse it.
        decision: Verdict,
        /// The reason, for the audit: 10 to 500 characters.
        #[arg(long)]
        reason: String,
        /// Do not ask before the operation is carried out.
        #[arg(long)]
        yes: bool,
    },
    /// Print the differences with the providers' statements, the oldest first.
    Breaks {
        /// Print resolved breaks, too.
        #[arg(long)]
        all: bool,
    },
    /// Note how a break was resolved.
    Resolve {
        /// The break's id.
        id: String,
        /// How the break was resolved, for the audit: 10 to 500 characters.
        #[arg(long)]
        resolution: String,
    },
}

/// The options that every request of an operation has.
#[derive(Debug, clap::Args)]
pub(crate) struct Request {
    /// The reason, for the audit: 10 to 500 characters. Players do not read it.
    #[arg(long)]
    reason: String,
    /// The name of this attempt, to repeat it after a lost reply; a new one by default.
    #[arg(long = "request-id")]
    attempt: Option<String>,
    /// Do not ask before the operation is sent.
    #[arg(long)]
    yes: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Case {
    Unknown,
    Suspended,
    PaidTwice,
    Held,
    Disputed,
    Reversal,
    Charge,
    CardMismatch,
    CardRefund,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Verdict {
    Approve,
    Refuse,
}

/// Runs one command over a connection with the operator's certificate in a folder.
pub(crate) async fn run(
    command: Command,
    wallet_url: &str,
    tls_dir: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let connection = service::connect("svc-wallet", "--wallet-url", wallet_url, tls_dir)?;
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        run_over(connection, command, &mut stdin.lock(), out).await
    } else {
        // Without a terminal nobody can be asked: a script says --yes.
        run_over(connection, command, &mut std::io::empty(), out).await
    }
}

async fn run_over(
    connection: Outgoing,
    command: Command,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut client = MoneyOperationsServiceClient::new(connection);
    match command {
        Command::Cases { kind } => cases(&mut client, kind, out).await,
        Command::Inspect { payment } => inspect(&mut client, payment, out).await,
        Command::Operations { waiting, limit } => {
            operations(&mut client, waiting, limit, out).await
        }
        Command::Decide { operation, decision, reason, yes } => {
            let approve = decision == Verdict::Approve;
            if approve && !yes {
                confirm(&format!("carry out operation {operation}"), input, out)?;
            }
            let request = DecideOperationRequest { operation_id: operation, approve, reason };
            let reply = client.decide_operation(request).await;
            let reply = reply.map_err(|status| Service::Wallet.failure(&status))?.into_inner();
            ended(&reply.operation.context("a reply without the operation")?, out)
        }
        Command::Promotions => promotions(&mut client, out).await,
        Command::Taxes { from, to } => taxes(&mut client, GetTaxesRequest { from, to }, out).await,
        Command::Payouts => {
            let reply = client.get_payout_pause(GetPayoutPauseRequest {}).await;
            payout_pause(reply.map(|reply| reply.into_inner().pause), out)
        }
        Command::Pause { reason } => {
            let reply = client.pause_payouts(PausePayoutsRequest { reason }).await;
            payout_pause(reply.map(|reply| reply.into_inner().pause), out)
        }
        Command::Resume { reason } => {
            let reply = client.resume_payouts(ResumePayoutsRequest { reason }).await;
            payout_pause(reply.map(|reply| reply.into_inner().pause), out)
        }
        Command::Breaks { all } => breaks(&mut client, all, out).await,
        Command::Resolve { id, resolution } => {
            let request = ResolveBreakRequest { break_id: id.clone(), resolution };
            let reply = client.resolve_break(request).await;
            reply.map_err(|status| Service::Wallet.failure(&status))?;
            writeln!(out, "resolved  {id}")?;
            Ok(())
        }
        change => {
            let (request, yes) = asked(change)?;
            if !yes {
                confirm(&table::question(&request), input, out)?;
            }
            let reply = client.request_operation(request.clone()).await;
            let reply = reply.map_err(|status| {
                let failure = Service::Wallet.failure(&status);
                failure.context(format!("--request-id {} repeats this attempt", request.request_id))
            })?;
            let operation =
                reply.into_inner().operation.context("a reply without the operation")?;
            ended(&operation, out)
        }
    }
}

/// The request of a command that changes something, and whether it is confirmed already.
fn asked(command: Command) -> anyhow::Result<(RequestOperationRequest, bool)> {
    let (kind, payment_id, player_id, amount, receipt, request) = match command {
        Command::Credit { payment, player, amount, request } => {
            (OperationKind::Credit, payment, player, amount, None, request)
        }
        Command::Refund { payment, amount, request } => {
            (OperationKind::Refund, Some(payment), None, amount, None, request)
        }
        Command::Release { payment, receipt, request } => {
            (OperationKind::Release, Some(payment), None, None, receipt, request)
        }
        Command::Confirm { payment, receipt, request } => {
            (OperationKind::Confirm, Some(payment), None, None, Some(receipt), request)
        }
        Command::Approve { payment, request } => {
            (OperationKind::Approve, Some(payment), None, None, None, request)
        }
        Command::Outflow { payment, receipt, amount, request } => {
            (OperationKind::Outflow, Some(payment), None, amount, Some(receipt), request)
        }
        Command::Fund { amount, receipt, request } => {
            (OperationKind::Fund, None, None, Some(amount), Some(receipt), request)
        }
        other => bail!("{other:?} changes nothing"),
    };
    let new_id = || Rng::system().uuid_v7(Clock::system().now()).to_string();
    let message = RequestOperationRequest {
        request_id: request.attempt.unwrap_or_else(new_id),
        kind: kind.into(),
        payment_id,
        player_id,
        amount: amount.map(Into::into),
        receipt,
        reason: request.reason,
    };
    Ok((message, request.yes))
}

/// Asks before money moves. Without a terminal the answer is no.
fn confirm(what: &str, input: &mut impl BufRead, out: &mut impl Write) -> anyhow::Result<()> {
    write!(out, "{what}? Type yes: ")?;
    out.flush()?;
    let mut answer = String::new();
    input.read_line(&mut answer)?;
    if answer.trim() == "yes" {
        return Ok(());
    }
    writeln!(out)?;
    bail!("nothing was sent: the answer was not yes (--yes answers it in a script)")
}

fn ended(operation: &Operation, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{}", table::operation(operation))?;
    if operation.state() == OperationState::Waiting {
        let id = &operation.id;
        writeln!(out, "another operator decides: playonctl money decide {id} approve --reason …")?;
    }
    if !operation.remark.is_empty() {
        writeln!(out, "{}", operation.remark)?;
    }
    Ok(())
}

async fn cases(
    client: &mut Client,
    kind: Option<Case>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let kind = match kind {
        None => CaseKind::Unspecified,
        Some(Case::Unknown) => CaseKind::Unknown,
        Some(Case::Suspended) => CaseKind::Suspended,
        Some(Case::PaidTwice) => CaseKind::PaidTwice,
        Some(Case::Held) => CaseKind::Held,
        Some(Case::Disputed) => CaseKind::Disputed,
        Some(Case::Reversal) => CaseKind::Reversal,
        Some(Case::Charge) => CaseKind::Charge,
        Some(Case::CardMismatch) => CaseKind::CardMismatch,
        Some(Case::CardRefund) => CaseKind::CardRefund,
    };
    let mut after = String::new();
    loop {
        let request =
            ListOpenCasesRequest { kind: kind.into(), page_size: 0, after: after.clone() };
        let page = client.list_open_cases(request).await;
        let page = page.map_err(|status| Service::Wallet.failure(&status))?.into_inner().cases;
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.payment_id);
        for case in &page {
            writeln!(out, "{}", table::case(case))?;
        }
    }
}

async fn inspect(
    client: &mut Client,
    payment_id: String,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let reply = client.inspect_payment(InspectPaymentRequest { payment_id }).await;
    let reply = reply.map_err(|status| Service::Wallet.failure(&status))?.into_inner();
    for line in &reply.lines {
        writeln!(out, "{}  {}", table::time(line.at), line.text)?;
    }
    Ok(())
}

async fn operations(
    client: &mut Client,
    waiting: bool,
    limit: usize,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let state = if waiting { OperationState::Waiting } else { OperationState::Unspecified };
    let (mut before, mut left) = (String::new(), limit);
    while left > 0 {
        let request =
            ListOperationsRequest { state: state.into(), page_size: 0, before: before.clone() };
        let page = client.list_operations(request).await;
        let page = page.map_err(|status| Service::Wallet.failure(&status))?.into_inner();
        let Some(last) = page.operations.last() else { return Ok(()) };
        before.clone_from(&last.id);
        for operation in page.operations.iter().take(left) {
            writeln!(out, "{}", table::operation(operation))?;
            if !operation.remark.is_empty() {
                writeln!(out, "    {}", operation.remark)?;
            }
        }
        left = left.saturating_sub(page.operations.len());
    }
    Ok(())
}

async fn promotions(client: &mut Client, out: &mut impl Write) -> anyhow::Result<()> {
    let reply = client.get_promotions(GetPromotionsRequest {}).await;
    let reply = reply.map_err(|status| Service::Wallet.failure(&status))?.into_inner();
    writeln!(out, "left      {}", table::amount(reply.left))?;
    writeln!(out, "reserved  {}", table::amount(reply.reserved))?;
    for reservation in &reply.reservations {
        writeln!(out, "{}", table::reservation(reservation))?;
    }
    Ok(())
}

async fn taxes(
    client: &mut Client,
    request: GetTaxesRequest,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let reply = client.get_taxes(request).await;
    for tax in reply.map_err(|status| Service::Wallet.failure(&status))?.into_inner().taxes {
        writeln!(out, "{}", table::tax(&tax))?;
    }
    Ok(())
}

/// Prints the pause of a reply.
fn payout_pause(
    reply: Result<Option<PayoutPause>, tonic::Status>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let pause = reply.map_err(|status| Service::Wallet.failure(&status))?;
    let PayoutPause { causes, resume_requested_by } = pause.context("a reply without the pause")?;
    if causes.is_empty() {
        writeln!(out, "payouts are not paused")?;
    }
    for cause in causes {
        writeln!(out, "payouts are paused: {cause}")?;
    }
    if let Some(by) = resume_requested_by {
        writeln!(out, "{by} resumes them once another operator does: playonctl money resume")?;
    }
    Ok(())
}

async fn breaks(client: &mut Client, all: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let mut after = String::new();
    loop {
        let request = ListBreaksRequest { resolved_too: all, page_size: 0, after: after.clone() };
        let page = client.list_breaks(request).await;
        let page = page.map_err(|status| Service::Wallet.failure(&status))?.into_inner().breaks;
        let Some(last) = page.last() else { return Ok(()) };
        after.clone_from(&last.id);
        for found in &page {
            writeln!(out, "{}", table::recon_break(found))?;
        }
    }
}

fn kes(text: &str) -> Result<Money, String> {
    match Money::parse(text) {
        Ok(amount) if amount > Money::ZERO => Ok(amount),
        _ => Err("no amount in KES above zero, like 500 or 12.50".to_owned()),
    }
}

#[cfg(test)]
mod tests;
