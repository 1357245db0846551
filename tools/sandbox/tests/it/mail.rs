//! Mail over SMTP, by a mail library and line by line.

use std::time::{Duration, Instant};

use lettre::message::{MultiPart, header};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::support::{Harness, TIMEOUT};

const MARY: &str = "mary@playon.test";

fn transport(sandbox: &Harness) -> AsyncSmtpTransport<Tokio1Executor> {
    let mail = sandbox.running.mail_addr;
    AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(mail.ip().to_string())
        .port(mail.port())
        .timeout(Some(TIMEOUT))
        .build()
}

fn plain_mail(subject: &str) -> Message {
    Message::builder()
        .from("PlayOn <hello@playon.test>".parse().unwrap())
        .to(format!("Mary <{MARY}>").parse().unwrap())
        .subject(subject)
        .header(header::ContentType::TEXT_PLAIN)
        .body("Hello Mary".to_owned())
        .unwrap()
}

async fn mailbox(sandbox: &Harness, to: &str) -> Vec<Value> {
    let mails = sandbox.get(&format!("/mail?to={to}")).await;
    mails.as_array().unwrap().clone()
}

#[tokio::test]
async fn parses_text_html_and_headers() {
    let sandbox = Harness::start().await;
    let text = ".a line with a dot first\n.\nKaribu – açaí\nhttps://playon.test/confirm?token=abc";
    let html = "<p>Karibu – <a href=\"https://playon.test/confirm?token=abc\">açaí</a></p>";
    let message = Message::builder()
        .from("PlayOn <hello@playon.test>".parse().unwrap())
        .to(MARY.parse().unwrap())
        .subject("Confirm your email – today")
        .multipart(MultiPart::alternative_plain_html(text.to_owned(), html.to_owned()))
        .unwrap();
    transport(&sandbox).send(message).await.unwrap();

    let mails = mailbox(&sandbox, MARY).await;
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
async fn lists_the_mail_of_a_mailbox_newest_first() {
    let sandbox = Harness::start().await;
    let transport = transport(&sandbox);
    transport.send(plain_mail("first")).await.unwrap();
    let both = Message::builder()
        .from("hello@playon.test".parse().unwrap())
        .to(MARY.parse().unwrap())
        .bcc("Audit@PlayOn.test".parse().unwrap())
        .subject("second")
        .body("x".to_owned())
        .unwrap();
    transport.send(both).await.unwrap();
    let subjects = |mails: &[Value]| mails.iter().map(|m| m["subject"].clone()).collect::<Vec<_>>();
    assert_eq!(subjects(&mailbox(&sandbox, MARY).await), ["second", "first"]);
    let audit = mailbox(&sandbox, "audit@playon.test").await;
    assert_eq!(subjects(&audit), ["second"]);
    assert_eq!(audit[0]["to"], "Audit@PlayOn.test");
    assert_eq!(sandbox.get("/mail").await.as_array().unwrap().len(), 3);
    assert_eq!(sandbox.get("/mail?limit=1").await.as_array().unwrap().len(), 2);
    assert_eq!(mailbox(&sandbox, "empty@playon.test").await, Vec::<Value>::new());
}

#[tokio::test]
async fn serves_html_without_scripts() {
    let sandbox = Harness::start().await;
    let html = "<p>Hi</p><script>alert(1)</script>";
    let message = Message::builder()
        .from("hello@playon.test".parse().unwrap())
        .to(MARY.parse().unwrap())
        .subject("x")
        .header(header::ContentType::TEXT_HTML)
        .body(html.to_owned())
        .unwrap();
    transport(&sandbox).send(message).await.unwrap();
    let mail = mailbox(&sandbox, MARY).await[0].clone();
    assert_eq!(mail["text"], Value::Null);
    let url = format!("/control/mail/{}/html", mail["id"].as_str().unwrap());
    let reply = sandbox.http.get(sandbox.url(&url)).send().await.unwrap();
    let policy = reply.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("sandbox ") && policy.contains("default-src 'none'"), "{policy}");
    assert!(!policy.contains("allow-scripts"), "{policy}");
    assert!(reply.text().await.unwrap().contains("<p>Hi</p>"));
    let (status, _) = sandbox.control(Method::GET, "/mail/none/html", Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn applies_faults_to_mail() {
    let sandbox = Harness::start().await;
    let transport = transport(&sandbox);
    for kind in ["refuse", "down", "slow"] {
        let fault = json!({"provider": "mail", "kind": kind, "delayMs": 50});
        sandbox.fault(fault).await;
    }
    let refused = transport.send(plain_mail("refused")).await.unwrap_err();
    assert!(refused.is_transient(), "{refused:?}");
    assert!(refused.to_string().contains("451"), "{refused}");
    let cut = transport.send(plain_mail("cut off")).await.unwrap_err();
    assert!(!cut.is_permanent() && !cut.is_transient(), "{cut:?}");
    let begin = Instant::now();
    transport.send(plain_mail("slow")).await.unwrap();
    assert!(begin.elapsed() >= Duration::from_millis(50));
    let mails = mailbox(&sandbox, MARY).await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert_eq!(mails[0]["subject"], "slow");
    let spike = json!({"provider": "mail", "kind": "spike"});
    let (status, _) = sandbox.control(Method::PUT, "/faults", spike).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

/// A client that sends single lines.
struct SmtpClient(BufReader<TcpStream>);

impl SmtpClient {
    async fn connect(sandbox: &Harness) -> Self {
        let stream = TcpStream::connect(sandbox.running.mail_addr).await.unwrap();
        let mut client = Self(BufReader::new(stream));
        assert!(client.read_reply().await.starts_with("220 "));
        client
    }

    async fn send(&mut self, text: &str) {
        self.0.get_mut().write_all(text.as_bytes()).await.unwrap();
    }

    /// The last line of the next reply.
    async fn read_reply(&mut self) -> String {
        loop {
            let mut line = String::new();
            let read = self.0.read_line(&mut line);
            tokio::time::timeout(TIMEOUT, read).await.expect("a reply").unwrap();
            if line.as_bytes().get(3) != Some(&b'-') {
                return line;
            }
        }
    }

    async fn expect(&mut self, text: &str, code: &str) {
        self.send(&format!("{text}\r\n")).await;
        let reply = self.read_reply().await;
        assert!(reply.starts_with(code), "{text}: {reply}");
    }
}

#[tokio::test]
async fn refuses_commands_out_of_order() {
    let sandbox = Harness::start().await;
    let mut client = SmtpClient::connect(&sandbox).await;
    client.expect("MAIL FROM:<a@playon.test>", "503 ").await;
    client.expect("EHLO", "501 ").await;
    client.expect("helo client.test", "250 ").await;
    client.expect("RCPT TO:<mary@playon.test>", "503 ").await;
    client.expect("DATA", "503 ").await;
    client.expect("MAIL FROM:<>", "250 ").await;
    client.expect("MAIL FROM:<a@playon.test>", "503 ").await;
    client.expect("DATA", "503 ").await;
    client.expect("RCPT TO:<mary@playon.test>", "250 ").await;
    client.expect("RSET", "250 ").await;
    client.expect("DATA", "503 ").await;
    client.expect("NOOP", "250 ").await;
    client.expect("VRFY mary", "252 ").await;
    client.expect("STARTTLS", "502 ").await;
    client.expect("FLY me", "500 ").await;
    client.expect("QUIT", "221 ").await;
    assert_eq!(client.0.read_to_end(&mut Vec::new()).await.unwrap(), 0);
}

#[tokio::test]
async fn accepts_a_pipelined_session() {
    let sandbox = Harness::start().await;
    let mut client = SmtpClient::connect(&sandbox).await;
    client
        .send(
            "EHLO client.test\r\nMAIL FROM:<a@playon.test> SIZE=30 BODY=8BITMIME\r\n\
             RCPT TO:<mary@playon.test>\r\nDATA\r\nSubject: hi\r\n\r\n..\r\n.\r\nQUIT\r\n",
        )
        .await;
    for code in ["250", "250", "250", "354", "250", "221"] {
        let reply = client.read_reply().await;
        assert!(reply.starts_with(code), "{code}: {reply}");
    }
    let mails = mailbox(&sandbox, MARY).await;
    assert_eq!(mails[0]["subject"], "hi");
    assert_eq!(mails[0]["text"].as_str().unwrap().trim_end(), ".");
}

#[tokio::test]
async fn refuses_unsupported_parameters_and_invalid_addresses() {
    let sandbox = Harness::start().await;
    let mut client = SmtpClient::connect(&sandbox).await;
    client.expect("EHLO client.test", "250 ").await;
    client.expect("MAIL FROM:<a@playon.test> SMTPUTF8", "555 ").await;
    client.expect("MAIL FROM:<a@playon.test> SIZE=262145", "552 ").await;
    client.expect("MAIL FROM:a@playon.test", "501 ").await;
    client.expect("MAIL FROM:<mary>", "553 ").await;
    client.expect("MAIL FROM:<a@playon.test>", "250 ").await;
    for bad in ["<>", "<mary>", "<@playon.test>", "<m\u{e4}ry@playon.test>"] {
        client.expect(&format!("RCPT TO:{bad}"), "553 ").await;
    }
    for n in 0..100 {
        client.expect(&format!("RCPT TO:<p{n}@playon.test>"), "250 ").await;
    }
    client.expect("RCPT TO:<p100@playon.test>", "452 ").await;
}

#[tokio::test]
async fn refuses_an_invalid_message_and_continues_the_session() {
    let sandbox = Harness::start().await;
    let mut client = SmtpClient::connect(&sandbox).await;
    client.expect("EHLO client.test", "250 ").await;
    let line = "a".repeat(998);
    let big = vec![line.as_str(); 263].join("\r\n");
    let long = format!("Subject: x\r\n\r\n{line}a");
    // A bare LF must not end the message: what follows would be read as commands.
    let smuggled = "Subject: x\r\n\r\ny\n.\nMAIL FROM:<evil@playon.test>";
    for (body, code) in [(big.as_str(), "552 "), (&long, "554 "), (smuggled, "554 ")] {
        client.expect("MAIL FROM:<a@playon.test>", "250 ").await;
        client.expect("RCPT TO:<mary@playon.test>", "250 ").await;
        client.expect("DATA", "354 ").await;
        client.expect(&format!("{body}\r\n."), code).await;
    }
    client.expect(&format!("NOOP {}", "a".repeat(1_000)), "500 ").await;
    client.expect("NOOP", "250 ").await;
    assert_eq!(sandbox.get("/mail").await, json!([]));
}

#[tokio::test]
async fn closes_the_connection_after_20_errors() {
    let sandbox = Harness::start().await;
    let mut client = SmtpClient::connect(&sandbox).await;
    for _ in 0..20 {
        client.expect("nonsense", "500 ").await;
    }
    assert!(client.read_reply().await.starts_with("421 "));
    assert_eq!(client.0.read_to_end(&mut Vec::new()).await.unwrap(), 0);
}

#[tokio::test]
async fn refuses_the_65th_connection() {
    let sandbox = Harness::start().await;
    let mut clients = Vec::new();
    for _ in 0..64 {
        clients.push(SmtpClient::connect(&sandbox).await);
    }
    let stream = TcpStream::connect(sandbox.running.mail_addr).await.unwrap();
    assert!(SmtpClient(BufReader::new(stream)).read_reply().await.starts_with("421 "));
}

#[tokio::test]
async fn a_shutdown_replies_421() {
    let sandbox = Harness::start().await;
    let mut client = SmtpClient::connect(&sandbox).await;
    assert!(sandbox.running.shutdown().await, "the shutdown waits for no client");
    assert!(client.read_reply().await.starts_with("421 "));
}
