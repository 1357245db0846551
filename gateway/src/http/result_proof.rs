//! What anybody needs to check a tournament's result.

use axum::extract::State;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use proto::{
    games::v1::GetRulesRequest,
    tournament::v1::{self as rpc, GetResultProofRequest, GetResultProofResponse},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{HandlerResult, param::Segment};
use crate::{Gateway, envelope::Reply, openapi::schema::payloads};

/// `GET /tournaments/{id}/proof`
pub(crate) async fn get(
    State(gateway): State<Gateway>,
    Segment(tournament_id): Segment,
) -> HandlerResult<ResultProof> {
    let request = GetResultProofRequest { tournament_id };
    let mut tournaments = gateway.upstreams().tournaments();
    let proof = tournaments.get_result_proof(request).await?.into_inner();
    let rules = if proof.rules_sha256.is_empty() || !proof.settled {
        None
    } else {
        let request = GetRulesRequest { sha256: proof.rules_sha256.clone() };
        Some(gateway.upstreams().games().get_rules(request).await?.into_inner().module)
    };
    Ok(Reply::ok(ResultProof::new(proof, rules)))
}

payloads!(ResultProof);

/// The proof of a tournament's result, which everybody can check without trusting PlayOn.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResultProof {
    /// SHA-256 of the secret, in hexadecimal digits. It is known before the tournament begins.
    seal: String,
    /// Whether the board is final.
    settled: bool,
    /// 32 bytes in hexadecimal digits. The seed of round k, from 0, is the first 8 bytes of SHA-256 of
    /// the secret and k as 4 bytes. Live runs have other seeds: that of piece n is the first 8 bytes of
    /// HMAC-SHA256 of the session's 16 bytes and n as 4 bytes, with the key HMAC-SHA256 of k as 4 bytes
    /// with the secret. Numbers are big-endian. Null until the board is final.
    secret: Option<String>,
    /// The number of rounds.
    rounds: u32,
    /// The level of all runs.
    level: u32,
    /// SHA-256 of the rules module, in hexadecimal digits, from the publication on; null where scores
    /// are not proven by rules.
    rules_sha256: Option<String>,
    /// The rules module, WebAssembly in base64. Null until the board is final.
    rules: Option<String>,
    /// The podium and the places that win awards, at most 20; empty until the board is final.
    places: Vec<ProvenPlace>,
}

/// A place of a final board.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProvenPlace {
    rank: u64,
    user_id: String,
    points: i32,
    /// Null where the run is not kept any more, or was not proven by the rules.
    run: Option<ProvenRun>,
}

/// A run that the rules replay.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProvenRun {
    /// The play session.
    session: String,
    /// An i64 in decimal digits: the seed of the run, of its first piece in a live run.
    seed: String,
    /// The seeds of the other pieces of a live run.
    next_seeds: Vec<String>,
    /// Pairs of LEB128 varints, steps and input, in base64.
    inputs: String,
}

impl ResultProof {
    fn new(proof: GetResultProofResponse, rules: Option<Vec<u8>>) -> Self {
        Self {
            seal: hex::encode(proof.seal),
            settled: proof.settled,
            secret: proof.settled.then(|| hex::encode(proof.secret)),
            rounds: proof.rounds,
            level: proof.level,
            rules_sha256: (!proof.rules_sha256.is_empty()).then_some(proof.rules_sha256),
            rules: rules.map(|module| STANDARD.encode(module)),
            places: proof.places.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<rpc::ProvenPlace> for ProvenPlace {
    fn from(place: rpc::ProvenPlace) -> Self {
        Self {
            rank: place.rank,
            user_id: place.player_id,
            points: place.points,
            run: place.run.map(|run| ProvenRun {
                session: run.session_id,
                seed: run.seed.to_string(),
                next_seeds: run.next_seeds.iter().map(ToString::to_string).collect(),
                inputs: STANDARD.encode(run.inputs),
            }),
        }
    }
}
