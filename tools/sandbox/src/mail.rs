//! The mail server: takes what RFC 5321 lets a client send, for any address.

mod lines;
mod message;
mod reply;
mod session;

use std::sync::Arc;

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::world::Shared;

/// Clients that may be connected at a time.
const CONNECTIONS: usize = 64;

/// Serves until the sandbox stops.
pub(crate) async fn serve(world: Shared, listener: TcpListener) {
    let seats = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            () = world.stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let client = match accepted {
            Ok((client, _)) => client,
            Err(error) => {
                // Out of descriptors, most likely: the next may fare better.
                tracing::warn!(%error, "mail: a client could not be accepted");
                tokio::task::yield_now().await;
                continue;
            }
        };
        let Ok(seat) = Arc::clone(&seats).try_acquire_owned() else {
            world.errands.spawn(turn_away(client));
            continue;
        };
        let session = session::run(Arc::clone(&world), client);
        world.errands.spawn(async move {
            // A client that goes away in the middle is nobody's trouble.
            if let Err(error) = session.await {
                tracing::debug!(%error, "mail: the client is gone");
            }
            drop(seat);
        });
    }
}

async fn turn_away(mut client: TcpStream) {
    // Whether it hears the reason or only sees the end is all the same.
    let _ = client.write_all(reply::TOO_MANY_CONNECTIONS.as_bytes()).await;
}
