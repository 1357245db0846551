//! One client's SMTP session.

use std::borrow::Cow;
use std::io;
use std::time::Duration;

use smtp_proto::{MAIL_BODY_7BIT, MAIL_BODY_8BITMIME, MailFrom, RcptTo, Request};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use super::lines::{Line, Lines};
use super::message::{self, Draft};
use super::reply;
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

/// The message that a MAIL command has begun.
struct Envelope {
    sender: String,
    recipients: Vec<String>,
    /// The fault that a test ordered for it.
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

/// What follows a command.
enum Step {
    Reply(Cow<'static, str>),
    /// The lines of the message.
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
    session.reply(reply::GREETING).await?;
    while session.errors < MAX_ERRORS {
        let step = match read_line(&session.world, &mut session.lines).await? {
            Ok(Line::Whole(line)) => match Request::parse(&mut line.iter()) {
                Ok(request) => {
                    let request = request.into_owned();
                    session.handle(request)
                }
                Err(error) => Step::Reply(reply::refusal(&error).into()),
            },
            Ok(Line::TooLong) => reply::COMMAND_TOO_LONG.into(),
            Ok(Line::End) => return Ok(()),
            Err(closing) => return session.reply(closing).await,
        };
        match step {
            Step::Reply(text) => session.reply(&text).await?,
            Step::Receive => session.receive().await?,
            Step::Quit => return session.reply(reply::BYE).await,
            Step::Disconnect => return Ok(()),
        }
    }
    session.reply(reply::TOO_MANY_ERRORS).await
}

/// The next line, or the last reply when the sandbox stops or the client is idle.
async fn read_line<'l>(
    world: &Shared,
    lines: &'l mut Lines<BufReader<OwnedReadHalf>>,
) -> io::Result<Result<Line<'l>, &'static str>> {
    tokio::select! {
        () = world.stop.cancelled() => Ok(Err(reply::CLOSING)),
        line = tokio::time::timeout(IDLE_TIMEOUT, lines.next()) => match line {
            Ok(line) => line.map(Ok),
            Err(_) => Ok(Err(reply::TIMED_OUT)),
        },
    }
}

impl Session {
    async fn reply(&mut self, text: &str) -> io::Result<()> {
        self.errors += usize::from(text.starts_with('5'));
        tokio::time::timeout(IDLE_TIMEOUT, self.out.write_all(text.as_bytes())).await?
    }

    fn handle(&mut self, request: Request<String>) -> Step {
        match request {
            Request::Ehlo { .. } => {
                self.greet();
                Step::Reply(reply::ehlo(message::MAX_SIZE).into())
            }
            Request::Helo { .. } => {
                self.greet();
                reply::HELO.into()
            }
            Request::Mail { from } => self.mail(from),
            Request::Rcpt { to } => self.rcpt(to).into(),
            Request::Data => match &self.envelope {
                None => reply::SENDER_FIRST.into(),
                Some(envelope) if envelope.recipients.is_empty() => reply::RECIPIENT_FIRST.into(),
                Some(_) => Step::Receive,
            },
            Request::Rset => {
                self.envelope = None;
                reply::OK.into()
            }
            Request::Noop { .. } => reply::OK.into(),
            Request::Vrfy { .. } => reply::CANNOT_VERIFY.into(),
            Request::Help { .. } => reply::HELP.into(),
            Request::Quit => Step::Quit,
            _ => reply::NOT_OFFERED.into(),
        }
    }

    fn greet(&mut self) {
        self.greeted = true;
        self.envelope = None;
    }

    fn mail(&mut self, from: MailFrom<String>) -> Step {
        if !self.greeted {
            return reply::HELLO_FIRST.into();
        }
        if self.envelope.is_some() {
            return reply::SENDER_AGAIN.into();
        }
        if from.flags & !(MAIL_BODY_7BIT | MAIL_BODY_8BITMIME) != 0 {
            return reply::BAD_PARAMETER.into();
        }
        if from.size > message::MAX_SIZE {
            return reply::TOO_LARGE.into();
        }
        if !from.address.is_ascii() {
            return reply::BAD_SENDER.into();
        }
        let fault = fault_injection::match_fault(&self.world, Provider::Mail, Call::Send);
        match fault.as_ref().map(|fault| fault.kind) {
            Some(FaultKind::Down) => return Step::Disconnect,
            Some(FaultKind::Refuse) => return reply::TRY_LATER.into(),
            _ => {}
        }
        self.envelope = Some(Envelope { sender: from.address, recipients: Vec::new(), fault });
        reply::SENDER_OK.into()
    }

    fn rcpt(&mut self, to: RcptTo<String>) -> &'static str {
        let Some(envelope) = &mut self.envelope else {
            return reply::SENDER_FIRST;
        };
        if to.flags != 0 || to.orcpt.is_some() {
            return reply::BAD_PARAMETER;
        }
        if to.address.is_empty() || !to.address.is_ascii() {
            return reply::BAD_RECIPIENT;
        }
        if envelope.recipients.len() >= MAX_RECIPIENTS {
            return reply::TOO_MANY_RECIPIENTS;
        }
        if !envelope.recipients.contains(&to.address) {
            envelope.recipients.push(to.address);
        }
        reply::RECIPIENT_OK
    }

    async fn receive(&mut self) -> io::Result<()> {
        self.reply(reply::GO_AHEAD).await?;
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
            (Ok(_), None) => reply::SENDER_FIRST,
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
        reply::DELIVERED
    }
}
