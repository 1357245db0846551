//! A bank test: players move money in every way that needs no handset, while svc-wallet, Redis and
//! PostgreSQL are killed in turn. No cent is lost or created.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering::Relaxed},
    time::Duration,
};

use futures_util::{StreamExt as _, future::join_all, stream};
use journeys::{Mesh, Operator, Player, Process, Reply, eventually, within};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{
    sync::Mutex,
    time::{Instant, sleep},
};
use types::{Money, Rng};

const PLAYERS: usize = 50;
const CLIENTS: usize = 16;
/// The amount that each player pays in at the beginning, in shillings.
const PAID_IN: u32 = 1_000;
/// The price of a package, in shillings.
const BRONZE: i64 = 10;
/// The processes that are killed, in this order.
const KILLED: [&str; 6] = ["svc-wallet", "redis", "postgres", "svc-wallet", "postgres", "redis"];
/// The least time between two kills.
const CALM: Duration = Duration::from_secs(5);
/// The least number of moves between two kills; fewer would prove little.
const MOVES: usize = 30;
/// The time within which that many moves are made, even on a slow machine.
const MOVED: Duration = Duration::from_mins(2);
/// How long a killed process is away.
const AWAY: Duration = Duration::from_secs(1);
/// The pause before a call is sent again.
const PAUSE: Duration = Duration::from_millis(300);
/// The longest time until a payout ends: a lost result is queried after two and after five minutes.
const PAID_OUT: Duration = Duration::from_mins(6);
/// The time after the last kill within which each waiting payout is sent. A payout that is
/// SUBMITTING after it, and that the bank has not received, was lost on its way.
const SENT: Duration = Duration::from_secs(45);

#[tokio::test]
async fn not_a_cent_is_lost_or_made_while_svc_wallet_and_the_stores_are_killed() {
    let mesh = Mesh::alone();
    let bank = Bank::open(&mesh).await;
    bank.assert_agrees().await;

    let is_over = AtomicBool::new(false);
    let clients = (0..CLIENTS).map(|client| bank.trade(client, &is_over));
    let kills = async {
        for name in KILLED {
            bank.await_moves().await;
            let killed = Process::find(&mesh, name).kill().await;
            sleep(AWAY).await;
            killed.restart().await;
        }
        bank.await_moves().await;
        is_over.store(true, Relaxed);
    };
    tokio::join!(join_all(clients), kills);

    let payouts = bank.await_payouts().await;
    assert!(payouts > 0, "no withdrawal was made");
    bank.assert_agrees().await;
}

/// The players' money, according to the replies to their calls.
struct Bank<'a> {
    mesh: &'a Mesh,
    players: Vec<Player>,
    /// The number of moves that succeeded.
    moves: AtomicUsize,
    /// What each player owns, in cents.
    owned: Vec<AtomicI64>,
    /// The part of each player's money that is held for payouts that were lost on their way to the
    /// bank, in cents.
    held: Vec<AtomicI64>,
    /// The withdrawals that were accepted: the player's place in the list, and the payment.
    payouts: Mutex<Vec<(usize, String)>>,
    /// The withdrawals that were paid, by player: the payment, and the amount that the phone got,
    /// in cents.
    paid: Mutex<HashMap<usize, Vec<(String, i64)>>>,
    wallet: String,
    mpesa: String,
    bronze: String,
}

impl<'a> Bank<'a> {
    /// Signs up the players, each of whom tops up.
    async fn open(mesh: &'a Mesh) -> Self {
        // A few sign-ups at a time, because each hashes a password.
        let players: Vec<Player> =
            stream::iter(0..PLAYERS).map(|_| mesh.new_player()).buffered(4).collect().await;
        stream::iter(&players)
            .for_each_concurrent(4, |player| async move {
                player.set_handset(json!({"stk": "approve"})).await;
                let payment = player.top_up(PAID_IN).await;
                assert_eq!(player.until_final(&payment).await["status"], "COMPLETED");
                player.prove_phone(&player.phone).await;
            })
            .await;
        let paid_in = i64::from(PAID_IN) * 100;
        Self {
            owned: players.iter().map(|_| AtomicI64::new(paid_in)).collect(),
            held: players.iter().map(|_| AtomicI64::new(0)).collect(),
            moves: AtomicUsize::new(0),
            payouts: Mutex::default(),
            paid: Mutex::default(),
            wallet: mesh.method("WALLET").await,
            mpesa: mesh.method("MPESA").await,
            bronze: Operator::of(mesh).apply_package("Bronze", BRONZE).await,
            mesh,
            players,
        }
    }

    /// Waits for [`CALM`], and until [`MOVES`] more moves have succeeded.
    async fn await_moves(&self) {
        let enough = self.moves.load(Relaxed) + MOVES;
        sleep(CALM).await;
        within(MOVED, "the players move money", || async {
            (self.moves.load(Relaxed) >= enough).then_some(())
        })
        .await;
    }

    /// Makes random moves until `is_over` is set.
    async fn trade(&self, client: usize, is_over: &AtomicBool) {
        let rng = Rng::from_seed(u64::try_from(client).unwrap());
        let below = |limit: usize| usize::from(u16::from_be_bytes(rng.bytes())) % limit;
        while !is_over.load(Relaxed) {
            let from = below(PLAYERS);
            let moved = match below(10) {
                0 => self.withdraw(from, 10 + below(40)).await,
                1 => self.subscribe(from).await,
                _ => {
                    let to = (from + 1 + below(PLAYERS - 1)) % PLAYERS;
                    self.boost(from, to, 1 + below(300)).await
                }
            };
            self.moves.fetch_add(usize::from(moved), Relaxed);
        }
    }

    async fn boost(&self, from: usize, to: usize, shillings: usize) -> bool {
        let body = json!({
            "paymentMethodId": self.wallet, "amount": shillings, "userId": self.players[to].uid,
        });
        let Some(paid) = self.pay(from, "/payments/top-up", &body).await else { return false };
        assert_eq!(paid["status"], "COMPLETED", "{paid}");
        self.owned[from].fetch_sub(cents(&paid["amount"]), Relaxed);
        self.owned[to].fetch_add(cents(&paid["amount"]), Relaxed);
        true
    }

    async fn subscribe(&self, from: usize) -> bool {
        let body = json!({"paymentMethodId": self.wallet, "subscriptionPackageId": self.bronze});
        let Some(paid) = self.pay(from, "/payments/subscribe", &body).await else { return false };
        assert_eq!(paid["status"], "COMPLETED", "{paid}");
        self.owned[from].fetch_sub(cents(&paid["amount"]), Relaxed);
        true
    }

    async fn withdraw(&self, from: usize, shillings: usize) -> bool {
        let body = json!({
            "paymentMethodId": self.mpesa,
            "amount": shillings,
            "mpesaPhoneNumber": self.players[from].phone,
        });
        let Some(accepted) = self.pay(from, "/wallets/withdraw", &body).await else { return false };
        let payment = accepted["paymentId"].as_str().unwrap().to_owned();
        self.payouts.lock().await.push((from, payment));
        true
    }

    /// Sends a call under one key until its outcome is known; `None` if the player has too
    /// little.
    async fn pay(&self, player: usize, path: &str, body: &Value) -> Option<Value> {
        let key = self.mesh.unique_id();
        loop {
            let call = self.players[player].call(Method::POST, path);
            let reply = Reply::to(call.header("idempotency-key", &key).json(body)).await;
            match reply.status {
                200 | 201 => return Some(reply.payload),
                422 => {
                    assert_eq!(reply.refusal(), (422, "INSUFFICIENT_FUNDS"), "{path}");
                    return None;
                }
                // Too many calls were sent at once, or a process of the mesh is out of reach.
                409 | 429 | 500.. => sleep(PAUSE).await,
                status => panic!("{path}: {status} {}", reply.message),
            }
        }
    }

    /// Waits until each withdrawal has ended or is lost, and subtracts paid amounts from what their
    /// players own; returns how many were paid. A payout that svc-wallet was about to send when it
    /// was killed is not sent again: it stays SUBMITTING, with its money held, for an operator. A
    /// payout in CREATED must still be sent.
    async fn await_payouts(&self) -> usize {
        let mut count = 0;
        let all_are_sent = Instant::now() + SENT;
        let mut paid = self.paid.lock().await;
        for (number, payment) in self.payouts.lock().await.drain(..) {
            let player = &self.players[number];
            let ended = within(PAID_OUT, "a payout ends or is lost", || async {
                let reply = player.get(&format!("/payments/{payment}")).await;
                let is_final =
                    ["COMPLETED", "ERROR"].iter().any(|end| reply.payload["status"] == *end);
                let is_lost = Instant::now() > all_are_sent
                    && self.mesh.payment_state(&payment).await == "SUBMITTING"
                    && !self.is_booked(player, &payment).await;
                (reply.status == 200 && (is_final || is_lost)).then_some(reply.payload)
            })
            .await;
            let (amount, fee) = (cents(&ended["amount"]), cents(&ended["fee"]));
            match ended["status"].as_str().unwrap() {
                "COMPLETED" => {
                    self.owned[number].fetch_sub(amount + fee, Relaxed);
                    paid.entry(number).or_default().push((payment, amount));
                    count += 1;
                }
                "ERROR" => {}
                _ => {
                    self.held[number].fetch_add(amount + fee, Relaxed);
                }
            }
        }
        count
    }

    async fn is_booked(&self, player: &Player, payment: &str) -> bool {
        let lines = self.mesh.sandbox().paid_out_to(&player.phone).await;
        lines.iter().any(|line| line.reference == payment)
    }

    /// Asserts that each wallet has what its player owns, that only lost payouts hold part of it,
    /// that the sandbox's bank book has the same payments of each phone, and that the ledger's
    /// proof holds.
    async fn assert_agrees(&self) {
        let paid = self.paid.lock().await;
        for (number, player) in self.players.iter().enumerate() {
            let owned = self.owned[number].load(Relaxed);
            let available = owned - self.held[number].load(Relaxed);
            assert!(owned >= 0, "{} owes {owned} cents", player.uid);
            let balance = eventually("the balance can be read", || async {
                let reply = player.get("/wallets/balance").await;
                (reply.status == 200).then_some(reply.payload)
            })
            .await;
            assert_eq!(cents(&balance["balance"]), owned, "the wallet of {}", player.uid);
            assert_eq!(cents(&balance["available"]), available, "what {} can spend", player.uid);
            assert_eq!(player.paid_by_phone().await, Money::from_cents(i64::from(PAID_IN) * 100));
            let booked = self.mesh.sandbox().paid_out_to(&player.phone).await;
            let mut booked: Vec<_> =
                booked.into_iter().map(|line| (line.reference, line.amount_cents)).collect();
            let mut paid = paid.get(&number).cloned().unwrap_or_default();
            booked.sort();
            paid.sort();
            assert_eq!(booked, paid, "what the phone of {} got", player.uid);
        }
        self.mesh.prove().await;
    }
}

/// An amount of KES as the API writes it, in cents.
fn cents(amount: &Value) -> i64 {
    let number = amount.as_number().unwrap_or_else(|| panic!("{amount} is no number"));
    Money::parse(&number.to_string()).unwrap().cents()
}
