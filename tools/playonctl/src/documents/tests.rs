use proto::tournament::v1::Tier;

use super::*;
use crate::manifest::yaml;

/// A folder that is removed with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("playonctl-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let file = self.0.join(name);
        fs::write(&file, content).unwrap();
        file
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

const EVENT: &str = "\
kind: Event
id: dusk
title: Dusk run
description: Run until the sun is down.
eventBannerUrl: /content/dusk.svg
createdAt: -2h
";

const VIDEO: &str = "\
kind: TvItem
id: first
title: First
channelUrl: https://youtu.be/abcdefghijk
primary: true
createdAt: 2026-11-20T09:00:00Z
";

const GAME: &str = "\
kind: Game
id: ajua
name: Ajua
packageId: com.playon.ajua
description: Sow and capture.
gameIcon: /content/ajua.svg
rules: rules.wasm
";

const TOURNAMENT: &str = "\
kind: Tournament
id: friday-dash
name: Friday Dash
description: Run.
game: duma-dash
starts: -2h
ends: +3d
runsPerRound: 5
awards:
  - {position: 1, name: Golden Duma, tier: Gold, cash: 2500.50}
  - position: 2
    name: Silver Duma
";

/// The problems of a file with this text, as `line: text`.
fn problems(name: &str, text: &str) -> Vec<String> {
    let folder = Folder::new(name);
    let file = folder.write("content.yaml", text);
    let error = read(std::slice::from_ref(&file)).unwrap_err();
    let Problems(problems) = error.downcast().unwrap();
    let prefix = format!("{}:", file.display());
    problems.iter().map(|problem| problem.to_string().replacen(&prefix, "", 1)).collect()
}

#[test]
fn a_file_has_several_documents_and_a_folder_several_files() {
    let folder = Folder::new("several");
    folder.write("b.yaml", format!("# Events\n---\n{EVENT}--- # and a video\n{VIDEO}---\n"));
    folder.write("a.yml", EVENT.replace("dusk", "dawn"));
    folder.write("notes.txt", "no document");
    let documents = read(std::slice::from_ref(&folder.0)).unwrap();
    let ids: Vec<_> = documents.iter().map(|document| (document.kind(), document.id())).collect();
    assert_eq!(ids, [(Kind::Event, "dawn"), (Kind::Event, "dusk"), (Kind::TvItem, "first")]);
}

#[test]
fn a_game_has_the_rules_of_a_file_beside_it() {
    let folder = Folder::new("rules");
    folder.write("rules.wasm", "module");
    let file = folder.write("game.yaml", GAME);
    let [document] = read(&[file]).unwrap().try_into().unwrap();
    assert_eq!(document.rules.as_deref(), Some(b"module".as_slice()));
    let Item::Game(game) = document.item(None, OffsetDateTime::UNIX_EPOCH) else { panic!() };
    assert_eq!(game.rules_sha256, hex::encode(Sha256::digest("module")));
    assert_eq!((game.levels, game.featured, game.world.as_str()), (1, false, ""));
}

#[test]
fn a_tournament_has_its_awards_and_their_amounts_in_cents() {
    let folder = Folder::new("tournament");
    let file = folder.write("content.yaml", TOURNAMENT);
    let [document] = read(&[file]).unwrap().try_into().unwrap();
    let now = time::macros::datetime!(2026-11-22 12:00 UTC);
    let item = document.item(None, now);
    let Item::Tournament(tournament) = &item else { panic!("{item:?}") };
    let awards = tournament.awards.iter();
    let awards: Vec<_> = awards
        .map(|award| (award.position, award.tier(), award.cash.map(|cash| cash.cents)))
        .collect();
    assert_eq!(awards, [(1, Tier::Gold, Some(250_050)), (2, Tier::Bronze, None)]);
    assert_eq!(tournament.starts, Some(proto::timestamp(now - time::Duration::hours(2))));
    assert_eq!((tournament.level, tournament.rounds, tournament.runs_per_round), (0, 1, 5));
    // A day later the existing item keeps its times.
    assert_eq!(document.item(Some(&item), now + time::Duration::DAY), item);
    let export = yaml([item.clone()]).unwrap();
    let file = folder.write("export.yaml", &export);
    let [exported] = read(&[file]).unwrap().try_into().unwrap();
    assert_eq!(exported.item(None, now), item, "{export}");
}

#[test]
fn a_refused_award_is_named_at_its_line() {
    let folder = Folder::new("award");
    let file = folder.write("content.yaml", format!("{EVENT}---\n{TOURNAMENT}"));
    let document = read(&[file]).unwrap().remove(1);
    for (field, line) in [("awards[1].position", 18), ("awards[1]", 18), ("awards[0].cash", 17)] {
        let problem = document.problem(Some(field), "is wrong").to_string();
        assert!(problem.ends_with(&format!(":{line}: {field} is wrong")), "{problem}");
    }
}

#[test]
fn every_kind_is_read_and_written() {
    let texts = [
        "kind: ChatRoom\nid: lobby\nname: Lobby\nicon: /content/lobby.svg\n",
        "kind: ContactSetting\nid: Email\nvalue: help@playon.example\n",
        "kind: SubscriptionPackage\nid: gold\nname: Gold\ndescription: Best.\namount: 50\n",
        "kind: PaymentMethod\nid: paypal\nname: PayPal\nposition: 5\nenabled: false\n",
    ];
    let folder = Folder::new("kinds");
    let file = folder.write("content.yaml", texts.join("---\n"));
    let documents = read(&[file]).unwrap();
    assert_eq!(documents.len(), texts.len());
    for (document, text) in documents.iter().zip(texts) {
        let item = document.item(None, OffsetDateTime::UNIX_EPOCH);
        assert_eq!(item.kind(), document.kind());
        assert_eq!(yaml([item]).unwrap(), text);
    }
}

#[test]
fn a_problem_names_file_line_and_field() {
    let cases = [
        (EVENT.replace("title", "titel"), 3, "titel"),
        (EVENT.replace("title: Dusk run\n", ""), 1, "title"),
        (EVENT.replace("createdAt: -2h", "createdAt: soon"), 6, "a time is RFC 3339"),
        (VIDEO.replace("true", "perhaps"), 5, "bool"),
        (EVENT.replace("Event", "Player"), 1, "kind Player is unknown"),
        (EVENT.replace("id: dusk\n", ""), 1, "id"),
        (EVENT.replace("title: Dusk run", "title: [Dusk"), 3, ""),
        (EVENT.replace("title: Dusk run", "title: {en: Dusk}"), 1, "sw"),
        (EVENT.replace("title: Dusk run", "title: {en: Dusk, ws: Jioni}"), 3, "ws"),
        (EVENT.replace("title: Dusk run", "title: true"), 3, "a text in English"),
        (GAME.to_owned(), 7, "rules cannot be read from"),
        (TOURNAMENT.replace("2500.50", "2500.505"), 10, "2500.505 has more than two decimals"),
        (TOURNAMENT.replace("tier: Gold", "tier: Tin"), 10, "Tin"),
        (TOURNAMENT.replace("    name: Silver", "    nam: Silver"), 12, "nam"),
        (TOURNAMENT.replace("ends: +3d", "ends: later"), 7, "a time is RFC 3339"),
    ];
    for (index, (text, line, expected)) in cases.into_iter().enumerate() {
        let text = format!("{}---\n{text}", EVENT.replace("dusk", "other"));
        let found = problems(&format!("problem-{index}"), &text);
        let [problem] = found.as_slice() else { panic!("{found:?}") };
        let (at, message) = problem.split_once(": ").unwrap();
        let at = at.parse::<u64>().unwrap() - 7;
        if !expected.is_empty() {
            assert_eq!(at, line, "{problem}");
        }
        assert!(message.contains(expected), "{problem}");
    }
}

#[test]
fn all_problems_are_named_at_once() {
    let text = format!("{}---\n{}", EVENT.replace("title", "titel"), VIDEO.replace("id: ", "di: "));
    assert_eq!(problems("all", &text).len(), 2);
}

#[test]
fn documents_that_contradict_each_other_are_refused() {
    let twice = problems("twice", &format!("{EVENT}---\n{EVENT}"));
    assert!(twice[0].starts_with("9: id is also that of "), "{twice:?}");
    let both = format!("{VIDEO}---\n{}", VIDEO.replace("id: first", "id: second"));
    let both = problems("primary", &both);
    assert_eq!(both, ["12: primary is true for first too; one video is primary"]);
}

#[test]
fn files_without_a_document_are_refused() {
    let folder = Folder::new("none");
    let file = folder.write("content.yaml", "# nothing\n---\n");
    assert!(read(&[file]).is_err());
}
