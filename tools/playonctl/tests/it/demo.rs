//! The demo content, without the games' builds.

use std::{fs, path::Path};

use playonctl::{Item, Mode};

use crate::harness::{Service, counter};

#[tokio::test]
async fn the_demo_content_is_valid_and_has_its_pictures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let service = Service::start().await;
    let copy = service.folder.join("content/demo");
    fs::create_dir_all(&copy).unwrap();
    for entry in root.join("content/demo").read_dir().unwrap() {
        let file = entry.unwrap().path();
        fs::copy(&file, copy.join(file.file_name().unwrap())).unwrap();
    }
    for game in ["ajua", "maneno", "duma-dash"] {
        let built = service.folder.join("games/dist").join(game);
        fs::create_dir_all(&built).unwrap();
        fs::write(built.join("rules.wasm"), counter()).unwrap();
    }

    let first = service.run_file(&copy, Mode::Apply).await.unwrap();
    assert!(first.ends_with("10 created, 0 updated, 0 unchanged\n"), "{first}");
    let again = service.run_file(&copy, Mode::Apply).await.unwrap();
    assert!(again.ends_with("0 created, 0 updated, 10 unchanged\n"), "{again}");

    for item in service.catalogue.items().await.unwrap() {
        let picture = match item {
            Item::Game(game) => game.game_icon,
            Item::Event(event) => event.event_banner_url,
            Item::TvItem(_) => continue,
        };
        let file = root.join("frontend/public").join(picture.trim_start_matches('/'));
        assert!(file.is_file(), "{}", file.display());
    }
}
