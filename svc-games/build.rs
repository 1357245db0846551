//! Migrations are compiled in, so a new one compiles the crate again.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
