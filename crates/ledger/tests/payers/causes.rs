//! Why our figures differ from the plain ones. Every flagged symbol has one of these causes.

pub struct Cause {
    /// Named in the table.
    pub mark: &'static str,
    pub title: &'static str,
    pub text: &'static str,
    pub symbols: &'static [&'static str],
}

pub const RATE: &[Cause] = &[
    Cause {
        mark: "F1",
        title: "One payment in three years",
        text: "Dripline needs two payments to see a frequency, so the forward rate is 0.",
        symbols: &["CARR", "KME.MI", "MTCH", "NTDOY", "OTIS", "PLNT", "RTX", "SHECY", "VFINX"],
    },
    Cause {
        mark: "F2",
        title: "Option-income funds that changed from four-weekly to weekly payments in October 2025",
        text: "**Dripline's rate is too high.** It adds up the last 52 payments, and some of these are still the larger, \
               four-weekly ones. The frequency is right.",
        symbols: &["MSTY", "NVDY", "TSLY"],
    },
    Cause {
        mark: "F3",
        title: "A change from monthly to quarterly payments in 2026",
        text: "**Dripline is wrong.** Five of the last seven gaps are still months, so STAG counts as monthly with a \
               rate of 2.016. But STAG declared 0.388 a quarter, which is 1.552 a year.",
        symbols: &["STAG"],
    },
    Cause {
        mark: "F4",
        title: "A change from annual to quarterly payments in the last five years",
        text: "Dripline is right. It only looks at the last eight ex-dates within three years, so it sees the new \
               frequency.",
        symbols: &["TSM", "XGSD"],
    },
    Cause {
        mark: "F5",
        title: "Monthly payments with a supplement every quarter",
        text: "Dripline's rate is 0.265 × 12, the declared monthly rate without the supplements. **The rate depends on \
               which payment came last:** on the day after a supplement, it would be 0.30 × 12.",
        symbols: &["MAIN"],
    },
    Cause {
        mark: "F6",
        title: "Rows are missing in the file",
        text: "The file lacks FMC's payment of December 2019, SAND's payment of April 2024, and four years of VOLV-B.ST.",
        symbols: &["FMC", "SAND", "VOLV-B.ST"],
    },
    Cause {
        mark: "F7",
        title: "Few payments without a rhythm",
        text: "**Dripline is wrong.** FCAU's ordinary and extraordinary dividends of 2019 are 27 days apart, so FCAU \
               counts as monthly. SCR.TO has four payments, and two of the three gaps are quarters, so it counts as \
               quarterly.",
        symbols: &["FCAU", "SCR.TO"],
    },
    Cause {
        mark: "F8",
        title: "Less than a year of history",
        text: "LEVI's three payments (0.15, 0.08, 0.08) are scaled up to four, which gives 0.4133. That is **too high**, \
               because 0.08 × 4 is 0.32. FOX and FOXA pay twice a year, but their last year in the file has \
               three payments.",
        symbols: &["FOX", "FOXA", "LEVI"],
    },
    Cause {
        mark: "F9",
        title: "An annual payment that came early",
        text: "Dripline is right: its rate is the last payment. The expected rate adds the payment of the year before.",
        symbols: &["KAP.IL"],
    },
];

pub const GROWTH: &[Cause] = &[
    Cause {
        mark: "G1",
        title: "A December payment that Dripline moves into January",
        text: "**Dripline is wrong.** The source has no payment dates, so Dripline assumes 21 days after the ex-date. \
               But these payers pay within days, still in December (public knowledge, quoted from memory). The wrong \
               year changes streaks (VYM 0 instead of 15, SCHD 7 instead of 13) and growth (DIVO).",
        symbols: &["DGRW", "DIVO", "DVY", "ENG.MC", "EWG", "PFF", "SCHD", "VIG", "VYM"],
    },
    Cause {
        mark: "G2",
        title: "A December payment that may really have been paid in January",
        text: "The file has no payment dates, so nobody can tell which year is right. XYLD and QYLD had an ex-date on 30 \
               December 2024.",
        symbols: &["ABDP.L", "QYLD", "SERE.L", "TEM.L", "TENT.L", "XYLD"],
    },
    Cause {
        mark: "G3",
        title: "An ex-date around New Year, with payment in January",
        text: "Dripline counts by payment date and is right: every year has the same number of payments. By ex-date, O \
               has 11 payments in 2024 and 13 in 2025.",
        symbols: &["CMCSA", "FMC", "JETS", "O", "SPY", "STAG", "STX", "TTE.PA"],
    },
    Cause {
        mark: "G4",
        title: "A change of frequency that Dripline takes for missing payments",
        text: "**Dripline is wrong.** It scales up years that have fewer payments than today's frequency. So XGSD's one \
               payment of 2018 counts four times, and XGSD's growth is −16.63% instead of +10.01%. MCD paid once a \
               year until 2007, so its streak is 17 instead of 19.",
        symbols: &["ENEL.MI", "ENI.MI", "ISP.MI", "MCD", "TSM", "VB", "VBR", "XGSD"],
    },
    Cause {
        mark: "G5",
        title: "More payments a year than the frequency says",
        text: "**Dripline's growth is too low.** MAIN's sixteen payments a year count as twelve times their mean, so \
               more supplements do not show as growth.",
        symbols: &["MAIN"],
    },
    Cause {
        mark: "G6",
        title: "Payments that are missing in the file",
        text: "Dripline is right: it scales up the affected years. The file lacks BP's amounts of 2015 and 2016, a month \
               of SPHD in 2020, and a quarter of FMC1.F in 2024.",
        symbols: &["BP", "FMC1.F", "SPHD"],
    },
    Cause {
        mark: "G7",
        title: "Payments that were omitted",
        text: "**Dripline hides a cut.** MELE.BR paid 2.20 in 2019, and only one payment of 1.30 in 2020 instead of two. \
               Dripline scales 2020 up to 2.60, so 2021 looks like the cut. The leveraged funds omit quarters without \
               income.",
        symbols: &["MELE.BR", "SSO", "TMF", "UPRO"],
    },
    Cause {
        mark: "G8",
        title: "A special dividend that the source does not mark",
        text: "By ex-date, SSNLF's special of December 2020 counts for 2020. By payment date, it counts for 2021.",
        symbols: &["SSNLF"],
    },
];

/// Of all causes, sorted.
pub fn symbols(causes: &[Cause]) -> Vec<&'static str> {
    let mut symbols: Vec<&str> = causes.iter().flat_map(|cause| cause.symbols).copied().collect();
    symbols.sort_unstable();
    symbols
}

pub fn mark(causes: &[Cause], symbol: &str) -> &'static str {
    causes.iter().find(|cause| cause.symbols.contains(&symbol)).map_or("", |cause| cause.mark)
}
