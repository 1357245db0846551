//! Players with real access tokens, signed by a key that is the test's own.

use std::future::ready;

use futures_util::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use jsonwebtoken::{
    Algorithm, EncodingKey, Header,
    jwk::{Jwk, JwkSet},
};
use mesh::auth::{AUDIENCE, Claims, EndedSession, EndedSessions, ISSUER, Verifier};
use proto::auth::v1::{
    GetKeySetRequest, GetKeySetResponse, WatchEndedSessionsRequest, WatchEndedSessionsResponse,
    key_service_server::{KeyService, KeyServiceServer},
};
use time::Duration;
use tokio_stream::wrappers::IntervalStream;
use tonic::{Request, Response, Status, service::Routes};
use types::{Chance, Clock, PlayerId, SessionId};

/// PKCS#8 v1 around an Ed25519 seed (RFC 8410, section 7).
const PKCS8_PREFIX: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/// How often it is looked for sessions that have ended.
const LOOK: std::time::Duration = std::time::Duration::from_millis(250);

/// Signs as svc-auth would. Another instance is a stranger's key.
#[derive(Clone)]
pub struct Tokens {
    clock: Clock,
    chance: Chance,
    key: EncodingKey,
    key_id: String,
    jwks_json: String,
    ended: EndedSessions,
}

impl Tokens {
    /// A new key. Tokens are issued by the test's clock.
    pub fn new(clock: &Clock) -> Self {
        let chance = Chance::system();
        let seed: [u8; 32] = chance.bytes();
        let key = EncodingKey::from_ed_der(&[PKCS8_PREFIX.as_slice(), &seed].concat());
        let mut jwk = Jwk::from_encoding_key(&key, Algorithm::EdDSA).expect("a public key");
        let key_id = format!("test-{}", chance.uuid_v7(clock.now()));
        jwk.common.key_id = Some(key_id.clone());
        let set = JwkSet { keys: vec![jwk] };
        let jwks_json = serde_json::to_string(&set).expect("a key set");
        Self {
            clock: clock.clone(),
            chance,
            key,
            key_id,
            jwks_json,
            ended: EndedSessions::default(),
        }
    }

    /// A player nobody has seen before, and a good token.
    pub fn player(&self) -> (PlayerId, String) {
        let id = PlayerId::mint(&self.clock, &self.chance);
        (id, self.token(id))
    }

    /// A good token: 15 minutes, like svc-auth's.
    pub fn token(&self, player: PlayerId) -> String {
        self.sign(&self.claims(player))
    }

    /// What a good token says, for tests that bend it.
    pub fn claims(&self, player: PlayerId) -> Claims {
        let now = self.clock.now();
        Claims {
            iss: ISSUER.to_owned(),
            aud: AUDIENCE.to_owned(),
            sub: player,
            sid: SessionId::mint(&self.clock, &self.chance),
            iat: now.unix_timestamp(),
            exp: (now + Duration::minutes(15)).unix_timestamp(),
        }
    }

    /// Signs any claims.
    pub fn sign(&self, claims: &Claims) -> String {
        let header = Header { kid: Some(self.key_id.clone()), ..Header::new(Algorithm::EdDSA) };
        jsonwebtoken::encode(&header, claims, &self.key).expect("a token")
    }

    /// Ends the session of these claims, as svc-auth would tell it.
    pub fn end(&self, claims: &Claims) {
        let session = EndedSession { id: claims.sid, forget_at: mesh::auth::expires_at(claims) };
        self.ended.learn([session], self.clock.now());
    }

    /// The public half, as svc-auth publishes it.
    pub fn jwks_json(&self) -> &str {
        &self.jwks_json
    }

    /// Believes this key and no other.
    pub fn verifier(&self) -> Verifier {
        Verifier::fixed(self.clock.clone(), &self.jwks_json, self.ended.clone())
            .expect("a readable key set")
    }

    /// An svc-auth that only publishes this key and the sessions that were ended: what `AUTH_URL` points to.
    pub async fn serve_keys(&self) -> String {
        super::serve(Routes::new(KeyServiceServer::new(self.clone()))).await
    }
}

#[tonic::async_trait]
impl KeyService for Tokens {
    async fn get_key_set(
        &self,
        _: Request<GetKeySetRequest>,
    ) -> Result<Response<GetKeySetResponse>, Status> {
        Ok(Response::new(GetKeySetResponse { jwks_json: self.jwks_json.clone() }))
    }

    type WatchEndedSessionsStream = BoxStream<'static, Result<WatchEndedSessionsResponse, Status>>;

    async fn watch_ended_sessions(
        &self,
        _: Request<WatchEndedSessionsRequest>,
    ) -> Result<Response<Self::WatchEndedSessionsStream>, Status> {
        // It looks for news as svc-auth does, or nothing would be said.
        let (list, clock) = (self.ended.clone(), self.clock.clone());
        let looks = IntervalStream::new(tokio::time::interval(LOOK)).filter_map(move |_| {
            list.learn([], clock.now());
            ready(None)
        });
        Ok(Response::new(stream::select(self.ended.told(), looks).map(Ok).boxed()))
    }
}
