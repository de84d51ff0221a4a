//! Market data from providers: their failures and rejected values. Parts of a line, without a full stop.

use app::market::sources::Origin;
use app::{Cause, Outcome};
use market::validation::{CloseProblem, Reason};
use market::{Ability, Denial, Detail, Failure, Fault, Offer};

use crate::{Keys, Language, described};

pub const KEYS: &[Keys] = &[ORIGIN, OUTCOME, CAUSE, Refresh::KEYS, PROVIDER, ABILITY, Offered::KEYS, DENIED, MALFORMED, REJECTED];

described! { ORIGIN = "origin": pub fn origin(language; Origin) {
    Flag => flag,
    Variable => variable,
    File => file,
    Owner => owner,
    Unset => unset,
} }

crate::texts! { Refresh = "refresh" { no_provider } }

crate::texts! { Offered = "offer" {;
    exchange(symbol), currency(symbol),
} }

described! { OUTCOME = "refresh": pub fn outcome(language; Outcome) {
    Done => done,
    Unchanged => unchanged,
    Late => late,
    Lost => lost;
    Unknown(cause) | Failed(cause) | Waiting(cause) | OverBudget(cause) => self::cause(language, cause),
} }

described! { CAUSE = "refresh": fn cause(language; Cause) {
    UnknownSymbol => unknown_symbol,
    NotInUse => not_in_use,
    Files { file, line: 0, problems } => files(file, problems),
    Files { file, line, problems } => files_line(file, line, problems);
    Providers(failure) => self::failure(language, failure),
} }

pub fn failure(language: &'static Language, failure: &Failure) -> String {
    if failure.faults.is_empty() {
        return Refresh::load(language).no_provider.to_owned();
    }
    failure.faults.iter().map(|(name, fault)| self::fault(language, name, fault)).collect::<Vec<_>>().join("; ")
}

described! { PROVIDER = "provider": pub fn fault(language, provider: &str; Fault) {
    Unknown => unknown(provider),
    Unsupported(Offer::Plan) => not_in_plan(provider),
    Unsupported(offer) => unsupported(provider, what = offered(language, offer)),
    OverBudget => over_budget(provider),
    Resting(rest, cause) => resting(provider, seconds = rest.as_secs().max(1), cause = fault(language, provider, cause)),
    Throttled(None) => throttled(provider),
    Throttled(Some(wait)) => throttled_for(provider, seconds = wait.as_secs()),
    TimedOut => timed_out(provider),
    Unreachable(cause) => unreachable(provider, cause),
    Interrupted => interrupted(provider),
    TooLarge(bytes) => too_large(provider, bytes),
    Status(status) => status(provider, status),
    Denied(cause) => denied(provider, cause = denial(language, cause)),
    Malformed(cause) => malformed(provider, cause = detail(language, cause)),
} }

fn offered(language: &'static Language, offer: &Offer) -> String {
    match offer {
        Offer::Plan => String::new(),
        Offer::Ability(ability) => self::ability(language, ability),
        Offer::Exchange { symbol } => Offered::load(language).exchange(symbol.as_str()),
        Offer::Currency { symbol } => Offered::load(language).currency(symbol.as_str()),
    }
}

described! { ABILITY = "offer": fn ability(language; Ability) {
    Quotes => quotes,
    Profile => profiles,
    Dividends => dividends,
    Splits => splits,
    Closes => closes,
    Search => search,
    Calendar => calendar,
    Rates => rates,
} }

described! { DENIED = "denied": fn denial(language; Denial) {
    Key { setting } => key(setting),
    Status(status) => status(status),
    Quoted(text) => quoted(text),
    RepeatsKey => repeats_key,
    NoCrumb => no_crumb,
    LeadsAway { host } => leads_away(host),
    EndlessConsent => endless_consent,
} }

described! { MALFORMED = "malformed": fn detail(language; Detail) {
    Unparsable { cause, start } if start.is_empty() => unparsable(cause),
    Unparsable { cause, start } => unparsable_quoted(cause, start),
    NotUtf8 => not_utf8,
    CutOff => cut_off,
    DamagedZip => damaged_zip,
    NoRates => no_rates,
    RateTwice { currency, date } => rate_twice(currency, date),
    TooManyEvents { symbol, count } => too_many_events(symbol, count),
    Quoted(text) => quoted(text),
    RepeatsKey => repeats_key,
    Missing { field, record } if record.is_empty() => missing(field),
    Missing { field, record } => missing_in(field, record),
    Invalid { field, value, record } if record.is_empty() => invalid(field, value),
    Invalid { field, value, record } => invalid_in(field, value, record),
    InFile { file, detail } => in_file(file, problem = self::detail(language, detail)),
    InLine { line, detail } => in_line(line, problem = self::detail(language, detail)),
} }

described! { REJECTED = "rejected": pub fn reason(language; Reason) {
    Closes { days, from, problem: CloseProblem::NotPositive } => closes_not_positive(days, from),
    Closes { days, from, problem: CloseProblem::Future } => closes_future(days, from),
    Closes { days, from, problem: CloseProblem::Ambiguous } => closes_ambiguous(days, from),
    Closes { days, from, problem: CloseProblem::OutOfScale } => closes_out_of_scale(days, from),
    NotPositive => not_positive,
    Negative => negative,
    TooLarge => too_large,
    TooManyDigits => too_many_digits,
    OtherCurrency { expected, found } => other_currency(expected, found),
    UnitUnknown => unit_unknown,
    ExDateTooOld => ex_date_too_old,
    ExDateTooFarAhead { days } => ex_date_too_far_ahead(days),
    PayDateFarFromExDate { days_before, days_after } => pay_date_far_from_ex_date(before = days_before, after = days_after),
    DeclaredAfterExDate => declared_after_ex_date,
    BookedTwice { ex_date } => booked_twice(date = ex_date),
    FartherFromUsual { amounts, usual } => farther_from_usual(amounts, usual),
    SeveralAmounts { amounts } => several_amounts(amounts),
    FarFromUsual { usual } => far_from_usual(usual),
    YearFarFromRate { sum, rate } => year_far_from_rate(sum, rate),
    YearAbovePrice { sum, price } => year_above_price(sum, price),
    DividendAbovePrice { price } => dividend_above_price(price),
    FutureTime { as_of } => future_time(time = as_of),
    NotNewer { as_of, stored } => not_newer(time = as_of, stored),
    FarFromStoredPrice { stored } => far_from_stored_price(stored),
    FarFromPrice { price } => far_from_price(price),
    RateAbovePrice { price } => rate_above_price(price),
    FarFromStoredRate { stored } => far_from_stored_rate(stored),
    LowAboveHigh { low, high } => low_above_high(low, high),
    PayoutOutOfRange => payout_out_of_range,
    YieldOutOfRange => yield_out_of_range,
    MalformedIsin => malformed_isin,
    UnusualRatio { ratio } => unusual_ratio(ratio),
    SplitTooFarAhead { days } => split_too_far_ahead(days),
    OtherSplit { ratio, date } => other_split(ratio, date),
    RemovedByOperator => removed_by_operator,
    ExchangeRateJumped { before, date } => exchange_rate_jumped(before, date),
} }

/// The stored cause of a failed refresh; texts of an earlier version are shown as they are.
pub fn stored_cause(language: &'static Language, stored: &str) -> String {
    Cause::from_stored(stored).map_or_else(|| stored.to_owned(), |cause| self::cause(language, &cause))
}

/// The same for a provider's last error.
pub fn stored_fault(language: &'static Language, provider: &str, stored: &str) -> String {
    Fault::from_stored(stored).map_or_else(|| format!("{provider} {stored}"), |fault| self::fault(language, provider, &fault))
}

/// The same for the reason why a value was rejected.
pub fn stored_reason(language: &'static Language, stored: &str) -> String {
    Reason::from_stored(stored).map_or_else(|| stored.to_owned(), |reason| self::reason(language, &reason))
}
