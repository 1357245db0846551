//! How long a sign-out takes to be known: from its reply until the access token,
//! which is good for minutes more, is refused.

use std::time::Duration;

use anyhow::{Result, ensure};
use http::{HeaderValue, Method, StatusCode, header::AUTHORIZATION};
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use crate::{
    client::{self, Connection, kind_of},
    figures::{Figures, Tally},
    players::Players,
    target::Target,
};

/// Longest that is waited.
const PATIENCE: Duration = Duration::from_secs(10);

/// A session that was given for this.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Session {
    access_token: String,
    refresh_token: String,
}

/// Times `samples` sign-outs, one after the other. Each is of a session of its
/// own, so the players stay signed in.
pub(crate) async fn measure(target: Target, players: &Players, samples: u16) -> Result<Figures> {
    let mut tally = Tally::new()?;
    let mut whole = Duration::ZERO;
    let mut connection = Connection::to(target);
    for place in 0..usize::from(samples) {
        let session: Session = connection.ask(players.turn(place)?.sign_in()?).await?;
        match sample(&mut connection, &session).await {
            Ok(took) => {
                whole += took;
                tally.well(took);
            }
            Err(error) => tally.badly(format!("{error:#}")),
        }
    }
    Ok(tally.figures(whole))
}

async fn sample(connection: &mut Connection, session: &Session) -> Result<Duration> {
    let mut bearer = HeaderValue::try_from(format!("Bearer {}", session.access_token))?;
    bearer.set_sensitive(true);
    let form = json!({"refreshToken": session.refresh_token});
    let mut request = client::send(Method::POST, "/api/auth/sign-out", &form)?;
    request.headers_mut().insert(AUTHORIZATION, bearer.clone());
    let answer = connection.call(request).await?;
    ensure!(answer.status.is_success(), "the sign-out: {}", kind_of(&answer));

    let told = Instant::now();
    loop {
        let mut request = client::get("/api/wallets/balance")?;
        request.headers_mut().insert(AUTHORIZATION, bearer.clone());
        let answer = connection.call(request).await?;
        if answer.status == StatusCode::UNAUTHORIZED {
            return Ok(told.elapsed());
        }
        ensure!(told.elapsed() < PATIENCE, "the token is still good after 10 s");
    }
}
