//! A migration is compiled in, so a new file must compile the crate again.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
