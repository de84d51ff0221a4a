//! Numbers sorted by what they stand for.

use std::cmp::Ordering;

use super::texts::Texts;

pub(super) fn sorted(texts: &Texts) -> Vec<u32> {
    let mut ids: Vec<u32> = (0..texts.len() as u32).collect();
    ids.sort_unstable_by_key(|id| texts.get(*id as usize));
    ids
}

/// The range of sorted numbers that compare as equal.
pub(super) fn range(numbers: &[u32], compare: impl Fn(u32) -> Ordering) -> &[u32] {
    let from = &numbers[numbers.partition_point(|number| compare(*number).is_lt())..];
    &from[..from.partition_point(|number| compare(*number).is_eq())]
}
