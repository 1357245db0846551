//! The demo content, without the games' builds.

use std::{fs, path::Path};

use playonctl::{Item, Mode};

use crate::harness::{Services, counter};

#[tokio::test]
async fn the_demo_content_is_valid_and_has_its_pictures() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let services = Services::start().await;
    let copy = services.folder.join("content/demo");
    fs::create_dir_all(&copy).unwrap();
    for entry in root.join("content/demo").read_dir().unwrap() {
        let file = entry.unwrap().path();
        fs::copy(&file, copy.join(file.file_name().unwrap())).unwrap();
    }
    for game in ["ajua", "maneno", "duma-dash"] {
        let built = services.folder.join("games/dist").join(game);
        fs::create_dir_all(&built).unwrap();
        fs::write(built.join("rules.wasm"), counter()).unwrap();
    }

    let first = services.run_file(&copy, Mode::Apply).await.unwrap();
    assert!(first.ends_with("29 created, 0 updated, 5 unchanged\n"), "{first}");
    let again = services.run_file(&copy, Mode::Apply).await.unwrap();
    assert!(again.ends_with("0 created, 0 updated, 34 unchanged\n"), "{again}");

    for item in services.catalogue.items().await.unwrap() {
        let picture = match item {
            Item::Game(game) => game.game_icon,
            Item::Event(event) => event.event_banner_url,
            Item::ChatRoom(room) => room.icon,
            _ => continue,
        };
        let file = root.join("frontend/public").join(picture.trim_start_matches('/'));
        assert!(file.is_file(), "{}", file.display());
    }
}
