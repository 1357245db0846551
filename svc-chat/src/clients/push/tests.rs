//! Tests that no connection is made to a push service with a private address, and that a slow or
//! failing one is limited.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use futures_util::{StreamExt as _, stream::FuturesUnordered};
use time::OffsetDateTime;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    time::timeout,
};
use types::SecretString;
use url::Url;

use super::{hosts::IN_FLIGHT, resolver::Looked, *};

const HOST: &str = "fcm.googleapis.com";
const CREATED: &str = "HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n";
/// The time limit for expected events.
const SOON: Duration = Duration::from_secs(10);

/// Gives each lookup the next answer, and the last one again.
struct Scripted {
    answers: Mutex<Vec<Vec<IpAddr>>>,
    lookups: AtomicUsize,
}

impl Scripted {
    fn new(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |answer: &&[&str]| answer.iter().map(|ip| ip.parse().unwrap()).collect();
        let answers = Mutex::new(answers.iter().map(parse).collect());
        Arc::new(Self { answers, lookups: AtomicUsize::new(0) })
    }

    fn lookups(&self) -> usize {
        self.lookups.load(SeqCst)
    }
}

impl Lookup for Scripted {
    fn lookup(&self, _name: &str) -> Looked {
        self.lookups.fetch_add(1, SeqCst);
        let mut answers = self.answers.lock().unwrap();
        let answer = if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() };
        Box::pin(async move { Ok(answer) })
    }
}

/// A server on this machine that counts its connections, and answers with a reply.
struct Trap {
    addr: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl Trap {
    #[expect(clippy::disallowed_methods, reason = "ends with the test's runtime")]
    async fn set(reply: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&connections);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counted.fetch_add(1, SeqCst);
                let mut request = [0; 8_192];
                let _ = stream.read(&mut request).await;
                let _ = stream.write_all(reply.as_bytes()).await;
            }
        });
        Self { addr, connections }
    }

    fn connections(&self) -> usize {
        self.connections.load(SeqCst)
    }
}

fn args(sandbox: Option<&str>) -> PushArgs {
    PushArgs {
        vapid_private_key: Some(SecretString::from("BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc")),
        vapid_subject: "mailto:support@playon.example".into(),
        push_services: vec![HOST.parse().unwrap(), "*.notify.windows.com".parse().unwrap()],
        push_sandbox_url: sandbox.map(|url| Url::parse(url).unwrap()),
        push_max_age: Duration::from_hours(1),
        push_subscription_retention: Duration::from_hours(24 * 60),
    }
}

fn client(sandbox: Option<&str>, lookup: Arc<dyn Lookup>) -> PushClient {
    client_with(sandbox, lookup, Clock::system(), LIMITS)
}

fn client_with(
    sandbox: Option<&str>,
    lookup: Arc<dyn Lookup>,
    clock: Clock,
    limits: Limits,
) -> PushClient {
    let args = args(sandbox);
    let key = VapidKey::parse(args.vapid_private_key.as_ref().unwrap(), "mailto:a@b.example");
    PushClient::with(&args, key.unwrap(), clock, lookup, limits).unwrap()
}

/// A clock that stands still.
fn clock() -> Clock {
    Clock::settable(OffsetDateTime::UNIX_EPOCH)
}

async fn send(client: &PushClient, endpoint: &str) -> Sent {
    send_to(client, client.endpoint(endpoint).unwrap()).await
}

async fn send_to(client: &PushClient, endpoint: PushEndpoint) -> Sent {
    let key = p256::SecretKey::from_slice(&[9; 32]).unwrap().public_key();
    let keys = BrowserKeys::parse(p256::EncodedPoint::from(key).as_bytes(), &[1; 16]).unwrap();
    let message = PushMessage {
        endpoint: &endpoint,
        keys: &keys,
        payload: b"{}".to_vec(),
        ttl: Duration::from_mins(1),
        topic: "t".into(),
    };
    client.send(message).await.unwrap()
}

fn assert_not_public(sent: &Sent) {
    let Sent::Unreachable(reason) = sent else { panic!("{sent:?}") };
    assert!(reason.contains("not public"), "{reason}");
    assert!(!reason.contains("secret-part"), "the endpoint is logged: {reason}");
}

#[tokio::test]
async fn a_push_service_at_a_private_address_is_not_connected_to() {
    for address in [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "fd00:ec2::254",
        "fe80::1",
        "2002:7f00:1::",
        "64:ff9b::7f00:1",
    ] {
        let client = client(None, Scripted::new(&[&[address]]));
        assert_not_public(&send(&client, "https://fcm.googleapis.com/secret-part").await);
    }
}

#[tokio::test]
async fn one_private_address_among_public_ones_is_enough_to_refuse() {
    let client = client(None, Scripted::new(&[&["142.250.1.95", "127.0.0.1"]]));
    assert_not_public(&send(&client, "https://fcm.googleapis.com/secret-part").await);
}

#[tokio::test]
async fn a_name_that_changes_its_address_after_the_check_leads_nowhere() {
    let trap = Trap::set(CREATED).await;
    // The first address is public, but no network has it. Each later lookup returns a private one:
    // the attack.
    let lookup = Scripted::new(&[&["2d00::1"], &["127.0.0.1"]]);
    let limits = Limits { connect: Duration::from_secs(1), total: Duration::from_secs(5) };
    let (clock, left) = (clock(), Arc::clone(&lookup));
    let client = client_with(None, lookup, clock.clone(), limits);
    // The URL has the trap's port, which no endpoint of a browser may have.
    let url = format!("https://{HOST}:{}/secret-part", trap.addr.port());
    let endpoint = PushEndpoint::unchecked(Url::parse(&url).unwrap());

    let sent = send_to(&client, endpoint.clone()).await;
    let Sent::Unreachable(reason) = sent else { panic!("{sent:?}") };
    assert!(!reason.contains("not public"), "it was connected to what was checked: {reason}");
    assert_eq!(trap.connections(), 0);
    assert_eq!(left.lookups(), 1, "what is looked up again is not what was checked");

    // The next delivery looks up and checks the name again.
    clock.advance(Duration::from_mins(1));
    assert_not_public(&send_to(&client, endpoint).await);
    assert_eq!((trap.connections(), left.lookups()), (0, 2));
}

#[tokio::test]
async fn a_host_that_hangs_leaves_room_for_deliveries_to_other_hosts() {
    /// A lookup that never answers.
    struct Hanging;
    impl Lookup for Hanging {
        fn lookup(&self, _name: &str) -> Looked {
            Box::pin(std::future::pending())
        }
    }
    /// The deliveries that the relay has in flight.
    const RELAY: usize = 32;
    let trap = Trap::set(CREATED).await;
    let sandbox = format!("http://{}", trap.addr);
    // A hanging delivery hangs until the end of the test.
    let day = Duration::from_hours(24);
    let limits = Limits { connect: day, total: day };
    let client = client_with(Some(&sandbox), Arc::new(Hanging), clock(), limits);

    let sends = (0..RELAY).map(|_| send(&client, "https://fcm.googleapis.com/x"));
    let mut hanging: FuturesUnordered<_> = sends.collect();
    let put_off = async {
        let mut put_off = 0;
        while put_off < RELAY - IN_FLIGHT {
            let sent = hanging.next().await.unwrap();
            assert!(matches!(sent, Sent::HostBusy(_)), "{sent:?}");
            put_off += 1;
        }
    };
    timeout(SOON, put_off).await.expect("only sixteen of the relay's deliveries hang");
    let browser = format!("{sandbox}/push/browser");
    let sent = send(&client, &browser);
    assert_eq!(timeout(SOON, sent).await.expect("another host is not waited for"), Sent::Accepted);
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "ends with the test's runtime")]
async fn a_host_that_does_not_answer_is_not_connected_to_for_a_while() {
    /// Accepts connections, counts them and holds them without a reply.
    async fn hold(listener: TcpListener, connections: Arc<AtomicUsize>) {
        let mut held = Vec::new();
        while let Ok(connection) = listener.accept().await {
            connections.fetch_add(1, SeqCst);
            held.push(connection);
        }
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let sandbox = format!("http://{}", listener.local_addr().unwrap());
    let connections = Arc::new(AtomicUsize::new(0));
    tokio::spawn(hold(listener, Arc::clone(&connections)));
    let limits = Limits { connect: SOON, total: Duration::from_millis(300) };
    let clock = clock();
    let lookup = Scripted::new(&[&["127.0.0.1"]]);
    let client = client_with(Some(&sandbox), lookup, clock.clone(), limits);
    let browser = format!("{sandbox}/push/browser");

    assert!(matches!(send(&client, &browser).await, Sent::Unreachable(_)));
    for _ in 0..100 {
        let sent = send(&client, &browser).await;
        let Sent::HostOut(pause) = sent else { panic!("{sent:?}") };
        assert!(pause >= Duration::from_secs(5) && pause < Duration::from_secs(6), "{pause:?}");
    }
    assert_eq!(connections.load(SeqCst), 1);
    clock.advance(Duration::from_secs(5));
    assert!(matches!(send(&client, &browser).await, Sent::Unreachable(_)), "it is tried again");
    assert_eq!(connections.load(SeqCst), 2);
}

#[tokio::test]
async fn the_sandbox_of_development_opens_no_other_host_to_private_addresses() {
    let trap = Trap::set(CREATED).await;
    let sandbox = format!("http://{}", trap.addr);
    let client = client(Some(&sandbox), Scripted::new(&[&["127.0.0.1"]]));
    assert_not_public(&send(&client, "https://fcm.googleapis.com/secret-part").await);
    assert_eq!(trap.connections(), 0);
    assert_eq!(send(&client, &format!("{sandbox}/push/browser")).await, Sent::Accepted);
    assert_eq!(trap.connections(), 1);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let target = Trap::set(CREATED).await;
    let redirect = format!(
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://{}/push/x\r\ncontent-length: 0\r\n\r\n",
        target.addr
    );
    let trap = Trap::set(Box::leak(redirect.into_boxed_str())).await;
    let sandbox = format!("http://{}", trap.addr);
    let client = client(Some(&sandbox), Scripted::new(&[&["127.0.0.1"]]));
    let sent = send(&client, &format!("{sandbox}/push/browser")).await;
    assert_eq!(sent, Sent::Refused("status 307".into()));
    assert_eq!((trap.connections(), target.connections()), (1, 0));
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "ends with the connection")]
async fn a_reply_is_read_to_a_limit_only() {
    /// Serves an endless reply in chunks of 64 KiB.
    async fn serve(listener: TcpListener, sent: Arc<AtomicUsize>) -> io::Result<()> {
        let (mut stream, _) = listener.accept().await?;
        let mut request = [0; 8_192];
        let _ = stream.read(&mut request).await?;
        stream.write_all(b"HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n").await?;
        let chunk = [b"10000\r\n".as_slice(), &vec![b'x'; 65_536], b"\r\n"].concat();
        loop {
            stream.write_all(&chunk).await?;
            sent.fetch_add(65_536, SeqCst);
        }
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let sandbox = format!("http://{}", listener.local_addr().unwrap());
    let bytes = Arc::new(AtomicUsize::new(0));
    let server = tokio::spawn(serve(listener, Arc::clone(&bytes)));
    let client = client(Some(&sandbox), Scripted::new(&[&["127.0.0.1"]]));
    assert_eq!(send(&client, &format!("{sandbox}/push/browser")).await, Sent::Accepted);
    // The server ends because the client has closed the connection.
    assert!(server.await.unwrap().is_err());
    assert!(bytes.load(SeqCst) < 64 * 1024 * 1024, "what the sockets buffer at most");
}

#[tokio::test]
async fn replies_mean_what_the_rfc_says() {
    for (head, expected) in [
        ("201 Created", Sent::Accepted),
        ("202 Accepted", Sent::Accepted),
        ("404 Not Found", Sent::Gone),
        ("410 Gone", Sent::Gone),
        ("429 Too Many Requests\r\nretry-after: 17", Sent::Later(Some(Duration::from_secs(17)))),
        ("429 Too Many Requests\r\nretry-after: -1", Sent::Later(None)),
        ("500 Internal Server Error", Sent::Later(None)),
        ("503 Unavailable\r\nretry-after: Wed, 21 Oct 2026 07:28:00 GMT", Sent::Later(None)),
        ("403 Forbidden", Sent::Refused("status 403".into())),
        ("413 Payload Too Large", Sent::Refused("status 413".into())),
    ] {
        let reply = format!("HTTP/1.1 {head}\r\ncontent-length: 0\r\n\r\n");
        let trap = Trap::set(Box::leak(reply.into_boxed_str())).await;
        let sandbox = format!("http://{}", trap.addr);
        let client = client(Some(&sandbox), Scripted::new(&[&["127.0.0.1"]]));
        assert_eq!(send(&client, &format!("{sandbox}/push/browser")).await, expected, "{head}");
    }
}

#[test]
fn a_key_is_32_bytes_of_base64url_within_the_curve() {
    let parse = |text: &str| VapidKey::parse(&SecretString::from(text), "mailto:a@b.example");
    // The browser's key pair in RFC 8291, appendix A.
    let key = parse("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94").unwrap();
    assert_eq!(
        key.public_key(),
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    );
    for bad in ["", "short", "not base64!", ZERO, "__________________________________________8"] {
        assert!(parse(bad).is_err(), "{bad}");
    }
}

/// 32 zero bytes.
const ZERO: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

#[test]
fn without_a_key_nothing_is_pushed() {
    let none = PushArgs { vapid_private_key: None, ..args(None) };
    assert!(PushClient::new(&none, Clock::system()).unwrap().is_none());
    let bad = PushArgs { vapid_private_key: Some(SecretString::from("x")), ..args(None) };
    assert!(PushClient::new(&bad, Clock::system()).is_err());
}
