//! One client's visit.

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
use crate::clock;
use crate::trouble;
use crate::world::Shared;
use crate::world::fault::{Call, Fault, FaultKind, Provider};
use crate::world::state::Fact;

/// Silence after which a client is let go: what RFC 5321 asks of a server.
const PATIENCE: Duration = Duration::from_mins(5);
/// Recipients of a message: the least that RFC 5321 allows.
const RECIPIENTS: usize = 100;
/// Refused commands after which a client is let go.
const ERRORS: usize = 20;

/// A message under way.
struct Envelope {
    sender: String,
    recipients: Vec<String>,
    /// The trouble that was ordered for it.
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
    Say(Cow<'static, str>),
    /// The message itself.
    Receive,
    Bye,
    /// Nothing, not even a word.
    HangUp,
}

impl From<&'static str> for Step {
    fn from(text: &'static str) -> Self {
        Self::Say(Cow::Borrowed(text))
    }
}

pub(super) async fn run(world: Shared, client: TcpStream) -> io::Result<()> {
    let (read, out) = client.into_split();
    let lines = Lines::of(read);
    let mut session = Session { world, lines, out, greeted: false, envelope: None, errors: 0 };
    session.say(reply::GREETING).await?;
    while session.errors < ERRORS {
        let step = match heard(&session.world, &mut session.lines).await? {
            Ok(Line::Whole(line)) => match Request::parse(&mut line.iter()) {
                Ok(request) => {
                    let request = request.into_owned();
                    session.obey(request).await
                }
                Err(error) => Step::Say(reply::refusal(&error).into()),
            },
            Ok(Line::TooLong) => reply::COMMAND_TOO_LONG.into(),
            Ok(Line::End) => return Ok(()),
            Err(farewell) => return session.say(farewell).await,
        };
        match step {
            Step::Say(text) => session.say(&text).await?,
            Step::Receive => session.receive().await?,
            Step::Bye => return session.say(reply::BYE).await,
            Step::HangUp => return Ok(()),
        }
    }
    session.say(reply::TOO_MANY_ERRORS).await
}

/// The next line, or why there will be none.
async fn heard<'l>(
    world: &Shared,
    lines: &'l mut Lines<BufReader<OwnedReadHalf>>,
) -> io::Result<Result<Line<'l>, &'static str>> {
    tokio::select! {
        () = world.stop.cancelled() => Ok(Err(reply::CLOSING)),
        line = tokio::time::timeout(PATIENCE, lines.next()) => match line {
            Ok(line) => line.map(Ok),
            Err(_) => Ok(Err(reply::TOO_SLOW)),
        },
    }
}

impl Session {
    async fn say(&mut self, text: &str) -> io::Result<()> {
        self.errors += usize::from(text.starts_with('5'));
        tokio::time::timeout(PATIENCE, self.out.write_all(text.as_bytes())).await?
    }

    async fn obey(&mut self, request: Request<String>) -> Step {
        match request {
            Request::Ehlo { .. } => {
                self.greet();
                Step::Say(reply::ehlo(message::MAX_SIZE).into())
            }
            Request::Helo { .. } => {
                self.greet();
                reply::HELO.into()
            }
            Request::Mail { from } => self.mail(from).await,
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
            Request::Quit => Step::Bye,
            Request::Lhlo { .. }
            | Request::Bdat { .. }
            | Request::Auth { .. }
            | Request::Expn { .. }
            | Request::Etrn { .. }
            | Request::Atrn { .. }
            | Request::Burl { .. }
            | Request::StartTls => reply::NOT_OFFERED.into(),
        }
    }

    fn greet(&mut self) {
        self.greeted = true;
        self.envelope = None;
    }

    async fn mail(&mut self, from: MailFrom<String>) -> Step {
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
        let fault = trouble::strike(&self.world, Provider::Mail, Call::Send).await;
        match fault.as_ref().map(|fault| fault.kind) {
            Some(FaultKind::Down) => return Step::HangUp,
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
        if envelope.recipients.len() >= RECIPIENTS {
            return reply::TOO_MANY_RECIPIENTS;
        }
        // Twice the same is one mailbox.
        if !envelope.recipients.contains(&to.address) {
            envelope.recipients.push(to.address);
        }
        reply::RECIPIENT_OK
    }

    async fn receive(&mut self) -> io::Result<()> {
        self.say(reply::GO_AHEAD).await?;
        let mut draft = Draft::default();
        loop {
            match heard(&self.world, &mut self.lines).await? {
                Ok(Line::End) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(line) if draft.take(&line) => break,
                Ok(_) => {}
                Err(farewell) => return self.say(farewell).await,
            }
        }
        let answer = match (draft.finish(), self.envelope.take()) {
            (Ok(bytes), Some(envelope)) => self.deliver(&bytes, envelope).await,
            (Ok(_), None) => reply::SENDER_FIRST,
            (Err(refusal), _) => refusal,
        };
        self.say(answer).await
    }

    async fn deliver(&self, bytes: &[u8], envelope: Envelope) -> &'static str {
        let Envelope { sender, recipients, fault } = envelope;
        let count = recipients.len();
        let mail = message::read(bytes, sender, recipients, clock::now());
        self.world.update(|_| (vec![Fact::Mail(Box::new(mail))], ())).await;
        tracing::info!(recipients = count, bytes = bytes.len(), "mail.delivered");
        if let Some(fault) = fault {
            trouble::delay(&self.world, &fault).await;
        }
        reply::DELIVERED
    }
}
