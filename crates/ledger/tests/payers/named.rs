//! Twelve well-known payers: our figures and the expected ones.

pub struct Named {
    pub symbol: &'static str,
    /// Frequency, forward rate, streak, cagr_5y.
    pub lines: [Line; 4],
}

pub struct Line {
    pub ours: &'static str,
    pub expected: &'static str,
    pub from: &'static str,
    /// Why the two differ.
    pub why: &'static str,
}

pub const PUBLIC: &str = "public";
pub const RATE: &str = "last × N";
pub const SUMS: &str = "ex-date sums";

const FILE_BEGINS: &str = "The file has complete years from 2007 to 2025.";

/// Growth is the fifth root of the last complete year over the one five years before; the sums are given in brackets.
#[rustfmt::skip]
pub const NAMED: [Named; 12] = [
    Named { symbol: "KO", lines: [
        same("quarterly", PUBLIC),
        same("2.12", RATE), // 4 × 0.53
        line("18+", "63 (64 with 2026)", PUBLIC, FILE_BEGINS),
        same("4.46%", SUMS), // 2.04 ÷ 1.64
    ] },
    Named { symbol: "JNJ", lines: [
        same("quarterly", PUBLIC),
        same("5.36", RATE), // 4 × 1.34
        line("18+", "63 (64 with 2026)", PUBLIC, FILE_BEGINS),
        same("5.25%", SUMS), // 5.14 ÷ 3.98
    ] },
    Named { symbol: "PG", lines: [
        same("quarterly", PUBLIC),
        same("4.356", RATE), // 4 × 1.089
        line("18+", "69 (70 with 2026)", PUBLIC, FILE_BEGINS),
        same("6.02%", SUMS), // 4.178 ÷ 3.119
    ] },
    Named { symbol: "O", lines: [
        same("monthly", PUBLIC),
        same("3.252", RATE), // 12 × 0.271
        line("18+", "about 30 (31 with 2026)", PUBLIC,
            "The file starts in August 2006."),
        // 3.226 ÷ 2.717; as paid 3.226 ÷ 2.801
        line("3.49%", "2.87%", "as paid, by hand",
            "Yahoo lowers the amounts before the spin-off of November 2021 by 3%."),
    ] },
    Named { symbol: "T", lines: [
        same("quarterly", PUBLIC),
        line("1.112", "1.11", PUBLIC, "The source rounds 0.2775 to 0.278."),
        same("0", PUBLIC),
        same("-11.77%", SUMS), // 1.112 ÷ 2.08
    ] },
    Named { symbol: "VZ", lines: [
        same("quarterly", PUBLIC),
        same("2.832", RATE), // 4 × 0.708
        line("18+", "about 19", PUBLIC, FILE_BEGINS),
        same("1.95%", SUMS), // 2.724 ÷ 2.473
    ] },
    Named { symbol: "XOM", lines: [
        same("quarterly", PUBLIC),
        same("4.12", RATE), // 4 × 1.03
        line("18+", "43", PUBLIC,
            "The file starts in November 2006."),
        same("2.82%", SUMS), // 4.00 ÷ 3.48
    ] },
    Named { symbol: "MSFT", lines: [
        same("quarterly", PUBLIC),
        same("2.04", RATE), // 4 × 0.51
        line("3+", "about 17 in 2020 (23 in 2026)", PUBLIC,
            "The file has complete years from 2016 to 2019."),
        line("none", "10.45%", PUBLIC, "Growth needs six complete years, and the file has four."),
    ] },
    Named { symbol: "AAPL", lines: [
        same("quarterly", PUBLIC),
        same("1.00", RATE), // 4 × 0.25
        same("11", PUBLIC),
        same("6.15%", SUMS), // 0.95 ÷ (2.82 ÷ 4)
    ] },
    Named { symbol: "ABBV", lines: [
        same("quarterly", PUBLIC),
        same("6.92", RATE), // 4 × 1.73
        line("12+", "12", PUBLIC,
            "The file starts with ABBV's first payment, in 2013. Dripline cannot know that there was none before."),
        same("6.81%", SUMS), // 6.56 ÷ 4.72
    ] },
    Named { symbol: "SCHD", lines: [
        same("quarterly", PUBLIC),
        same("1.048", SUMS), // 0.260 + 0.278 + 0.257 + 0.253
        line("13+", "13", SUMS, "The fund started in 2011, and 2012 is its first complete year. Dripline cannot know that."),
        same("9.13%", SUMS), // 1.047 ÷ 0.6763
    ] },
    Named { symbol: "VYM", lines: [
        same("quarterly", PUBLIC),
        same("3.631", SUMS),
        same("15", SUMS),
        same("3.80%", SUMS), // 3.501 ÷ 2.906
    ] },
];

const fn same(figure: &'static str, from: &'static str) -> Line {
    line(figure, figure, from, "")
}

const fn line(ours: &'static str, expected: &'static str, from: &'static str, why: &'static str) -> Line {
    Line { ours, expected, from, why }
}
