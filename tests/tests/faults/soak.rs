//! A room of a thousand readers on two gateways, while a tenth of them lose their connections
//! each minute, and svc-chat and Redis are killed.

use std::{
    net::TcpListener,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::{StreamExt as _, stream};
use journeys::{AnotherProcess, LiveStream, Mesh, Operator, Player, Process, StreamItem, within};
use proto::live::v1::{RoomCursor, SubscribeRequest, live_event::Event};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{sync::Notify, task::JoinSet, time::sleep};

use crate::{capability::api, report};

const ROOM: &str = "soak";
/// The number of members who write: the first ones of the list.
const SENDERS: usize = 20;
/// The pause of one sender between two messages; the room gets four a second.
const SENDER_PAUSE: Duration = Duration::from_secs(5);
/// The pause before a call or a stream is tried again.
const RETRY_PAUSE: Duration = Duration::from_millis(500);
/// The largest message number in the room.
const MESSAGES_MAX: usize = 20_000;
/// One reader in this many loses the connection each minute.
const DROPPED: usize = 10;
/// The longest that a reader may take after the last message.
const CATCH_UP: Duration = Duration::from_mins(1);
/// The most that an open stream may add to the memory of gateways and services, in bytes.
const STREAM_MEMORY: u64 = 64 * 1024;
const MINUTE: Duration = Duration::from_mins(1);

/// A size of the soak, which an environment variable may set for a shorter trial.
fn from_env(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// The state that all readers and senders share.
struct Room {
    mesh: Mesh,
    gateways: [String; 2],
    /// The id of each message by its number, as the first reader saw it.
    ids: Vec<OnceLock<String>>,
    writing: AtomicBool,
    deliveries: AtomicU64,
    reopened: AtomicU32,
    /// The violations that were found.
    problems: std::sync::Mutex<Vec<String>>,
}

/// A member's stream.
struct Reader {
    last: AtomicU64,
    cut: Notify,
}

impl Room {
    fn problem(&self, text: String) {
        let mut problems = self.problems.lock().unwrap();
        if problems.len() < 20 {
            problems.push(text);
        }
    }

    /// Reads for ever. After the stream ends, reopens it with the number of the last message that
    /// it read.
    async fn read(self: Arc<Self>, player: Player, number: usize, reader: Arc<Reader>) {
        let gateway = &self.gateways[number % self.gateways.len()];
        loop {
            let after_seq = reader.last.load(Ordering::Relaxed);
            let cursor = RoomCursor { chat_room_uid: ROOM.to_owned(), after_seq };
            let request = SubscribeRequest { rooms: vec![cursor], ..SubscribeRequest::default() };
            let call = LiveStream::call_at(&self.mesh, gateway, &request);
            if let Ok(mut stream) =
                LiveStream::attempt(call.bearer_auth(&player.access_token)).await
            {
                loop {
                    let item = tokio::select! {
                        item = stream.next() => item,
                        () = reader.cut.notified() => break,
                    };
                    match item {
                        StreamItem::Event(event) => self.check(number, &reader, event),
                        StreamItem::End(_) | StreamItem::Disconnected => break,
                    }
                }
            }
            self.reopened.fetch_add(1, Ordering::Relaxed);
            sleep(RETRY_PAUSE).await;
        }
    }

    /// Checks that each message has the number after the last one, and is the same for all readers.
    fn check(&self, number: usize, reader: &Reader, event: Event) {
        let Event::Message(message) = event else { return };
        let last = reader.last.swap(message.seq, Ordering::Relaxed);
        if message.seq != last + 1 {
            self.problem(format!("reader {number} got {} after {last}", message.seq));
        }
        let known = self.ids.get(usize::try_from(message.seq).unwrap());
        let known = known.expect("fewer messages").get_or_init(|| message.id.clone());
        if *known != message.id {
            self.problem(format!("{} is {known} and {}", message.seq, message.id));
        }
        self.deliveries.fetch_add(1, Ordering::Relaxed);
    }

    /// Writes until the soak ends, and repeats each message until it is accepted, as the web app
    /// does. Returns the numbers and ids that the server gave.
    async fn write(self: Arc<Self>, player: Player, place: usize) -> Vec<(u64, String)> {
        let mut accepted = Vec::new();
        sleep(SENDER_PAUSE / 20 * u32::try_from(place).unwrap()).await;
        while self.writing.load(Ordering::Relaxed) {
            let body = json!({
                "chatRoomId": ROOM, "message": "Habari!", "chatType": "TEXT",
                "clientMessageId": self.mesh.unique_id(),
            });
            let message = loop {
                let call = player.call(Method::POST, "/chats/send").json(&body);
                match api(call).await {
                    (outcome, message) if outcome.is_ok() => break message,
                    _ => sleep(RETRY_PAUSE).await,
                }
            };
            let seq = message["seq"].as_u64().expect("a number");
            accepted.push((seq, message["id"].as_str().expect("an id").to_owned()));
            sleep(SENDER_PAUSE).await;
        }
        accepted
    }
}

/// The memory of the processes that hold streams.
fn holders(mesh: &Mesh, second_gateway: &AnotherProcess) -> u64 {
    let names = ["gateway", "svc-chat", "svc-chat-2"];
    names.map(|name| Process::find(mesh, name).memory()).iter().sum::<u64>()
        + second_gateway.memory()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

async fn members(mesh: &Mesh, count: usize) -> Vec<Player> {
    let one = |_| async {
        let player = mesh.new_player().await;
        player.get(&format!("/profile/chatroom-join/{ROOM}")).await.ok();
        player
    };
    let mut members: Vec<_> = stream::iter(0..count).map(one).buffer_unordered(4).collect().await;
    // The tokens are refreshed, because they are valid for 15 minutes, and the sign-ups took part
    // of that.
    stream::iter(&mut members)
        .for_each_concurrent(4, |player| async {
            player.take_session(&player.refresh().await.ok());
        })
        .await;
    members
}

/// A second gateway beside the one that `cargo xtask` started, and its origin.
async fn second_gateway(mesh: &Mesh) -> (AnotherProcess, String) {
    let [port, metrics, games] = [free_port(), free_port(), free_port()];
    let local = |port: u16| format!("127.0.0.1:{port}");
    let listen = [
        ("LISTEN", local(port)),
        ("METRICS_LISTEN", local(metrics)),
        ("GAMES_LISTEN", local(games)),
    ];
    let second = Process::find(mesh, "gateway").another(port, &listen).await;
    (second, format!("http://{}", local(port)))
}

impl Room {
    /// Opens the streams of all players, and waits until svc-chat counts them.
    async fn open(self: &Arc<Self>, players: &[Player]) -> (JoinSet<()>, Vec<Arc<Reader>>) {
        let (mut streams, mut open) = (JoinSet::new(), Vec::new());
        for (number, player) in players.iter().cloned().enumerate() {
            let reader = Arc::new(Reader { last: AtomicU64::new(0), cut: Notify::new() });
            streams.spawn(Arc::clone(self).read(player, number, Arc::clone(&reader)));
            open.push(reader);
            // The pause avoids a thousand handshakes at once, which is another test.
            sleep(Duration::from_millis(5)).await;
        }
        let expected = u64::try_from(players.len()).unwrap();
        within(MINUTE, "all members online", || async {
            let rooms = players[0].get("/chat-rooms/list").await.ok();
            let rooms = rooms.as_array().unwrap();
            let room = rooms.iter().find(|room| room["chatRoomUid"] == ROOM).unwrap();
            let is_all = |name: &str| room[name].as_u64() == Some(expected);
            (is_all("memberCount") && is_all("onlineMemberCount")).then_some(())
        })
        .await;
        (streams, open)
    }

    /// Cuts connections and kills processes for some minutes, while the senders write.
    async fn disturb(&self, readers: &[Arc<Reader>], minutes: usize) {
        for minute in 0..minutes {
            let begun = Instant::now();
            for reader in readers.iter().skip(minute % DROPPED).step_by(DROPPED) {
                reader.cut.notify_one();
            }
            if minute == 1 || minute == 3 {
                sleep(MINUTE / 3).await;
                let name = if minute == 1 { "svc-chat" } else { "redis" };
                Process::find(&self.mesh, name).kill().await.restart().await;
            }
            sleep(MINUTE.saturating_sub(begun.elapsed())).await;
            let deliveries = self.deliveries.load(Ordering::Relaxed);
            eprintln!("minute {}: {deliveries} deliveries", minute + 1);
        }
        self.writing.store(false, Ordering::Relaxed);
    }

    /// Waits until all readers have the newest message, and compares the accepted messages with
    /// those that they read. Returns the newest number.
    async fn settle(&self, readers: &[Arc<Reader>], accepted: &[(u64, String)]) -> u64 {
        let newest = accepted.iter().map(|(seq, _)| *seq).max().unwrap();
        let last = |reader: &Arc<Reader>| reader.last.load(Ordering::Relaxed);
        let begun = Instant::now();
        while begun.elapsed() < CATCH_UP && readers.iter().any(|reader| last(reader) < newest) {
            sleep(RETRY_PAUSE).await;
        }
        for (number, reader) in readers.iter().enumerate() {
            if last(reader) != newest {
                self.problem(format!("reader {number} stands at {} of {newest}", last(reader)));
            }
        }
        for (seq, id) in accepted {
            let read = self.ids[usize::try_from(*seq).unwrap()].get();
            if read != Some(id) {
                self.problem(format!("{seq} was accepted as {id} and read as {read:?}"));
            }
        }
        if u64::try_from(accepted.len()).unwrap() != newest {
            self.problem(format!("{} messages were accepted, {newest} stored", accepted.len()));
        }
        newest
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes, on a mesh of its own with two replicas: cargo xtask soak"]
async fn soak() {
    let mesh = Mesh::alone();
    let (readers, minutes) = (from_env("SOAK_READERS", 1_000), from_env("SOAK_MINUTES", 5));
    Operator::of(&mesh).apply_room(ROOM).await;
    let (second, origin) = second_gateway(&mesh).await;
    let players = members(&mesh, readers).await;
    let room = Arc::new(Room {
        gateways: [mesh.url().to_owned(), origin],
        mesh: mesh.clone(),
        ids: (0..MESSAGES_MAX).map(|_| OnceLock::new()).collect(),
        writing: AtomicBool::new(true),
        deliveries: AtomicU64::new(0),
        reopened: AtomicU32::new(0),
        problems: std::sync::Mutex::default(),
    });
    let before = holders(&mesh, &second);
    // The memory per stream, including all other memory that the processes have taken since.
    let held = || holders(&mesh, &second).saturating_sub(before) / u64::try_from(readers).unwrap();
    let (mut streams, open) = room.open(&players).await;
    let memory = held();
    if memory > STREAM_MEMORY {
        room.problem(format!("an idle stream takes {memory} bytes"));
    }

    let mut senders = JoinSet::new();
    for (place, player) in players.iter().take(SENDERS).cloned().enumerate() {
        senders.spawn(Arc::clone(&room).write(player, place));
    }
    room.disturb(&open, minutes).await;
    let mut accepted = Vec::new();
    while let Some(sent) = senders.join_next().await {
        accepted.extend(sent.unwrap());
    }
    let newest = room.settle(&open, &accepted).await;
    let memory_after = held();
    streams.shutdown().await;

    let problems = room.problems.lock().unwrap().clone();
    let json = json!({
        "readers": readers, "minutes": minutes, "messages": newest,
        "deliveries": room.deliveries.load(Ordering::Relaxed),
        "reopened": room.reopened.load(Ordering::Relaxed),
        "stream_memory": memory, "stream_memory_after": memory_after, "problems": problems,
    });
    report::write(&markdown(&json), &json);
    assert!(problems.is_empty(), "{problems:#?}");
}

fn kib(bytes: &Value) -> u64 {
    bytes.as_u64().map_or(0, |bytes| bytes.div_ceil(1024))
}

fn markdown(json: &Value) -> String {
    format!(
        "{} members of a room on two gateways and two svc-chat, {} minutes; a tenth of them cut off each minute, svc-chat killed in the second and Redis in the fourth.\n\n\
         | messages | deliveries | streams opened again | memory of an idle stream | afterwards | lost, repeated or out of order |\n\
         | --- | --- | --- | --- | --- | --- |\n\
         | {} | {} | {} | {} KiB | {} KiB | {} |\n",
        json["readers"],
        json["minutes"],
        json["messages"],
        json["deliveries"],
        json["reopened"],
        kib(&json["stream_memory"]),
        kib(&json["stream_memory_after"]),
        json["problems"].as_array().map_or(0, Vec::len),
    )
}
