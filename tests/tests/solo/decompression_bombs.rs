//! Decompression bombs: small files that decode to large pictures.

use std::io::Cursor;

use futures_util::future::join_all;
use image::{DynamicImage, ImageFormat};
use journeys::{Mesh, Process};

/// The gateway's memory limit in bytes: a few decoded pictures, and the files
/// themselves.
const MEMORY_LIMIT: u64 = 512 * 1024 * 1024;

#[tokio::test]
async fn concurrent_decompression_bombs_stay_within_the_memory_limit() {
    // 120 MB each when decoded: ten of them would take more than a gigabyte.
    let mut bomb = Cursor::new(Vec::new());
    DynamicImage::new_luma8(11_000, 11_000).write_to(&mut bomb, ImageFormat::Png).unwrap();
    let bomb = bomb.into_inner();

    let mesh = Mesh::alone();
    let players = join_all((0..10).map(|_| mesh.new_player())).await;
    let gateway = Process::find(&mesh, "gateway");
    gateway.reset_peak_memory();
    let sent = players.iter().map(|player| player.upload("PROFILE_PICTURE", "me.png", &bomb));
    for reply in join_all(sent).await {
        assert!(matches!(reply.refusal(), (413 | 415, _) | (503, "UNAVAILABLE")), "{reply:?}");
    }
    let peak = gateway.peak_memory();
    assert!(peak < MEMORY_LIMIT, "the gateway used {peak} bytes");
}
