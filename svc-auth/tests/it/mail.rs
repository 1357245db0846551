//! Delivery of mails: servers that fail, refuse or stall, and processes that crash.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use proto::auth::v1::StartDeviceConfirmationRequest;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    runtime::Runtime,
    task::JoinHandle,
};

use crate::{
    harness::{PASSWORD, Service, connect, retry_mails, with_bearer},
    world::{RESET, WELCOME, World},
};

const PAGE: &str = "https://playon.example/reset-password?token=";

/// A scripted mail server.
struct Stub {
    url: String,
    /// Number of recipients that the server was asked to accept.
    asked: Arc<AtomicUsize>,
    /// Mails that the server accepted.
    taken: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

/// The script of a mail server.
#[derive(Clone, Copy)]
enum Order {
    /// Replies this to every recipient.
    Say(&'static str),
    /// Stalls after the recipient.
    FallSilent,
    /// Accepts everything, and hangs up before its first acceptance is sent.
    LoseTheFirstReply,
}

impl Stub {
    #[expect(clippy::disallowed_methods, reason = "it dies with the test, which is its owner")]
    async fn start(order: Order) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("--mail-url=smtp://{}", listener.local_addr().unwrap());
        let (asked, taken) = (Arc::<AtomicUsize>::default(), Arc::<Mutex<Vec<String>>>::default());
        let script = Talk { order, asked: asked.clone(), taken: taken.clone() };
        let task = tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(script.clone().hold(stream));
            }
        });
        Self { url, asked, taken, task }
    }

    async fn was_asked(&self, times: usize) {
        testkit::eventually("the server was asked", || async {
            (self.asked.load(Ordering::SeqCst) >= times).then_some(())
        })
        .await;
    }
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[derive(Clone)]
struct Talk {
    order: Order,
    asked: Arc<AtomicUsize>,
    taken: Arc<Mutex<Vec<String>>>,
}

impl Talk {
    /// Answers the SMTP commands of one connection.
    async fn hold(self, stream: TcpStream) {
        let mut stream = BufReader::new(stream);
        let mut reply = "220 stub";
        while stream.write_all(format!("{reply}\r\n").as_bytes()).await.is_ok() {
            let mut line = String::new();
            if !matches!(stream.read_line(&mut line).await, Ok(1..)) {
                return;
            }
            reply = match (line.get(..4), self.order) {
                (Some("RCPT"), order) => {
                    self.asked.fetch_add(1, Ordering::SeqCst);
                    match order {
                        Order::Say(verdict) => verdict,
                        Order::FallSilent => std::future::pending().await,
                        Order::LoseTheFirstReply => "250 fine",
                    }
                }
                (Some("DATA"), _) => {
                    stream.write_all(b"354 go on\r\n").await.unwrap();
                    if self.take(&mut stream).await == 1 {
                        return;
                    }
                    "250 taken"
                }
                _ => "250 fine",
            };
        }
    }

    /// Reads a mail to its end; returns the number of accepted mails.
    async fn take(&self, stream: &mut BufReader<TcpStream>) -> usize {
        let mut mail = String::new();
        while !mail.ends_with("\r\n.\r\n") {
            stream.read_line(&mut mail).await.unwrap();
        }
        let mut taken = self.taken.lock().unwrap();
        taken.push(mail);
        taken.len()
    }
}

/// The pending mails: topic and tries of each.
async fn pending_mails(auth: &Service) -> Vec<(String, i32)> {
    sqlx::query_as("SELECT topic, attempts FROM outbox ORDER BY created_at, id")
        .fetch_all(&mut connect(&auth.database).await)
        .await
        .unwrap()
}

async fn no_mail_is_pending(auth: &Service) {
    testkit::eventually("nothing is pending", || async {
        pending_mails(auth).await.is_empty().then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_mail_has_both_parts_and_our_headers() {
    let world = World::new().await;
    let (email, _) = world.player("o'neil+play&on").await;
    let mail = world.mail(&email, WELCOME).await;
    assert!(mail.text.contains("You created an account with o'neil+play&on@example.com."));
    assert!(mail.html.contains("o&#39;neil+play&#38;on@example.com"), "{}", mail.html);
    assert_eq!(mail.headers["From"], "PlayOn <no-reply@playon.example>");
    assert_eq!(mail.headers["To"], "o'neil+play&on@example.com");
    assert_eq!(mail.headers["Auto-Submitted"], "auto-generated");
    assert_eq!(mail.headers["Date"], "Fri, 20 Nov 2026 09:00:00 +0000");
    assert!(mail.headers["Message-ID"].ends_with("@playon.example>"));
}

#[tokio::test]
async fn no_input_of_a_player_reaches_a_header() {
    let world = World::new().await;
    let captcha = world.auth.captcha().await;
    for email in [
        "wanjiru@example.com\r\nBcc: all@example.com",
        "wanjiru@example.com\nBcc: all@example.com",
        "wanjiru\r\n@example.com",
        "\"wanjiru\r\n\"@example.com",
        "wanjiru@example.com, all@example.com",
        "wanjiru@example.com>\r\nRCPT TO:<all@example.com",
    ] {
        let fault = world.auth.sign_up_with(email, PASSWORD, captcha.clone()).await.unwrap_err();
        assert_eq!(fault.message, "Invalid email address", "{email:?}");
        let fault = world.auth.request_reset(email).await.unwrap_err();
        assert_eq!(fault.message, "Invalid email address", "{email:?}");
    }
    // No mail contains a player's name.
    let (email, session) = world.player("kamau").await;
    let change = proto::auth::v1::UpdateProfileRequest {
        name: Some("Win at https://evil.example".to_owned()),
        ..Default::default()
    };
    world.auth.update(&session, change).await.unwrap();
    world.reset_link(&email).await;
    for mail in world.mailbox(&email).await {
        assert!(!format!("{mail:?}").contains("evil.example"), "{mail:?}");
        assert!(!mail.headers.contains_key("Bcc"));
    }
    assert!(world.mailbox("all@example.com").await.is_empty());
}

#[tokio::test]
async fn a_mail_is_retried_after_an_outage_and_a_temporary_refusal() {
    let world = World::new().await;
    for kind in ["down", "refuse"] {
        let (email, _) = world.player(kind).await;
        world.fail_next("mail", kind).await;
        world.auth.request_reset(&email).await.unwrap();
        retry_mails(&world.auth).await;
        no_mail_is_pending(&world.auth).await;
        let mails = world.mailbox(&email).await;
        assert_eq!(mails.iter().filter(|mail| mail.subject == RESET).count(), 1, "{kind}");
        world.auth.confirm_reset(&mails[0].token(PAGE), "habari-gani").await.unwrap();
        no_mail_is_pending(&world.auth).await;
    }
}

#[tokio::test]
async fn sign_ups_leave_half_of_the_mails_of_an_hour_to_players() {
    let world = World::with(&["--mail-per-hour=4"]).await;
    for email in ["one@example.com", "two@example.com"] {
        world.auth.sign_up(email, PASSWORD).await.unwrap();
        world.mail(email, WELCOME).await;
    }
    world.auth.sign_up("three@example.com", PASSWORD).await.unwrap();
    testkit::eventually("the third mail waits", || async {
        let waiting = "SELECT count(*) FROM outbox WHERE NOT leased AND due_at > now()";
        let mut conn = connect(&world.auth.database).await;
        let waiting: i64 = sqlx::query_scalar(waiting).fetch_one(&mut conn).await.unwrap();
        (waiting == 1).then_some(())
    })
    .await;
    assert!(world.mailbox("three@example.com").await.is_empty());
    world.auth.request_reset("one@example.com").await.unwrap();
    world.mail("one@example.com", RESET).await;

    world.auth.clock.advance(Duration::from_hours(1));
    world.auth.database.advance_outbox(Duration::from_hours(1)).await;
    world.mail("three@example.com", WELCOME).await;
}

#[tokio::test]
async fn sign_ups_and_resets_leave_a_quarter_of_the_mails_of_an_hour_to_signed_in_players() {
    let world = World::with(&["--mail-per-hour=8"]).await;
    let mut owner = None;
    for email in ["one@example.com", "two@example.com", "three@example.com"] {
        owner = Some(world.auth.sign_up(email, PASSWORD).await.unwrap());
        world.mail(email, WELCOME).await;
    }
    // Eight mails: three of sign-ups, three of resets, and the fourth reset waits.
    for email in ["one@example.com", "two@example.com", "three@example.com"] {
        world.auth.request_reset(email).await.unwrap();
        world.mail(email, RESET).await;
    }
    world.auth.request_reset("one@example.com").await.unwrap();
    testkit::eventually("the fourth reset waits", || async {
        let waiting = "SELECT count(*) FROM outbox WHERE NOT leased AND due_at > now()";
        let mut conn = connect(&world.auth.database).await;
        let waiting: i64 = sqlx::query_scalar(waiting).fetch_one(&mut conn).await.unwrap();
        (waiting == 1).then_some(())
    })
    .await;
    // The code that a withdrawal waits for is mailed all the same.
    let start = with_bearer(StartDeviceConfirmationRequest {}, &owner.unwrap().access_token);
    world.auth.auth.clone().start_device_confirmation(start).await.unwrap();
    world.mail("three@example.com", "Your PlayOn code").await;
}

#[tokio::test]
async fn a_mail_that_is_sent_twice_is_the_same_mail_with_the_same_link() {
    let stub = Stub::start(Order::LoseTheFirstReply).await;
    let world = World::with(&[&stub.url]).await;
    world.auth.sign_up("wanjiru@example.com", PASSWORD).await.unwrap();
    retry_mails(&world.auth).await;
    no_mail_is_pending(&world.auth).await;
    let taken = stub.taken.lock().unwrap().clone();
    let line = |mail: &str, start: &str| {
        // Decodes quoted-printable.
        let plain = mail.replace("=\r\n", "").replace("=3D", "=");
        plain.lines().find(|line| line.starts_with(start)).unwrap().to_owned()
    };
    assert_eq!(taken.len(), 2);
    for start in ["https://playon.example/confirm-email?token=", "Message-ID: "] {
        assert_eq!(line(&taken[0], start), line(&taken[1], start));
    }
    let links: i64 = sqlx::query_scalar("SELECT count(*) FROM email_link")
        .fetch_one(&mut connect(&world.auth.database).await)
        .await
        .unwrap();
    assert_eq!(links, 1);
}

#[tokio::test]
async fn a_permanently_refused_address_is_not_retried() {
    let stub = Stub::start(Order::Say("550 5.1.1 no such mailbox")).await;
    let world = World::with(&[&stub.url]).await;
    world.auth.sign_up("wanjiru@example.com", PASSWORD).await.unwrap();
    stub.was_asked(1).await;
    no_mail_is_pending(&world.auth).await;
    assert_eq!(stub.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_permanent_error_about_our_credentials_is_retried() {
    let stub = Stub::start(Order::Say("530 5.7.0 authentication required")).await;
    let world = World::with(&[&stub.url]).await;
    world.auth.sign_up("wanjiru@example.com", PASSWORD).await.unwrap();
    retry_mails(&world.auth).await;
    stub.was_asked(2).await;
    assert_eq!(pending_mails(&world.auth).await.len(), 1);
}

#[tokio::test]
async fn a_mail_that_has_become_useless_is_given_up() {
    let stub = Stub::start(Order::Say("451 later")).await;
    let world = World::with(&[&stub.url]).await;
    world.auth.sign_up("wanjiru@example.com", PASSWORD).await.unwrap();
    stub.was_asked(1).await;
    world.auth.request_reset("wanjiru@example.com").await.unwrap();
    stub.was_asked(2).await;
    world.auth.clock.advance(Duration::from_mins(30));
    retry_mails(&world.auth).await;
    testkit::eventually("the reset mail is given up", || async {
        let pending = pending_mails(&world.auth).await;
        pending.iter().all(|(topic, _)| topic == "mail.email_confirmation").then_some(())
    })
    .await;
    world.auth.clock.advance(Duration::from_hours(24));
    retry_mails(&world.auth).await;
    no_mail_is_pending(&world.auth).await;
}

#[tokio::test]
async fn a_mail_of_a_crashed_process_is_sent_by_the_next() {
    let stub = Stub::start(Order::FallSilent).await;
    let world = World::new().await;
    let database = testkit::database("svc-auth").await;
    let (flag, on) = (stub.url.clone(), database.clone());
    // A runtime of its own stands in for a process: its tasks end at once.
    let (process, dying) = tokio::task::spawn_blocking(move || {
        let process = Runtime::new().unwrap();
        let base = testkit::base("svc-auth");
        let dying = process.block_on(Service::start_on(on, &[&flag], base));
        (process, dying)
    })
    .await
    .unwrap();
    dying.sign_up("wanjiru@example.com", PASSWORD).await.unwrap();
    stub.was_asked(1).await;
    process.shutdown_background();

    // The next process finds the mail when the lease has ended.
    sqlx::query("UPDATE outbox SET due_at = now()")
        .execute(&mut connect(&database).await)
        .await
        .unwrap();
    let next = world.another_on(database, &[], testkit::base("svc-auth")).await;
    let mail = world.mail("wanjiru@example.com", WELCOME).await;
    let token = mail.token("https://playon.example/confirm-email?token=");
    next.confirm_email(&token, PASSWORD).await.unwrap();
    no_mail_is_pending(&next).await;
}
