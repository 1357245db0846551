//! Content that operators publish: games, events and videos.

use std::time::Duration;

use proto::games::v1::{
    ApplyEventRequest, ApplyGameRequest, ApplyTvItemRequest, ContentKind, DeleteContentRequest,
    EventManifest, GameManifest, GetGameProofRequest, ListContentRequest, ListEventsRequest,
    ListGamesRequest, ListTvItemsRequest, PrizeClass, TvItemManifest,
    catalogue_admin_service_client::CatalogueAdminServiceClient,
};
use proto::types::v1::Change;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::harness::{Service, counter, long_counter, manifest, reason, sha256};

impl Service {
    async fn apply(&self, game: GameManifest, rules: Vec<u8>) -> Result<Change, Status> {
        let request = ApplyGameRequest { game: Some(game), rules, dry_run: false };
        Ok(self.admin.clone().apply_game(request).await?.into_inner().change())
    }

    async fn changes(&self) -> Vec<(String, String, String)> {
        let query = "SELECT operator, key, change FROM content_change ORDER BY changed_at, id";
        sqlx::query_as(query).fetch_all(&self.database.pool).await.unwrap()
    }
}

fn field(refused: &Status) -> (String, String) {
    assert_eq!(
        (refused.code(), reason(refused).as_str()),
        (Code::InvalidArgument, "INVALID_CONTENT")
    );
    let violations = refused.get_details_bad_request().unwrap().field_violations;
    (violations[0].field.clone(), violations[0].description.clone())
}

#[tokio::test]
async fn applying_a_game_twice_changes_nothing() {
    let mut service = Service::start().await;
    let rules = counter();
    let game = GameManifest { rules_sha256: sha256(&rules), featured: true, ..manifest("ajua") };
    assert_eq!(service.apply(game.clone(), rules.clone()).await.unwrap(), Change::Created);
    assert_eq!(service.apply(game.clone(), rules).await.unwrap(), Change::Unchanged);
    service.clock.advance(Duration::from_secs(1));
    let renamed = GameManifest { name: "Ajua!".to_owned(), ..game.clone() };
    // The module is stored by now.
    assert_eq!(service.apply(renamed, Vec::new()).await.unwrap(), Change::Updated);

    let games = service.client.list_games(ListGamesRequest {}).await.unwrap().into_inner().games;
    let [ajua] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(
        (ajua.name.as_str(), ajua.game_url.as_str(), ajua.levels, ajua.prize_class()),
        ("Ajua!", "/play/ajua/", 16, PrizeClass::Reflex)
    );
    let operator = "playonctl".to_owned();
    let change = |change: &str| (operator.clone(), "ajua".to_owned(), change.to_owned());
    assert_eq!(service.changes().await, [change("Created"), change("Updated")]);
    service.database.assert_append_only("content_change").await;
}

#[tokio::test]
async fn a_game_on_which_much_cash_depends_is_not_removed() {
    let service = Service::start().await;
    service.apply(manifest("ajua"), Vec::new()).await.unwrap();
    service.board.put_much_cash_at_stake();
    let (kind, key) = (ContentKind::Game.into(), "ajua".to_owned());
    let request = DeleteContentRequest { kind, key, dry_run: false };
    let refused = service.admin.clone().delete_content(request).await.unwrap_err();
    assert_eq!(reason(&refused), "GAME_AT_STAKE");
}

#[tokio::test]
async fn the_rules_of_a_game_are_confirmed_by_a_second_operator_who_has_the_module() {
    let service = Service::start().await;
    let rules = counter();
    let game = GameManifest { rules_sha256: sha256(&rules), ..manifest("ajua") };
    let apply = async |operator: &str, game: &GameManifest, rules: &[u8], dry_run| {
        service.clock.advance(Duration::from_secs(1));
        let mut admin = CatalogueAdminServiceClient::new(service.as_operator(operator));
        let request = ApplyGameRequest { game: Some(game.clone()), rules: rules.to_vec(), dry_run };
        admin.apply_game(request).await.unwrap().into_inner().change()
    };
    let proof = async || {
        let game_id = types::content_id("Game", "ajua").to_string();
        let reply = service.runs.clone().get_game_proof(GetGameProofRequest { game_id }).await;
        let proof = reply.map_err(|refused| reason(&refused))?.into_inner();
        assert!(proof.score_key.is_empty());
        Ok((hex::encode(proof.rules_sha256), proof.is_confirmed))
    };
    assert_eq!(proof().await, Err("GAME_NOT_FOUND".to_owned()));
    apply("wanjiru", &game, &rules, false).await;
    let (alone, confirmed) =
        ((game.rules_sha256.clone(), false), (game.rules_sha256.clone(), true));
    assert_eq!(apply("wanjiru", &game, &rules, false).await, Change::Unchanged);
    // The hash alone can be copied from the game, also with another name.
    assert_eq!(apply("otieno", &game, &[], false).await, Change::Unchanged);
    let called = GameManifest { name: "Bao".to_owned(), ..game.clone() };
    assert_eq!(apply("otieno", &called, &[], false).await, Change::Updated);
    assert_eq!(proof().await, Ok(alone.clone()), "who changes the name has not seen the rules");
    assert_eq!(apply("wanjiru", &game, &[], false).await, Change::Updated);
    assert_eq!(apply("otieno", &game, &rules, true).await, Change::Confirmed);
    assert_eq!(proof().await, Ok(alone.clone()), "a dry run confirms nothing");
    assert_eq!(apply("otieno", &game, &rules, false).await, Change::Confirmed);
    assert_eq!(proof().await, Ok(confirmed.clone()));
    assert_eq!(apply("playonctl", &game, &rules, false).await, Change::Unchanged);
    let noted: Vec<_> = service.changes().await.into_iter().map(|(by, _, how)| (by, how)).collect();
    let expected = [
        ("wanjiru", "Created"),
        ("otieno", "Updated"),
        ("wanjiru", "Updated"),
        ("otieno", "Confirmed"),
    ];
    assert_eq!(noted, expected.map(|(by, how)| (by.to_owned(), how.to_owned())));

    // Another name leaves the rules as they are.
    let renamed = GameManifest { name: "Ajua!".to_owned(), ..game.clone() };
    apply("wanjiru", &renamed, &[], false).await;
    assert_eq!(proof().await, Ok(confirmed));
    // Other rules are those of one operator, and so are the first ones when they come back.
    let longer = long_counter();
    let other = GameManifest { rules_sha256: sha256(&longer), ..game.clone() };
    apply("wanjiru", &other, &longer, false).await;
    assert_eq!(proof().await, Ok((other.rules_sha256, false)));
    apply("wanjiru", &game, &rules, false).await;
    assert_eq!(proof().await, Ok(alone));
}

#[tokio::test]
async fn a_dry_run_says_what_would_change_and_changes_nothing() {
    let service = Service::start().await;
    let rules = counter();
    let game = GameManifest { rules_sha256: sha256(&rules), ..manifest("ajua") };
    let request = ApplyGameRequest { game: Some(game), rules, dry_run: true };

    let change = service.admin.clone().apply_game(request).await.unwrap().into_inner().change();

    assert_eq!(change, Change::Created);
    assert_eq!(service.count("SELECT count(*) FROM game").await, 0);
    assert_eq!(service.count("SELECT count(*) FROM rules").await, 0);
    assert!(service.changes().await.is_empty());
}

#[tokio::test]
async fn invalid_content_names_its_field() {
    let service = Service::start().await;
    service.apply(manifest("ajua"), Vec::new()).await.unwrap();
    let rules = counter();
    let named = GameManifest { rules_sha256: sha256(&rules), ..manifest("dash") };
    let float = wat::parse_str("(module (func (result f32) f32.const 1))").unwrap();
    let cases = [
        (GameManifest { key: "Dash!".to_owned(), ..manifest("dash") }, Vec::new(), "id"),
        (GameManifest { name: String::new(), ..manifest("dash") }, Vec::new(), "name"),
        (GameManifest { levels: 17, ..manifest("dash") }, Vec::new(), "levels"),
        (
            GameManifest { package_id: "co.playon.ajua".to_owned(), ..manifest("dash") },
            Vec::new(),
            "packageId",
        ),
        (GameManifest { rules_sha256: "00".to_owned(), ..manifest("dash") }, Vec::new(), "rules"),
        // The module was never applied, has another hash, has no hash in the manifest, or is
        // invalid.
        (named.clone(), Vec::new(), "rules"),
        (named, float.clone(), "rules"),
        (manifest("dash"), rules, "rules"),
        (GameManifest { rules_sha256: sha256(&float), ..manifest("dash") }, float, "rules"),
    ];
    for (game, rules, expected) in cases {
        let refused = service.apply(game, rules).await.unwrap_err();
        assert_eq!(field(&refused).0, expected, "{refused:?}");
    }
    assert_eq!(service.count("SELECT count(*) FROM game").await, 1);
}

#[tokio::test]
async fn events_are_listed_newest_first() {
    let mut service = Service::start().await;
    for (key, seconds) in [("older", 10), ("newer", 20)] {
        let event = EventManifest {
            key: key.to_owned(),
            title: key.to_owned(),
            description: "An event.".to_owned(),
            event_banner_url: "/art/event.svg".to_owned(),
            created_at: Some(prost_types::Timestamp { seconds, nanos: 0 }),
            ..EventManifest::default()
        };
        let request = ApplyEventRequest { event: Some(event), dry_run: false };
        service.admin.apply_event(request).await.unwrap();
    }
    let events =
        service.client.list_events(ListEventsRequest {}).await.unwrap().into_inner().events;
    let titles: Vec<_> = events.iter().map(|event| event.title.as_str()).collect();
    assert_eq!(titles, ["newer", "older"]);
}

#[tokio::test]
async fn a_primary_video_takes_the_place_of_the_one_before() {
    let mut service = Service::start().await;
    for (key, seconds, primary) in [("first", 30, true), ("second", 20, true), ("third", 10, false)]
    {
        let item = TvItemManifest {
            key: key.to_owned(),
            title: key.to_owned(),
            channel_url: "https://www.youtube.com/watch?v=abcdefghijk".to_owned(),
            primary,
            created_at: Some(prost_types::Timestamp { seconds, nanos: 0 }),
            ..TvItemManifest::default()
        };
        let request = ApplyTvItemRequest { item: Some(item), dry_run: false };
        service.admin.apply_tv_item(request).await.unwrap();
    }
    let items =
        service.client.list_tv_items(ListTvItemsRequest {}).await.unwrap().into_inner().items;
    let listed: Vec<_> = items.iter().map(|item| (item.title.as_str(), item.primary)).collect();
    assert_eq!(listed, [("second", true), ("first", false), ("third", false)]);
}

#[tokio::test]
async fn deleted_content_is_gone_and_audited() {
    let mut service = Service::start().await;
    service.apply(manifest("ajua"), Vec::new()).await.unwrap();
    service.clock.advance(Duration::from_secs(1));
    let request = DeleteContentRequest {
        kind: ContentKind::Game.into(),
        key: "ajua".to_owned(),
        dry_run: false,
    };
    let deleted = service.admin.delete_content(request.clone()).await.unwrap().into_inner();
    let again = service.admin.delete_content(request).await.unwrap().into_inner();

    assert_eq!((deleted.change(), again.change()), (Change::Deleted, Change::Unchanged));
    let content = service.admin.list_content(ListContentRequest {}).await.unwrap().into_inner();
    assert!(content.games.is_empty());
    assert_eq!(service.changes().await.last().unwrap().2, "Deleted");
}

#[tokio::test]
async fn what_was_applied_is_listed_as_it_was_written() {
    let mut service = Service::start().await;
    let game = GameManifest {
        game_url: "https://games.example/quiz/".to_owned(),
        trailer_link: Some("https://youtu.be/abcdefghijk".to_owned()),
        ..manifest("quiz")
    };
    service.apply(game.clone(), Vec::new()).await.unwrap();
    let content = service.admin.list_content(ListContentRequest {}).await.unwrap().into_inner();
    assert_eq!(content.games, [game]);
}

#[tokio::test]
async fn the_gateway_is_no_operator() {
    use proto::games::v1::catalogue_admin_service_client::CatalogueAdminServiceClient;
    let service = Service::start().await;
    let mut gateway = CatalogueAdminServiceClient::new(service.as_gateway());
    let refused = gateway.list_content(ListContentRequest {}).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
}

#[tokio::test]
async fn content_is_read_in_the_language_of_the_call() {
    let service = Service::start().await;
    let rules = counter();
    let description_sw = "Panda na uchukue.".to_owned();
    let game = GameManifest { rules_sha256: sha256(&rules), description_sw, ..manifest("ajua") };
    service.apply(game.clone(), rules).await.unwrap();
    let event = EventManifest {
        key: "week".to_owned(),
        title: "Ajua week".to_owned(),
        title_sw: "Wiki ya Ajua".to_owned(),
        description: "A week of Ajua.".to_owned(),
        event_banner_url: "/art/event.svg".to_owned(),
        created_at: Some(prost_types::Timestamp::default()),
        ..EventManifest::default()
    };
    let request = ApplyEventRequest { event: Some(event), dry_run: false };
    service.admin.clone().apply_event(request).await.unwrap();
    let item = TvItemManifest {
        key: "lesson".to_owned(),
        title: "A lesson".to_owned(),
        title_sw: "Somo".to_owned(),
        channel_url: "https://www.youtube.com/watch?v=OX7rj93m6o8".to_owned(),
        created_at: Some(prost_types::Timestamp::default()),
        ..TvItemManifest::default()
    };
    let request = ApplyTvItemRequest { item: Some(item), dry_run: false };
    service.admin.clone().apply_tv_item(request).await.unwrap();

    let texts = async || {
        let mut client = service.client.clone();
        let game = client.list_games(ListGamesRequest {}).await.unwrap().into_inner().games;
        let events = client.list_events(ListEventsRequest {}).await.unwrap().into_inner().events;
        let items = client.list_tv_items(ListTvItemsRequest {}).await.unwrap().into_inner().items;
        let (event, item) = (&events[0], &items[0]);
        [&game[0].description, &event.title, &event.description, &item.title].map(Clone::clone)
    };
    assert_eq!(texts().await, [&*game.description, "Ajua week", "A week of Ajua.", "A lesson"]);
    assert_eq!(
        testkit::in_swahili(texts()).await,
        ["Panda na uchukue.", "Wiki ya Ajua", "A week of Ajua.", "Somo"]
    );
}
