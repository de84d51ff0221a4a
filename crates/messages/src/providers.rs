//! Market data from providers: their failures and rejected values. Parts of a line, without a full stop.

use app::{Cause, Outcome};
use market::validation::{CloseProblem, Reason};
use market::{Ability, Denial, Detail, Failure, Fault, Offer};

use crate::{Keys, Language};

pub const KEYS: &[Keys] = &[Refresh::KEYS, Provider::KEYS, Offered::KEYS, Denied::KEYS, Malformed::KEYS, Rejected::KEYS];

crate::texts! { Refresh = "refresh" {
    done, unchanged, late, lost, unknown_symbol, not_in_use, no_provider;
    files(file, problems), files_line(file, line, problems),
} }

crate::texts! { Provider = "provider" {;
    unknown(provider), unsupported(provider, what), not_in_plan(provider), over_budget(provider),
    resting(provider, seconds, cause), throttled(provider), throttled_for(provider, seconds), timed_out(provider),
    unreachable(provider, cause), interrupted(provider), too_large(provider, bytes), status(provider, status),
    denied(provider, cause), malformed(provider, cause),
} }

crate::texts! { Offered = "offer" {
    quotes, profiles, dividends, splits, closes, search, calendar, rates;
    exchange(symbol), currency(symbol),
} }

crate::texts! { Denied = "denied" {
    repeats_key, no_crumb, endless_consent;
    key(setting), status(status), quoted(text), leads_away(host),
} }

crate::texts! { Malformed = "malformed" {
    not_utf8, cut_off, damaged_zip, no_rates, repeats_key;
    unparsable(cause), unparsable_quoted(cause, start), rate_twice(currency, date), too_many_events(symbol, count), quoted(text),
    missing(field), missing_in(field, record), invalid(field, value), invalid_in(field, value, record), in_file(file, problem),
    in_line(line, problem),
} }

crate::texts! { Rejected = "rejected" {
    not_positive, negative, too_large, too_many_digits, unit_unknown, ex_date_too_old, declared_after_ex_date, payout_out_of_range,
    yield_out_of_range, malformed_isin;
    closes_not_positive(days, from), closes_future(days, from), closes_ambiguous(days, from), closes_out_of_scale(days, from),
    other_currency(expected, found), ex_date_too_far_ahead(days), pay_date_far_from_ex_date(before, after), booked_twice(date),
    farther_from_usual(amounts, usual), several_amounts(amounts), far_from_usual(usual),
    year_far_from_rate(sum, rate), year_above_price(sum, price), dividend_above_price(price),
    future_time(time), not_newer(time, stored), far_from_stored_price(stored), far_from_price(price), rate_above_price(price),
    far_from_stored_rate(stored), low_above_high(low, high), unusual_ratio(ratio), split_too_far_ahead(days),
    other_split(ratio, date), exchange_rate_jumped(before, date),
} }

pub fn outcome(language: &'static Language, outcome: &Outcome) -> String {
    let texts = Refresh::load(language);
    match outcome {
        Outcome::Done => texts.done.to_owned(),
        Outcome::Unchanged => texts.unchanged.to_owned(),
        Outcome::Late => texts.late.to_owned(),
        Outcome::Lost => texts.lost.to_owned(),
        Outcome::Unknown(cause) | Outcome::Failed(cause) | Outcome::Waiting(cause) | Outcome::OverBudget(cause) => {
            self::cause(language, cause)
        }
    }
}

fn cause(language: &'static Language, cause: &Cause) -> String {
    let texts = Refresh::load(language);
    match cause {
        Cause::Providers(failure) => self::failure(language, failure),
        Cause::UnknownSymbol => texts.unknown_symbol.to_owned(),
        Cause::NotInUse => texts.not_in_use.to_owned(),
        Cause::Files { file, line: 0, problems } => texts.files(file.as_str(), *problems),
        Cause::Files { file, line, problems } => texts.files_line(file.as_str(), *line, *problems),
    }
}

pub fn failure(language: &'static Language, failure: &Failure) -> String {
    if failure.faults.is_empty() {
        return Refresh::load(language).no_provider.to_owned();
    }
    failure.faults.iter().map(|(name, fault)| self::fault(language, name, fault)).collect::<Vec<_>>().join("; ")
}

pub fn fault(language: &'static Language, provider: &str, fault: &Fault) -> String {
    let texts = Provider::load(language);
    match fault {
        Fault::Unknown => texts.unknown(provider),
        Fault::Unsupported(Offer::Plan) => texts.not_in_plan(provider),
        Fault::Unsupported(Offer::Ability(ability)) => texts.unsupported(provider, self::ability(language, *ability)),
        Fault::Unsupported(Offer::Exchange { symbol }) => {
            texts.unsupported(provider, Offered::load(language).exchange(symbol.as_str()))
        }
        Fault::Unsupported(Offer::Currency { symbol }) => {
            texts.unsupported(provider, Offered::load(language).currency(symbol.as_str()))
        }
        Fault::OverBudget => texts.over_budget(provider),
        Fault::Resting(rest, cause) => texts.resting(provider, rest.as_secs().max(1), self::fault(language, provider, cause)),
        Fault::Throttled(None) => texts.throttled(provider),
        Fault::Throttled(Some(wait)) => texts.throttled_for(provider, wait.as_secs()),
        Fault::TimedOut => texts.timed_out(provider),
        Fault::Unreachable(cause) => texts.unreachable(provider, cause.as_str()),
        Fault::Interrupted => texts.interrupted(provider),
        Fault::TooLarge(bytes) => texts.too_large(provider, *bytes),
        Fault::Status(status) => texts.status(provider, *status),
        Fault::Denied(cause) => texts.denied(provider, denial(language, cause)),
        Fault::Malformed(cause) => texts.malformed(provider, detail(&Malformed::load(language), cause)),
    }
}

fn ability(language: &'static Language, ability: Ability) -> &'static str {
    let texts = Offered::load(language);
    match ability {
        Ability::Quotes => texts.quotes,
        Ability::Profile => texts.profiles,
        Ability::Dividends => texts.dividends,
        Ability::Splits => texts.splits,
        Ability::Closes => texts.closes,
        Ability::Search => texts.search,
        Ability::Calendar => texts.calendar,
        Ability::Rates => texts.rates,
    }
}

fn denial(language: &'static Language, denial: &Denial) -> String {
    let texts = Denied::load(language);
    match denial {
        Denial::Key { setting } => texts.key(setting.as_str()),
        Denial::Status(status) => texts.status(*status),
        Denial::Quoted(text) => texts.quoted(text.as_str()),
        Denial::RepeatsKey => texts.repeats_key.to_owned(),
        Denial::NoCrumb => texts.no_crumb.to_owned(),
        Denial::LeadsAway { host } => texts.leads_away(host.as_str()),
        Denial::EndlessConsent => texts.endless_consent.to_owned(),
    }
}

fn detail(texts: &Malformed, detail: &Detail) -> String {
    match detail {
        Detail::Unparsable { cause, start } if start.is_empty() => texts.unparsable(cause.as_str()),
        Detail::Unparsable { cause, start } => texts.unparsable_quoted(cause.as_str(), start.as_str()),
        Detail::NotUtf8 => texts.not_utf8.to_owned(),
        Detail::CutOff => texts.cut_off.to_owned(),
        Detail::DamagedZip => texts.damaged_zip.to_owned(),
        Detail::NoRates => texts.no_rates.to_owned(),
        Detail::RateTwice { currency, date } => texts.rate_twice(currency.as_str(), date.as_str()),
        Detail::TooManyEvents { symbol, count } => texts.too_many_events(symbol.as_str(), *count),
        Detail::Quoted(text) => texts.quoted(text.as_str()),
        Detail::RepeatsKey => texts.repeats_key.to_owned(),
        Detail::Missing { field, record } if record.is_empty() => texts.missing(field.as_str()),
        Detail::Missing { field, record } => texts.missing_in(field.as_str(), record.as_str()),
        Detail::Invalid { field, value, record } if record.is_empty() => texts.invalid(field.as_str(), value.as_str()),
        Detail::Invalid { field, value, record } => texts.invalid_in(field.as_str(), value.as_str(), record.as_str()),
        Detail::InFile { file, detail } => texts.in_file(file.as_str(), self::detail(texts, detail)),
        Detail::InLine { line, detail } => texts.in_line(*line, self::detail(texts, detail)),
    }
}

pub fn reason(language: &'static Language, reason: &Reason) -> String {
    let texts = Rejected::load(language);
    match reason {
        Reason::Closes { days, from, problem } => match problem {
            CloseProblem::NotPositive => texts.closes_not_positive(*days, from.as_str()),
            CloseProblem::Future => texts.closes_future(*days, from.as_str()),
            CloseProblem::Ambiguous => texts.closes_ambiguous(*days, from.as_str()),
            CloseProblem::OutOfScale => texts.closes_out_of_scale(*days, from.as_str()),
        },
        Reason::NotPositive => texts.not_positive.to_owned(),
        Reason::Negative => texts.negative.to_owned(),
        Reason::TooLarge => texts.too_large.to_owned(),
        Reason::TooManyDigits => texts.too_many_digits.to_owned(),
        Reason::OtherCurrency { expected, found } => texts.other_currency(expected.as_str(), found.as_str()),
        Reason::UnitUnknown => texts.unit_unknown.to_owned(),
        Reason::ExDateTooOld => texts.ex_date_too_old.to_owned(),
        Reason::ExDateTooFarAhead { days } => texts.ex_date_too_far_ahead(*days),
        Reason::PayDateFarFromExDate { days_before, days_after } => texts.pay_date_far_from_ex_date(*days_before, *days_after),
        Reason::DeclaredAfterExDate => texts.declared_after_ex_date.to_owned(),
        Reason::BookedTwice { ex_date } => texts.booked_twice(ex_date.as_str()),
        Reason::FartherFromUsual { amounts, usual } => texts.farther_from_usual(amounts.join(", "), usual.as_str()),
        Reason::SeveralAmounts { amounts } => texts.several_amounts(amounts.join(", ")),
        Reason::FarFromUsual { usual } => texts.far_from_usual(usual.as_str()),
        Reason::YearFarFromRate { sum, rate } => texts.year_far_from_rate(sum.as_str(), rate.as_str()),
        Reason::YearAbovePrice { sum, price } => texts.year_above_price(sum.as_str(), price.as_str()),
        Reason::DividendAbovePrice { price } => texts.dividend_above_price(price.as_str()),
        Reason::FutureTime { as_of } => texts.future_time(as_of.as_str()),
        Reason::NotNewer { as_of, stored } => texts.not_newer(as_of.as_str(), stored.as_str()),
        Reason::FarFromStoredPrice { stored } => texts.far_from_stored_price(stored.as_str()),
        Reason::FarFromPrice { price } => texts.far_from_price(price.as_str()),
        Reason::RateAbovePrice { price } => texts.rate_above_price(price.as_str()),
        Reason::FarFromStoredRate { stored } => texts.far_from_stored_rate(stored.as_str()),
        Reason::LowAboveHigh { low, high } => texts.low_above_high(low.as_str(), high.as_str()),
        Reason::PayoutOutOfRange => texts.payout_out_of_range.to_owned(),
        Reason::YieldOutOfRange => texts.yield_out_of_range.to_owned(),
        Reason::MalformedIsin => texts.malformed_isin.to_owned(),
        Reason::UnusualRatio { ratio } => texts.unusual_ratio(ratio.as_str()),
        Reason::SplitTooFarAhead { days } => texts.split_too_far_ahead(*days),
        Reason::OtherSplit { ratio, date } => texts.other_split(ratio.as_str(), date.as_str()),
        Reason::ExchangeRateJumped { before, date } => texts.exchange_rate_jumped(before.as_str(), date.as_str()),
    }
}

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
