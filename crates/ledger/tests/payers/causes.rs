//! Why our figures differ from the plain ones. Every flagged symbol is listed under one cause.

pub struct Cause {
    /// Named in the tables.
    pub mark: &'static str,
    pub title: &'static str,
    pub text: &'static str,
    pub symbols: &'static [&'static str],
}

pub const RATE: &[Cause] = &[
    Cause {
        mark: "F1",
        title: "One payment in three years",
        text: "No frequency without two payments, so the forward rate is 0. Of VFINX the file has nothing between September 2020 \
               and September 2025; the others paid once in the file.",
        symbols: &["CARR", "KME.MI", "MTCH", "NTDOY", "OTIS", "PLNT", "RTX", "SHECY", "VFINX"],
    },
    Cause {
        mark: "F2",
        title: "Option-income funds that went from four-weekly to weekly in October 2025",
        text: "**Ours is too high.** An uneven payer's rate is the sum of its last N payments; N became 52, and the last 52 \
               payments reach back into the months of larger, four-weekly ones. The mean gap of five years calls NVDY and TSLY \
               monthly; weekly is right.",
        symbols: &["MSTY", "NVDY", "TSLY"],
    },
    Cause {
        mark: "F3",
        title: "From monthly to quarterly in 2026",
        text: "**Ours is wrong.** Five of the last seven gaps are still months, so STAG stays monthly, and the sum of its last 12 payments is \
               two quarters and ten months: 2.016. It has declared 0.388 a quarter, 1.552 a year. The last year paid 1.52.",
        symbols: &["STAG"],
    },
    Cause {
        mark: "F4",
        title: "From annual to quarterly within the five years of the mean",
        text: "Ours is right: the last eight ex-dates within three years see the new rhythm before the mean does.",
        symbols: &["TSM", "XGSD"],
    },
    Cause {
        mark: "F5",
        title: "Monthly with a supplement every quarter",
        text: "Ours is 0.265 × 12, the declared monthly rate without the supplements of 0.30, because all amounts are within 1.3 of \
               each other. **It hangs on which came last:** the day after a supplement it would be 0.30 × 12. Supplements marked as \
               special would settle it.",
        symbols: &["MAIN"],
    },
    Cause {
        mark: "F6",
        title: "A row is missing in the file",
        text: "FMC's of December 2019, SAND's of April 2024: ours counts four payments, the last year has three. VOLV-B.ST has no row \
               in 2019, 2020, 2022 and 2023; its last two are a year apart.",
        symbols: &["FMC", "SAND", "VOLV-B.ST"],
    },
    Cause {
        mark: "F7",
        title: "Two or three payments that are no rhythm",
        text: "**Ours is wrong.** FCAU's ordinary and extraordinary dividend of 2019, not marked as special, are 27 days apart and make \
               it a monthly payer: the only gap is the median gap. SCR.TO's rows are 0.441, 0.00441, 0.00441 and 0.25, a source's \
               mended figures; two of its three gaps are quarters.",
        symbols: &["FCAU", "SCR.TO"],
    },
    Cause {
        mark: "F8",
        title: "Less than a year of history",
        text: "LEVI's three payments (0.15, 0.08, 0.08) are uneven and stretched to four: 0.4133. **Too high**, 0.08 × 4 is 0.32. FOX \
               and FOXA paid twice a year; the last year of the file happens to hold three.",
        symbols: &["FOX", "FOXA", "LEVI"],
    },
    Cause {
        mark: "F9",
        title: "An annual payment that came early",
        text: "Ours is right: the last one. The twelve months before hold the one of the year before, too.",
        symbols: &["KAP.IL"],
    },
];

pub const GROWTH: &[Cause] = &[
    Cause {
        mark: "G1",
        title: "A December payment moved into January by the assumed lag",
        text: "The source has no pay dates, so each is the ex-date plus 21 days; these pay within days, still in December (from memory \
               of their calendars). **Ours is wrong** by one payment at both ends, which decides a streak (VYM 0 for 15, SCHD 7 for 13) \
               and, where December holds a year's capital gain, a growth (DIVO). EWG lost its first year by it (none).",
        symbols: &["DGRW", "DIVO", "DVY", "ENG.MC", "EWG", "PFF", "SCHD", "VIG", "VYM"],
    },
    Cause {
        mark: "G2",
        title: "The same, of payers that may well pay in January",
        text: "No pay dates in the file to tell. XYLD and QYLD had their ex-date of 2024 on 30 December, with the year's gain in it; the \
               British ones lost a first year that had all its ex-dates (none).",
        symbols: &["ABDP.L", "QYLD", "SERE.L", "TEM.L", "TENT.L", "XYLD"],
    },
    Cause {
        mark: "G3",
        title: "An ex-date around new year, paid in January",
        text: "Ours is right: the pay year has as many payments every year, the ex-year has not (CMCSA 5, 3, 5, 3; O 11 and 13; TTE.PA 3 \
               in 2019), or holds another of them (FMC, JETS, SPY, STAG, STX).",
        symbols: &["CMCSA", "FMC", "JETS", "O", "SPY", "STAG", "STX", "TTE.PA"],
    },
    Cause {
        mark: "G4",
        title: "A change of rhythm, repaired as if payments were missing",
        text: "**Ours is wrong.** Years with fewer payments than today's N count their mean × N: XGSD's one payment of 2018 counts four times, \
               ENI.MI's two of 2019 twice, ISP.MI's one of 2019 twice. The growth can turn negative (XGSD −16.63% for +10.01%), and a streak \
               ends at the change (MCD, annual until 2007: 17 for 19).",
        symbols: &["ENEL.MI", "ENI.MI", "ISP.MI", "MCD", "TSM", "VB", "VBR", "XGSD"],
    },
    Cause {
        mark: "G5",
        title: "More payments than N",
        text: "**Ours is too low.** MAIN's sixteen payments of a year count as twelve means, so that more supplements do not show as growth.",
        symbols: &["MAIN"],
    },
    Cause {
        mark: "G6",
        title: "Payments missing in the file, repaired",
        text: "As meant: BP's blank amounts of 2015 and 2016, one month of SPHD's 2020, a quarter of FMC1.F's 2024.",
        symbols: &["BP", "FMC1.F", "SPHD"],
    },
    Cause {
        mark: "G7",
        title: "Payments left out, repaired",
        text: "**Ours hides a cut.** MELE.BR paid once in 2020 instead of twice, 1.30 after 2.20; repaired it is 2.60, and 2021 looks like \
               the cut. The leveraged funds leave out quarters without income.",
        symbols: &["MELE.BR", "SSO", "TMF", "UPRO"],
    },
    Cause {
        mark: "G8",
        title: "A special dividend that the source does not mark",
        text: "SSNLF's of December 2020 is in the year 2020 by ex-date and in 2021 by pay date, five years before the last complete year only in \
               the first. Ours escapes it until 2026 is complete.",
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
