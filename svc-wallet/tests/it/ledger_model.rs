//! The ledger's functions against a model: for any calls, in any order and any repetition, outcomes
//! and balances are the model's, and the proof finds nothing.

use std::collections::{HashMap, HashSet};

use proptest::{prelude::*, strategy::ValueTree as _, test_runner::TestRunner};
use serde_json::json;
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use crate::world::World;

/// Number of cases, each with its own players.
const CASES: u32 = 12;
const PLAYERS: u8 = 4;

#[derive(Debug, Clone)]
enum Call {
    /// A journal from `MPESA_UTILITY` to a player.
    TopUp {
        reference: u8,
        to: u8,
        cents: i64,
    },
    /// A journal from a player to `SUBSCRIPTION_REVENUE`.
    Buy {
        reference: u8,
        from: u8,
        cents: i64,
    },
    Hold {
        payment: u8,
        player: u8,
        cents: i64,
        fee: i64,
    },
    Release {
        payment: u8,
    },
    Settle {
        payment: u8,
    },
    /// The payer, payee, cents and request of each transfer.
    Transfer(Vec<(u8, u8, i64, u8)>),
}

fn call() -> impl Strategy<Value = Call> {
    let player = || 0..PLAYERS;
    let few = || 0..6_u8;
    prop_oneof![
        (few(), player(), 1..500_i64).prop_map(|(reference, to, cents)| Call::TopUp {
            reference,
            to,
            cents
        }),
        (few(), player(), 1..300_i64).prop_map(|(reference, from, cents)| Call::Buy {
            reference,
            from,
            cents
        }),
        (few(), player(), 1..200_i64, 0..20_i64)
            .prop_map(|(payment, player, cents, fee)| Call::Hold { payment, player, cents, fee }),
        few().prop_map(|payment| Call::Release { payment }),
        few().prop_map(|payment| Call::Settle { payment }),
        prop::collection::vec((player(), player(), 1..200_i64, few()), 1..4)
            .prop_map(Call::Transfer),
    ]
}

#[derive(Default)]
struct Model {
    /// The posted and held amounts of each player.
    wallets: HashMap<u8, (i64, i64)>,
    journals: HashSet<(&'static str, u8)>,
    holds: HashMap<u8, (u8, i64, i64, &'static str)>,
    requests: HashSet<(u8, u8)>,
}

impl Model {
    fn available(&self, player: u8) -> i64 {
        self.wallets.get(&player).map_or(0, |(posted, held)| posted - held)
    }

    fn add(&mut self, player: u8, posted: i64, held: i64) {
        let wallet = self.wallets.entry(player).or_default();
        wallet.0 += posted;
        wallet.1 += held;
    }

    /// Applies a call, and returns its outcomes.
    fn apply(&mut self, call: &Call) -> Vec<&'static str> {
        vec![match *call {
            Call::TopUp { reference, to, cents } => {
                if self.journals.insert(("TOPUP", reference)) {
                    self.add(to, cents, 0);
                    "POSTED"
                } else {
                    "REPEATED"
                }
            }
            Call::Buy { reference, from, cents } => {
                if self.journals.contains(&("SUBSCRIPTION", reference)) {
                    "REPEATED"
                } else if self.available(from) < cents {
                    "INSUFFICIENT_FUNDS"
                } else {
                    self.journals.insert(("SUBSCRIPTION", reference));
                    self.add(from, -cents, 0);
                    "POSTED"
                }
            }
            Call::Hold { payment, player, cents, fee } => {
                if self.holds.contains_key(&payment) {
                    "REPEATED"
                } else if self.available(player) < cents + fee {
                    "INSUFFICIENT_FUNDS"
                } else {
                    self.holds.insert(payment, (player, cents, fee, "HELD"));
                    self.add(player, 0, cents + fee);
                    "HELD"
                }
            }
            Call::Release { payment } => self.end(payment, "RELEASED"),
            Call::Settle { payment } => self.end(payment, "SETTLED"),
            Call::Transfer(ref all) => {
                // All outcomes are decided by the balances before the call.
                let outcomes: Vec<_> = all
                    .iter()
                    .map(|(payer, payee, cents, request)| {
                        if self.requests.contains(&(*payer, *request)) {
                            "REPEATED"
                        } else if !self.wallets.contains_key(payee) {
                            "NO_WALLET"
                        } else if self.available(*payer) < *cents {
                            "INSUFFICIENT_FUNDS"
                        } else {
                            "DONE"
                        }
                    })
                    .collect();
                for ((payer, payee, cents, request), outcome) in all.iter().zip(&outcomes) {
                    if *outcome == "DONE" {
                        self.requests.insert((*payer, *request));
                        self.add(*payer, -cents, 0);
                        self.add(*payee, *cents, 0);
                    }
                }
                return outcomes;
            }
        }]
    }

    fn end(&mut self, payment: u8, state: &'static str) -> &'static str {
        match self.holds.get_mut(&payment) {
            None => "UNKNOWN",
            Some((.., ended)) if *ended == state => "REPEATED",
            Some((.., ended)) if *ended != "HELD" => ended,
            Some((player, cents, fee, open)) => {
                *open = state;
                let (player, total) = (*player, *cents + *fee);
                self.add(player, if state == "SETTLED" { -total } else { 0 }, -total);
                state
            }
        }
    }
}

/// Makes the calls in the database, as the service's role.
struct Ledger {
    conn: PgConnection,
    case: u32,
    journals: u32,
}

impl Ledger {
    /// Returns an id that is unique to this case, by sort and number.
    fn id(&self, sort: u16, number: u8) -> Uuid {
        Uuid::from_u128(
            0x1900_0000_0000_7000_8000_0000_0000_0000_u128
                | u128::from(self.case) << 80
                | u128::from(sort) << 16
                | u128::from(number),
        )
    }

    fn journal(&mut self) -> Uuid {
        self.journals += 1;
        Uuid::from_u128(self.id(9, 0).as_u128() + (u128::from(self.journals) << 32))
    }

    async fn apply(&mut self, call: &Call) -> Vec<String> {
        const POST: &str = "SELECT ledger_post($1, $2, $3, now(), CASE WHEN $2 = 'TOPUP' THEN
            house_account('MPESA_UTILITY') ELSE $4 END, CASE WHEN $2 = 'TOPUP' THEN $4 ELSE
            house_account('SUBSCRIPTION_REVENUE') END, $5, NULL, NULL, NULL)";
        let journal = self.journal();
        let one = match *call {
            Call::TopUp { reference, to, cents } => {
                let (reference, to) = (self.id(1, reference), self.id(0, to));
                let query = sqlx::query_scalar(POST).bind(journal).bind("TOPUP").bind(reference);
                query.bind(to).bind(cents).fetch_one(&mut self.conn).await
            }
            Call::Buy { reference, from, cents } => {
                let (reference, from) = (self.id(2, reference), self.id(0, from));
                let query = sqlx::query_scalar(POST).bind(journal).bind("SUBSCRIPTION");
                query.bind(reference).bind(from).bind(cents).fetch_one(&mut self.conn).await
            }
            Call::Hold { payment, player, cents, fee } => {
                let (payment, player) = (self.id(3, payment), self.id(0, player));
                let query = sqlx::query_scalar("SELECT ledger_hold($1, $2, $3, $4, now())");
                let query = query.bind(payment).bind(player).bind(cents).bind(fee);
                query.fetch_one(&mut self.conn).await
            }
            Call::Release { payment } => {
                let query = sqlx::query_scalar("SELECT ledger_release($1, now())");
                query.bind(self.id(3, payment)).fetch_one(&mut self.conn).await
            }
            Call::Settle { payment } => {
                let query = sqlx::query_scalar("SELECT ledger_settle_hold($1, $2, now())");
                query.bind(self.id(3, payment)).bind(journal).fetch_one(&mut self.conn).await
            }
            Call::Transfer(ref all) => return self.transfer(all).await,
        };
        vec![one.unwrap()]
    }

    async fn transfer(&mut self, all: &[(u8, u8, i64, u8)]) -> Vec<String> {
        let journals: Vec<Uuid> = all.iter().map(|_| self.journal()).collect();
        let payments: Vec<Uuid> = all.iter().map(|_| self.journal()).collect();
        let outbox: Vec<Uuid> = all.iter().map(|_| self.journal()).collect();
        let query = sqlx::query_scalar(
            "SELECT ledger_transfer($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())",
        );
        query
            .bind(payments)
            .bind(journals)
            .bind(all.iter().map(|one| self.id(0, one.0)).collect::<Vec<_>>())
            .bind(all.iter().map(|one| self.id(0, one.1)).collect::<Vec<_>>())
            .bind(all.iter().map(|one| one.2).collect::<Vec<i64>>())
            .bind(all.iter().map(|one| self.id(4, one.3)).collect::<Vec<_>>())
            .bind(vec![vec![0_u8; 32]; all.len()])
            .bind(vec![None::<String>; all.len()])
            .bind(outbox)
            .bind(vec![json!({}); all.len()])
            .fetch_one(&mut self.conn)
            .await
            .unwrap()
    }

    async fn balance(&mut self, player: u8) -> Option<(i64, i64)> {
        sqlx::query_as("SELECT posted_cents, held_cents FROM wallet WHERE player_id = $1")
            .bind(self.id(0, player))
            .fetch_optional(&mut self.conn)
            .await
            .unwrap()
    }
}

/// Drops the transfers that a batch may not have: those of a payer who pays twice or is paid too.
fn disjoint(call: Call) -> Call {
    let Call::Transfer(all) = call else { return call };
    let (mut payers, mut payees) = (HashSet::new(), HashSet::new());
    let mut kept = all;
    kept.retain(|(payer, payee, ..)| {
        let fits = payer != payee
            && !payers.contains(payer)
            && !payees.contains(payer)
            && !payers.contains(payee);
        if fits {
            payers.insert(*payer);
            payees.insert(*payee);
        }
        fits
    });
    Call::Transfer(kept)
}

#[tokio::test]
async fn the_functions_do_what_the_model_does() {
    let mut world = World::new().await;
    // The wallet would deliver the outbox rows, which have no content.
    world.stop_wallet().await;
    let mut runner = TestRunner::deterministic();
    for case in 0..CASES {
        let calls = prop::collection::vec(call(), 60).new_tree(&mut runner).unwrap().current();
        let conn = PgConnection::connect(world.database.url.expose()).await.unwrap();
        let (mut ledger, mut model) = (Ledger { conn, case, journals: 0 }, Model::default());
        for (place, call) in calls.into_iter().map(disjoint).enumerate() {
            if matches!(&call, Call::Transfer(all) if all.is_empty()) {
                continue;
            }
            let expected = model.apply(&call);
            assert_eq!(ledger.apply(&call).await, expected, "case {case}, call {place}: {call:?}");
            for player in 0..PLAYERS {
                let expected = model.wallets.get(&player).copied();
                assert_eq!(ledger.balance(player).await, expected, "case {case}, call {place}");
            }
        }
    }
    // The journals of this test have no payments.
    let mut broken: Vec<(String, String, Option<String>)> =
        sqlx::query_as(include_str!("../../proof.sql")).fetch_all(&world.pool).await.unwrap();
    broken.retain(|(what, ..)| what != "journal without its payment");
    assert!(broken.is_empty(), "{broken:?}");
}

#[tokio::test]
async fn a_batch_in_which_a_payer_pays_twice_or_is_paid_is_refused() {
    let world = World::new().await;
    let conn = PgConnection::connect(world.database.url.expose()).await.unwrap();
    let mut ledger = Ledger { conn, case: 0, journals: 0 };
    for player in 0..3 {
        let _ = ledger.apply(&Call::TopUp { reference: player, to: player, cents: 100 }).await;
    }
    let ids = |all: [u8; 2]| all.map(|one| ledger.id(0, one)).to_vec();
    for (payers, payees) in [([0, 0], [1, 2]), ([0, 1], [1, 2])] {
        let query = sqlx::query(
            "SELECT ledger_transfer($1, $1, $1, $2, ARRAY[1, 1]::bigint[], $1,
                                    ARRAY['', '']::bytea[], ARRAY['', ''], $1,
                                    ARRAY['{}', '{}']::jsonb[], now())",
        );
        let refused = query.bind(ids(payers)).bind(ids(payees)).execute(&world.pool).await;
        let refused = refused.unwrap_err();
        assert_eq!(mesh::db::violated(&refused), Some("transfer_disjoint"), "{refused}");
    }
}
