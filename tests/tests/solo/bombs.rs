//! Files that are small until they are opened.

use std::io::Cursor;

use futures_util::future::join_all;
use image::{DynamicImage, ImageFormat};
use journeys::{Mesh, Process};

/// What the gateway may hold in all, whoever sends what: a few pictures at work,
/// and the files themselves.
const BOUND: u64 = 512 * 1024 * 1024;

#[tokio::test]
async fn many_bombs_at_once_take_no_more_memory_than_one_picture() {
    // 120 megabytes each, decoded: ten of them would be more than a gigabyte.
    let mut bomb = Cursor::new(Vec::new());
    DynamicImage::new_luma8(11_000, 11_000).write_to(&mut bomb, ImageFormat::Png).unwrap();
    let bomb = bomb.into_inner();

    let mesh = Mesh::alone();
    let players = join_all((0..10).map(|_| mesh.newcomer())).await;
    let gateway = Process::find(&mesh, "gateway");
    gateway.forget_peak_memory();
    let sent = players.iter().map(|player| player.upload("PROFILE_PICTURE", "me.png", &bomb));
    for reply in join_all(sent).await {
        assert!(matches!(reply.refusal(), (413 | 415, _) | (503, "UNAVAILABLE")), "{reply:?}");
    }
    let peak = gateway.peak_memory();
    assert!(peak < BOUND, "it held {peak} bytes");
}
