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
        title: "One payment in the file",
        text: "Dripline needs two payments to see a frequency, so the forward rate is 0.",
        symbols: &["CARR", "KME.MI", "MTCH", "NTDOY", "OTIS", "PLNT", "RTX", "SHECY"],
    },
    Cause {
        mark: "F2",
        title: "One payment since a stop",
        text: "After a stop, a history begins anew, so the forward rate is 0 until the second payment. SAND and VFINX did not \
               stop: the file lacks SAND's payment of April 2024, and five years of VFINX. SCR.TO paid nothing for a year. \
               KEN.TA looked semi-annual until its last payment came after 364 days. **The rate of these four is too low.**",
        symbols: &["KEN.TA", "SAND", "SCR.TO", "VFINX"],
    },
    Cause {
        mark: "F3",
        title: "A change of frequency in the last five years",
        text: "Dripline is right: it only uses the payments since the change. STAG declares 0.388 a quarter, which is 1.552 a \
               year.",
        symbols: &["NVDY", "STAG", "TSLY", "TSM", "XGSD"],
    },
    Cause {
        mark: "F4",
        title: "A cut or a raise in the last year",
        text: "Dripline is right: its rate is the last payment × the number of payments in a year. The expected rate still \
               contains payments from before the change.",
        symbols: &["DIV", "DWDP", "ENBL", "FANG", "MGM", "OXY", "RDS.B", "SEAS"],
    },
    Cause {
        mark: "F5",
        title: "A weekly fund whose distributions fall",
        text: "Two of the last 53 payments are equal, by chance, so Dripline's rate is the last payment × 52. The expected rate \
               is the sum of a year in which the payments fell from 0.16 to 0.06.",
        symbols: &["YMAX"],
    },
    Cause {
        mark: "F6",
        title: "Rows are missing in the file",
        text: "The file lacks FMC's payment of December 2019, and four years of VOLV-B.ST. Dripline's rates are right.",
        symbols: &["FMC", "VOLV-B.ST"],
    },
    Cause {
        mark: "F7",
        title: "A special dividend that the source does not mark",
        text: "FCAU's ordinary and extraordinary dividends of 2019 are 27 days apart. As the source calls both regular, FCAU \
               counts as monthly, and **its rate is far too high**.",
        symbols: &["FCAU"],
    },
    Cause {
        mark: "F8",
        title: "Less than a year of history",
        text: "Dripline is right. FOX and FOXA pay twice a year, but their last year in the file has three payments.",
        symbols: &["FOX", "FOXA"],
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
        title: "An ex-date that slipped over New Year",
        text: "Dripline is right: it counts the payment in the year it belongs to, so every year has the same number of \
               payments. By ex-date, O has 11 payments in 2024 and 13 in 2025.",
        symbols: &["CMCSA", "O", "TTE.PA"],
    },
    Cause {
        mark: "G2",
        title: "Several incomplete years at the start",
        text: "Dripline is right: it leaves out each of them, and says that the streak may be longer. The expected streak only \
               leaves out the first. NVDY has no complete year, because each year has more payments than the one before.",
        symbols: &["BP", "CIS.BE", "NVDY", "SPYI"],
    },
    Cause {
        mark: "G3",
        title: "A year in which the number of payments changed",
        text: "Dripline does not compare such a year with others: ENI.MI paid 2, 3 and 4 times in 2021 to 2023, and \
               MAIN 14, 13, 12 and 16 times in 2019 to 2022. As 2015 is left out, VB and VBR have no growth over five \
               years.",
        symbols: &["ENI.MI", "MAIN", "VB", "VBR"],
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
