//! Uploads 200 malicious files, each as a profile picture and as a file of a room, 20 at the same
//! time.

use futures_util::future::join_all;
use journeys::{Mesh, Player, Process};
use testkit::{HostileFile, hostile_files};

/// The most bytes by which the gateway's memory may grow while it handles all files.
const GROWTH: u64 = 64 * 1024 * 1024;
const PLAYERS: usize = 20;
const KINDS: [&str; 2] = ["PROFILE_PICTURE", "CHAT_MEDIA"];

#[tokio::test]
async fn two_hundred_hostile_files_stay_within_64_mib() {
    let mesh = Mesh::alone();
    let files = hostile_files();
    // Twenty passwords that are hashed at once would keep a busy machine from everything else.
    let mut players = Vec::new();
    for _ in 0..PLAYERS {
        players.push(mesh.new_player().await);
    }
    // Uploads a photo first, so that code, pools and buffers that stay in memory are loaded.
    let photo = files.iter().find(|file| file.trick == "a jpeg of 12 megapixels").unwrap();
    join_all(players[..4].iter().map(|player| upload(player, std::slice::from_ref(photo)))).await;

    let gateway = Process::find(&mesh, "gateway");
    let before = gateway.memory();
    gateway.reset_peak_memory();
    let shares = files.chunks(files.len().div_ceil(PLAYERS));
    let sent = players.iter().zip(shares).map(|(player, files)| upload(player, files));
    let (stored, refused) =
        join_all(sent).await.into_iter().fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));

    assert!(stored > 100 && refused > 100, "{stored} stored, {refused} refused");
    let grown = gateway.peak_memory().saturating_sub(before);
    assert!(grown < GROWTH, "the gateway grew by {grown} bytes over {before}");
}

/// Uploads the files one after the other; returns how many were stored and how many refused.
async fn upload(player: &Player, files: &[HostileFile]) -> (usize, usize) {
    let (mut stored, mut refused) = (0, 0);
    for HostileFile { trick, name, bytes, .. } in files {
        for kind in KINDS {
            let reply = player.upload(kind, name, bytes).await;
            if reply.status == 200 {
                stored += 1;
            } else {
                assert_eq!(reply.refusal(), (415, "UNSUPPORTED_MEDIA"), "{trick}, {kind}");
                refused += 1;
            }
        }
    }
    (stored, refused)
}
