//! The language of the call that is being answered.

use std::future::Future;

use mesh::{Language, texts};
use proto::types::v1 as rpc;

tokio::task_local! {
    static LANGUAGE: Language;
}

/// Runs a call whose replies are in this language.
pub(crate) fn scope<F: Future>(language: Language, call: F) -> impl Future<Output = F::Output> {
    LANGUAGE.scope(language, call)
}

/// Runs a function in another language than the call's.
pub(crate) fn within<T>(language: Language, function: impl FnOnce() -> T) -> T {
    LANGUAGE.sync_scope(language, function)
}

/// The language of this task's call; English outside of one.
pub(crate) fn current() -> Language {
    LANGUAGE.try_with(|language| *language).unwrap_or_default()
}

/// The catalogue's text for a reply.
pub(crate) fn text(name: &str) -> String {
    let text = texts::text(name, [], current());
    debug_assert!(text.is_some(), "texts/en.json has no text for {name}");
    text.unwrap_or_default().into_owned()
}

/// The catalogue's text that a service chose. Empty when this gateway does not know it.
pub(crate) fn render(text: Option<rpc::Text>) -> String {
    let rpc::Text { key, params } = text.unwrap_or_default();
    let params = params.iter().map(|(name, value)| (&**name, &**value));
    texts::text(&key, params, current()).unwrap_or_default().into_owned()
}
