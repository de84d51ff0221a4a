//! The few best numbers, rank by rank.

use super::RESULTS_MAX;

pub(super) struct Top<'a> {
    /// Closed ranks in order, then the open rank ascending.
    ids: Vec<u32>,
    closed: usize,
    /// Which numbers may enter; all of them if `None`.
    allowed: Option<&'a [bool]>,
}

impl<'a> Top<'a> {
    pub fn new(allowed: Option<&'a [bool]>) -> Top<'a> {
        Top { ids: Vec::with_capacity(RESULTS_MAX + 1), closed: 0, allowed }
    }

    /// Adds the number to the open rank if it is among the best and in no rank yet.
    pub fn offer(&mut self, id: u32) {
        if !self.can_enter(id) || self.allowed.is_some_and(|allowed| !allowed[id as usize]) {
            return;
        }
        let (closed, open) = self.ids.split_at(self.closed);
        if let (false, Err(place)) = (closed.contains(&id), open.binary_search(&id)) {
            self.ids.insert(self.closed + place, id);
            self.ids.truncate(RESULTS_MAX);
        }
    }

    /// Adds it if it matches; `matches` is only called if it could still enter.
    pub fn offer_if(&mut self, id: u32, matches: impl FnOnce() -> bool) {
        if self.can_enter(id) && matches() {
            self.offer(id);
        }
    }

    /// Offers ascending numbers, stopping at the first that comes too late.
    pub fn offer_ascending(&mut self, ids: impl IntoIterator<Item = u32>) {
        for id in ids {
            if !self.can_enter(id) {
                return;
            }
            self.offer(id);
        }
    }

    /// Whether this number, or a larger one, could still enter the open rank.
    pub fn can_enter(&self, id: u32) -> bool {
        self.ids.len() < RESULTS_MAX || self.ids[self.closed..].last().is_some_and(|last| id < *last)
    }

    /// Later offers rank below all previous ones.
    pub fn close_rank(&mut self) {
        self.closed = self.ids.len();
    }

    pub fn len(&self) -> usize {
        self.ids.len()
    }

    pub fn is_full(&self) -> bool {
        self.ids.len() == RESULTS_MAX
    }

    pub fn into_ids(self) -> Vec<u32> {
        self.ids
    }
}
