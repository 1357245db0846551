//! The scenarios by name, and which of them a run selects.

use std::{fmt, str::FromStr};

/// Selects every scenario on large data.
const ALL_LARGE: &str = "all-large";

/// One line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scenario {
    Hello,
    ProfileRead,
    BalanceRead,
    PgbenchTransfer,
    WalletTransfer,
    HistoryFresh,
    LiveUpdate,
    SignOut,
    Replay,
    CommitPiece,
    TrivialScore,
    ProvenScore,
    History,
    WalletTransferLarge,
    LeaderboardPageSmall,
    LeaderboardPage,
    LeaderboardOwnRankSmall,
    LeaderboardOwnRank,
    UpsertScore,
    RecordScore,
    InsertMessage,
    SendMessage,
    Broadcast,
    FanOut,
    BroadcastRoom,
    FanOutRoom,
    MessagesSmall,
    InboxSmall,
    Messages,
    Inbox,
}

impl Scenario {
    /// All scenarios, in the order in which they run. A yardstick comes directly before the
    /// scenarios that are compared with it: the speed of a shared machine changes within minutes.
    pub(crate) const ALL: [Self; 30] = [
        Self::Hello,
        Self::ProfileRead,
        Self::BalanceRead,
        Self::PgbenchTransfer,
        Self::WalletTransfer,
        Self::HistoryFresh,
        Self::LiveUpdate,
        Self::SignOut,
        Self::Replay,
        Self::CommitPiece,
        Self::TrivialScore,
        Self::ProvenScore,
        Self::History,
        Self::WalletTransferLarge,
        Self::LeaderboardPageSmall,
        Self::LeaderboardPage,
        Self::LeaderboardOwnRankSmall,
        Self::LeaderboardOwnRank,
        Self::UpsertScore,
        Self::RecordScore,
        Self::InsertMessage,
        Self::SendMessage,
        Self::Broadcast,
        Self::FanOut,
        Self::BroadcastRoom,
        Self::FanOutRoom,
        Self::MessagesSmall,
        Self::InboxSmall,
        Self::Messages,
        Self::Inbox,
    ];

    /// The name on the command line, in the table and in the JSON file.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Hello => "hello",
            Self::ProfileRead => "profile-read",
            Self::BalanceRead => "balance-read",
            Self::PgbenchTransfer => "pgbench-transfer",
            Self::WalletTransfer => "wallet-transfer",
            Self::HistoryFresh => "history-fresh",
            Self::LiveUpdate => "live-update",
            Self::SignOut => "sign-out",
            Self::Replay => "replay",
            Self::CommitPiece => "commit-piece",
            Self::TrivialScore => "trivial-score",
            Self::ProvenScore => "proven-score",
            Self::History => "history",
            Self::WalletTransferLarge => "wallet-transfer-large",
            Self::LeaderboardPageSmall => "leaderboard-page-small",
            Self::LeaderboardPage => "leaderboard-page",
            Self::LeaderboardOwnRankSmall => "leaderboard-own-rank-small",
            Self::LeaderboardOwnRank => "leaderboard-own-rank",
            Self::UpsertScore => "upsert-score",
            Self::RecordScore => "record-score",
            Self::InsertMessage => "insert-message",
            Self::SendMessage => "send-message",
            Self::Broadcast => "broadcast",
            Self::FanOut => "fan-out",
            Self::BroadcastRoom => "broadcast-room",
            Self::FanOutRoom => "fan-out-room",
            Self::MessagesSmall => "messages-small",
            Self::InboxSmall => "inbox-small",
            Self::Messages => "messages",
            Self::Inbox => "inbox",
        }
    }

    /// Whether the scenario needs the large data set, and so runs only when it is named.
    pub(crate) const fn is_large(self) -> bool {
        matches!(
            self,
            Self::History
                | Self::WalletTransferLarge
                | Self::BroadcastRoom
                | Self::FanOutRoom
                | Self::MessagesSmall
                | Self::InboxSmall
                | Self::Messages
                | Self::Inbox
        ) || self.is_of_board()
    }

    /// Whether the scenario needs the large board of a tournament.
    pub(crate) const fn is_of_board(self) -> bool {
        matches!(
            self,
            Self::LeaderboardPageSmall
                | Self::LeaderboardPage
                | Self::LeaderboardOwnRankSmall
                | Self::LeaderboardOwnRank
                | Self::UpsertScore
                | Self::RecordScore
        )
    }

    /// The scenario whose rate this one is given as a share of.
    pub(crate) const fn yardstick(self) -> Option<Self> {
        match self {
            Self::ProfileRead | Self::BalanceRead | Self::HistoryFresh | Self::History => {
                Some(Self::Hello)
            }
            Self::WalletTransfer | Self::WalletTransferLarge => Some(Self::PgbenchTransfer),
            Self::ProvenScore => Some(Self::TrivialScore),
            Self::LeaderboardPage => Some(Self::LeaderboardPageSmall),
            Self::LeaderboardOwnRank => Some(Self::LeaderboardOwnRankSmall),
            Self::RecordScore => Some(Self::UpsertScore),
            Self::SendMessage => Some(Self::InsertMessage),
            Self::FanOut => Some(Self::Broadcast),
            Self::FanOutRoom => Some(Self::BroadcastRoom),
            Self::Messages => Some(Self::MessagesSmall),
            Self::Inbox => Some(Self::InboxSmall),
            _ => None,
        }
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One name given to `--only`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Selection {
    /// A single scenario.
    One(Scenario),
    /// Every scenario on large data.
    AllLarge,
}

impl Selection {
    /// Whether a run with these `--only` names includes `scenario`. Without names it
    /// includes all but those on large data.
    pub(crate) fn includes(only: &[Self], scenario: Scenario) -> bool {
        if only.is_empty() {
            return !scenario.is_large();
        }
        only.contains(&Self::One(scenario)) || scenario.is_large() && only.contains(&Self::AllLarge)
    }
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == ALL_LARGE {
            return Ok(Self::AllLarge);
        }
        let found = Scenario::ALL.into_iter().find(|scenario| scenario.name() == text);
        found.map(Self::One).ok_or_else(|| {
            let names = Scenario::ALL.map(Scenario::name).join(", ");
            format!("no such scenario; the scenarios are {names}, {ALL_LARGE}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_is_found_by_its_name() {
        for scenario in Scenario::ALL {
            assert_eq!(scenario.name().parse(), Ok(Selection::One(scenario)));
        }
        assert_eq!("all-large".parse(), Ok(Selection::AllLarge));
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_list() {
        let refusal = "transfer".parse::<Selection>().unwrap_err();
        for scenario in Scenario::ALL {
            assert!(refusal.contains(scenario.name()), "{refusal}");
        }
    }

    #[test]
    fn a_yardstick_runs_before_what_is_compared_with_it() {
        let place = |wanted| Scenario::ALL.iter().position(|scenario| *scenario == wanted);
        for scenario in Scenario::ALL {
            if let Some(yardstick) = scenario.yardstick() {
                assert!(place(yardstick) < place(scenario), "{scenario}");
            }
        }
    }

    #[test]
    fn large_scenarios_run_only_when_they_are_named() {
        let (one, large) = ([Selection::One(Scenario::History)], [Selection::AllLarge]);
        assert!(!Selection::includes(&[], Scenario::History));
        assert!(Selection::includes(&[], Scenario::Hello));
        assert!(Selection::includes(&one, Scenario::History));
        assert!(!Selection::includes(&one, Scenario::Hello));
        assert!(Selection::includes(&large, Scenario::WalletTransferLarge));
        assert!(!Selection::includes(&large, Scenario::WalletTransfer));
    }
}
