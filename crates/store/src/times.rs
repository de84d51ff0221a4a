//! Histograms of durations, cheap enough to record every one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of the buckets in microseconds, from a cached answer to the longest anybody waits.
pub const UP_TO_MICROS: [u64; 15] =
    [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 10_000_000];

/// Durations of one kind.
#[derive(Debug, Default)]
pub struct Times {
    /// One per bound of [`UP_TO_MICROS`], and one for longer durations.
    counts: [AtomicU64; UP_TO_MICROS.len() + 1],
    micros: AtomicU64,
}

impl Times {
    pub fn note(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let place = UP_TO_MICROS.partition_point(|up_to| *up_to < micros);
        self.counts[place].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// The counts per bucket, in the order of [`UP_TO_MICROS`] and one more, and the total duration.
    pub fn snapshot(&self) -> ([u64; UP_TO_MICROS.len() + 1], Duration) {
        let counts = std::array::from_fn(|place| self.counts[place].load(Ordering::Relaxed));
        (counts, Duration::from_micros(self.micros.load(Ordering::Relaxed)))
    }
}

/// What is measured of a database.
#[derive(Debug, Default)]
pub struct DatabaseTimes {
    /// Until a transaction had its connection and its lock.
    pub wait: Times,
    /// From then to its end.
    pub read: Times,
    pub write: Times,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_counted_in_the_first_bucket_it_fits() {
        let times = Times::default();
        for micros in [0, 100, 101, 10_000_000, 10_000_001] {
            times.note(Duration::from_micros(micros));
        }
        let (counts, together) = times.snapshot();
        assert_eq!(counts[..3], [2, 1, 0]);
        assert_eq!(counts[14..], [1, 1]);
        assert_eq!(together, Duration::from_micros(20_000_202));
    }
}
