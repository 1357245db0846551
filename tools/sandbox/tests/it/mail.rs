//! Mail over real SMTP: sent by a mail library, and typed line by line.

use std::time::{Duration, Instant};

use lettre::message::{MultiPart, header};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::support::{Business, SOON};

const MARY: &str = "mary@playon.test";

fn transport(business: &Business) -> AsyncSmtpTransport<Tokio1Executor> {
    let mail = business.world.mail_addr;
    AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(mail.ip().to_string())
        .port(mail.port())
        .timeout(Some(SOON))
        .build()
}

fn letter(subject: &str) -> Message {
    Message::builder()
        .from("PlayOn <hello@playon.test>".parse().unwrap())
        .to(format!("Mary <{MARY}>").parse().unwrap())
        .subject(subject)
        .header(header::ContentType::TEXT_PLAIN)
        .body("Hello Mary".to_owned())
        .unwrap()
}

async fn mailbox(business: &Business, to: &str) -> Vec<Value> {
    let mails = business.look(&format!("/mail?to={to}")).await;
    mails.as_array().unwrap().clone()
}

#[tokio::test]
async fn a_letter_is_read_as_it_was_written() {
    let business = Business::start().await;
    let text = ".a line with a dot first\n.\nKaribu – açaí\nhttps://playon.test/confirm?token=abc";
    let html = "<p>Karibu – <a href=\"https://playon.test/confirm?token=abc\">açaí</a></p>";
    let message = Message::builder()
        .from("PlayOn <hello@playon.test>".parse().unwrap())
        .to(MARY.parse().unwrap())
        .subject("Confirm your email – today")
        .multipart(MultiPart::alternative_plain_html(text.to_owned(), html.to_owned()))
        .unwrap();
    transport(&business).send(message).await.unwrap();

    let mails = mailbox(&business, MARY).await;
    assert_eq!(mails.len(), 1);
    let mail = &mails[0];
    assert_eq!(mail["to"], MARY);
    assert_eq!(mail["from"], "hello@playon.test");
    assert_eq!(mail["subject"], "Confirm your email – today");
    assert_eq!(mail["text"].as_str().unwrap().replace("\r\n", "\n").trim_end(), text);
    assert_eq!(mail["html"].as_str().unwrap().trim_end(), html);
    assert_eq!(mail["headers"]["From"], "PlayOn <hello@playon.test>");
}

#[tokio::test]
async fn a_mailbox_shows_its_own_mail_newest_first() {
    let business = Business::start().await;
    let transport = transport(&business);
    transport.send(letter("first")).await.unwrap();
    let both = Message::builder()
        .from("hello@playon.test".parse().unwrap())
        .to(MARY.parse().unwrap())
        .bcc("Audit@PlayOn.test".parse().unwrap())
        .subject("second")
        .body("x".to_owned())
        .unwrap();
    transport.send(both).await.unwrap();
    let subjects = |mails: &[Value]| mails.iter().map(|m| m["subject"].clone()).collect::<Vec<_>>();
    assert_eq!(subjects(&mailbox(&business, MARY).await), ["second", "first"]);
    let audit = mailbox(&business, "audit@playon.test").await;
    assert_eq!(subjects(&audit), ["second"]);
    assert_eq!(audit[0]["to"], "Audit@PlayOn.test");
    assert_eq!(business.look("/mail").await.as_array().unwrap().len(), 3);
    assert_eq!(business.look("/mail?limit=1").await.as_array().unwrap().len(), 2);
    assert_eq!(mailbox(&business, "nobody@playon.test").await, Vec::<Value>::new());
}

#[tokio::test]
async fn the_html_of_a_letter_is_shown_as_a_stranger_s_page() {
    let business = Business::start().await;
    let html = "<p>Hi</p><script>alert(1)</script>";
    let message = Message::builder()
        .from("hello@playon.test".parse().unwrap())
        .to(MARY.parse().unwrap())
        .subject("x")
        .header(header::ContentType::TEXT_HTML)
        .body(html.to_owned())
        .unwrap();
    transport(&business).send(message).await.unwrap();
    let mail = mailbox(&business, MARY).await[0].clone();
    assert_eq!(mail["text"], Value::Null);
    let url = format!("/control/mail/{}/html", mail["id"].as_str().unwrap());
    let reply = business.http.get(business.url(&url)).send().await.unwrap();
    let policy = reply.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("sandbox ") && policy.contains("default-src 'none'"), "{policy}");
    assert!(!policy.contains("allow-scripts"), "{policy}");
    assert!(reply.text().await.unwrap().contains("<p>Hi</p>"));
    let (status, _) = business.control(Method::GET, "/mail/none/html", Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn ordered_faults_strike_the_mail_server() {
    let business = Business::start().await;
    let transport = transport(&business);
    for kind in ["refuse", "down", "slow"] {
        let fault = json!({"provider": "mail", "kind": kind, "delayMs": 50});
        let (status, reply) = business.control(Method::PUT, "/faults", fault).await;
        assert_eq!(status, StatusCode::OK, "{reply}");
    }
    let refused = transport.send(letter("refused")).await.unwrap_err();
    assert!(refused.is_transient(), "{refused:?}");
    assert!(refused.to_string().contains("451"), "{refused}");
    let cut = transport.send(letter("cut off")).await.unwrap_err();
    assert!(!cut.is_permanent() && !cut.is_transient(), "{cut:?}");
    let begin = Instant::now();
    transport.send(letter("slow")).await.unwrap();
    assert!(begin.elapsed() >= Duration::from_millis(50));
    let mails = mailbox(&business, MARY).await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert_eq!(mails[0]["subject"], "slow");
    let spike = json!({"provider": "mail", "kind": "spike"});
    let (status, _) = business.control(Method::PUT, "/faults", spike).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

/// A client who types.
struct Typist(BufReader<TcpStream>);

impl Typist {
    async fn connect(business: &Business) -> Self {
        let stream = TcpStream::connect(business.world.mail_addr).await.unwrap();
        let mut typist = Self(BufReader::new(stream));
        assert!(typist.hear().await.starts_with("220 "));
        typist
    }

    async fn say(&mut self, text: &str) {
        self.0.get_mut().write_all(text.as_bytes()).await.unwrap();
    }

    /// The last line of the next reply.
    async fn hear(&mut self) -> String {
        loop {
            let mut line = String::new();
            let read = self.0.read_line(&mut line);
            tokio::time::timeout(SOON, read).await.expect("a reply comes").unwrap();
            if line.as_bytes().get(3) != Some(&b'-') {
                return line;
            }
        }
    }

    async fn expect(&mut self, text: &str, code: &str) {
        self.say(&format!("{text}\r\n")).await;
        let reply = self.hear().await;
        assert!(reply.starts_with(code), "{text}: {reply}");
    }
}

#[tokio::test]
async fn commands_have_an_order() {
    let business = Business::start().await;
    let mut typist = Typist::connect(&business).await;
    typist.expect("MAIL FROM:<a@playon.test>", "503 ").await;
    typist.expect("EHLO", "501 ").await;
    typist.expect("helo client.test", "250 ").await;
    typist.expect("RCPT TO:<mary@playon.test>", "503 ").await;
    typist.expect("DATA", "503 ").await;
    typist.expect("MAIL FROM:<>", "250 ").await;
    typist.expect("MAIL FROM:<a@playon.test>", "503 ").await;
    typist.expect("DATA", "503 ").await;
    typist.expect("RCPT TO:<mary@playon.test>", "250 ").await;
    typist.expect("RSET", "250 ").await;
    typist.expect("DATA", "503 ").await;
    typist.expect("NOOP", "250 ").await;
    typist.expect("VRFY mary", "252 ").await;
    typist.expect("STARTTLS", "502 ").await;
    typist.expect("FLY me", "500 ").await;
    typist.expect("QUIT", "221 ").await;
    assert_eq!(typist.0.read_to_end(&mut Vec::new()).await.unwrap(), 0);
}

#[tokio::test]
async fn a_whole_visit_may_be_sent_at_once() {
    let business = Business::start().await;
    let mut typist = Typist::connect(&business).await;
    typist
        .say(
            "EHLO client.test\r\nMAIL FROM:<a@playon.test> SIZE=30 BODY=8BITMIME\r\n\
             RCPT TO:<mary@playon.test>\r\nDATA\r\nSubject: hi\r\n\r\n..\r\n.\r\nQUIT\r\n",
        )
        .await;
    for code in ["250", "250", "250", "354", "250", "221"] {
        let reply = typist.hear().await;
        assert!(reply.starts_with(code), "{code}: {reply}");
    }
    let mails = mailbox(&business, MARY).await;
    assert_eq!(mails[0]["subject"], "hi");
    assert_eq!(mails[0]["text"].as_str().unwrap().trim_end(), ".");
}

#[tokio::test]
async fn what_is_not_offered_or_no_address_is_refused() {
    let business = Business::start().await;
    let mut typist = Typist::connect(&business).await;
    typist.expect("EHLO client.test", "250 ").await;
    typist.expect("MAIL FROM:<a@playon.test> SMTPUTF8", "555 ").await;
    typist.expect("MAIL FROM:<a@playon.test> SIZE=262145", "552 ").await;
    typist.expect("MAIL FROM:a@playon.test", "501 ").await;
    typist.expect("MAIL FROM:<nobody>", "553 ").await;
    typist.expect("MAIL FROM:<a@playon.test>", "250 ").await;
    for nobody in ["<>", "<mary>", "<@playon.test>", "<m\u{e4}ry@playon.test>"] {
        typist.expect(&format!("RCPT TO:{nobody}"), "553 ").await;
    }
    for n in 0..100 {
        typist.expect(&format!("RCPT TO:<p{n}@playon.test>"), "250 ").await;
    }
    typist.expect("RCPT TO:<p100@playon.test>", "452 ").await;
}

#[tokio::test]
async fn a_message_beyond_the_bounds_is_refused_and_the_visit_goes_on() {
    let business = Business::start().await;
    let mut typist = Typist::connect(&business).await;
    typist.expect("EHLO client.test", "250 ").await;
    let line = "a".repeat(998);
    let big = vec![line.as_str(); 263].join("\r\n");
    let long = format!("Subject: x\r\n\r\n{line}a");
    // An end of line that is none must not end the message either: what
    // follows would be read as commands.
    let smuggled = "Subject: x\r\n\r\ny\n.\nMAIL FROM:<evil@playon.test>";
    for (body, code) in [(big.as_str(), "552 "), (&long, "554 "), (smuggled, "554 ")] {
        typist.expect("MAIL FROM:<a@playon.test>", "250 ").await;
        typist.expect("RCPT TO:<mary@playon.test>", "250 ").await;
        typist.expect("DATA", "354 ").await;
        typist.expect(&format!("{body}\r\n."), code).await;
    }
    typist.expect(&format!("NOOP {}", "a".repeat(1_000)), "500 ").await;
    typist.expect("NOOP", "250 ").await;
    assert_eq!(business.look("/mail").await, json!([]));
}

#[tokio::test]
async fn one_who_talks_nonsense_is_let_go() {
    let business = Business::start().await;
    let mut typist = Typist::connect(&business).await;
    for _ in 0..20 {
        typist.expect("nonsense", "500 ").await;
    }
    assert!(typist.hear().await.starts_with("421 "));
    assert_eq!(typist.0.read_to_end(&mut Vec::new()).await.unwrap(), 0);
}

#[tokio::test]
async fn there_is_room_for_so_many() {
    let business = Business::start().await;
    let mut visits = Vec::new();
    for _ in 0..64 {
        visits.push(Typist::connect(&business).await);
    }
    let stream = TcpStream::connect(business.world.mail_addr).await.unwrap();
    assert!(Typist(BufReader::new(stream)).hear().await.starts_with("421 "));
}

#[tokio::test]
async fn a_stop_says_goodbye() {
    let business = Business::start().await;
    let mut typist = Typist::connect(&business).await;
    assert!(business.world.shutdown().await, "nobody holds it up");
    assert!(typist.hear().await.starts_with("421 "));
}
