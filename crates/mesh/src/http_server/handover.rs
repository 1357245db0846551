//! Long replies over HTTP/1, which leave hyper when their head has left.
//!
//! hyper holds two buffers of 8 KiB for as long as a reply lasts, and a live stream lasts for
//! an hour and says little. hyper writes the head of such a reply. Its connection then takes
//! the socket back and writes the body, in chunks (RFC 9112, section 7.1).

use std::{
    io,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use axum::body::Bytes;
use futures_util::FutureExt as _;
use http_body_util::BodyExt as _;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tracing::debug;

use super::calls::Reply;

/// Marks a reply that lasts, as one of its extensions. Over HTTP/1 its connection is closed
/// after it.
#[derive(Debug, Clone, Copy)]
pub struct LongReply;

/// Frames that are ready leave in one write, up to so many bytes and one frame.
const WRITE_SIZE: usize = 16 * 1024;
/// The end of a body in chunks.
const LAST_CHUNK: &[u8] = b"0\r\n\r\n";

/// Where a call leaves its long reply, and its connection finds it. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Handover(Arc<Shared>);

#[derive(Default)]
struct Shared {
    reply: Mutex<Option<Reply>>,
    /// The socket took not all that hyper has for it.
    is_behind: AtomicBool,
}

impl Handover {
    /// Keeps the body of a reply; hyper gets one that is silent, and with it writes the head.
    pub(super) fn offer(&self, reply: Reply) -> Reply {
        *self.lock() = Some(reply);
        Reply::silent()
    }

    /// The reply, once hyper has nothing left to write.
    pub(super) fn take(&self) -> Option<Reply> {
        if self.0.is_behind.load(Ordering::Relaxed) { None } else { self.lock().take() }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Reply>> {
        self.0.reply.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The socket of a connection, lent to hyper.
pub(super) struct Socket {
    stream: TokioIo<TcpStream>,
    handover: Handover,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, handover: Handover) -> Self {
        Self { stream: TokioIo::new(stream), handover }
    }

    pub(super) fn into_stream(self) -> TcpStream {
        self.stream.into_inner()
    }

    fn note(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        self.handover.0.is_behind.store(written.is_pending(), Ordering::Relaxed);
        written
    }
}

impl Read for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        room: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, room)
    }
}

impl Write for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.note(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.note(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Writes the body of a reply until its end, or until its reader is gone.
pub(super) async fn write_body(mut stream: TcpStream, mut reply: Reply) {
    let (mut reader, mut writer) = stream.split();
    let written = async {
        let mut is_over = false;
        while !is_over {
            // Nothing is held between two events.
            let mut chunks = Vec::new();
            let mut next = Some(reply.frame().await);
            while let Some(frame) = next.take() {
                match frame {
                    Some(frame) => push_chunk(&mut chunks, frame?.data_ref()),
                    None => is_over = true,
                }
                if !is_over && chunks.len() < WRITE_SIZE {
                    next = reply.frame().now_or_never();
                }
            }
            if is_over {
                chunks.extend_from_slice(LAST_CHUNK);
            }
            writer.write_all(&chunks).await.map_err(axum::Error::new)?;
        }
        writer.shutdown().await.map_err(axum::Error::new)
    };
    // What a reader still sends belongs to no call.
    let gone = async { while let Ok(1..) = reader.read(&mut [0; 64]).await {} };
    tokio::select! {
        written = written => if let Err(error) = written {
            debug!(error = %error, "a long reply broke");
        },
        () = gone => {}
    }
}

fn push_chunk(chunks: &mut Vec<u8>, data: Option<&Bytes>) {
    // A chunk of no bytes would be the last.
    if let Some(data) = data.filter(|data| !data.is_empty()) {
        let size = format!("{:x}\r\n", data.len());
        chunks.reserve(size.len() + data.len() + LAST_CHUNK.len());
        chunks.extend_from_slice(size.as_bytes());
        chunks.extend_from_slice(data);
        chunks.extend_from_slice(b"\r\n");
    }
}
