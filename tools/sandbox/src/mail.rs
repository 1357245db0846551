//! The mail server: SMTP (RFC 5321) that accepts mail for any address.

mod lines;
mod message;
mod session;

use std::sync::Arc;

use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::world::Shared;

/// Clients that may be connected at a time.
const MAX_CONNECTIONS: usize = 64;

/// Accepts clients until the sandbox stops.
pub(crate) async fn serve(world: Shared, listener: TcpListener) {
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            () = world.stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let client = match accepted {
            Ok((client, _)) => client,
            Err(error) => {
                // Most likely no file descriptor was free, so the loop goes on.
                tracing::warn!(%error, "mail: accepting a client failed");
                tokio::task::yield_now().await;
                continue;
            }
        };
        let Ok(permit) = Arc::clone(&permits).try_acquire_owned() else {
            world.tasks.spawn(reject(client));
            continue;
        };
        let session = session::run(Arc::clone(&world), client);
        world.tasks.spawn(async move {
            if let Err(error) = session.await {
                tracing::debug!(%error, "mail: the client disconnected");
            }
            drop(permit);
        });
    }
}

async fn reject(mut client: TcpStream) {
    // An error means that the client has disconnected.
    let _ = client.write_all(b"421 4.3.2 Too many connections\r\n").await;
}
