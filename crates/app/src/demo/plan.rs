//! Who bought what when: the trades of the demo's ledger, in days before today.

use rust_decimal::Decimal;

pub(super) const CORE: &str = "Core";
pub(super) const INCOME: &str = "Income";

pub(super) struct Step {
    pub portfolio: &'static str,
    pub symbol: &'static str,
    pub days_ago: i32,
    pub kind: &'static str,
    /// As executed: before a split, old shares.
    pub shares: Decimal,
}

/// A reversal: this portfolio's latest dividend of the symbol at least so many days old was first booked with too much
/// tax, taken back some days later and booked again.
pub(super) const REVERSED: (&str, &str, i32) = (CORE, "KO", 60);

pub(super) const STEPS: [Step; 27] = [
    step(CORE, "KO", 1_880, "buy", 40_00),
    step(CORE, "KO", 1_100, "buy", 25_00),
    step(CORE, "JNJ", 1_850, "buy", 15_00),
    step(CORE, "JNJ", 700, "buy", 10_00),
    step(CORE, "IBE.MC", 1_820, "transfer_in", 320_00),
    step(CORE, "IBE.MC", 400, "buy", 80_00),
    step(CORE, "NESN.SW", 1_760, "buy", 30_00),
    step(CORE, "ALV.DE", 1_700, "buy", 12_00),
    step(CORE, "ALV.DE", 640, "sell", 4_00),
    step(CORE, "T", 1_600, "buy", 150_00),
    step(CORE, "T", 980, "buy", 50_00),
    step(CORE, "T", 560, "sell", 200_00),
    step(CORE, "AVGO", 1_500, "buy", 3_00),
    step(CORE, "AVGO", 410, "buy", 10_00),
    step(CORE, "ULVR.L", 1_450, "buy", 60_00),
    step(CORE, "ENB.TO", 1_380, "buy", 70_00),
    step(CORE, "8306.T", 1_300, "buy", 200_00),
    step(CORE, "VOLV-B.ST", 1_200, "buy", 45_00),
    step(INCOME, "O", 1_870, "buy", 60_00),
    step(INCOME, "O", 1_400, "buy", 12_48),
    step(INCOME, "O", 500, "buy", 3_27),
    step(INCOME, "MAIN", 1_650, "buy", 45_00),
    step(INCOME, "LGEN.L", 1_500, "buy", 900_00),
    step(INCOME, "TTE.PA", 1_150, "buy", 50_00),
    step(INCOME, "VHYL.AS", 1_000, "buy", 40_00),
    step(INCOME, "KO", 800, "buy", 20_00),
    step(INCOME, "ABBV", 450, "buy", 14_00),
];

const fn step(portfolio: &'static str, symbol: &'static str, days_ago: i32, kind: &'static str, hundredths: u32) -> Step {
    Step { portfolio, symbol, days_ago, kind, shares: Decimal::from_parts(hundredths, 0, 0, false, 2) }
}
