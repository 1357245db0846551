//! The mix of requests, dominated by boosts.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use http::StatusCode;

use crate::{
    address::Target,
    client::{Connection, HttpRequest, Reply, get},
    players::Players,
    workloads::is_completed,
};

/// A kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    Boost,
    Payment,
    Balance,
    History,
    Profile,
}

/// The order in which operations are shed: the contract's priorities. Each service sheds its own
/// calls, so the calls of svc-auth, which has the least to do, are a class of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    Elsewhere,
    Cheap,
    Other,
    Money,
}

impl Operation {
    pub(crate) const ALL: [Self; 5] =
        [Self::Boost, Self::Payment, Self::Balance, Self::History, Self::Profile];

    /// The operations of the mix, which repeats after them.
    const CYCLE: [Self; 10] = [
        Self::Boost,
        Self::Balance,
        Self::Boost,
        Self::History,
        Self::Payment,
        Self::Boost,
        Self::Balance,
        Self::Profile,
        Self::Boost,
        Self::History,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Boost => "boost",
            Self::Payment => "payment",
            Self::Balance => "balance",
            Self::History => "history",
            Self::Profile => "profile",
        }
    }

    /// The class of the priority that the contract declares for the operation's RPC.
    pub(crate) const fn class(self) -> Class {
        match self {
            Self::Boost => Class::Money,
            Self::Payment => Class::Other,
            Self::Balance | Self::History => Class::Cheap,
            Self::Profile => Class::Elsewhere,
        }
    }

    /// Whether a reply is a success.
    pub(crate) fn is_success(self, reply: &Reply) -> bool {
        match self {
            Self::Boost => is_completed(reply),
            _ => reply.status == StatusCode::OK,
        }
    }
}

impl Class {
    pub(crate) const ALL: [Self; 4] = [Self::Elsewhere, Self::Cheap, Self::Other, Self::Money];
    /// The classes of svc-wallet, the first to be shed first.
    pub(crate) const SHED: [Self; 3] = [Self::Cheap, Self::Other, Self::Money];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Elsewhere => "reads of svc-auth",
            Self::Cheap => "cheap reads",
            Self::Other => "other",
            Self::Money => "money",
        }
    }
}

/// The players, and a payment of each.
pub(crate) struct Mix {
    players: Players,
    payments: Vec<String>,
}

impl Mix {
    /// The mix of funded players.
    pub(crate) async fn new(target: Target, players: Players) -> Result<Self> {
        let mut connection = Connection::new(target);
        let mut payments = Vec::new();
        for number in 0..players.count() {
            let player = players.get(number)?;
            payments.push(players.opening(&mut connection, player).await?.id);
        }
        Ok(Self { players, payments })
    }

    /// The operation of a request with this number.
    pub(crate) fn operation(number: u64) -> Operation {
        let place = usize::try_from(number).unwrap_or_default() % Operation::CYCLE.len();
        Operation::CYCLE.get(place).copied().unwrap_or(Operation::Balance)
    }

    /// Builds a request; consecutive requests are of different players.
    pub(crate) fn request(&self, operation: Operation, number: u64) -> Result<HttpRequest> {
        let place = usize::try_from(number)?;
        let player = self.players.get(place)?;
        let path = match operation {
            Operation::Boost => {
                // A pair pays back and forth, so that no wallet becomes empty.
                let count = self.players.count();
                let round = place / count.max(1);
                let first = place % count.max(1);
                let from = if round.is_multiple_of(2) { first } else { first ^ 1 };
                let (from, to) = (self.players.get(from)?, self.players.get(from ^ 1)?);
                return self.players.transfer(from, &to.uid, &format!("overload-{number}"));
            }
            Operation::Payment => {
                let payment = self.payments.get(place % self.payments.len().max(1));
                &format!("/api/payments/{}", payment.context("there are no payments")?)
            }
            Operation::Balance => "/api/wallets/balance",
            Operation::History => "/api/wallets/list?page=0&pageSize=20",
            Operation::Profile => "/api/auth/login",
        };
        Ok(player.authorize(get(path)?))
    }
}

/// The cost of each operation: the share of the mesh's capacity that one request takes.
#[derive(Debug, Default)]
pub(crate) struct Costs(BTreeMap<Operation, u64>);

impl Costs {
    /// Sets the cost of an operation, from its rate when it runs alone; `None` when the rate is 0.
    pub(crate) fn set(&mut self, operation: Operation, rate: u64) -> Option<()> {
        self.0.insert(operation, 1_000_000_000_u64.checked_div(rate)?);
        Some(())
    }

    /// The cost of an operation, in nanoseconds of the whole mesh.
    pub(crate) fn of(&self, operation: Operation) -> u64 {
        self.0.get(&operation).copied().unwrap_or_default()
    }
}
