//! Collections that drop what is oldest beyond a limit.

use std::collections::{BTreeMap, VecDeque};

use time::OffsetDateTime;

/// Appends an item; beyond the limit it removes the first one.
pub(super) fn push_bounded<T>(items: &mut VecDeque<T>, item: T, limit: usize) {
    items.push_back(item);
    if items.len() > limit {
        items.pop_front();
    }
}

/// Beyond the limit, removes the entry that was used longest ago. An entry
/// without a time is in use and stays.
pub(super) fn evict_idle<K: Ord + Clone, V>(
    entries: &mut BTreeMap<K, V>,
    limit: usize,
    used_at: impl Fn(&V) -> Option<OffsetDateTime>,
) {
    if entries.len() <= limit {
        return;
    }
    let idle = entries.iter().filter_map(|(key, entry)| Some((used_at(entry)?, key))).min();
    if let Some((_, key)) = idle {
        let key = key.clone();
        entries.remove(&key);
    }
}
