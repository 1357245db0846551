//! Players with real access tokens, signed by a key of the test.

use std::future::ready;

use futures_util::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use jsonwebtoken::{
    Algorithm, EncodingKey, Header,
    jwk::{Jwk, JwkSet},
};
use mesh::{
    Fault,
    auth::{AUDIENCE, Admission, Claims, ISSUER, RevokedSession, RevokedSessions, Verifier},
};
use proto::auth::v1::{
    AdmitOperatorRequest, AdmitOperatorResponse, GetKeySetRequest, GetKeySetResponse,
    WatchRevokedSessionsRequest, WatchRevokedSessionsResponse,
    admission_service_server::{AdmissionService, AdmissionServiceServer},
    key_service_server::{KeyService, KeyServiceServer},
};
use time::Duration;
use tokio_stream::wrappers::IntervalStream;
use tonic::{Code, Request, Response, Status, service::Routes};
use types::{Clock, PlayerId, Rng, SessionId};

/// PKCS#8 v1 around an Ed25519 seed (RFC 8410, section 7).
const PKCS8_PREFIX: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];

/// The operators of tests; they have all roles.
const OPERATORS: [&str; 4] = ["playonctl", "wanjiru", "otieno", "achieng"];

/// How often the list of revoked sessions is updated.
const UPDATE_INTERVAL: std::time::Duration = std::time::Duration::from_millis(250);

/// Signs tokens as svc-auth does, with a key of its own.
#[derive(Clone)]
pub struct Tokens {
    clock: Clock,
    rng: Rng,
    key: EncodingKey,
    key_id: String,
    jwks_json: String,
    revoked: RevokedSessions,
}

impl Tokens {
    /// A new key. Tokens are issued at the time of the test's clock.
    pub fn new(clock: &Clock) -> Self {
        let rng = Rng::system();
        let seed: [u8; 32] = rng.bytes();
        let key = EncodingKey::from_ed_der(&[PKCS8_PREFIX.as_slice(), &seed].concat());
        let mut jwk = Jwk::from_encoding_key(&key, Algorithm::EdDSA).expect("a public key");
        let key_id = format!("test-{}", rng.uuid_v7(clock.now()));
        jwk.common.key_id = Some(key_id.clone());
        let set = JwkSet { keys: vec![jwk] };
        let jwks_json = serde_json::to_string(&set).expect("a key set");
        Self {
            clock: clock.clone(),
            rng,
            key,
            key_id,
            jwks_json,
            revoked: RevokedSessions::default(),
        }
    }

    /// A new player, and a valid token.
    pub fn player(&self) -> (PlayerId, String) {
        let id = PlayerId::generate(&self.clock, &self.rng);
        (id, self.token(id))
    }

    /// A valid token, for 15 minutes like svc-auth's.
    pub fn token(&self, player: PlayerId) -> String {
        self.sign(&self.claims(player))
    }

    /// The claims of a valid token, for tests that change them.
    pub fn claims(&self, player: PlayerId) -> Claims {
        let now = self.clock.now();
        Claims {
            iss: ISSUER.to_owned(),
            aud: AUDIENCE.to_owned(),
            sub: player,
            sid: SessionId::generate(&self.clock, &self.rng),
            iat: now.unix_timestamp(),
            exp: (now + Duration::minutes(15)).unix_timestamp(),
            // The device was confirmed long ago.
            money_from: Some(0),
            break_until: None,
        }
    }

    /// Signs any claims.
    pub fn sign(&self, claims: &Claims) -> String {
        let header = Header { kid: Some(self.key_id.clone()), ..Header::new(Algorithm::EdDSA) };
        jsonwebtoken::encode(&header, claims, &self.key).expect("a token")
    }

    /// Revokes the session of these claims, as svc-auth does.
    pub fn revoke(&self, claims: &Claims) {
        let session = RevokedSession { id: claims.sid, expires_at: mesh::auth::expires_at(claims) };
        self.revoked.update([session], self.clock.now());
    }

    /// The public half, as svc-auth publishes it.
    pub fn jwks_json(&self) -> &str {
        &self.jwks_json
    }

    /// A verifier that accepts this key only.
    pub fn verifier(&self) -> Verifier {
        self.verifier_with(Admission::new(|call| Box::pin(async move { admit(&call.operator) })))
    }

    /// A verifier that accepts this key only, and admits operators otherwise.
    pub fn verifier_with(&self, admission: Admission) -> Verifier {
        Verifier::fixed(self.clock.clone(), &self.jwks_json, self.revoked.clone(), admission)
            .expect("a readable key set")
    }

    /// Serves this key and the revoked sessions, and admits operators, as svc-auth does; returns
    /// the URL.
    pub async fn serve_keys(&self) -> String {
        super::serve("svc-auth", self.routes()).await
    }

    /// The services by which every other service verifies its callers.
    pub fn routes(&self) -> Routes {
        Routes::new(KeyServiceServer::new(self.clone()))
            .add_service(AdmissionServiceServer::new(self.clone()))
    }
}

fn admit(operator: &str) -> Result<(), Fault> {
    let refused = Fault::new(Code::PermissionDenied, "OPERATOR_UNKNOWN");
    if OPERATORS.contains(&operator) { Ok(()) } else { Err(refused.param("operator", operator)) }
}

#[tonic::async_trait]
impl AdmissionService for Tokens {
    async fn admit_operator(
        &self,
        request: Request<AdmitOperatorRequest>,
    ) -> Result<Response<AdmitOperatorResponse>, Status> {
        admit(&request.into_inner().operator)?;
        Ok(Response::new(AdmitOperatorResponse {}))
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

    type WatchRevokedSessionsStream =
        BoxStream<'static, Result<WatchRevokedSessionsResponse, Status>>;

    async fn watch_revoked_sessions(
        &self,
        _: Request<WatchRevokedSessionsRequest>,
    ) -> Result<Response<Self::WatchRevokedSessionsStream>, Status> {
        // Updates the list as svc-auth does: without updates there are no heartbeats.
        let (list, clock) = (self.revoked.clone(), self.clock.clone());
        let updates =
            IntervalStream::new(tokio::time::interval(UPDATE_INTERVAL)).filter_map(move |_| {
                list.update([], clock.now());
                ready(None)
            });
        Ok(Response::new(stream::select(self.revoked.updates(), updates).map(Ok).boxed()))
    }
}
