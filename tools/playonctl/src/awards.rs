//! Awards of money, which operators look at before they are paid.

use std::{io::Write, path::Path};

use clap::{Subcommand, ValueEnum};
use mesh::grpc::client::Outgoing;
use proto::{
    from_timestamp,
    tournament::v1::{
        AwardDecision, AwardState, DecideAwardRequest, GivenAward, ListGivenAwardsRequest,
        award_admin_service_client::AwardAdminServiceClient,
    },
    types::v1::Change,
};
use time::format_description::well_known::Rfc3339;
use types::Money;

use crate::service::{self, Service};

type Client = AwardAdminServiceClient<Outgoing>;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the awards of money in a state, the oldest first.
    List {
        #[arg(long, default_value = "pending")]
        state: State,
    },
    /// Have an award wait until an operator approves or refuses it.
    Review(Decision),
    /// Pay an award. Above the limit for one operator, two approve it, one after the other.
    Approve(Decision),
    /// Refuse an award. The players below move up.
    Refuse(Decision),
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum State {
    Pending,
    Review,
    Paid,
    Refused,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Decision {
    /// The award, as list prints it.
    award: String,
    /// The reason, for the audit. The player reads that of a refusal.
    #[arg(long)]
    reason: String,
}

/// Runs one command over a connection with the operator's certificate in a folder.
pub(crate) async fn run(
    command: Command,
    tournament_url: &str,
    tls_dir: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let connection =
        service::connect("svc-tournament", "--tournament-url", tournament_url, tls_dir)?;
    run_over(connection, command, out).await
}

async fn run_over(
    connection: Outgoing,
    command: Command,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut client = AwardAdminServiceClient::new(connection);
    match command {
        Command::List { state } => list(&mut client, state, out).await,
        Command::Review(decision) => {
            decide(&mut client, decision, AwardDecision::Review, out).await
        }
        Command::Approve(decision) => {
            decide(&mut client, decision, AwardDecision::Approve, out).await
        }
        Command::Refuse(decision) => {
            decide(&mut client, decision, AwardDecision::Refuse, out).await
        }
    }
}

async fn list(client: &mut Client, state: State, out: &mut impl Write) -> anyhow::Result<()> {
    let state = match state {
        State::Pending => AwardState::Pending,
        State::Review => AwardState::Review,
        State::Paid => AwardState::Paid,
        State::Refused => AwardState::Refused,
    };
    let mut after_award_id = String::new();
    loop {
        let request = ListGivenAwardsRequest {
            state: state.into(),
            page_size: 0,
            after_award_id: after_award_id.clone(),
        };
        let page = client.list_given_awards(request).await;
        let page = page.map_err(|status| Service::Tournament.failure(&status))?.into_inner().awards;
        let Some(last) = page.last() else { return Ok(()) };
        after_award_id.clone_from(&last.id);
        for award in &page {
            writeln!(out, "{}", line(award))?;
        }
    }
}

async fn decide(
    client: &mut Client,
    Decision { award, reason }: Decision,
    decision: AwardDecision,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let request = DecideAwardRequest { award_id: award.clone(), decision: decision.into(), reason };
    let reply = client.decide_award(request).await;
    let change = reply.map_err(|status| Service::Tournament.failure(&status))?.into_inner();
    let changed = match (change.change(), decision) {
        (Change::Unchanged, _) => "unchanged",
        (_, AwardDecision::Review) => "in review",
        (_, AwardDecision::Approve) => "approved",
        (_, _) => "refused",
    };
    writeln!(out, "{changed:<9} {award}")?;
    Ok(())
}

/// An award in one line.
fn line(award: &GivenAward) -> String {
    let cash = proto::money(award.cash, "cash").unwrap_or(Money::ZERO);
    let due = from_timestamp(award.due_at, "due_at").ok();
    let due = due.and_then(|due| due.format(&Rfc3339).ok()).unwrap_or_default();
    let points = award.points.map_or_else(|| "late".to_owned(), |points| points.to_string());
    let phone = if award.needs_phone { ", waits for a phone" } else { "" };
    let decided = if award.decision.is_empty() {
        String::new()
    } else {
        format!(", {} by {}: {}", award.decision, award.decided_by, award.reason)
    };
    format!(
        "{}  {:>14}  place {} of {} ({points} points), tournament {}, player {}, due {due}{phone}{decided}",
        award.id,
        cash.to_string(),
        award.rank,
        award.tournament,
        award.tournament_id,
        award.player_id
    )
}

#[cfg(test)]
mod tests {
    use proto::timestamp;
    use time::OffsetDateTime;

    use super::*;

    #[test]
    fn an_award_is_one_line_with_its_last_decision() {
        let award = GivenAward {
            id: "a1".to_owned(),
            tournament_id: "t1".to_owned(),
            tournament: "Friday Dash".to_owned(),
            player_id: "p1".to_owned(),
            rank: 1,
            points: Some(927),
            cash: Some(Money::from_shillings(500).into()),
            due_at: Some(timestamp(OffsetDateTime::UNIX_EPOCH)),
            decision: "REVIEW".to_owned(),
            decided_by: "wanjiru".to_owned(),
            reason: "Look at the rhythm.".to_owned(),
            ..GivenAward::default()
        };
        assert_eq!(
            line(&award),
            "a1      KES 500.00  place 1 of Friday Dash (927 points), tournament t1, player p1, \
             due 1970-01-01T00:00:00Z, REVIEW by wanjiru: Look at the rhythm."
        );
    }
}
