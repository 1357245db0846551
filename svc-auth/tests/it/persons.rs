//! The comparison of winners, so that one person gets one prize.

use std::time::Duration;

use mesh::Fault;
use proto::auth::v1::{
    BreakLength, CompareIdentitiesRequest, CompareIdentitiesResponse, IdentityKind,
    ListPlayersOnBreakRequest, Session, SignOutEverywhereRequest, VerifyPhoneSignInRequest,
    person_service_client::PersonServiceClient,
};
use tonic::Code;

use crate::{
    harness::{PASSWORD, fault, with_bearer},
    world::{PHONE, World},
};

async fn compare(
    world: &World,
    caller: &'static str,
    player_ids: Vec<String>,
) -> Result<CompareIdentitiesResponse, Fault> {
    let mut client = PersonServiceClient::new(world.auth.connect_service(caller));
    let request = CompareIdentitiesRequest { player_ids };
    Ok(client.compare_identities(request).await.map_err(fault)?.into_inner())
}

async fn on_break(
    world: &World,
    caller: &'static str,
    player_ids: Vec<String>,
) -> Result<Vec<String>, Fault> {
    let mut client = PersonServiceClient::new(world.auth.connect_service(caller));
    let request = ListPlayersOnBreakRequest { player_ids };
    Ok(client.list_players_on_break(request).await.map_err(fault)?.into_inner().player_ids)
}

/// What players share: the kind, and the players in the order of their ids.
async fn shared(world: &World, players: &[&Session]) -> Vec<(IdentityKind, Vec<String>)> {
    let ids = players.iter().map(|session| session.uid.clone()).collect();
    let reply = compare(world, "svc-tournament", ids).await.unwrap();
    let identity = |mut one: proto::auth::v1::SharedIdentity| {
        one.player_ids.sort();
        (one.kind(), one.player_ids)
    };
    reply.shared.into_iter().map(identity).collect()
}

fn ids(players: &[&Session]) -> Vec<String> {
    let mut ids: Vec<_> = players.iter().map(|session| session.uid.clone()).collect();
    ids.sort();
    ids
}

#[tokio::test]
async fn players_who_signed_in_on_one_device_share_it() {
    let world = World::new().await;
    let (_, wanjiru) = world.player("wanjiru").await;
    let (email, otieno) = world.player("otieno").await;
    let (_, amina) = world.player("amina").await;
    assert_eq!(shared(&world, &[&wanjiru, &otieno, &amina]).await, []);
    world.auth.sign_in_on(&wanjiru.device_token, &email, PASSWORD).await.unwrap();
    assert_eq!(
        shared(&world, &[&wanjiru, &otieno, &amina]).await,
        [(IdentityKind::Device, ids(&[&wanjiru, &otieno]))]
    );
    // A player alone shares nothing.
    assert_eq!(shared(&world, &[&wanjiru, &amina]).await, []);
}

#[tokio::test]
async fn players_who_proved_one_phone_share_it_even_after_one_has_forgotten_it() {
    let world = World::new().await;
    let (_, wanjiru) = world.player("wanjiru").await;
    let (_, otieno) = world.player("otieno").await;
    world.prove(&wanjiru, PHONE).await.unwrap();
    world.prove(&otieno, PHONE).await.unwrap();
    let phone = [(IdentityKind::Phone, ids(&[&wanjiru, &otieno]))];
    assert_eq!(shared(&world, &[&wanjiru, &otieno]).await, phone);
    let request = with_bearer(SignOutEverywhereRequest {}, &otieno.access_token);
    world.auth.auth.clone().sign_out_everywhere(request).await.unwrap();
    assert_eq!(shared(&world, &[&wanjiru, &otieno]).await, phone);
    // A forgotten phone is shared, and not proven any more.
    let reply = compare(&world, "svc-tournament", ids(&[&wanjiru, &otieno])).await.unwrap();
    assert_eq!(reply.without_phone, [otieno.uid]);
}

#[tokio::test]
async fn a_phone_that_one_player_signs_in_with_and_another_one_proved_is_shared() {
    let world = World::new().await;
    let (_, wanjiru) = world.player("wanjiru").await;
    world.prove(&wanjiru, PHONE).await.unwrap();
    let sent = world.auth.start_phone(PHONE).await.unwrap();
    let request = VerifyPhoneSignInRequest {
        challenge_id: sent.challenge_id,
        code: world.code(PHONE).await,
        ..VerifyPhoneSignInRequest::default()
    };
    let reply = world.auth.auth.clone().verify_phone_sign_in(request).await.unwrap();
    let second = reply.into_inner().session.unwrap();
    assert_eq!(
        shared(&world, &[&wanjiru, &second]).await,
        [(IdentityKind::Phone, ids(&[&wanjiru, &second]))]
    );
    let reply = compare(&world, "svc-tournament", vec![second.uid]).await.unwrap();
    assert!(reply.without_phone.is_empty());
}

#[tokio::test]
async fn a_player_without_a_phone_is_named_until_one_is_proven() {
    let world = World::new().await;
    let (_, wanjiru) = world.player("wanjiru").await;
    let unknown = uuid::Uuid::from_u128(7).to_string();
    let both = vec![wanjiru.uid.clone(), unknown.clone()];
    let reply = compare(&world, "svc-tournament", both.clone()).await.unwrap();
    let mut named = reply.without_phone;
    named.sort_by_key(|id| *id == unknown);
    assert_eq!(named, both);
    world.prove(&wanjiru, PHONE).await.unwrap();
    let reply = compare(&world, "svc-tournament", both).await.unwrap();
    assert_eq!(reply.without_phone, [unknown]);
}

#[tokio::test]
async fn players_are_on_a_break_until_it_ends() {
    let world = World::new().await;
    let (_, wanjiru) = world.player("wanjiru").await;
    let (_, otieno) = world.player("otieno").await;
    let both = ids(&[&wanjiru, &otieno]);
    assert!(on_break(&world, "svc-tournament", both.clone()).await.unwrap().is_empty());
    world.auth.start_break(&otieno, BreakLength::Day).await.unwrap();
    world.auth.clock.advance(Duration::from_hours(23));
    assert_eq!(on_break(&world, "svc-tournament", both.clone()).await.unwrap(), [otieno.uid]);
    world.auth.clock.advance(Duration::from_hours(2));
    assert!(on_break(&world, "svc-tournament", both).await.unwrap().is_empty());
}

#[tokio::test]
async fn other_services_and_malformed_requests_are_refused() {
    let world = World::new().await;
    let id = uuid::Uuid::from_u128(7).to_string();
    for caller in ["gateway", "svc-chat", "svc-games"] {
        let refused = compare(&world, caller, vec![id.clone()]).await.unwrap_err();
        assert_eq!(refused.code, Code::PermissionDenied, "{caller}");
        let refused = on_break(&world, caller, vec![id.clone()]).await.unwrap_err();
        assert_eq!(refused.code, Code::PermissionDenied, "{caller}");
    }
    let malformed = compare(&world, "svc-tournament", vec!["me".to_owned()]).await.unwrap_err();
    assert_eq!(malformed.fields[0].name, "player_ids");
    let malformed = on_break(&world, "svc-tournament", vec!["me".to_owned()]).await.unwrap_err();
    assert_eq!(malformed.fields[0].name, "player_ids");
    let many = compare(&world, "svc-tournament", vec![id; 1_001]).await.unwrap_err();
    assert_eq!(many.fields[0].name, "player_ids");
}
