//! The committed code is what the contract generates.
//!
//! With `BLESS=1` (`cargo xtask proto`) it is written; otherwise compared. The
//! compiler is protox, in Rust, so nobody needs a `protoc`.

#![expect(clippy::expect_used, reason = "a test that cannot go on should say so")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use prost::Message;

const HOW: &str = "the generated code is not what the contract says: run `cargo xtask proto`";

#[test]
fn the_committed_code_is_what_the_contract_generates() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("proto holds its generator");
    let committed = root.join("src/gen");
    let fresh = generate(root);
    if std::env::var_os("BLESS").is_some() {
        write(&committed, &fresh);
        return;
    }
    assert!(read(&committed) == fresh, "{HOW}");
}

/// Every generated file by name.
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
    // One order, whatever the file system's.
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
