//! Safety in chat rooms: reports, hidden messages, mutes, closed rooms, slow mode and words.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::Subcommand;
use mesh::grpc::client::Outgoing;
use proto::{
    chat::v1::{
        HideMessageRequest, ListReportsRequest, ListWordsRequest, MutePlayerRequest, Report,
        ReportReason, ResolveReportRequest, SetRoomClosedRequest, SetSlowModeRequest,
        SetWordsRequest, safety_admin_service_client::SafetyAdminServiceClient,
    },
    from_timestamp,
};
use time::format_description::well_known::Rfc3339;
use tonic::Status;

use crate::service::{self, Service};

/// Reports that the command prints without --limit, and most reports of one call.
const REPORTS: u32 = 50;
const PAGE: u32 = 100;
/// Largest file of words, in bytes: the service takes 2,000 words of 60 characters.
const WORDS_BYTES: u64 = 1024 * 1024;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the reports that no operator has resolved, the oldest first.
    Reports {
        /// Begin after this report.
        #[arg(long)]
        after: Option<String>,
        /// Print at most this many reports.
        #[arg(long, default_value_t = REPORTS)]
        limit: u32,
        /// Print resolved reports, too.
        #[arg(long)]
        all: bool,
    },
    /// Mark a report as done.
    Resolve {
        /// The report, as reports prints it.
        report: String,
        #[command(flatten)]
        why: Why,
    },
    /// Remove a message for all players. Its content is kept as evidence.
    Hide {
        /// The message, as reports prints it.
        message: String,
        #[command(flatten)]
        why: Why,
    },
    /// Keep a player from sending.
    Mute {
        /// The player's id.
        player: String,
        /// The room's id or name in paths; by default all rooms.
        #[arg(long)]
        room: Option<String>,
        /// How many minutes the mute lasts.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=525_600))]
        minutes: u32,
        #[command(flatten)]
        why: Why,
    },
    /// Let a player send again.
    Unmute {
        /// The player's id.
        player: String,
        /// The room of the mute; by default the mute of all rooms.
        #[arg(long)]
        room: Option<String>,
        #[command(flatten)]
        why: Why,
    },
    /// Close a room to messages. Its members read on.
    Close {
        /// The room's id or name in paths.
        room: String,
        #[command(flatten)]
        why: Why,
    },
    /// Open a closed room.
    Open {
        /// The room's id or name in paths.
        room: String,
        #[command(flatten)]
        why: Why,
    },
    /// Let each player of a room send once in so many seconds.
    SlowMode {
        /// The room's id or name in paths.
        room: String,
        /// Seconds, at most 3600; 0 ends slow mode.
        seconds: u32,
        #[command(flatten)]
        why: Why,
    },
    /// Print the words that no message may have.
    Words,
    /// Replace the words that no message may have.
    SetWords {
        /// A file with one word a line. Empty lines and lines with # are left out.
        #[arg(short = 'f', long)]
        file: PathBuf,
        #[command(flatten)]
        why: Why,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct Why {
    /// The reason, for the audit.
    #[arg(long)]
    reason: String,
}

/// Runs one command over a connection with the operator's certificate in a folder.
pub(crate) async fn run(
    command: Command,
    chat_url: &str,
    tls_dir: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let connection = service::connect("svc-chat", "--chat-url", chat_url, tls_dir)?;
    run_over(connection, command, out).await
}

async fn run_over(
    connection: Outgoing,
    command: Command,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut safety = SafetyAdminServiceClient::new(connection);
    let (changed, what) = match command {
        Command::Reports { after, limit, all } => {
            return list(&mut safety, after.unwrap_or_default(), limit, all, out).await;
        }
        Command::Words => {
            let words = safety.list_words(ListWordsRequest {}).await.map_err(failure)?;
            for word in words.into_inner().words {
                writeln!(out, "{word}")?;
            }
            return Ok(());
        }
        Command::Resolve { report, why } => {
            let request = ResolveReportRequest { id: report.clone(), reason: why.reason };
            let reply = safety.resolve_report(request).await.map_err(failure)?;
            (reply.into_inner().changed, format!("resolved  report {report}"))
        }
        Command::Hide { message, why } => {
            let request = HideMessageRequest { message_id: message.clone(), reason: why.reason };
            let reply = safety.hide_message(request).await.map_err(failure)?;
            (reply.into_inner().changed, format!("hidden    message {message}"))
        }
        Command::Mute { player, room, minutes, why } => {
            let request = mute(&player, room, minutes * 60, why);
            let reply = safety.mute_player(request).await.map_err(failure)?;
            (reply.into_inner().changed, format!("muted     player {player}"))
        }
        Command::Unmute { player, room, why } => {
            let reply = safety.mute_player(mute(&player, room, 0, why)).await.map_err(failure)?;
            (reply.into_inner().changed, format!("unmuted   player {player}"))
        }
        Command::Close { room, why } => {
            let request = closed(&room, true, why);
            let reply = safety.set_room_closed(request).await.map_err(failure)?;
            (reply.into_inner().changed, format!("closed    room {room}"))
        }
        Command::Open { room, why } => {
            let request = closed(&room, false, why);
            let reply = safety.set_room_closed(request).await.map_err(failure)?;
            (reply.into_inner().changed, format!("opened    room {room}"))
        }
        Command::SlowMode { room, seconds, why } => {
            let request =
                SetSlowModeRequest { chat_room_id: room.clone(), seconds, reason: why.reason };
            let reply = safety.set_slow_mode(request).await.map_err(failure)?;
            (reply.into_inner().changed, format!("set       room {room} to {seconds} s"))
        }
        Command::SetWords { file, why } => {
            let words = read_words(&file)?;
            let what = format!("set       {} words", words.len());
            let request = SetWordsRequest { words, reason: why.reason };
            let reply = safety.set_words(request).await.map_err(failure)?;
            (reply.into_inner().changed, what)
        }
    };
    if changed {
        writeln!(out, "{what}")?;
    } else {
        // The word `unchanged` replaces the verb.
        let rest = what.get(10..).unwrap_or_default();
        writeln!(out, "unchanged {rest}")?;
    }
    Ok(())
}

async fn list(
    safety: &mut SafetyAdminServiceClient<Outgoing>,
    mut after_id: String,
    limit: u32,
    include_resolved: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut left = limit;
    while left > 0 {
        let page_size = left.min(PAGE);
        let request =
            ListReportsRequest { after_id: after_id.clone(), page_size, include_resolved };
        let page = safety.list_reports(request).await.map_err(failure)?.into_inner().reports;
        let Some(last) = page.last() else { return Ok(()) };
        after_id.clone_from(&last.id);
        left = left.saturating_sub(u32::try_from(page.len()).unwrap_or(u32::MAX));
        for report in &page {
            writeln!(out, "{}", lines(report))?;
        }
    }
    Ok(())
}

fn mute(player: &str, room: Option<String>, seconds: u32, why: Why) -> MutePlayerRequest {
    MutePlayerRequest {
        player_id: player.to_owned(),
        chat_room_id: room.unwrap_or_default(),
        seconds,
        reason: why.reason,
    }
}

fn closed(room: &str, closed: bool, why: Why) -> SetRoomClosedRequest {
    SetRoomClosedRequest { chat_room_id: room.to_owned(), closed, reason: why.reason }
}

/// The words of a file.
fn read_words(file: &Path) -> anyhow::Result<Vec<String>> {
    let size = std::fs::metadata(file).with_context(|| file.display().to_string())?.len();
    anyhow::ensure!(size <= WORDS_BYTES, "{} is too large for a list of words", file.display());
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let words = text.lines().map(str::trim);
    Ok(words.filter(|word| !word.is_empty() && !word.starts_with('#')).map(str::to_owned).collect())
}

/// A report, and below it what players wrote.
fn lines(report: &Report) -> String {
    let reason = match report.reason() {
        ReportReason::Abuse => "abuse",
        ReportReason::Hate => "hate",
        ReportReason::Sexual => "sexual",
        ReportReason::Scam => "scam",
        ReportReason::Spam => "spam",
        ReportReason::Other | ReportReason::Unspecified => "other",
    };
    let at = from_timestamp(report.created_at, "created_at").ok();
    let at = at.and_then(|at| at.format(&Rfc3339).ok()).unwrap_or_default();
    let mut text = format!(
        "{}  {reason}, {at}, by {}\n  message {} of {} in room {}: {}",
        report.id,
        report.reporter_id,
        report.message_id,
        report.sender_id,
        report.chat_room_id,
        // The text is escaped, so that a player cannot move the cursor of a terminal.
        report.text.escape_debug(),
    );
    if !report.note.is_empty() {
        text.extend(["\n  note: ", &report.note.escape_debug().to_string()]);
    }
    if !report.resolved_by.is_empty() {
        let (by, why) = (&report.resolved_by, report.resolution.escape_debug().to_string());
        text.extend(["\n  resolved by ", by, ": ", &why]);
    }
    text
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn failure(status: Status) -> anyhow::Error {
    Service::Chat.failure(&status)
}

#[cfg(test)]
mod tests;
