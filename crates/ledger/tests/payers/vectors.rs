//! Estimates and forward rates of a second implementation, which shares no code with ours: that of `e2e/audit`.

use jiff::civil::{Date, date};

pub struct Vector {
    pub symbol: &'static str,
    pub last_known: Date,
    pub per_year: usize,
    pub estimates: [Date; 3],
    pub forward_rate: &'static str,
}

#[rustfmt::skip]
pub const VECTORS: [Vector; 13] = [
    vector("KO", date(2026, 6, 15), 4, [date(2026, 9, 14), date(2026, 11, 30), date(2027, 3, 12)], "2.12"),
    vector("PG", date(2026, 7, 24), 4, [date(2026, 10, 23), date(2027, 1, 22), date(2027, 4, 23)], "4.356"),
    vector("O", date(2026, 7, 31), 12, [date(2026, 8, 31), date(2026, 9, 30), date(2026, 10, 30)], "3.252"),
    vector("MAIN", date(2026, 8, 7), 16, [date(2026, 9, 8), date(2026, 9, 21), date(2026, 10, 7)], "4.24"),
    vector("XYLD", date(2026, 7, 20), 12, [date(2026, 8, 17), date(2026, 9, 21), date(2026, 10, 19)], "4.334"),
    vector("SCHD", date(2026, 6, 24), 4, [date(2026, 9, 23), date(2026, 12, 9), date(2027, 3, 24)], "1.048"),
    vector("SPY", date(2021, 12, 17), 4, [date(2022, 3, 18), date(2022, 6, 17), date(2022, 9, 16)], "5.7182"),
    vector("ALV.DE", date(2025, 5, 9), 1, [date(2026, 5, 8), date(2027, 5, 10), date(2028, 5, 10)], "15.40"),
    vector("TTE.PA", date(2025, 6, 19), 4, [date(2025, 9, 25), date(2026, 1, 2), date(2026, 3, 26)], "3.40"),
    vector("ENI.MI", date(2025, 5, 19), 4, [date(2025, 9, 22), date(2025, 11, 24), date(2026, 3, 23)], "1.00"),
    vector("BA.L", date(2025, 4, 17), 2, [date(2025, 10, 23), date(2026, 4, 16), date(2026, 10, 22)], "0.33"),
    vector("YMAX", date(2026, 8, 12), 52, [date(2026, 8, 19), date(2026, 8, 26), date(2026, 9, 2)], "3.172"),
    vector("AAPL", date(2024, 5, 10), 4, [date(2024, 8, 9), date(2024, 11, 8), date(2025, 2, 7)], "1.00"),
];

const fn vector(
    symbol: &'static str,
    last_known: Date,
    per_year: usize,
    estimates: [Date; 3],
    forward_rate: &'static str,
) -> Vector {
    Vector { symbol, last_known, per_year, estimates, forward_rate }
}
