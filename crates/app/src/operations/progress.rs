//! Progress of long work.

/// Called with the current stage, how much of it is done, and how much there is in total; zero of zero if that is not counted.
pub type Progress<'a> = &'a (dyn Fn(Stage, usize, usize) + Sync);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Reading,
    /// Asks providers which securities a file means.
    Identifying,
    Checking,
    Storing,
    StoringStocks,
    StoringDividends,
    StoringPrices,
    StoringRates,
}
