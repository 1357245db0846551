//! The client of svc-auth, for players, their usernames and their sessions.

use mesh::{Fault, grpc::client::Upstream};
use proto::auth::v1::{
    BatchLookUpPlayersRequest, ListOpenSessionsRequest,
    player_lookup_service_client::PlayerLookupServiceClient,
};
use types::{PlayerId, SessionId};

use crate::error::Error;

/// A client of svc-auth's internal RPC.
#[derive(Clone)]
pub(crate) struct Players(PlayerLookupServiceClient<Upstream>);

/// The players whom a message mentions, and its sender's public name.
#[derive(Debug, Clone)]
pub(crate) struct Mentioned {
    /// The sender's username, or else the name. `None` for a sender whose account is being deleted.
    pub(crate) sender: Option<String>,
    /// For each username its player, if there is one.
    pub(crate) players: Vec<Option<PlayerId>>,
}

impl Players {
    /// A client on a channel to svc-auth.
    pub(crate) fn new(upstream: Upstream) -> Self {
        Self(PlayerLookupServiceClient::new(upstream))
    }

    /// Looks up the players with these usernames, in lower case, and the sender, in one call.
    pub(crate) async fn mentioned(
        &self,
        sender: PlayerId,
        usernames: &[String],
    ) -> Result<Mentioned, Error> {
        let request = BatchLookUpPlayersRequest {
            usernames: usernames.to_vec(),
            ids: vec![sender.to_string()],
        };
        let reply = self.0.clone().batch_look_up_players(request).await;
        let mut found = Vec::new();
        for player in reply.map_err(|status| Fault::from_status(&status))?.into_inner().players {
            let id = PlayerId::parse(&player.id).map_err(anyhow::Error::from)?;
            found.push((id, player.username, player.name));
        }
        let by_id = found.iter().find(|(id, ..)| *id == sender);
        let by_username = |username: &String| {
            let one = found.iter().find(|(_, known, _)| known.as_ref() == Some(username));
            one.map(|(id, ..)| *id)
        };
        Ok(Mentioned {
            // Every player has a name before the app lets the player into a room.
            sender: by_id.map(|(_, username, name)| {
                let name = username.as_ref().or(name.as_ref());
                name.cloned().unwrap_or_else(|| "A player".to_owned())
            }),
            players: usernames.iter().map(by_username).collect(),
        })
    }

    /// Whether a session has neither ended nor expired.
    pub(crate) async fn is_session_open(&self, session: SessionId) -> Result<bool, Error> {
        let request = ListOpenSessionsRequest { session_ids: vec![session.to_string()] };
        let reply = self.0.clone().list_open_sessions(request).await;
        let open = reply.map_err(|status| Fault::from_status(&status))?.into_inner().session_ids;
        Ok(!open.is_empty())
    }
}
