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

/// A reversal: this portfolio's latest dividend of the symbol that is at least this many days old was first booked with too much
/// tax, reversed some days later, and booked again.
pub(super) const REVERSED: (&str, &str, i32) = (CORE, "KO", 60);

pub(super) const STEPS: [Step; 27] = [
    step(CORE, "KO", 1_880, "buy", 40),
    step(CORE, "KO", 1_100, "buy", 25),
    step(CORE, "JNJ", 1_850, "buy", 15),
    step(CORE, "JNJ", 700, "buy", 10),
    step(CORE, "IBE.MC", 1_820, "transfer_in", 320),
    step(CORE, "IBE.MC", 400, "buy", 80),
    step(CORE, "NESN.SW", 1_760, "buy", 30),
    step(CORE, "ALV.DE", 1_700, "buy", 12),
    step(CORE, "ALV.DE", 640, "sell", 4),
    step(CORE, "T", 1_600, "buy", 150),
    step(CORE, "T", 980, "buy", 50),
    step(CORE, "T", 560, "sell", 200),
    step(CORE, "AVGO", 1_500, "buy", 3),
    step(CORE, "AVGO", 410, "buy", 10),
    step(CORE, "ULVR.L", 1_450, "buy", 60),
    step(CORE, "ENB.TO", 1_380, "buy", 70),
    step(CORE, "8306.T", 1_300, "buy", 200),
    step(CORE, "VOLV-B.ST", 1_200, "buy", 45),
    step(INCOME, "O", 1_870, "buy", 60),
    fraction(INCOME, "O", 1_400, 1_248),
    fraction(INCOME, "O", 500, 327),
    step(INCOME, "MAIN", 1_650, "buy", 45),
    step(INCOME, "LGEN.L", 1_500, "buy", 900),
    step(INCOME, "TTE.PA", 1_150, "buy", 50),
    step(INCOME, "VHYL.AS", 1_000, "buy", 40),
    step(INCOME, "KO", 800, "buy", 20),
    step(INCOME, "ABBV", 450, "buy", 14),
];

const fn step(portfolio: &'static str, symbol: &'static str, days_ago: i32, kind: &'static str, shares: u32) -> Step {
    Step { portfolio, symbol, days_ago, kind, shares: Decimal::from_parts(shares, 0, 0, false, 0) }
}

/// Shares bought for a round amount of money.
const fn fraction(portfolio: &'static str, symbol: &'static str, days_ago: i32, hundredths: u32) -> Step {
    Step { portfolio, symbol, days_ago, kind: "buy", shares: Decimal::from_parts(hundredths, 0, 0, false, 2) }
}
