//! Content that is applied, compared, exported and deleted.

use std::fs;

use playonctl::{Kind, Mode, Problems, yaml};

use crate::harness::Services;

const CONTENT: &str = "\
kind: Game
id: counter
name: Counter
packageId: com.playon.counter
description: {en: Counts., sw: Huhesabu.}
gameIcon: /content/counter.svg
prizes: open
rules: counter.wasm
---
kind: Event
id: dusk
title: Dusk run
description: |
  Run until the sun is down.

  Bring water: it is \"hot\".
eventBannerUrl: /content/dusk.svg
createdAt: -2h
---
kind: TvItem
id: first
title: {en: 'First: 007', sw: 'Ya kwanza: 007'}
channelUrl: https://youtu.be/abcdefghijk
primary: true
createdAt: 2026-11-20T09:00:00.25+03:00
";

/// Documents of the other services. The tournament's game is in [`CONTENT`].
const MORE: &str = "\
kind: Tournament
id: cup
name: Counter Cup
description: {en: 'Count, and win.', sw: 'Hesabu, ushinde.'}
game: counter
starts: +1h
ends: +2d
runsPerRound: 3
review: winners
awards:
  - position: 2
    name: {en: Runner-up, sw: Wa pili}
  - position: 1
    name: Winner
    tier: Gold
    cash: 1500
  - position: 1
    name: Winner
    cash: 500.50
---
kind: ChatRoom
id: lobby
name: Lobby
icon: /content/lobby.svg
---
kind: ContactSetting
id: Email
value: help@playon.example
---
kind: SubscriptionPackage
id: gold
name: Gold
description: {en: The biggest awards., sw: Zawadi kubwa zaidi.}
amount: 50
---
kind: PaymentMethod
id: paypal
name: {en: PayPal, sw: PayPal mtandaoni}
position: 5
enabled: false
";

#[tokio::test]
async fn applying_twice_changes_nothing() {
    let services = Services::start().await;
    let first = services.run(CONTENT, Mode::Apply).await.unwrap();
    assert_eq!(
        first,
        "created   Game counter\ncreated   Event dusk\ncreated   TvItem first\n\
         3 created, 0 updated, 0 unchanged\n"
    );
    let again = services.run(CONTENT, Mode::Apply).await.unwrap();
    assert!(again.ends_with("0 created, 0 updated, 3 unchanged\n"), "{again}");
    assert_eq!(services.changes().await, 3);
}

#[tokio::test]
async fn a_diff_shows_each_field_that_would_change() {
    let services = Services::start().await;
    services.run(CONTENT, Mode::Apply).await.unwrap();
    let edited = CONTENT.replace("title: Dusk run", "title: Dusk race");
    let diff = services.run(&edited, Mode::Diff).await.unwrap();
    assert_eq!(
        diff,
        "unchanged Game counter\nupdated   Event dusk\n  - title: \"Dusk run\"\n  \
         + title: \"Dusk race\"\nunchanged TvItem first\n\
         0 created, 1 updated, 2 unchanged; nothing was applied\n"
    );
    assert_eq!(services.changes().await, 3);
}

#[tokio::test]
async fn an_export_is_taken_back_unchanged_and_restores_what_was_deleted() {
    let services = Services::start().await;
    services.run(CONTENT, Mode::Apply).await.unwrap();
    let export = yaml(services.catalogue.items().await.unwrap()).unwrap();
    // The export has the five payment methods, too, which are always there.
    let same = services.run(&export, Mode::Apply).await.unwrap();
    assert!(same.ends_with("0 created, 0 updated, 8 unchanged\n"), "{same}\n{export}");

    assert!(services.catalogue.delete(Kind::Event, "dusk", true).await.unwrap());
    assert!(services.catalogue.delete(Kind::Event, "dusk", false).await.unwrap());
    assert!(!services.catalogue.delete(Kind::Event, "dusk", false).await.unwrap());
    let restored = services.run(&export, Mode::Apply).await.unwrap();
    assert!(restored.ends_with("1 created, 0 updated, 7 unchanged\n"), "{restored}");
    assert_eq!(yaml(services.catalogue.items().await.unwrap()).unwrap(), export);
}

#[tokio::test]
async fn nothing_is_applied_when_the_service_refuses_a_document() {
    let services = Services::start().await;
    let wrong = CONTENT.replace("title: Dusk run", "title: \"\"").replace("https://", "http://");
    let error = services.run(&wrong, Mode::Apply).await.unwrap_err();
    let problems = error.downcast::<Problems>().unwrap().0;
    let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
    let file = services.folder.join("content.yaml");
    let place = |line: u64| format!("{}:{line}: ", file.display());
    assert_eq!(
        problems,
        [
            format!("{}title has 1 to 120 characters", place(12)),
            format!("{}channelUrl is an https URL", place(23)),
        ]
    );
    assert_eq!(services.changes().await, 0);
}

#[tokio::test]
async fn a_module_that_breaks_the_rules_of_rules_is_refused_at_its_line() {
    let services = Services::start().await;
    fs::write(services.folder.join("counter.wasm"), b"\0asm\x01\0\0\0").unwrap();
    let error = services.run(CONTENT, Mode::Apply).await.unwrap_err().to_string();
    assert!(error.contains("content.yaml:8: rules is refused: "), "{error}");
}

#[tokio::test]
async fn four_services_get_their_content_and_a_tournament_its_game_first() {
    let services = Services::start().await;
    // The tournament is before its game.
    let content = format!("{MORE}---\n{CONTENT}");
    let dry = services.run(&content, Mode::DryRun).await.unwrap();
    assert!(dry.ends_with("7 created, 1 updated, 0 unchanged; nothing was applied\n"), "{dry}");
    assert_eq!(services.changes().await, 0);
    let first = services.run(&content, Mode::Apply).await.unwrap();
    assert_eq!(
        first,
        "created   Game counter\ncreated   Event dusk\ncreated   TvItem first\n\
         created   Tournament cup\ncreated   ChatRoom lobby\ncreated   ContactSetting Email\n\
         created   SubscriptionPackage gold\nupdated   PaymentMethod paypal\n\
         7 created, 1 updated, 0 unchanged\n"
    );
    let again = services.run(&content, Mode::Apply).await.unwrap();
    assert!(again.ends_with("0 created, 0 updated, 8 unchanged\n"), "{again}");
    assert_eq!(services.changes().await, 8);
}

#[tokio::test]
async fn a_proposal_does_not_stop_the_other_documents() {
    let services = Services::start().await;
    services.run(CONTENT, Mode::Apply).await.unwrap();
    let cup = MORE.replace("cash: 1500", "cash: 15000").replace("id: lobby", "id: foyer");

    let (printed, outcome) = services.try_run(&cup, Mode::Apply).await;

    assert_eq!(
        printed,
        "proposed  Tournament cup\ncreated   ChatRoom foyer\ncreated   ContactSetting Email\n\
         created   SubscriptionPackage gold\nupdated   PaymentMethod paypal\n\
         3 created, 1 updated, 0 unchanged, 1 proposed\n"
    );
    let waits = outcome.unwrap_err().to_string();
    assert!(waits.contains("when a second operator applies them"), "{waits}");
}

#[tokio::test]
async fn what_four_services_export_is_taken_back_and_restores_what_was_deleted() {
    let services = Services::start().await;
    services.run(&format!("{CONTENT}---\n{MORE}"), Mode::Apply).await.unwrap();
    let export = yaml(services.catalogue.items().await.unwrap()).unwrap();
    let deleted = [
        (Kind::Tournament, "cup"),
        (Kind::ChatRoom, "lobby"),
        (Kind::ContactSetting, "Email"),
        (Kind::SubscriptionPackage, "gold"),
    ];
    for (kind, id) in deleted {
        assert!(services.catalogue.delete(kind, id, true).await.unwrap(), "{kind}");
        assert!(services.catalogue.delete(kind, id, false).await.unwrap(), "{kind}");
        assert!(!services.catalogue.delete(kind, id, false).await.unwrap(), "{kind}");
    }
    let kept = services.catalogue.delete(Kind::PaymentMethod, "paypal", false).await.unwrap_err();
    assert!(kept.to_string().contains("switched off"), "{kept}");

    // All payment methods are in the export, and were not deleted.
    let restored = services.run(&export, Mode::Apply).await.unwrap();
    assert!(restored.ends_with("4 created, 0 updated, 8 unchanged\n"), "{restored}\n{export}");
    assert_eq!(yaml(services.catalogue.items().await.unwrap()).unwrap(), export);
}

#[tokio::test]
async fn a_diff_shows_the_awards_and_not_their_order() {
    let services = Services::start().await;
    // Each run is an hour after the one before, and awards are frozen once a tournament has begun.
    let more = MORE.replace("+1h", "+100d").replace("+2d", "+102d");
    services.run(&format!("{CONTENT}---\n{more}"), Mode::Apply).await.unwrap();
    let diff = services.run(&more.replace("500.50", "600"), Mode::Diff).await.unwrap();
    let lines: Vec<_> = diff.lines().filter(|line| line.starts_with("  ")).collect();
    let [old, new] = lines.as_slice() else { panic!("{diff}") };
    assert!(old.starts_with("  - awards: ") && old.contains(r#""500.5""#), "{diff}");
    assert_eq!(new.replace("600", r#""500.5""#).replacen('+', "-", 1), **old);
}

#[tokio::test]
async fn each_service_names_the_field_that_it_refuses() {
    let services = Services::start().await;
    services.run(CONTENT, Mode::Apply).await.unwrap();
    let wrong = MORE
        .replace("game: counter", "game: chess")
        .replace("icon: /content/lobby.svg", "icon: lobby.svg")
        .replace("value: help@playon.example", "value: help")
        .replace("amount: 50", "amount: 50.50")
        .replace("position: 5\n", "position: 0\n");
    let error = services.run(&wrong, Mode::Apply).await.unwrap_err();
    let problems = error.downcast::<Problems>().unwrap().0;
    let places: Vec<_> = problems
        .iter()
        .map(|problem| {
            let text = problem.to_string();
            let (_, place) = text.split_once("content.yaml:").unwrap();
            let (line, rest) = place.split_once(": ").unwrap();
            format!("{line} {}", rest.split(' ').next().unwrap())
        })
        .collect();
    assert_eq!(places, ["5 game", "24 icon", "28 value", "34 amount", "39 position"]);
    assert_eq!(services.changes().await, 3);
}
