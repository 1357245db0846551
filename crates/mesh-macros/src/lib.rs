//! Attributes of crates/mesh. Use them through `mesh`.

use std::path::Path;

use proc_macro::TokenStream;
use quote::quote;
use syn::{ItemFn, ReturnType, Type, parse_macro_input, parse_quote};

/// Traces a function of `store/` as one database statement.
///
/// The span is `db.<file>.<function>`: `find` in `store/game.rs` is `db.game.find`. It
/// records no arguments, because those may be personal data.
#[proc_macro_attribute]
pub fn statement(_: TokenStream, item: TokenStream) -> TokenStream {
    let file = proc_macro::Span::call_site().file();
    let mut function = parse_macro_input!(item as ItemFn);
    observe(&mut function);
    let name = format!("db.{}.{}", module(&file), function.sig.ident);
    quote! {
        #[::tracing::instrument(
            name = #name, skip_all, fields(otel.kind = "client", db.system.name = "postgresql")
        )]
        #function
    }
    .into()
}

/// Traces a function. Takes the arguments of `tracing`'s attribute of this name, and marks the span
/// as failed where an async function returns an error that is a failure
/// (`mesh::telemetry::Failure`), or is cut off at its deadline.
#[proc_macro_attribute]
pub fn instrument(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let arguments = proc_macro2::TokenStream::from(arguments);
    let mut function = parse_macro_input!(item as ItemFn);
    observe(&mut function);
    quote! {
        #[::tracing::instrument(#arguments)]
        #function
    }
    .into()
}

/// Passes the outcome of an async function that returns a `Result` to its span.
fn observe(function: &mut ItemFn) {
    if function.sig.asyncness.is_none() || !returns_result(&function.sig.output) {
        return;
    }
    let body = &function.block;
    function.block = parse_quote! {{ ::mesh::telemetry::observe(async move #body).await }};
}

/// Whether the type is written `Result`, in any crate's form.
fn returns_result(output: &ReturnType) -> bool {
    let ReturnType::Type(_, returned) = output else { return false };
    let Type::Path(path) = &**returned else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "Result")
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
    use syn::parse_str;

    use super::{module, returns_result};

    #[test]
    fn a_module_is_named_after_its_file_or_folder() {
        assert_eq!(module("svc-games/src/store/game.rs"), "game");
        assert_eq!(module("svc-games/src/store/board/mod.rs"), "board");
    }

    #[test]
    fn a_result_is_known_by_its_name() {
        for (output, expected) in [
            ("-> Result<(), Error>", true),
            ("-> sqlx::Result<Option<i64>>", true),
            ("-> Option<Result<(), Error>>", false),
            ("-> PushResult", false),
            ("", false),
        ] {
            assert_eq!(returns_result(&parse_str(output).unwrap()), expected, "{output}");
        }
    }
}
