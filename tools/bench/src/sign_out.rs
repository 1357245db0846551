//! The latency of a sign-out: from its reply until the gateway refuses the access token,
//! which has not expired.

use std::time::Duration;

use anyhow::{Result, ensure};
use http::{Method, StatusCode, header::AUTHORIZATION};
use serde_json::json;
use tokio::time::Instant;

use crate::{
    address::Target,
    client::{self, Connection, error_kind},
    figures::{Figures, Recorder},
    players::Players,
    session::{self, Session},
};

/// The longest that the refusal is awaited.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Measures `samples` sign-outs one after the other. Each ends a new session, so the
/// players' own sessions stay valid.
pub(crate) async fn measure(target: Target, players: &Players, samples: u16) -> Result<Figures> {
    let mut recorder = Recorder::new()?;
    let mut total = Duration::ZERO;
    let mut connection = Connection::new(target);
    for number in 0..usize::from(samples) {
        let request = session::sign_in(&players.get(number)?.email)?;
        let session: Session = connection.call_api(request).await?;
        match sample(&mut connection, &session).await {
            Ok(latency) => {
                total += latency;
                recorder.success(latency);
            }
            Err(error) => recorder.error(format!("{error:#}")),
        }
    }
    Ok(recorder.figures(total))
}

async fn sample(connection: &mut Connection, session: &Session) -> Result<Duration> {
    let bearer = session.bearer()?;
    let form = json!({"refreshToken": session.refresh_token});
    let mut request = client::json(Method::POST, "/api/auth/sign-out", &form)?;
    request.headers_mut().insert(AUTHORIZATION, bearer.clone());
    let reply = connection.call(request).await?;
    ensure!(reply.status.is_success(), "the sign-out: {}", error_kind(&reply));

    let signed_out = Instant::now();
    loop {
        let mut request = client::get("/api/wallets/balance")?;
        request.headers_mut().insert(AUTHORIZATION, bearer.clone());
        let reply = connection.call(request).await?;
        if reply.status == StatusCode::UNAUTHORIZED {
            return Ok(signed_out.elapsed());
        }
        ensure!(signed_out.elapsed() < TIMEOUT, "the token is still accepted after 10 s");
    }
}
