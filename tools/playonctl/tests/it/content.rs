//! Content that is applied, compared, exported and deleted.

use std::fs;

use playonctl::{Kind, Mode, Problems, yaml};

use crate::harness::Service;

const CONTENT: &str = "\
kind: Game
id: counter
name: Counter
packageId: com.playon.counter
description: Counts.
gameIcon: /content/counter.svg
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
title: 'First: 007'
channelUrl: https://youtu.be/abcdefghijk
primary: true
createdAt: 2026-11-20T09:00:00.25+03:00
";

#[tokio::test]
async fn applying_twice_changes_nothing() {
    let service = Service::start().await;
    let first = service.run(CONTENT, Mode::Apply).await.unwrap();
    assert_eq!(
        first,
        "created   Game counter\ncreated   Event dusk\ncreated   TvItem first\n\
         3 created, 0 updated, 0 unchanged\n"
    );
    let again = service.run(CONTENT, Mode::Apply).await.unwrap();
    assert!(again.ends_with("0 created, 0 updated, 3 unchanged\n"), "{again}");
    assert_eq!(service.changes().await, 3);
}

#[tokio::test]
async fn a_diff_shows_each_field_that_would_change() {
    let service = Service::start().await;
    service.run(CONTENT, Mode::Apply).await.unwrap();
    let edited = CONTENT.replace("title: Dusk run", "title: Dusk race");
    let diff = service.run(&edited, Mode::Diff).await.unwrap();
    assert_eq!(
        diff,
        "unchanged Game counter\nupdated   Event dusk\n  - title: \"Dusk run\"\n  \
         + title: \"Dusk race\"\nunchanged TvItem first\n\
         0 created, 1 updated, 2 unchanged; nothing was applied\n"
    );
    assert_eq!(service.changes().await, 3);
}

#[tokio::test]
async fn an_export_is_taken_back_unchanged_and_restores_what_was_deleted() {
    let service = Service::start().await;
    service.run(CONTENT, Mode::Apply).await.unwrap();
    let export = yaml(service.catalogue.items().await.unwrap()).unwrap();
    let same = service.run(&export, Mode::Apply).await.unwrap();
    assert!(same.ends_with("0 created, 0 updated, 3 unchanged\n"), "{same}\n{export}");

    assert!(service.catalogue.delete(Kind::Event, "dusk", true).await.unwrap());
    assert!(service.catalogue.delete(Kind::Event, "dusk", false).await.unwrap());
    assert!(!service.catalogue.delete(Kind::Event, "dusk", false).await.unwrap());
    let restored = service.run(&export, Mode::Apply).await.unwrap();
    assert!(restored.ends_with("1 created, 0 updated, 2 unchanged\n"), "{restored}");
    assert_eq!(yaml(service.catalogue.items().await.unwrap()).unwrap(), export);
}

#[tokio::test]
async fn nothing_is_applied_when_the_service_refuses_a_document() {
    let service = Service::start().await;
    let wrong = CONTENT.replace("title: Dusk run", "title: \"\"").replace("https://", "http://");
    let error = service.run(&wrong, Mode::Apply).await.unwrap_err();
    let problems = error.downcast::<Problems>().unwrap().0;
    let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
    let file = service.folder.join("content.yaml");
    let place = |line: u64| format!("{}:{line}: ", file.display());
    assert_eq!(
        problems,
        [
            format!("{}title has 1 to 120 characters", place(11)),
            format!("{}channelUrl is an https URL", place(22)),
        ]
    );
    assert_eq!(service.changes().await, 0);
}

#[tokio::test]
async fn a_module_that_breaks_the_rules_of_rules_is_refused_at_its_line() {
    let service = Service::start().await;
    fs::write(service.folder.join("counter.wasm"), b"\0asm\x01\0\0\0").unwrap();
    let error = service.run(CONTENT, Mode::Apply).await.unwrap_err().to_string();
    assert!(error.contains("content.yaml:7: rules is refused: "), "{error}");
}
