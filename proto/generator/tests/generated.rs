//! Compares `proto/src/gen/` with what the `.proto` files generate.
//!
//! With `BLESS=1`, which `cargo xtask proto` sets, it writes the files instead. The
//! compiler is protox, in Rust, so that no `protoc` has to be installed.

#![expect(clippy::expect_used, reason = "a failed step fails the test")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use prost::Message;

const HOW: &str = "proto/src/gen does not match the .proto files: run `cargo xtask proto`";

#[test]
fn the_committed_code_matches_the_contract() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("proto holds its generator");
    let committed = root.join("src/gen");
    let fresh = generate(root);
    if std::env::var_os("BLESS").is_some() {
        write(&committed, &fresh);
        return;
    }
    assert!(read(&committed) == fresh, "{HOW}");
}

/// The generated files by name.
fn generate(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let descriptors = protox::compile(proto_files(root), [root]).expect("the contract compiles");
    let out = std::env::temp_dir().join(format!("playon-proto-{}", std::process::id()));
    fs::create_dir_all(&out).expect("a folder to generate into");
    fs::write(out.join("descriptor.bin"), descriptors.encode_to_vec()).expect("write descriptor");
    tonic_prost_build::configure().out_dir(&out).compile_fds(descriptors).expect("Rust code");
    let files = read(&out);
    fs::remove_dir_all(&out).expect("remove the folder");
    files
}

fn proto_files(root: &Path) -> Vec<PathBuf> {
    let mut folders = vec![root.join("playon")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("read a folder of the contract") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "proto") {
                files.push(path);
            }
        }
    }
    // Sorted, because the order of a directory listing is not defined.
    files.sort();
    files
}

fn read(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else {
        return BTreeMap::new();
    };
    entries
        .map(|entry| {
            let entry = entry.expect("an entry");
            let bytes = fs::read(entry.path()).expect("read a generated file");
            (entry.file_name().into_string().expect("a plain name"), bytes)
        })
        .collect()
}

fn write(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).expect("make the folder");
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).expect("write a generated file");
    }
}
