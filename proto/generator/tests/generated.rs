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
use prost_reflect::{DescriptorPool, ExtensionDescriptor, MethodDescriptor, Value};
use prost_types::method_options::IdempotencyLevel;
use protox::Compiler;

const HOW: &str = "proto/src/gen does not match the .proto files: run `cargo xtask proto`";

#[test]
fn the_committed_code_matches_the_contract() {
    // By the folder that a test starts in, its package's: a path from the build is another
    // checkout's when both share a target folder.
    let root = Path::new("..");
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
    let mut compiler = Compiler::new([root]).expect("the contract's folder");
    compiler
        .include_imports(true)
        .include_source_info(true)
        .open_files(proto_files(root))
        .expect("the contract compiles");
    let descriptors = compiler.file_descriptor_set();
    let out = std::env::temp_dir().join(format!("playon-proto-{}", std::process::id()));
    fs::create_dir_all(&out).expect("a folder to generate into");
    fs::write(out.join("descriptor.bin"), descriptors.encode_to_vec()).expect("write descriptor");
    fs::write(out.join("rpcs.rs"), rpcs(&compiler.descriptor_pool())).expect("write RPCs");
    tonic_prost_build::configure()
        .codec_path("crate::SmallCodec")
        // Passed on, so it is not copied.
        .bytes(".playon.chat.v1.EncodedMessages.live_events")
        // A few entries each: sorted ones take one block, and no hash.
        .btree_map(".")
        .out_dir(&out)
        .compile_fds(descriptors)
        .expect("Rust code");
    let files = read(&out);
    fs::remove_dir_all(&out).expect("remove the folder");
    files
}

/// The table of all RPCs of the mesh with their options, as Rust.
fn rpcs(pool: &DescriptorPool) -> String {
    let mut rows: Vec<String> = pool
        .services()
        // The gateway's own, for browsers.
        .filter(|service| service.full_name() != "playon.live.v1.LiveService")
        .flat_map(|service| service.methods().collect::<Vec<_>>())
        .map(|method| row(pool, &method))
        .collect();
    rows.sort();
    format!("// @generated\n&[\n{}]\n", rows.concat())
}

fn row(pool: &DescriptorPool, method: &MethodDescriptor) -> String {
    let (service, name) = (method.parent_service().full_name(), method.name());
    let option = |option: &str| {
        let extension = pool.get_extension_by_name(&format!("playon.types.v1.{option}"));
        let options = method.options();
        let extension = extension.expect("types/v1/rpc.proto declares it");
        let number = options.get_extension(&extension).as_enum_number().unwrap_or_default();
        assert_ne!(number, 0, "{service}/{name} declares no {option}");
        rust_name(&extension, number)
    };
    let (access, priority) = (option("access"), option("priority"));
    let extension = pool.get_extension_by_name("playon.types.v1.roles");
    let extension = extension.expect("types/v1/rpc.proto declares it");
    let options = method.options();
    let roles = options.get_extension(&extension);
    let roles = roles.as_list().into_iter().flatten().filter_map(Value::as_enum_number);
    let roles = roles.map(|number| format!("Role::{}", rust_name(&extension, number)));
    let roles: Vec<_> = roles.collect();
    let has_roles = !roles.is_empty();
    assert_eq!(has_roles, access == "Operator", "{service}/{name}: operators' RPCs have roles");
    let repeatable =
        method.method_descriptor_proto().options.as_ref().is_some_and(|options| {
            options.idempotency_level() != IdempotencyLevel::IdempotencyUnknown
        });
    format!(
        "    Rpc {{ path: \"/{service}/{name}\", access: Access::{access}, \
         priority: Priority::{priority}, repeatable: {repeatable}, roles: &[{}] }},\n",
        roles.join(", ")
    )
}

/// The name in Rust of an enum's value: `FairPlay` for `ROLE_FAIR_PLAY`.
fn rust_name(extension: &ExtensionDescriptor, number: i32) -> String {
    let kind = extension.kind();
    let value = kind.as_enum().and_then(|kind| kind.get_value(number));
    let name = value.expect("a value of the enum").name().to_ascii_lowercase();
    let (_, words) = name.split_once('_').expect("a prefix");
    let capital = |word: &str| format!("{}{}", word[..1].to_ascii_uppercase(), &word[1..]);
    words.split('_').map(capital).collect()
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
