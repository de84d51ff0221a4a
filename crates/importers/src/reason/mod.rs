//! Why a file, a row or a cell cannot be used, and why a row is skipped: data only; `messages` has the texts.

mod value;

pub use value::{Cell, Describe, Field, Value};

use std::borrow::Cow;

use jiff::civil::Date;
use ledger::{Currency, Decimal, Kind, UnknownCurrency};

/// An enum of reasons. Each variant has a code, which stays the same in all versions and names its text in the message files, and
/// data, which are the variables of that text. Those under `cells` are about the text of one cell.
#[macro_export]
macro_rules! reasons {
    ($(#[$about:meta])* $name:ident $(wraps $inner:ident($inner_type:ty))* = $prefix:literal {
        $($(#[$note:meta])* $code:literal $variant:ident $({ $($field:ident: $type:ty),+ $(,)? })?,)*
    } $(cells {
        $($(#[$cell_note:meta])* $cell_code:literal $cell_variant:ident,)*
    })?) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $name {
            $($inner($inner_type),)*
            $($(#[$note])* $variant $({ $($field: $type),+ })?,)*
            $($($(#[$cell_note])* $cell_variant(Box<$crate::reason::Cell>),)*)?
        }

        impl $name {
            /// The texts in the message files with their variables.
            pub const TEXTS: &'static [(&'static str, &'static [&'static str])] = &[
                $((concat!($prefix, "-", $code), &[$($(stringify!($field)),+)?]),)*
                $($((concat!($prefix, "-", $cell_code), &["column", "text"]),)*)?
            ];
        }

        impl $crate::reason::Describe for $name {
            fn code(&self) -> &'static str {
                match self {
                    $($name::$inner(reason) => reason.code(),)*
                    $($name::$variant { .. } => $code,)*
                    $($($name::$cell_variant(_) => $cell_code,)*)?
                }
            }

            fn text(&self) -> &'static str {
                match self {
                    $($name::$inner(reason) => reason.text(),)*
                    $($name::$variant { .. } => concat!($prefix, "-", $code),)*
                    $($($name::$cell_variant(_) => concat!($prefix, "-", $cell_code),)*)?
                }
            }

            fn fields(&self) -> Vec<(&'static str, $crate::reason::Value<'_>)> {
                match self {
                    $($name::$inner(reason) => reason.fields(),)*
                    $($name::$variant $({ $($field),+ })? => {
                        vec![$($((stringify!($field), $crate::reason::Field::value($field))),+)?]
                    })*
                    $($($name::$cell_variant(cell) => cell.fields(),)*)?
                }
            }
        }
    };
}

reasons! {
    Reason = "reason" {
        // The file.
        "file_too_large" FileTooLarge { max_mib: usize },
        "file_empty" FileEmpty,
        "image" Image,
        "pdf" Pdf,
        /// XLS.
        "old_excel" OldExcel,
        "compressed" Compressed,
        /// A Portfolio Performance file in its binary or compressed form.
        "portfolio_packed" PortfolioPacked,
        "portfolio_encrypted" PortfolioEncrypted,
        "portfolio_damaged" PortfolioDamaged,
        "portfolio_ledger" PortfolioLedger,
        "not_utf8" NotUtf8,
        "wrong_encoding" WrongEncoding { encoding: &'static str },
        "zero_byte" ZeroByte,
        "too_many_values" TooManyValues { max: usize },
        "too_many_rows" TooManyRows { max: usize },
        "too_many_problems" TooManyProblems { max: usize },
        "too_many_cells" TooManyCells { max: usize },
        "line_too_long" LineTooLong { max_kib: usize },
        /// It may contain a quote that is never closed.
        "row_too_long" RowTooLong { max_kib: usize },
        "quote_not_closed" QuoteNotClosed,
        "csv_malformed" CsvMalformed { cause: Box<str> },
        "json_malformed" JsonMalformed,
        "xml_malformed" XmlMalformed { cause: Box<str> },
        "xml_too_deep" XmlTooDeep { max: usize },
        "xml_attributes" XmlAttributes { max: usize },
        /// An entity that the file defines itself.
        "xml_entity" XmlEntity,
        /// It ends in the middle.
        "cut_off" CutOff,
        "workbook_malformed" WorkbookMalformed { cause: Box<str> },
        "workbook_damaged" WorkbookDamaged,
        "workbook_parts" WorkbookParts { max: usize },
        "workbook_too_large" WorkbookTooLarge { max_mib: u64 },
        "workbook_cell_too_long" WorkbookCellTooLong,
        /// Not a file of the selected format.
        "header_missing" HeaderMissing { columns: Box<str> },
        "unknown_column" UnknownColumn { name: Box<str> },
        "column_twice" ColumnTwice { name: Box<str> },
        "column_missing" ColumnMissing { name: Box<str> },
        "header_unusable" HeaderUnusable,
        "no_table" NoTable,
        "list_missing" ListMissing { list: &'static str },
        "sections_missing" SectionsMissing { sections: &'static str },
        "not_the_statement" NotTheStatement,
        "bank_statement" BankStatement,
        /// Another statement of Revolut: crypto, gains, account.
        "wrong_statement" WrongStatement { statement: &'static str },
        "no_transactions" NoTransactions,
        "unknown_format" UnknownFormat { begin: Box<str> },
        /// A bug in the reader.
        "rows_unaccounted" RowsUnaccounted { format: &'static str },

        // A row, and what is missing or contradictory in it.
        "field_count" FieldCount { fields: usize, header: usize },
        "missing" Missing { column: Box<str> },
        "too_long" TooLong { column: Box<str>, max: usize },
        "control_character" ControlCharacter { column: Box<str> },
        "too_many_decimals" TooManyDecimals { column: Box<str>, max: u32 },
        /// Their product or sum overflows.
        "figures_too_large" FiguresTooLarge,
        "no_security" NoSecurity,
        "needs_shares" NeedsShares { kind: Kind },
        "needs_price" NeedsPrice { kind: Kind },
        "needs_amount" NeedsAmount { kind: Kind },
        "needs_ratio" NeedsRatio,
        "ratio_not_split" RatioNotSplit { kind: Kind },
        "shares_not_positive" SharesNotPositive { shares: Decimal },
        "rate_not_positive" RateNotPositive,
        "negative" Negative { column: &'static str },
        "amount_mismatch" AmountMismatch { amount: Box<Decimal>, product: Box<Decimal> },
        "net_mismatch" NetMismatch { net: Box<Decimal>, expected: Box<Decimal> },
        "unsupported" Unsupported { kind: Box<str> },
        /// The row that it cancels or reverses is not in the file.
        "reversed_missing" ReversedMissing,
        /// The row that completes it is not in the file.
        "counterpart_missing" CounterpartMissing,
        "fee_not_convertible" FeeNotConvertible,
        "account_currency_missing" AccountCurrencyMissing,
        /// It reverses another row.
        "reversal" Reversal,
        /// Whether shares were added or removed is unknown.
        "side_unknown" SideUnknown,
        /// It was opened before the file begins, and the row has no other name.
        "position_unknown" PositionUnknown,
        /// In a list of what is held: which security and how many shares.
        "position_unclear" PositionUnclear,
        "multiplier" Multiplier,
        "date_too_early" DateTooEarly { date: Date, first: Date },
        "fee_rate_missing" FeeRateMissing { from: Box<str>, to: Currency },
        /// In a Flex query.
        "flex_field_missing" FlexFieldMissing { column: Box<str> },
        "flex_date_ambiguous" FlexDateAmbiguous { text: Box<str> },
        "flex_date_formats" FlexDateFormats,
        "level_of_detail" LevelOfDetail,
        "in_activity" InActivity { number: usize, reason: Box<Reason> },
        /// Not an object with a type, a date and a symbol.
        "not_an_activity" NotAnActivity,
        /// A reason on another sheet of the workbook than the first.
        "in_sheet" InSheet { sheet: Box<str>, reason: Box<Reason> },
        "split_ratio_unknown" SplitRatioUnknown,
        "split_ratio_inexact" SplitRatioInexact { held: Box<Decimal>, added: Box<Decimal> },
        "booked_currency_unknown" BookedCurrencyUnknown,
        "dividend_without_amount" DividendWithoutAmount,
        /// In our own file.
        "no_such_dividend" NoSuchDividend { date: Date },
        "several_dividends" SeveralDividends { date: Date },
        "reinvested_by_other" ReinvestedByOther { kind: Kind },
        "unexplained_payment" UnexplainedPayment,
        "counted_after_split" CountedAfterSplit { sale: u64 },
        "possible_duplicate" PossibleDuplicate { line: u64 },

        // Rows that are skipped.
        "part_of_error" PartOfError { line: u64 },
        "continues" Continues { line: u64 },
        "part_of" PartOf { line: u64 },
        "cancels" Cancels { line: u64 },
        "cancelled" Cancelled { line: u64 },
        "cash" Cash,
        "interest" Interest,
        "account_fee" AccountFee,
        /// Options, bonds and others, by a word that the message files know or by the file's own.
        "unsupported_asset" UnsupportedAsset { asset: Cow<'static, str> },
        "short_sale" ShortSale,
        /// They left one account and arrived in another on the same day.
        "moved" Moved { line: u64 },
        /// Within one broker, or between accounts of one user.
        "moved_inside" MovedInside,
        "currency_exchange" CurrencyExchange,
        /// Cash that the broker keeps in a fund or a bank account.
        "money_market" MoneyMarket,
        /// For a fraction of a share that was never booked.
        "cash_in_lieu" CashInLieu,
        "fee_without_trade" FeeWithoutTrade,
        "fee_without_dividend" FeeWithoutDividend,
        "fee_refunded" FeeRefunded,
        /// On interest, or without a payment in the file.
        "tax_without_dividend" TaxWithoutDividend,
        /// For the same shares of the same instrument.
        "same_shares" SameShares { line: u64 },
        "nothing_received" NothingReceived { line: u64 },
        "reversed" Reversed,
        "counted_elsewhere" CountedElsewhere,
        /// The list has a later date, too.
        "earlier_position" EarlierPosition { date: Date },
        "reinvested" Reinvested,
        "cash_for_shares" CashForShares,
        "announced_payment" AnnouncedPayment,
        "announced_payment_unusable" AnnouncedPaymentUnusable { reason: Box<Reason> },
        "announced_payment_earlier" AnnouncedPaymentEarlier,
        "accrual_change" AccrualChange,
        "no_shares" NoShares,
        "not_executed" NotExecuted { status: Box<str> },
        /// A total of other rows.
        "total" Total,
        /// A title, a notice, a footer.
        "remark" Remark,
        /// A custom asset, or one that is not traded on a market.
        "not_listed" NotListed,
        /// The shares of the trade are in another export.
        "cash_side" CashSide,
        "split_not_held" SplitNotHeld,
        "securities_lending" SecuritiesLending,
        "assumed_income" AssumedIncome,
        "ignored_type" IgnoredType,
        /// Questions about the columns are open.
        "not_yet_read" NotYetRead,

        // A table in an unknown format: questions about it, and what is wrong with the answers.
        "open_questions" OpenQuestions { questions: Vec<Reason> },
        /// One of: date, security, shares, price, figures, type.
        "which_column" WhichColumn { field: &'static str },
        "which_date" WhichDate { columns: Box<[String]> },
        "which_currency" WhichCurrency,
        "no_type_column" NoTypeColumn,
        /// In the type column.
        "unknown_word" UnknownWord { word: Box<str>, line: u64 },
        "date_order" DateOrder { text: Box<str>, date: Date },
        "date_orders_mixed" DateOrdersMixed { dates: Box<[String]> },
        "decimal_mark" DecimalMark { text: Box<str> },
        "ratio_order" RatioOrder { text: Box<str> },
        "cost_signs" CostSigns { above: u64, below: u64 },
        "costs_overlap" CostsOverlap { columns: Box<[String]>, line: u64 },
        "gross_or_net" GrossOrNet { name: Box<str>, line: u64 },
        "amount_unclear" AmountUnclear { name: Box<str>, line: u64 },
        "currencies_differ" CurrenciesDiffer { columns: Box<[String]>, line: u64 },
        "no_columns" NoColumns,
        "setting_incomplete" SettingIncomplete { setting: Box<str> },
        "unknown_setting" UnknownSetting { setting: Box<str> },
        "chosen_twice" ChosenTwice { column: Box<str> },
    } cells {
        "not_a_number" NotANumber,
        /// Not written with a point and without thousands separators.
        "not_a_plain_number" NotAPlainNumber,
        "number_too_large" NumberTooLarge,
        "too_many_digits" TooManyDigits,
        "not_a_date" NotADate,
        "not_an_iso_date" NotAnIsoDate,
        "not_an_isin" NotAnIsin,
        "symbol_with_space" SymbolWithSpace,
        "unknown_currency" UnknownCurrency,
        "not_a_ratio" NotARatio,
        "unknown_type" UnknownType,
        /// In our own file.
        "unknown_kind" UnknownKind,
        "not_a_symbol" NotASymbol,
        "currency_mismatch" CurrencyMismatch,
        "trade_unclear" TradeUnclear,
        "unknown_choice" UnknownChoice,
    }
}

/// Kept small, because a file may have very many rows.
const _: () = assert!(size_of::<Reason>() <= 32);

impl Reason {
    pub(crate) fn missing(column: impl AsRef<str>) -> Reason {
        Reason::Missing { column: column.as_ref().into() }
    }

    pub(crate) fn flex_field_missing(column: &str) -> Reason {
        Reason::FlexFieldMissing { column: column.into() }
    }

    pub(crate) fn unsupported(kind: impl AsRef<str>) -> Reason {
        Reason::Unsupported { kind: kind.as_ref().into() }
    }

    /// By a word that the message files know: option, bond, crypto, cfd, future, warrant, derivative; else by the file's own.
    pub(crate) fn unsupported_asset(asset: impl Into<Cow<'static, str>>) -> Reason {
        Reason::UnsupportedAsset { asset: asset.into() }
    }

    pub(crate) fn header_missing(columns: &[&str]) -> Reason {
        Reason::HeaderMissing { columns: columns.join(", ").into() }
    }

    pub(crate) fn unknown_currency(column: &str, unknown: UnknownCurrency) -> Reason {
        Reason::UnknownCurrency(Cell::new(column, &unknown.0))
    }
}
