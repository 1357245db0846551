//! A migration that is added must be embedded, although no Rust changed.
fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
