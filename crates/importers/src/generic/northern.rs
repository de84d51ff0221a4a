//! Column titles in Swedish, Danish, Norwegian, Polish and Czech, without accents and punctuation.

use super::field::Field;

pub const MONEY: &str = "belopp|summa|totalt|belob|kwota|wartosc|suma|castka|hodnota|celkem";

pub const NAMES: &[(Field, &str)] = &[
    (
        Field::Date,
        "affarsdag|handelsdag|handelsdato|transaktionsdag|dato|bokforingsdag|bogforingsdag|bokforingsdato|betalningsdag|likviddag|\
oppgjorsdag|data transakcji|data operacji|data zawarcia|data wyplaty|data rozliczenia|datum obchodu|datum transakce|datum vyplaty",
    ),
    (Field::Time, "tid|klokkeslett|czas|godzina|cas"),
    (
        Field::Type,
        "typ av transaktion|transaktionstype|transaksjonstype|type transaksjon|rodzaj|rodzaj operacji|typ operacji|\
typ transakcji|operacja|kupno sprzedaz|k s|strona|typ transakce|operace|smer|druh",
    ),
    (Field::Symbol, "kortnamn|vardepapperskod|walor|symbol waloru"),
    (Field::Isin, "kod isin"),
    (
        Field::Name,
        "vardepapper|vardepapper beskrivning|bolag|namn|vaerdipapir|verdipapir|papir|navn|selskab|selskap|nazwa|nazwa waloru|\
papier|papier wartosciowy|spolka|instrument finansowy|nazev|cenny papir|spolecnost",
    ),
    (
        Field::Shares,
        "antal|antal aktier|stycken|antall|ilosc|liczba|liczba akcji|liczba sztuk|wolumen|pocet|pocet kusu|mnozstvi|kusy",
    ),
    (Field::Price, "pris|kurs per aktie|cena|cena jednostkowa|kurs akcji|cena za kus|cena za akcji"),
    (Field::Amount, "bruttobelopp|bruttobelob|bruttobelop|kwota brutto|wartosc brutto"),
    (
        Field::Fees,
        "avgift|avgifter|total avgift|kurtage|gebyr|gebyrer|omkostninger|prowizja|oplata|oplaty|koszty|poplatek|poplatky",
    ),
    (
        Field::Tax,
        "skatt|kallskatt|utlandsk kallskatt|kuponskatt|udbytteskat|skat|kildeskatt|podatek|podatek u zrodla|dan|srazkova dan",
    ),
    (Field::Net, "nettobelopp|nettobelob|nettobelop|kwota netto|wartosc netto"),
    (Field::Currency, "transaktionsvaluta|waluta|mena"),
    (Field::ExDate, "x dag|ex dag|data odciecia"),
    (Field::Portfolio, "depa|portfolj|portefolje|portfel"),
];
