//! Attributes of crates/mesh. Use them through `mesh`.

use std::path::Path;

use proc_macro::TokenStream;
use quote::quote;
use syn::{ItemFn, parse_macro_input};

/// Traces a function of `store/` as one database statement.
///
/// The span is `db.<file>.<function>`: `find` in `store/game.rs` is `db.game.find`. It
/// records no arguments, because those may be personal data.
#[proc_macro_attribute]
pub fn statement(_: TokenStream, item: TokenStream) -> TokenStream {
    let file = proc_macro::Span::call_site().file();
    let function = parse_macro_input!(item as ItemFn);
    let name = format!("db.{}.{}", module(&file), function.sig.ident);
    quote! {
        #[::tracing::instrument(
            name = #name, skip_all, fields(otel.kind = "client", db.system.name = "postgresql")
        )]
        #function
    }
    .into()
}

/// The module that a source file defines: its own name, or its folder's for `mod.rs`.
fn module(file: &str) -> String {
    let path = Path::new(file);
    let named = match path.file_stem() {
        Some(stem) if stem == "mod" => path.parent().and_then(Path::file_name),
        stem => stem,
    };
    named.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::module;

    #[test]
    fn a_module_is_named_after_its_file_or_folder() {
        assert_eq!(module("svc-games/src/store/game.rs"), "game");
        assert_eq!(module("svc-games/src/store/board/mod.rs"), "board");
    }
}
