//! Why our figures differ from the plain ones. Every flagged symbol has one of these causes.

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
        text: "A frequency needs two payments, so the forward rate is 0. Of VFINX, the file has nothing between September 2020 \
               and September 2025; of each of the others, it has one payment.",
        symbols: &["CARR", "KME.MI", "MTCH", "NTDOY", "OTIS", "PLNT", "RTX", "SHECY", "VFINX"],
    },
    Cause {
        mark: "F2",
        title: "Option-income funds that went from four-weekly to weekly in October 2025",
        text: "**Ours is too high.** The rate of an uneven payer is the sum of its last N payments. N became 52, and some of the \
               last 52 payments are still the larger, four-weekly ones. Weekly is right; by the mean gap of five years, NVDY and \
               TSLY would be monthly.",
        symbols: &["MSTY", "NVDY", "TSLY"],
    },
    Cause {
        mark: "F3",
        title: "From monthly to quarterly in 2026",
        text: "**Ours is wrong.** Five of the last seven gaps are still months, so STAG stays monthly. The sum of its last 12 \
               payments, two quarters and ten months, is 2.016. STAG has declared 0.388 a quarter, which is 1.552 a year, and \
               paid 1.52 in the last year.",
        symbols: &["STAG"],
    },
    Cause {
        mark: "F4",
        title: "From annual to quarterly within the five years of the mean",
        text: "Ours is right: the last eight ex-dates within three years show the new frequency before the mean of five years \
               does.",
        symbols: &["TSM", "XGSD"],
    },
    Cause {
        mark: "F5",
        title: "Monthly with a supplement every quarter",
        text: "Ours is 0.265 × 12, the declared monthly rate without the supplements of 0.30, because all amounts are within 1.3 \
               of each other. **It depends on which payment came last:** on the day after a supplement, ours would be 0.30 × 12. \
               Marking supplements as special would solve this.",
        symbols: &["MAIN"],
    },
    Cause {
        mark: "F6",
        title: "A row is missing in the file",
        text: "The file lacks FMC's payment of December 2019 and SAND's of April 2024, so ours counts four payments, but the \
               last year only has three. VOLV-B.ST has no row in 2019, 2020, 2022 and 2023; its last two rows are a year apart.",
        symbols: &["FMC", "SAND", "VOLV-B.ST"],
    },
    Cause {
        mark: "F7",
        title: "Two or three payments without a rhythm",
        text: "**Ours is wrong.** FCAU's ordinary and extraordinary dividends of 2019 are 27 days apart, and the latter is not \
               marked as special. That single gap makes FCAU a monthly payer. SCR.TO's rows are 0.441, 0.00441, 0.00441 and \
               0.25, as corrected by the source; two of its three gaps are quarters.",
        symbols: &["FCAU", "SCR.TO"],
    },
    Cause {
        mark: "F8",
        title: "Less than a year of history",
        text: "LEVI's three payments (0.15, 0.08, 0.08) are uneven, so their sum is scaled up to four payments: 0.4133. That is \
               **too high**: 0.08 × 4 is 0.32. FOX and FOXA paid twice a year; the last year of the file happens to contain \
               three payments.",
        symbols: &["FOX", "FOXA", "LEVI"],
    },
    Cause {
        mark: "F9",
        title: "An annual payment that came early",
        text: "Ours, the last payment, is right. The last twelve months also contain the payment of the previous year.",
        symbols: &["KAP.IL"],
    },
];

pub const GROWTH: &[Cause] = &[
    Cause {
        mark: "G1",
        title: "A December payment moved into January by the assumed lag",
        text: "The source has no payment dates, so ours assumes the ex-date plus 21 days. But these funds and companies pay \
               within days, still in December (from memory). **Ours is wrong** by one payment at both ends, which changes \
               streaks (VYM 0 instead of 15, SCHD 7 instead of 13) and, if December contains a year's capital gain, growth \
               (DIVO). EWG loses its first year, so it has no streak.",
        symbols: &["DGRW", "DIVO", "DVY", "ENG.MC", "EWG", "PFF", "SCHD", "VIG", "VYM"],
    },
    Cause {
        mark: "G2",
        title: "The same, for payers that may really pay in January",
        text: "The file has no payment dates, so we cannot tell. XYLD and QYLD had an ex-date on 30 December 2024, with the \
               year's capital gain. The British payers lose their first year, although it has all its ex-dates, so they have no \
               streak.",
        symbols: &["ABDP.L", "QYLD", "SERE.L", "TEM.L", "TENT.L", "XYLD"],
    },
    Cause {
        mark: "G3",
        title: "An ex-date around New Year, with payment in January",
        text: "Ours is right: by payment date, every year has the same number of payments. By ex-date, years have different \
               numbers (CMCSA 5, 3, 5, 3; O 11 and 13; TTE.PA 3 in 2019), or other payments (FMC, JETS, SPY, STAG, STX).",
        symbols: &["CMCSA", "FMC", "JETS", "O", "SPY", "STAG", "STX", "TTE.PA"],
    },
    Cause {
        mark: "G4",
        title: "A change of rhythm, corrected as if payments were missing",
        text: "**Ours is wrong.** A year with fewer payments than today's N counts as its mean × N. So XGSD's one payment of \
               2018 counts four times, and ENI.MI's two and ISP.MI's one of 2019 count twice. Growth can become negative (XGSD \
               −16.63% instead of +10.01%), and a streak ends at the change (MCD, annual until 2007: 17 instead of 19).",
        symbols: &["ENEL.MI", "ENI.MI", "ISP.MI", "MCD", "TSM", "VB", "VBR", "XGSD"],
    },
    Cause {
        mark: "G5",
        title: "More payments than N",
        text: "**Ours is too low.** MAIN's sixteen payments of a year count as twelve times their mean, so more supplements do \
               not show as growth.",
        symbols: &["MAIN"],
    },
    Cause {
        mark: "G6",
        title: "Payments missing in the file, corrected",
        text: "This is intended: BP's amounts of 2015 and 2016 are blank, SPHD lacks a month of 2020, and FMC1.F a quarter of \
               2024.",
        symbols: &["BP", "FMC1.F", "SPHD"],
    },
    Cause {
        mark: "G7",
        title: "Omitted payments, corrected",
        text: "**Ours hides a cut.** MELE.BR paid 1.30 once in 2020 instead of twice, after 2.20 in 2019. Ours corrects that to \
               2.60, so that 2021 looks like the cut. The leveraged funds omit quarters without income.",
        symbols: &["MELE.BR", "SSO", "TMF", "UPRO"],
    },
    Cause {
        mark: "G8",
        title: "A special dividend that the source does not mark",
        text: "SSNLF's special of December 2020 counts for 2020 by ex-date and for 2021 by payment date. Growth compares the \
               last complete year with 2020, so ours is not affected until 2026 is complete.",
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
