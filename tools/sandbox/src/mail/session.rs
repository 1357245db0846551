//! One client's SMTP session.

use std::borrow::Cow;
use std::io;
use std::time::Duration;

use smtp_proto::{Error, MAIL_BODY_7BIT, MAIL_BODY_8BITMIME, MailFrom, RcptTo, Request};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use super::lines::{Line, Lines};
use super::message::{self, Draft};
use crate::world::Shared;
use crate::world::fault::{Call, Fault, FaultKind, Provider};
use crate::world::state::Fact;
use crate::{clock, fault_injection};

/// Longest wait for a line, and for a reply to be taken: RFC 5321's server timeout.
const IDLE_TIMEOUT: Duration = Duration::from_mins(5);
/// Recipients of a message: the minimum of RFC 5321.
const MAX_RECIPIENTS: usize = 100;
/// Refused commands after which the connection is closed.
const MAX_ERRORS: usize = 20;

const MAIL_FIRST: &str = "503 5.5.1 MAIL first";
const BAD_SENDER: &str = "553 5.1.7 No such sender address";
const BAD_RECIPIENT: &str = "553 5.1.3 No such recipient address";
const BAD_PARAMETER: &str = "555 5.5.4 That parameter is not offered";

/// The message that a MAIL command has begun.
struct Envelope {
    sender: String,
    recipients: Vec<String>,
    /// The fault that a test ordered for the message.
    fault: Option<Fault>,
}

struct Session {
    world: Shared,
    lines: Lines<BufReader<OwnedReadHalf>>,
    out: OwnedWriteHalf,
    greeted: bool,
    envelope: Option<Envelope>,
    errors: usize,
}

/// The next step after a command.
enum Step {
    Reply(Cow<'static, str>),
    /// Receives the lines of the message.
    Receive,
    Quit,
    /// Closes the connection without a reply.
    Disconnect,
}

impl From<&'static str> for Step {
    fn from(text: &'static str) -> Self {
        Self::Reply(Cow::Borrowed(text))
    }
}

pub(super) async fn run(world: Shared, client: TcpStream) -> io::Result<()> {
    let (read, out) = client.into_split();
    let lines = Lines::new(read);
    let mut session = Session { world, lines, out, greeted: false, envelope: None, errors: 0 };
    session.reply("220 sandbox ESMTP").await?;
    while session.errors < MAX_ERRORS {
        let step = match read_line(&session.world, &mut session.lines).await? {
            Ok(Line::Whole(line)) => match Request::parse(&mut line.iter()) {
                Ok(request) => {
                    let request = request.into_owned();
                    session.handle(request)
                }
                Err(error) => Step::Reply(refusal(&error)),
            },
            Ok(Line::TooLong) => "500 5.5.2 Line too long".into(),
            Ok(Line::End) => return Ok(()),
            Err(closing) => return session.reply(closing).await,
        };
        match step {
            Step::Reply(text) => session.reply(&text).await?,
            Step::Receive => session.receive().await?,
            Step::Quit => return session.reply("221 2.0.0 Bye").await,
            Step::Disconnect => return Ok(()),
        }
    }
    session.reply("421 4.7.0 Too many errors").await
}

/// The next line, or the last reply when the sandbox stops or the client is idle.
async fn read_line<'l>(
    world: &Shared,
    lines: &'l mut Lines<BufReader<OwnedReadHalf>>,
) -> io::Result<Result<Line<'l>, &'static str>> {
    tokio::select! {
        () = world.stop.cancelled() => Ok(Err("421 4.3.2 The server is closing")),
        line = tokio::time::timeout(IDLE_TIMEOUT, lines.next()) => match line {
            Ok(line) => line.map(Ok),
            Err(_) => Ok(Err("421 4.4.2 Idle timeout")),
        },
    }
}

/// The reply to a line that is not a valid command.
fn refusal(error: &Error) -> Cow<'static, str> {
    match error {
        Error::UnknownCommand => "500 5.5.1 No such command".into(),
        Error::InvalidSenderAddress => BAD_SENDER.into(),
        Error::InvalidRecipientAddress => BAD_RECIPIENT.into(),
        Error::SyntaxError { syntax } => format!("501 5.5.4 Syntax: {syntax}").into(),
        Error::InvalidParameter { param } => format!("501 5.5.4 Invalid {param}").into(),
        Error::UnsupportedParameter { .. } => BAD_PARAMETER.into(),
        Error::NeedsMoreData { .. } | Error::ResponseTooLong | Error::InvalidResponse { .. } => {
            "501 5.5.2 Not understood".into()
        }
    }
}

impl Session {
    async fn reply(&mut self, text: &str) -> io::Result<()> {
        self.errors += usize::from(text.starts_with('5'));
        let line = format!("{text}\r\n");
        tokio::time::timeout(IDLE_TIMEOUT, self.out.write_all(line.as_bytes())).await?
    }

    fn handle(&mut self, request: Request<String>) -> Step {
        match request {
            Request::Ehlo { .. } => {
                self.greet();
                let max_size = message::MAX_SIZE;
                let text = format!(
                    "250-sandbox\r\n250-PIPELINING\r\n250-8BITMIME\r\n\
                     250-ENHANCEDSTATUSCODES\r\n250 SIZE {max_size}"
                );
                Step::Reply(text.into())
            }
            Request::Helo { .. } => {
                self.greet();
                "250 sandbox".into()
            }
            Request::Mail { from } => self.mail(from),
            Request::Rcpt { to } => self.rcpt(to).into(),
            Request::Data => match &self.envelope {
                None => MAIL_FIRST.into(),
                Some(envelope) if envelope.recipients.is_empty() => "503 5.5.1 RCPT first".into(),
                Some(_) => Step::Receive,
            },
            Request::Rset => {
                self.envelope = None;
                "250 2.0.0 Ok".into()
            }
            Request::Noop { .. } => "250 2.0.0 Ok".into(),
            Request::Vrfy { .. } => "252 2.1.5 Cannot verify; mail is accepted".into(),
            Request::Help { .. } => "214 2.0.0 See RFC 5321".into(),
            Request::Quit => Step::Quit,
            _ => "502 5.5.1 Not offered here".into(),
        }
    }

    fn greet(&mut self) {
        self.greeted = true;
        self.envelope = None;
    }

    fn mail(&mut self, from: MailFrom<String>) -> Step {
        if !self.greeted {
            return "503 5.5.1 EHLO or HELO first".into();
        }
        if self.envelope.is_some() {
            return "503 5.5.1 A message is under way; RSET ends it".into();
        }
        if from.flags & !(MAIL_BODY_7BIT | MAIL_BODY_8BITMIME) != 0 {
            return BAD_PARAMETER.into();
        }
        if from.size > message::MAX_SIZE {
            return message::TOO_LARGE.into();
        }
        if !from.address.is_ascii() {
            return BAD_SENDER.into();
        }
        let fault = fault_injection::match_fault(&self.world, Provider::Mail, Call::Send);
        match fault.as_ref().map(|fault| fault.kind) {
            Some(FaultKind::Down) => return Step::Disconnect,
            Some(FaultKind::Refuse) => return "451 4.3.0 Try again later".into(),
            _ => {}
        }
        self.envelope = Some(Envelope { sender: from.address, recipients: Vec::new(), fault });
        "250 2.1.0 Sender ok".into()
    }

    fn rcpt(&mut self, to: RcptTo<String>) -> &'static str {
        let Some(envelope) = &mut self.envelope else {
            return MAIL_FIRST;
        };
        if to.flags != 0 || to.orcpt.is_some() {
            return BAD_PARAMETER;
        }
        if to.address.is_empty() || !to.address.is_ascii() {
            return BAD_RECIPIENT;
        }
        if envelope.recipients.len() >= MAX_RECIPIENTS {
            return "452 4.5.3 Too many recipients";
        }
        if !envelope.recipients.contains(&to.address) {
            envelope.recipients.push(to.address);
        }
        "250 2.1.5 Recipient ok"
    }

    async fn receive(&mut self) -> io::Result<()> {
        self.reply("354 End data with <CR><LF>.<CR><LF>").await?;
        let mut draft = Draft::default();
        loop {
            match read_line(&self.world, &mut self.lines).await? {
                Ok(Line::End) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(line) if draft.push(&line) => break,
                Ok(_) => {}
                Err(closing) => return self.reply(closing).await,
            }
        }
        let answer = match (draft.finish(), self.envelope.take()) {
            (Ok(bytes), Some(envelope)) => self.deliver(&bytes, envelope).await,
            (Ok(_), None) => MAIL_FIRST,
            (Err(refusal), _) => refusal,
        };
        self.reply(answer).await
    }

    async fn deliver(&self, bytes: &[u8], envelope: Envelope) -> &'static str {
        let Envelope { sender, recipients, fault } = envelope;
        let count = recipients.len();
        let mail = message::parse(bytes, sender, recipients, clock::now());
        self.world.record([Fact::Mail(Box::new(mail))]);
        tracing::info!(recipients = count, bytes = bytes.len(), "mail.delivered");
        if let Some(fault) = fault {
            fault_injection::delay(&self.world, &fault).await;
        }
        "250 2.6.0 Delivered"
    }
}
