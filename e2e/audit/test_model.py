"""Tests the auditor's arithmetic against figures worked out by hand. Run: python3 -m unittest discover -s e2e/audit"""

import sys
import unittest
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from dates import business_day_after, business_day_before, month_ends, same_distance_from_third_friday, same_weekday
from expect import ABSENT, ANY, Instant, OneOf, Rate, Reasons, compare
from history import History
from income import near
from inputs import DividendRow, Entry, Market, Stock, decimal, instant
import likely
from model import Account
from money import Fx, fixed, percent, per_share, recorded, total, total_of
from positions import Oversold, replay, shares_before, splits_that_count
from schedule import RULES, estimated_dates, judge, mean_points, points_for, predict, ranked_rules, reference_payment
from search import exact_matches, within_a_typo
from stock import StockFigures
from withholding import estimate, observed_rate, table_rate, table_rates

TODAY = date(2026, 11, 15)
RATES = Fx([(date(2015, 1, 2), "USD", Fraction("1.25")), (date(2015, 1, 2), "GBP", Fraction("0.8"))])


def day(text):
    return date.fromisoformat(text)


def paid(ex, amount, pay=None, currency="USD", special=False, symbol="S"):
    return DividendRow(symbol, day(ex), day(pay) if pay else None, Fraction(amount), currency, special)


def quarters(amount_by_year, symbol="S"):
    """Four payments a year, ex on the 1st of March, June, September and December, paid 14 days later."""
    return [paid(f"{year}-{month:02d}-01", amount, f"{year}-{month:02d}-15", symbol=symbol)
            for year, amount in amount_by_year.items() for month in (3, 6, 9, 12)]


# Yearly totals 1.00 rising by a tenth to 1.61051 in 2025; three payments of 0.45 in 2026.
TEN_PERCENT = quarters({2020: "0.25", 2021: "0.275", 2022: "0.3025", 2023: "0.33275", 2024: "0.366025",
                        2025: "0.4026275", 2026: "0.45"})[:-1]


def on(dates, amount, currency="USD"):
    return [paid(text, amount, currency=currency) for text in dates.split()]


def history(rows, stock=Stock("S", "USD"), splits=(), today=TODAY, fx=RATES):
    return History(stock, rows, list(splits), fx, today)


def figures(rows, closes=None, today=TODAY, **profile):
    stock = Stock("S", "USD", **{k: Fraction(v) if k not in WORDS else v for k, v in profile.items()})
    return StockFigures(stock, Market({"S": stock}, {"S": rows}, {}, {"S": closes or {}}, RATES), today)


WORDS = ("sector", "industry", "type", "instrument_type")


def entry(order, when, kind, shares=None, price=None, portfolio="Main", symbol="S", currency="USD", **more):
    number = lambda text: None if text is None else Decimal(text)
    money = {key: number(value) if key in ("amount", "fees", "tax", "net", "fx_rate") else value for key, value in more.items()}
    return Entry(order, day(when), kind, symbol, portfolio, currency, shares=number(shares), price=number(price), **money)


def account(rows, entries, radar=(), portfolios=("Main",), residence="ES", splits=None, **profile):
    stock = Stock("S", "USD", name="Sample", isin="US0000000127", **{k: Fraction(v) for k, v in profile.items()})
    market = Market({"S": stock}, {"S": rows}, {"S": splits or []}, {}, RATES)
    return Account(market, entries, list(portfolios), TODAY, "EUR", residence, radar)


class Printing(unittest.TestCase):
    def test_rounds_half_to_even_and_never_prints_minus_zero(self):
        self.assertEqual(["0.12", "0.14", "0.00", "-0.12"],
                         [fixed(Fraction(v), 2) for v in ("0.125", "0.135", "-0.001", "-0.125")])

    def test_aggregates_carry_the_minor_units_of_their_currency(self):
        self.assertEqual(["120.00", "120", "120.000"], [total(120, c)["amount"] for c in ("EUR", "JPY", "KWD")])

    def test_a_tie_of_a_quotient_may_go_either_way(self):
        # 22.10 / 81.844435 x 81.844435 x 85% = 18.785
        quotient = Fraction("22.10") / Fraction("81.844435")
        self.assertEqual(OneOf(("18.78", "18.79")), total_of(quotient, Fraction("18.785"), "EUR")["amount"])
        self.assertEqual(["18.79", "18.78", "19"], [total_of(quotient, Fraction(v), c)["amount"] for v, c in (
            ("18.78501", "EUR"), ("18.78499", "EUR"), ("18.785", "JPY"))])
        self.assertEqual("18.78", total_of(Fraction("0.37"), Fraction("18.785"), "EUR")["amount"])

    def test_per_share_figures_keep_ten_decimals_and_trim_to_minor_units(self):
        self.assertEqual("0.3333333333", per_share(Fraction(1, 3), "USD")["amount"])
        self.assertEqual("2.50", per_share(Fraction("2.5"), "USD")["amount"])
        self.assertEqual("2500", per_share(Fraction(2500), "JPY")["amount"])

    def test_recorded_figures_keep_their_decimals(self):
        self.assertEqual(["18.00", "0.4812", "7.50", "-3.00"],
                         [recorded(Decimal(v), "EUR")["amount"] for v in ("18.00", "0.4812", "7.5", "-3")])

    def test_percentages_have_two_decimals(self):
        self.assertEqual(Decimal("3.14"), percent(Fraction("0.03137")))

    def test_hundredths_have_no_trailing_zeros(self):
        for written, whole in (("15.00", "0.15"), ("5.90", "0.059"), ("2821.55", "28.2155"), ("7", "0.07"), ("100", "1.00")):
            self.assertEqual(whole, recorded(decimal(written, 100), "GBP")["amount"])
        self.assertEqual("15.00", str(decimal("15.00")))

    def test_a_projection_may_be_rounded_either_way_if_the_decimals_of_growth_decide(self):
        # 10^17 × 27 years × 10^-24 = 0.0000027 is more than the 0.000001 to the tie, and 0.0000027 is less than 0.00001.
        self.assertEqual(OneOf(("100000000000000000.00", "100000000000000000.01")), near(Decimal("100000000000000000.004999"), 27, "EUR")["amount"])
        self.assertEqual("100000000000000000.00", near(Decimal("100000000000000000.00499"), 27, "EUR")["amount"])


class ExchangeRates(unittest.TestCase):
    def test_crosses_go_through_the_euro(self):
        self.assertEqual(Fraction("0.64"), RATES.cross("USD", "GBP", TODAY))

    def test_the_latest_rate_on_or_before_the_day_counts(self):
        fx = Fx([(day("2026-01-02"), "USD", Fraction("1.1")), (day("2026-01-05"), "USD", Fraction("1.2"))])
        self.assertEqual(Fraction("1.1"), fx.cross("EUR", "USD", day("2026-01-04")))
        self.assertEqual(Fraction("1.2"), fx.cross("EUR", "USD", day("2026-01-05")))
        self.assertIsNone(fx.cross("EUR", "USD", day("2026-01-01")))

    def test_a_stale_rate_is_not_used(self):
        fx = Fx([(day("2022-03-01"), "RUB", Fraction(117)), (day("2022-03-01"), "USD", Fraction("1.1")),
                 (day("2022-03-08"), "USD", Fraction("1.1")), (day("2022-03-09"), "USD", Fraction("1.1"))])
        self.assertEqual(Fraction(117), fx.per_euro("RUB", day("2022-03-08")))
        self.assertIsNone(fx.per_euro("RUB", day("2022-03-09")))
        self.assertEqual(Fraction("1.1"), fx.per_euro("USD", day("2030-01-01")), "a table in which all rates are old")

    def test_a_currency_that_joined_the_euro_has_its_fixed_rate(self):
        fx = Fx([(day("2025-12-31"), "BGN", Fraction("1.9558"))])
        self.assertEqual(Fraction("1.9558"), fx.per_euro("BGN", day("2025-12-31")))
        self.assertEqual(Fraction("1.95583"), fx.per_euro("BGN", day("2026-01-01")))
        self.assertEqual(Fraction("7.5345"), fx.per_euro("HRK", day("2024-01-01")))


class Positions(unittest.TestCase):
    def position(self, entries, splits=(), currency="USD"):
        return replay("Main", "S", entries, splits_that_count(entries, splits, TODAY), currency, RATES, TODAY)

    def test_sales_leave_the_average_cost_unchanged(self):
        # 10 x 100 + 5 = 1005; + 5 x 130 = 1655 for 15; six of them leave 9 at 110.333...
        held = self.position([entry(0, "2024-01-02", "buy", "10", "100", fees="5"),
                              entry(1, "2024-02-02", "buy", "5", amount="650"),
                              entry(2, "2024-03-02", "sell", "6", "200")])
        self.assertEqual((9, Fraction(993)), (held.shares, held.cost))
        self.assertEqual("110.3333333333", per_share(held.average_cost, "USD")["amount"])

    def test_a_market_split_reaches_shares_held_before_its_day_only(self):
        held = self.position([entry(0, "2024-01-02", "buy", "10", "100"), entry(1, "2024-06-03", "buy", "4", "50")],
                             [(day("2024-06-03"), Fraction(2))])
        self.assertEqual((24, 1200), (held.shares, held.cost))

    def test_an_own_split_within_seven_days_or_thirty_at_the_same_ratio_replaces_the_markets(self):
        cases = (("2024-06-10", 3, 30), ("2024-05-27", 3, 30), ("2024-06-11", 3, 60), ("2024-05-26", 3, 60),
                 ("2024-07-03", 2, 20), ("2024-05-04", 2, 20), ("2024-07-04", 2, 40), ("2024-05-03", 2, 40))
        for own, ratio, shares in cases:
            held = self.position([entry(0, "2024-01-02", "buy", "10", "100"), entry(1, own, "split", ratio=Fraction(ratio))],
                                 [(day("2024-06-03"), Fraction(2))])
            self.assertEqual(shares, held.shares, own)

    def test_a_late_split_that_makes_the_ledger_impossible_is_not_applied(self):
        # 100 bought, 50 sold: after 1:10 only 10 would have been there to sell.
        entries = [entry(0, "2024-01-02", "buy", "100", "10"), entry(1, "2024-09-02", "sell", "50", "10")]
        late = (day("2024-06-03"), Fraction(1, 10))
        held = self.position(entries, [late])
        self.assertEqual((50, 500), (held.shares, held.cost))
        self.assertEqual(100, shares_before(day("2024-09-01"), entries, splits_that_count(entries, [late], TODAY)))
        # After the sale it applies; so does another split before it.
        self.assertEqual(5, self.position(entries, [(day("2024-10-01"), Fraction(1, 10))]).shares)
        self.assertEqual(150, self.position(entries, [(day("2024-05-01"), Fraction(2)), late]).shares)

    def test_the_latest_reverse_split_before_the_impossible_sale_is_left_out(self):
        # 100, 1:2 leaves 50; 1:10 would leave 5, too few for 40; without it 10 are left.
        entries = [entry(0, "2024-01-02", "buy", "100", "10"), entry(1, "2024-09-02", "sell", "40", "10")]
        splits = [(day("2024-03-01"), Fraction(1, 2)), (day("2024-06-03"), Fraction(1, 10))]
        self.assertEqual(splits[:1], splits_that_count(entries, splits, TODAY))
        self.assertEqual(10, self.position(entries, splits).shares)

    def test_fractions_left_by_a_split_close_the_position(self):
        # 100 / 3 = 33.3333333...; selling 33.3333 leaves 0.0000333.
        buy, split = entry(0, "2024-01-02", "buy", "100", "10"), entry(1, "2024-02-02", "split", ratio=Fraction(1, 3))
        for sold, left in (("33.3333", 0), ("33.3334", 0), ("33.3332", Fraction(100, 3) - Fraction("33.3332"))):
            self.assertEqual(left, self.position([buy, split, entry(2, "2024-03-02", "sell", sold, "1")]).shares, sold)
        with self.assertRaises(Oversold):
            self.position([buy, split, entry(2, "2024-03-02", "sell", "33.3335", "1")])
        tiny = [entry(0, "2024-01-02", "buy", "0.0005", "1"), entry(1, "2024-02-02", "split", ratio=Fraction(1, 10))]
        self.assertEqual(0, self.position(tiny).shares)
        self.assertEqual(Fraction("0.00005"), self.position([entry(0, "2024-01-02", "buy", "0.00005", "1")]).shares)

    def test_shares_before_an_ex_date_are_those_after_a_split_on_that_day(self):
        entries = [entry(0, "2024-01-02", "buy", "10", "1"), entry(1, "2024-06-03", "buy", "5", "1")]
        self.assertEqual(20, shares_before(day("2024-06-03"), entries, [(day("2024-06-03"), Fraction(2))]))
        own = entries + [entry(2, "2024-06-03", "split", ratio=Fraction(3))]
        self.assertEqual(30, shares_before(day("2024-06-03"), own, []))

    def test_an_unknown_cost_is_remembered_until_the_position_closes(self):
        opening = entry(0, "2024-01-02", "transfer_in", "10", "1", source="opening:estimated")
        bought = entry(1, "2024-02-02", "buy", "1", "7")
        self.assertFalse(self.position([opening, bought]).cost_known)
        sold = entry(1, "2024-01-03", "sell", "10", "1")
        self.assertTrue(self.position([opening, sold, entry(2, "2024-02-02", "buy", "1", "7")]).cost_known)

    def test_a_return_of_capital_lowers_cost_to_zero_at_most(self):
        buy = entry(0, "2024-01-02", "buy", "10", "100")
        self.assertEqual(950, self.position([buy, entry(1, "2024-02-02", "return_of_capital", amount="50")]).cost)
        self.assertEqual(0, self.position([buy, entry(1, "2024-02-02", "return_of_capital", amount="1050")]).cost)

    def test_buying_again_after_selling_out_opens_a_new_position(self):
        held = self.position([entry(0, "2024-01-02", "buy", "10", "100"), entry(1, "2024-02-02", "sell", "10", "1"),
                              entry(2, "2024-03-02", "buy", "1", "7")])
        self.assertEqual((day("2024-03-02"), 2, 7), (held.opened, held.first_order, held.cost))

    def test_another_currency_takes_the_entrys_rate_or_the_ecbs(self):
        own = self.position([entry(0, "2024-01-02", "buy", "10", "20", fx_rate="0.9")], currency="EUR")
        ecb = self.position([entry(0, "2024-01-02", "buy", "10", "20")], currency="EUR")
        self.assertEqual((180, 160), (own.cost, ecb.cost))

    def test_overselling_is_refused(self):
        with self.assertRaises(ValueError):
            self.position([entry(0, "2024-01-02", "buy", "1", "1"), entry(1, "2024-01-03", "sell", "2", "1")])


class Frequency(unittest.TestCase):
    def every(self, gap, count=9, last="2026-10-30"):
        dates = [day(last) - timedelta(days=gap * back) for back in range(count)]
        return history([paid(d.isoformat(), "1") for d in reversed(dates)])

    def test_classes_by_the_median_gap(self):
        gaps = {7: "weekly", 10: "weekly", 11: "monthly", 45: "monthly", 46: "quarterly", 135: "quarterly",
                136: "semi_annual", 270: "semi_annual", 271: "annual", 430: "annual", 431: None}
        self.assertEqual(gaps, {gap: self.every(gap).frequency for gap in gaps})

    def test_an_even_number_of_gaps_takes_the_mean_of_the_middle_two(self):
        # gaps 45 and 46: 45.5 is above 45
        self.assertEqual("quarterly", history([paid("2026-07-01", "1"), paid("2026-08-15", "1"), paid("2026-09-30", "1")]).frequency)

    def test_only_the_last_eight_of_three_years_count(self):
        # twelve months of monthly payments and then eight quarterly ones: seven gaps of 91 days
        months = [day("2024-01-15") + timedelta(days=30 * n) for n in range(12)]
        later = [day("2025-01-20") + timedelta(days=91 * n) for n in range(8)]
        self.assertEqual("quarterly", history([paid(d.isoformat(), "1") for d in months + later]).frequency)
        # an ex-date more than three years old is out, so one date is left and there is no gap
        last = paid("2024-11-15", "1")
        self.assertIsNone(history([paid("2023-11-14", "1"), last]).payment_class)
        self.assertEqual("annual", history([paid("2023-11-15", "1"), last]).payment_class)

    def test_a_single_payment_has_no_frequency(self):
        self.assertIsNone(history([paid("2026-09-01", "1")]).frequency)

    def test_a_quarterly_payer_has_stopped_after_166_days(self):
        # 1.5 x 91 + 30 = 166.5
        rows = quarters({2025: "1"})
        last = day("2025-12-01")
        still = history(rows, today=last + timedelta(days=166))
        stopped = history(rows, today=last + timedelta(days=167))
        self.assertEqual((False, "quarterly"), (still.stopped, still.frequency))
        self.assertEqual((True, None, 0, 4), (stopped.stopped, stopped.frequency, stopped.forward_rate(), stopped.per_year))

    def test_without_a_class_stopped_follows_the_annual_gap(self):
        # 1.5 x 365 + 30 = 577.5
        row = [paid("2024-01-01", "1")]
        self.assertFalse(history(row, today=day("2024-01-01") + timedelta(days=577)).stopped)
        self.assertTrue(history(row, today=day("2024-01-01") + timedelta(days=578)).stopped)


class HistoryRows(unittest.TestCase):
    def test_amounts_are_adjusted_for_later_splits_up_to_today(self):
        rows = [paid("2026-01-05", "1"), paid("2026-04-06", "1"), paid("2026-07-06", "0.25")]
        splits = [(day("2026-04-06"), Fraction(4)), (day("2026-12-01"), Fraction(2))]
        result = history(rows, splits=splits)
        self.assertEqual([Fraction(1, 4), 1, Fraction(1, 4)], [p.amount for p in result.regular])
        self.assertEqual(1, result.regular[0].as_paid)

    def test_a_payment_on_the_day_of_a_split_or_after_an_announced_one_is_per_new_share(self):
        # 4:1 on 1 December: 0.10 declared for the 10th is 0.40 per share of today
        result = history([paid("2026-09-10", "0.4"), paid("2026-12-10", "0.1")], splits=[(day("2026-12-01"), Fraction(4))])
        self.assertEqual([Fraction("0.4"), Fraction("0.4")], [p.amount for p in result.regular])
        self.assertEqual(Fraction("0.1"), result.per_share_of(day("2026-12-10"), Fraction("0.4")))

    def test_a_history_is_judged_in_the_currency_of_its_latest_payment(self):
        rows = [paid("2025-10-05", "9"), paid("2026-01-05", "1", currency="GBP"), paid("2026-01-05", "1.3"),
                paid("2026-04-06", "1", currency="GBP"), paid("2026-07-06", "1.1", currency="TWD"),
                paid("2026-10-06", "1.2", currency="GBP")]
        result = history(rows)
        self.assertEqual("GBP", result.currency)
        self.assertEqual([1, 1, Fraction("1.2")], [p.amount for p in result.regular])
        self.assertEqual(5, len(result.payments))

    def test_a_payment_known_in_two_currencies_counts_in_the_trading_currency(self):
        self.assertEqual("USD", history([paid("2026-01-05", "9", currency="GBP"), paid("2026-01-05", "1")]).currency)

    def test_a_foreign_payer_is_converted_at_todays_rate(self):
        # USD to GBP was 0.8 / 1.25 = 0.64 and is 0.8 / 1.6 = 0.5 today: 4 x 0.25 USD = 0.50 GBP
        fx = Fx([(day(d), c, Fraction(r)) for d, c, r in (
            ("2015-01-02", "USD", "1.25"), ("2015-01-02", "GBP", "0.8"), ("2026-11-13", "USD", "1.6"), ("2026-11-13", "GBP", "0.8"))])
        rows = quarters({2024: "0.25", 2025: "0.25", 2026: "0.25"})[:-1]
        result = history(rows, Stock("S", "GBP"), fx=fx)
        self.assertEqual(Fraction("0.5"), result.forward_rate())
        self.assertEqual(Fraction(1), result.totals()[-1])
        closes = {date(year, month, 20): Fraction(10) for year in range(2020, 2027) for month in range(1, 13)}
        self.assertEqual(Fraction("0.05"), result.yield_at(day("2025-12-31"), closes))

    def test_without_a_rate_the_forward_rate_is_unknown(self):
        rows = [paid("2026-06-01", "1", currency="TWD"), paid("2026-09-01", "1", currency="TWD")]
        result = history(rows, Stock("S", "USD", forward_rate=Fraction(4)))
        self.assertEqual((None, 4, True), (result.forward_rate(), result.history_rate(), result.unconverted))

    def test_a_missing_pay_date_takes_the_truncated_median_lag(self):
        # lags 10 and 15: 12.5, so 12 days
        rows = [paid("2026-01-05", "1", "2026-01-15"), paid("2026-04-06", "1", "2026-04-21"), paid("2026-07-06", "1")]
        self.assertEqual(day("2026-07-18"), history(rows).regular[-1].pay_date)
        self.assertEqual(day("2026-07-27"), history(rows[2:]).regular[-1].pay_date)
        self.assertEqual(day("2026-07-11"), history(rows[2:], Stock("S", "USD", type="ETF")).regular[-1].pay_date)

    def test_payment_months_of_a_short_history_are_continued_by_the_nominal_gap(self):
        # paid on 22 June and 22 September; + 91 days: 22 December; + 182 days: 23 March
        self.assertEqual([3, 6, 9, 12], history(on("2026-06-01 2026-09-01", "1")).payment_months())

    def test_payment_months_are_those_of_the_last_year_of_payments(self):
        self.assertEqual([3, 6, 9, 12], history(TEN_PERCENT).payment_months())


class ForwardRate(unittest.TestCase):
    def rate(self, rows, provider=None):
        return history(rows, Stock("S", "USD", forward_rate=Fraction(provider) if provider else None)).forward_rate()

    def test_an_even_quarterly_payer_pays_the_latest_amount_four_times(self):
        self.assertEqual(Fraction("1.8"), self.rate(TEN_PERCENT))

    def test_the_providers_rate_counts_within_half(self):
        for provider, rate in (("2.7", "2.7"), ("2.71", "1.8"), ("0.9", "0.9"), ("0.89", "1.8"), ("0", "1.8")):
            self.assertEqual(Fraction(rate), self.rate(TEN_PERCENT, provider), provider)

    def test_semi_annual_payers_sum_their_last_year(self):
        halves = [paid("2025-05-01", "0.1"), paid("2025-11-01", "0.2"), paid("2026-05-01", "0.1"), paid("2026-11-01", "0.25")]
        self.assertEqual(Fraction("0.35"), self.rate(halves))

    def test_payers_whose_amounts_vary_sum_their_last_year(self):
        # no two neighbours are equal among the last five
        amounts = ("0.5", "0.5", "0.2", "0.3", "0.25", "0.35", "0.4")
        rows = [paid(r.ex_date.isoformat(), amount) for r, amount in zip(quarters({2025: "1", 2026: "1"}), amounts)]
        self.assertEqual(Fraction("1.3"), self.rate(rows))
        # with 0.5, 0.5 among them the latest is a rate
        equal = [paid(r.ex_date.isoformat(), amount) for r, amount in zip(rows[2:], ("0.5", "0.5", "0.2", "0.3", "0.25"))]
        self.assertEqual(1, self.rate(equal))

    def test_a_cut_to_half_counts_at_once(self):
        rows = quarters({2025: "0.5", 2026: "0.5"})[:6] + [paid("2026-09-01", "0.25")]
        self.assertEqual(1, self.rate(rows))  # not 3 x 0.50 + 0.25 = 1.75

    def test_a_raise_to_more_than_1_6_times_is_not_taken_for_a_rate(self):
        for latest, rate in (("0.16", "0.64"), ("0.17", "0.47")):
            rows = quarters({2025: "0.1", 2026: "0.1"})[:6] + [paid("2026-09-01", latest)]
            self.assertEqual(Fraction(rate), self.rate(rows), latest)

    def test_quarterly_to_monthly(self):
        # 0.30 a quarter, then 0.10 a month: 12 x 0.10
        rows = on("2025-03-15 2025-06-15 2025-09-15 2025-12-15 2026-03-15 2026-06-15", "0.3")
        rows += on("2026-07-15 2026-08-15 2026-09-15 2026-10-15", "0.1")
        self.assertEqual(Fraction("1.2"), self.rate(rows))
        self.assertEqual(list(range(1, 13)), history(rows).payment_months())

    def test_varying_amounts_of_the_rhythm_before_do_not_count(self):
        # 0.10, 0.12, 0.11, 0.13 a month: 0.46 x 3
        rows = on("2025-06-15 2025-09-15 2025-12-15 2026-03-15 2026-06-15", "0.3")
        rows += [paid(f"2026-{month}-15", amount) for month, amount in (("07", "0.1"), ("08", "0.12"), ("09", "0.11"), ("10", "0.13"))]
        self.assertEqual(Fraction("1.38"), self.rate(rows))

    def test_three_and_thirteen_payments_a_year(self):
        three = on(" ".join(f"{year}-{month}-15" for year in (2024, 2025, 2026) for month in ("01", "05", "09")), "0.5")
        result = history(three)
        self.assertEqual(("quarterly", 3, Fraction("1.5"), [2, 6, 10]),
                         (result.frequency, result.per_year, result.forward_rate(), result.payment_months()))
        thirteen = [paid((day("2026-11-05") - timedelta(days=28 * back)).isoformat(), "0.1") for back in range(30, -1, -1)]
        self.assertEqual(("monthly", 13, Fraction("1.3")), (history(thirteen).frequency, history(thirteen).per_year, self.rate(thirteen)))

    def test_quarterly_funds_sum_their_last_year(self):
        fund, amounts = Stock("S", "USD", type="ETF"), ("0.3", "0.3", "0.3", "0.4")
        rows = [paid(ex, amount) for ex, amount in zip("2025-12-01 2026-03-01 2026-06-01 2026-09-01".split(), amounts)]
        self.assertEqual([Fraction("1.3"), Fraction("1.6")], [history(rows, stock).forward_rate() for stock in (fund, Stock("S", "USD"))])
        # two payments: (0.3 + 0.4) / 2 x 4
        self.assertEqual(Fraction("1.4"), history(rows[2:], fund).forward_rate())
        # A monthly fund can have a rate.
        self.assertEqual(Fraction("1.2"), history(on("2026-09-01 2026-10-01 2026-11-02", "0.1"), fund).forward_rate())

    def test_two_payments_of_a_new_monthly_payer(self):
        self.assertEqual(Fraction("1.2"), self.rate(on("2026-10-01 2026-11-02", "0.1")))
        # unequal: (0.1 + 0.11) / 2 x 12
        self.assertEqual(Fraction("1.26"), self.rate([paid("2026-10-01", "0.1"), paid("2026-11-02", "0.11")]))

    def test_fewer_payments_than_a_years_are_extended_by_their_mean(self):
        rows = [paid("2026-03-01", "0.1"), paid("2026-06-01", "0.1"), paid("2026-09-01", "0.2")]
        self.assertEqual(Fraction("0.4") / 3 * 4, self.rate(rows))

    def test_without_a_rate_from_history_the_providers_is_used(self):
        self.assertEqual(Fraction("1.5"), self.rate([], "1.5"))
        self.assertEqual(Fraction("1.5"), self.rate([paid("2026-09-01", "0.1")], "1.5"))
        self.assertIsNone(self.rate([]))


class YearlyTotals(unittest.TestCase):
    def test_five_increases_of_ten_percent(self):
        result = history(TEN_PERCENT)
        self.assertEqual((5, 6), (result.streak(), len(result.complete_years())))
        self.assertAlmostEqual(0.1, float(result.cagr(5)), places=15)

    def test_a_first_year_with_fewer_payments_than_the_second_is_left_out(self):
        result = history(TEN_PERCENT[1:])
        self.assertEqual((4, 5, None), (result.streak(), len(result.complete_years()), result.cagr(5)))
        self.assertAlmostEqual(0.1, float(result.growth()), places=15)
        # 1 payment, 2, then 4: both are incomplete
        rows = [paid("2020-12-01", "1"), paid("2021-09-01", "1"), paid("2021-12-01", "1")] + quarters({2022: "1", 2023: "1"})
        self.assertEqual(2022, min(history(rows).complete_years()))

    def test_totals_are_plain_sums_and_an_empty_year_is_zero(self):
        rows = [r for r in quarters({2022: "1", 2023: "1", 2024: "1", 2025: "1", 2026: "1"})[:-1]
                if r.ex_date.year != 2023 and r.ex_date != day("2024-06-01")]
        result = history(rows)
        self.assertEqual({2022: (4, 4), 2023: (0, 0), 2024: (3, 3), 2025: (4, 4)}, result.complete_years())

    def test_december_ex_dates_without_pay_dates_stay_in_their_year(self):
        # A fund that goes ex in the second half of the last month of each quarter: 15 December to 23 December.
        rows = []
        for index, year in enumerate(range(2020, 2027)):
            december = (15, 20, 21, 22, 23, 19, 18)[index]
            rows += [paid(f"{year}-{when}", amount) for when, amount in zip(
                ("03-20", "06-21", "09-20", f"12-{december}"), (f"0.{60 + index}", "0.7", "0.7", "0.8"))]
        result = history(rows[:-1], Stock("VYM", "USD", type="ETF"))
        self.assertEqual([4] * 6, [count for count, _ in result.complete_years().values()])
        self.assertEqual((5, True), (result.streak(), result.streak_at_least()))

    def test_a_monthly_payment_that_slips_over_new_year(self):
        # December 2024's came on 2 January 2025: 11 and 13 ex-dates by the calendar, 12 and 12 by dividend year.
        ends = [day(f"{year}-{month:02d}-28") for year in range(2022, 2027) for month in range(1, 13)][:-2]
        ends[ends.index(day("2023-12-28"))] = day("2023-12-31")
        ends[ends.index(day("2024-12-28"))] = day("2025-01-02")
        result = history([paid(d.isoformat(), f"0.{d.year - 2000}") for d in ends])
        self.assertEqual({2022: 12, 2023: 12, 2024: 12, 2025: 12}, {y: c for y, (c, _) in result.complete_years().items()})
        self.assertEqual(11 * Fraction("0.24") + Fraction("0.25"), result.complete_years()[2024][1])

    def test_an_annual_payer_around_new_year(self):
        dates = ("2021-12-30", "2023-01-03", "2023-12-30", "2025-01-03", "2025-12-30")
        amounts = ("1", "1.1", "1.2", "1.3", "1.4")
        result = history([paid(*row) for row in zip(dates, amounts)])
        self.assertEqual({2021 + n: (1, Fraction(amount)) for n, amount in enumerate(amounts)}, result.complete_years())
        self.assertEqual((4, True), (result.streak(), result.streak_at_least()))

    def test_a_payment_near_new_year_without_one_a_year_before_has_its_calendar_year(self):
        # 21 days off is too far
        self.assertEqual([2024, 2026], list(history([paid("2024-12-10", "1"), paid("2026-01-01", "1")]).dividend_years().values()))
        self.assertEqual([2024, 2025], list(history([paid("2024-12-12", "1"), paid("2026-01-01", "1")]).dividend_years().values()))
        # 2 February is not near New Year
        self.assertEqual([2025, 2026], list(history([paid("2025-01-20", "1"), paid("2026-02-02", "1")]).dividend_years().values()))

    def test_the_year_in_which_the_rhythm_changed_is_not_compared(self):
        # 1.16, 1.20, then 2 x 0.30 + 6 x 0.10, then 12 x 0.11 = 1.32
        rows = quarters({2022: "0.29", 2023: "0.3"}) + on("2024-03-01 2024-06-01", "0.3") + \
            on(" ".join(f"2024-{m:02d}-01" for m in range(7, 13)), "0.1") + \
            on(" ".join(f"2025-{m:02d}-05" for m in range(1, 13)), "0.11") + \
            on(" ".join(f"2026-{m:02d}-05" for m in range(1, 12)), "0.12")
        result = history(rows)
        self.assertEqual([(2022, Fraction("1.16")), (2023, Fraction("1.2")), (2025, Fraction("1.32"))], result.comparable_years())
        self.assertEqual((2, True), (result.streak(), result.streak_at_least()))
        self.assertAlmostEqual(float(Fraction("1.32") / Fraction("1.16")) ** (1 / 3) - 1, float(result.growth()), places=14)

    def test_a_streak_that_began_after_the_first_known_year_is_exact(self):
        result = history(quarters({2022: "1", 2023: "1", 2024: "1.1", 2025: "1.2", 2026: "1.3"})[:-1])
        self.assertEqual((2, False), (result.streak(), result.streak_at_least()))

    def test_growth_is_clamped(self):
        self.assertEqual(Decimal("0.15"), history(quarters({2024: "1", 2025: "2", 2026: "2"})[:-1]).growth())
        self.assertEqual(Decimal("-0.1"), history(quarters({2024: "2", 2025: "1", 2026: "1"})[:-1]).growth())

    def test_fewer_than_two_complete_years_have_no_streak_and_no_growth(self):
        result = history(quarters({2025: "1", 2026: "1"})[:-1])
        self.assertEqual((None, None), (result.streak(), result.growth()))


class BeginningAnew(unittest.TestCase):
    def test_payments_before_a_stop_count_for_years_only(self):
        # Nothing from December 2023 to June 2025; then 0.20 a quarter.
        rows = quarters({2022: "1", 2023: "1"}) + quarters({2025: "0.2", 2026: "0.2"})[1:-1]
        result = history(rows)
        self.assertEqual((6, "quarterly", Fraction("0.8")), (len(result.present), result.frequency, result.forward_rate()))
        # counts 4, 4, 0, 3: a year without payments is no other rhythm
        self.assertEqual([4, 4, 0, Fraction("0.6")], result.totals())
        self.assertEqual(1, result.streak())

    def test_a_single_payment_after_a_stop_has_no_rhythm_yet(self):
        result = history(quarters({2023: "1"}) + on("2026-09-01", "1"))
        self.assertEqual((1, None, None, False), (len(result.present), result.frequency, result.forward_rate(), result.stopped))

    def test_a_pause_just_short_of_a_stop(self):
        # 1.5 x 91 + 30 = 166.5 days
        first = quarters({2024: "1"})
        for days, anew in ((166, False), (167, True)):
            resumed = day("2024-12-01") + timedelta(days=days)
            result = history(first + [paid(resumed.isoformat(), "1")], today=resumed)
            self.assertEqual(anew, len(result.present) == 1, days)

    def test_interim_and_final_payments_do_not_stop_in_between(self):
        # gaps of 122 and 243 days
        rows = on(" ".join(f"{year}-{month}-10" for year in (2022, 2023, 2024, 2025, 2026) for month in ("04", "08")), "1")
        result = history(rows)
        self.assertEqual(("semi_annual", 10, 2), (result.frequency, len(result.present), result.forward_rate()))

    def test_two_gaps_change_the_rhythm_and_three_to_weekly_or_monthly_payments(self):
        annual = on("2022-05-10 2023-05-10 2024-05-10", "1")
        self.assertEqual("annual", history(annual + on("2024-11-10", "0.5"), today=day("2024-12-01")).frequency)
        twice = history(annual + on("2024-11-10 2025-05-10", "0.5"), today=day("2025-06-01"))
        self.assertEqual(("semi_annual", 2, 1), (twice.frequency, len(twice.present), twice.forward_rate()))
        monthly = [day("2026-01-05") + timedelta(days=30 * n) for n in range(6)]
        weekly = [monthly[-1] + timedelta(days=7 * n) for n in range(1, 4)]
        for count, frequency in ((2, "monthly"), (3, "weekly")):
            dates = monthly + weekly[:count]
            self.assertEqual(frequency, history([paid(d.isoformat(), "1") for d in dates], today=dates[-1]).frequency)

    def test_the_new_class_decides_how_many_gaps_it_takes(self):
        present = lambda dates: len(history([paid(d.isoformat(), "1") for d in dates], today=dates[-1]).present)
        quarterly = [day("2025-01-06") + timedelta(days=91 * n) for n in range(5)]
        monthly = [quarterly[-1] + timedelta(days=30 * n) for n in range(1, 4)]
        self.assertEqual([7, 3], [present(quarterly + monthly[:count]) for count in (2, 3)])
        monthly = [day("2025-01-06") + timedelta(days=30 * n) for n in range(6)]
        later = [monthly[-1] + timedelta(days=60 * n) for n in range(1, 3)]
        self.assertEqual([7, 2], [present(monthly + later[:count]) for count in (1, 2)])
        # A single payment before the gaps has no class.
        self.assertEqual(3, present(quarterly[:3]))

    def test_monthly_to_quarterly_begins_anew_after_the_first_long_gap(self):
        # 91 days is more than 1.5 x 30 + 30 = 75
        rows = on(" ".join(f"2025-{m:02d}-10" for m in range(1, 13)), "0.1") + on("2026-03-11 2026-06-10 2026-09-09", "0.3")
        result = history(rows)
        self.assertEqual((3, "quarterly", Fraction("1.2")), (len(result.present), result.frequency, result.forward_rate()))


class EstimatedDates(unittest.TestCase):
    # Fridays, 91 days apart
    QUARTERS = [day(d) for d in "2025-03-14 2025-06-13 2025-09-12 2025-12-12 2026-03-13 2026-06-12".split()]

    def dates(self, known, months, until):
        known = [day(d) for d in known.split()]
        return [d.isoformat() for d in estimated_dates(known, months, day(until))], ranked_rules(known, months)[0]

    def test_the_thirteen_rules(self):
        # The reference payment is 12 September 2025: the 10th business day of its month, the 13th from the end, the second
        # Friday, 7 days before the third. The last, 12 June 2026, is all of that in its month. Saturday 12 September 2026 is
        # also the median of the 12th, 13th (from March) and 12th (from December).
        expected = {
            "year, end": "2026-09-14", "year, start": "2026-09-14", "year, date": "2026-09-11", "364 days": "2026-09-11",
            "year, weekday": "2026-09-11", "months, end": "2026-09-14", "months, start": "2026-09-14", "gap": "2026-09-11",
            "year, third Friday": "2026-09-11", "months, third Friday": "2026-09-11", "year, median": "2026-09-11",
            "months, median": "2026-09-11", "months, date": "2026-09-11"}
        self.assertEqual(list(expected), list(RULES))
        self.assertEqual(expected, {rule: predict(rule, self.QUARTERS, 3).isoformat() for rule in RULES})

    def test_later_estimates_take_more_months_or_gaps_from_the_last_known_payment(self):
        # December 2026 has 22 business days; its 10th and its 13th from the end are the 14th. 2 x 91 days: 11 December. The 12th is
        # a Saturday.
        known = self.QUARTERS + [day("2026-09-10")]
        expected = {"months, end": "2026-12-14", "months, start": "2026-12-14", "gap": "2026-12-11", "months, third Friday": "2026-12-11",
                    "months, median": "2026-12-11", "months, date": "2026-12-11"}
        self.assertEqual(expected, {rule: predict(rule, known, 3, step=2).isoformat() for rule in expected})
        # The others start from the estimate: the reference payment is that of December.
        self.assertEqual(day("2026-12-11"), predict("364 days", known, 3, step=2))

    def test_a_fifth_weekday_becomes_the_fourth(self):
        self.assertEqual(day("2026-05-22"), same_weekday(day("2025-05-30"), day("2026-05-01")) - timedelta(days=7))
        self.assertEqual(day("2026-06-26"), same_weekday(day("2026-05-29"), day("2026-06-01")))

    def test_the_distance_from_the_third_friday(self):
        # Monday 22 June 2026 is 3 days after the third Friday; that of July is the 17th.
        self.assertEqual(day("2026-07-20"), same_distance_from_third_friday(day("2026-06-22"), day("2026-07-01")))

    def test_the_reference_payment_follows_the_one_a_year_ago(self):
        reference = lambda text: reference_payment([day(d) for d in text.split()])
        self.assertEqual(day("2025-09-12"), reference_payment(self.QUARTERS))
        # An annual payer's is its last payment.
        self.assertEqual(day("2025-05-09"), reference("2024-05-10 2025-05-09"))
        # Half of the shortest gap is 1 day, but three days at least: not 5 March 2025, which is later than the 2nd plus 1 day.
        self.assertEqual(day("2025-06-02"), reference("2025-03-03 2025-03-05 2025-06-02 2025-09-01 2025-12-01 2026-03-02"))
        # Half a year of payments: the first is later than a year ago plus 1.5 x 92 days.
        self.assertIsNone(reference("2026-03-02 2026-06-02 2026-09-01"))

    def test_points_for_days_off(self):
        self.assertEqual([0, 1, 2, 2, 3, 3, 4], [points_for(days) for days in (0, 1, 2, 3, 4, 7, 8)])

    def test_the_latest_payment_weighs_most(self):
        # 6 March + 30 days is Sunday 5 April, so Friday the 3rd, 5 days before the 8th: 3 points x 8. 4 February + 30 days is
        # 6 March: 0 points x 7. The second payment has one before it only.
        known = [day(d) for d in "2026-01-05 2026-02-04 2026-03-06 2026-04-08".split()]
        self.assertEqual((24, 15), judge("gap", known, 1))
        self.assertEqual((0, 0), judge("364 days", known, 1))

    def test_a_rule_that_cannot_be_judged_counts_as_one_and_a_half_points(self):
        # From the first two, the gap gives Saturday 16 January, so Friday the 15th, which is not later than the second: no estimate.
        # The third Friday of February is the 19th, 5 days off: 3 points. The 10th business day, the 11th from the end, is the
        # 12th, 12 days off: 4 points. The rules of a year ago have no estimate for the next payment.
        known = [day(d) for d in "2027-01-14 2027-01-15 2027-02-24".split()]
        # The same date is 15 February, 9 days off: 4 points. Between that and two months after the first is Sunday 28 February, so
        # the 26th, 2 days off: 2 points.
        expected = {"gap": Fraction(3, 2), "months, third Friday": 3, "months, end": 4, "months, start": 4, "months, date": 4,
                    "months, median": 2}
        self.assertEqual(expected, {rule: mean_points(rule, known, 1) for rule in expected})

    def test_if_no_rule_was_near_they_vote(self):
        # As above. 1000 / (1 + points)^2: 160 votes for the gap's 16 March, 62 + 40 + 111 + 40 for the 24th (third Friday, from the
        # start, median, same date), 40 for the 29th (from the end). The 24th has 253 x 5 + 40 x 3 = 1385, the 29th 40 x 5 +
        # 253 x 3 = 959, the 16th 160 x 5 = 800; of the same day, the nearer rule first.
        known = [day(d) for d in "2027-01-14 2027-01-15 2027-02-24".split()]
        ranked = ["months, median", "months, third Friday", "months, start", "months, date", "months, end", "gap"]
        self.assertEqual(ranked, ranked_rules(known, 1))
        self.assertEqual([day("2027-03-24")], estimated_dates(known, 1, day("2027-03-31")))

    def test_three_quarters_of_a_point_are_near(self):
        # The median of three years has 27 points over 36, and leads to the 15th; with 28 over 36, the vote is for the 14th.
        near = "2016-05-23 2017-05-15 2018-05-16 2019-05-18 2020-05-16 2021-05-15 2022-05-16 2023-05-15 2024-05-15 2025-05-14"
        off = "2016-05-18 2017-05-15 2018-05-19 2019-05-17 2020-05-15 2021-05-19 2022-05-14 2023-05-15 2024-05-15 2025-05-14"
        self.assertEqual([(27, 36), (28, 36)], [judge("year, median", [day(d) for d in known.split()], 12) for known in (near, off)])
        self.assertEqual((["2026-05-15"], "year, median"), self.dates(near, 12, "2026-12-31"))
        self.assertEqual((["2026-05-14"], "year, date"), self.dates(off, 12, "2026-12-31"))

    def test_the_reference_payment_may_be_from_before_a_pause(self):
        # Nothing was paid in September 2025. From 13 March 2025, 45.5 days at least and 136.5 at most.
        former, dates = [day("2025-03-14"), day("2025-06-13")], [day("2025-12-12"), day("2026-03-13")]
        self.assertEqual(day("2025-06-13"), reference_payment(dates, former))
        self.assertEqual(day("2026-06-12"), predict("year, date", dates, 3, former=former))
        self.assertEqual(day("2026-06-12"), predict("year, median", dates, 3, former=former))

    def test_the_median_of_three_years(self):
        # of 10, 17 and 22 April the 17th, a Saturday; of 17 and 22 April the 19th
        known = [day(d) for d in "2024-04-10 2025-04-22 2026-04-17".split()]
        self.assertEqual(day("2027-04-16"), predict("year, median", known, 12))
        self.assertEqual(day("2027-04-19"), predict("year, median", known[1:], 12))

    def test_only_eight_payments_are_judged(self):
        known = [day("2026-01-05") + timedelta(days=n) for n in range(0, 7 * 20, 7)]
        self.assertEqual((0, 36), judge("gap", known, 1))

    def test_the_same_weekday_of_the_month(self):
        # third Fridays
        known = "2024-03-15 2024-06-21 2024-09-20 2024-12-20 2025-03-21 2025-06-20 2025-09-19 2025-12-19 2026-03-20 2026-06-19 2026-09-18"
        self.assertEqual((["2026-12-18", "2027-03-19"], "year, weekday"), self.dates(known, 3, "2027-03-31"))

    def test_the_last_business_day_of_the_month(self):
        known = "2025-07-31 2025-08-29 2025-09-30 2025-10-31 2025-11-28 2025-12-31 2026-01-30 2026-02-27 2026-03-31 2026-04-30 " \
            "2026-05-29 2026-06-30 2026-07-31 2026-08-31 2026-09-30 2026-10-30"
        self.assertEqual((["2026-11-30", "2026-12-31", "2027-01-29"], "year, end"), self.dates(known, 1, "2027-02-01"))

    def test_a_new_monthly_payer_goes_by_the_vote(self):
        # No payment can be judged, and there is no reference payment. 12 October 2026 is the 15th business day from the end (10
        # November) and the 8th from the start (the 11th); 32 days later is the 13th, four days before the third Friday the 16th,
        # the same date the 12th, and between that and two months after the first the 11th. The 11th and the 12th have
        # 5 + 5 + 5 + 5 + 4 + 3 each, the 10th one less.
        self.assertEqual(["2026-11-11", "2026-12-10"], self.dates("2026-09-10 2026-10-12", 1, "2026-12-31")[0])

    def test_weekly_payers_go_by_the_gap_alone(self):
        # Fridays; 25 December and 1 January are no business days.
        found = self.dates("2026-12-04 2026-12-11 2026-12-18", None, "2027-01-10")
        self.assertEqual((["2026-12-24", "2026-12-31", "2027-01-08"], "gap"), found)

    def test_the_median_of_the_last_eight_gaps(self):
        # 10 days once, then eight gaps: four of 7 and four of 8 days: 7.5, so 7
        known = [day("2026-07-01")]
        for gap in (10, 8, 8, 8, 8, 7, 7, 7, 7):
            known.append(known[-1] + timedelta(days=gap))
        self.assertEqual(day("2026-09-09"), known[-1])
        self.assertEqual(day("2026-09-16"), predict("gap", known, None))

    def test_where_a_rule_has_no_estimate_the_next_best_is_used(self):
        # April 2026 was skipped: the same date a year later gives January to March; from 22 March 2027 there is no reference payment
        # after 3 April and by 16 May 2026. Then the median of 26 (from December), 19 and 24 April, a Saturday.
        known = "2025-03-22 2025-04-19 2025-05-24 2025-06-22 2025-07-19 2025-08-22 2025-09-22 2025-10-24 2025-11-26 2025-12-22 " \
            "2026-01-21 2026-02-26 2026-03-22 2026-05-24 2026-06-22 2026-07-26 2026-08-22 2026-09-22 2026-10-24 2026-11-19 2026-12-26"
        self.assertEqual((["2027-01-21", "2027-02-26", "2027-03-22", "2027-04-23"], "year, date"), self.dates(known, 1, "2027-05-01"))

    def test_an_estimate_may_come_soon_after_the_last_payment(self):
        # A gap of 15 days for a monthly payer: its reference payment is 16 days after the one a year ago.
        known = "2025-01-15 2025-02-14 2025-03-14 2025-03-31 2025-04-30 2026-01-15 2026-02-13 2026-03-13"
        self.assertEqual(day("2026-03-31"), predict("year, date", [day(d) for d in known.split()], 1))

    def test_business_days(self):
        self.assertEqual([day("2026-12-24"), day("2026-12-31"), day("2026-11-13")],
                         [business_day_before(day(d)) for d in ("2026-12-25", "2027-01-01", "2026-11-15")])
        self.assertEqual([day("2026-12-28"), day("2027-01-04"), day("2026-11-16")],
                         [business_day_after(day(d)) for d in ("2026-12-25", "2027-01-01", "2026-11-14")])


class AverageYield(unittest.TestCase):
    CLOSES = {date(year, month, 20): Fraction(20) for year in range(2020, 2027) for month in range(1, 13)}

    def test_month_ends_stop_at_the_last_finished_month(self):
        self.assertEqual([day("2026-10-31"), day("2026-09-30")], month_ends(TODAY, 2))
        self.assertEqual(day("2026-11-30"), month_ends(day("2026-11-30"), 1)[0])

    def test_a_dollar_a_year_on_a_price_of_twenty_yields_five_percent(self):
        rows = quarters({year: "0.25" for year in range(2019, 2027)})[:-1]
        self.assertEqual(Fraction(1, 20), history(rows).average_yield(self.CLOSES))

    def test_months_before_a_full_first_year_do_not_count(self):
        # Four payments are first held by the month-end of December 2024; the 24th month is November 2026.
        rows = quarters({year: "0.25" for year in (2024, 2025, 2026)})[:-1]
        self.assertIsNone(history(rows).average_yield(self.CLOSES))
        self.assertEqual(Fraction(1, 20), history(rows, today=day("2026-11-30")).average_yield(self.CLOSES))

    def test_the_first_year_of_a_payer_that_has_stopped_does_not_count(self):
        # Paid from 1 March 2023 to 1 June 2025. The twelve months up to January 2024 have four payments but begin before the first;
        # a payer that has stopped has no N. Those up to February 2024 begin with it.
        rows = quarters({year: "0.25" for year in (2023, 2024, 2025)})[:-2]
        stopped = history(rows)
        self.assertEqual([None, Fraction(1, 20)], [stopped.yield_at(day(d), self.CLOSES) for d in ("2024-01-31", "2024-02-29")])
        still = history(rows, today=day("2025-10-01"))
        self.assertEqual(Fraction(1, 20), still.yield_at(day("2024-01-31"), self.CLOSES))

    def test_a_year_excludes_its_first_day(self):
        # paid every 31 October: each year to 31 October holds one payment, not two
        rows = [paid(f"{year}-10-31", "1") for year in range(2019, 2027)]
        self.assertEqual(Fraction(1, 20), history(rows).yield_at(day("2026-10-31"), self.CLOSES))

    def test_with_too_few_closes_the_providers_average_is_used(self):
        stock = Stock("S", "USD", yield_avg_5y_pct=Fraction("3.5"))
        self.assertEqual(Fraction("0.035"), history([], stock).average_yield({}))


class Safety(unittest.TestCase):
    def test_unknown_without_figures_or_payments(self):
        self.assertEqual("unknown", figures(TEN_PERCENT).safety())
        self.assertEqual("unknown", figures([], payout_ratio="0.4").safety())

    def test_a_fund_needs_three_complete_years_only(self):
        self.assertEqual("safe", figures(TEN_PERCENT, type="ETF").safety())
        self.assertEqual("unknown", figures(quarters({2025: "1", 2026: "1"})[:-1], type="ETF").safety())

    def test_payout_limits(self):
        for payout, verdict in (("0.75", "safe"), ("0.76", "watch")):
            self.assertEqual(verdict, figures(TEN_PERCENT, payout_ratio=payout).safety())
        for profile in ({"sector": "Utilities"}, {"industry": "Retail Reit"}, {"sector": "Real Estate"}):
            self.assertEqual("safe", figures(TEN_PERCENT, payout_ratio="0.9", **profile).safety())
        self.assertEqual("watch", figures(TEN_PERCENT, payout_ratio="0.9", sector="Real Estate", industry="Agents").safety())

    def test_paying_more_than_is_earned(self):
        self.assertEqual("watch", figures(TEN_PERCENT, payout_ratio="1.1").safety())  # a streak of 5 makes up for it
        self.assertEqual("at_risk", figures(TEN_PERCENT[1:], payout_ratio="1.1").safety())
        self.assertEqual("at_risk", figures(TEN_PERCENT, payout_ratio="1.1", fcf_cover="0.9").safety())

    def test_thin_cover_needs_watching(self):
        self.assertEqual(["watch", "safe"], [figures(TEN_PERCENT, fcf_cover=c).safety() for c in ("1.29", "1.3")])

    def test_a_fall_of_more_than_two_percent_in_three_years(self):
        for second, verdict in (("0.98", "safe"), ("0.97", "at_risk")):
            rows = quarters({2022: "1", 2023: second, 2024: "1", 2025: "1.1", 2026: "1.1"})[:-1]
            self.assertEqual(verdict, figures(rows, payout_ratio="0.5").safety())

    def test_a_streak_of_three_that_ends_needs_watching(self):
        rows = quarters({2021: "1", 2022: "1.1", 2023: "1.2", 2024: "1.3", 2025: "1.3", 2026: "1.3"})[:-1]
        self.assertEqual("watch", figures(rows, payout_ratio="0.5").safety())
        self.assertEqual("safe", figures(rows[4:], payout_ratio="0.5").safety())

    def test_a_yield_far_above_its_average(self):
        # 1.80 on 30 is 6%
        self.assertEqual("safe", figures(TEN_PERCENT, price="30", payout_ratio="0.5", yield_avg_5y_pct="4").safety())
        self.assertEqual("watch", figures(TEN_PERCENT, price="30", payout_ratio="0.5", yield_avg_5y_pct="3.9").safety())
        self.assertEqual("at_risk", figures(TEN_PERCENT, price="30", payout_ratio="0.91", yield_avg_5y_pct="2.9").safety())


class SafetyReasons(unittest.TestCase):
    def reasons(self, rows, **profile):
        found = figures(rows, **profile)
        states = {}
        for code, state in found.safety_reasons():
            states.setdefault(state, set()).add(code)
        return found.safety(), states

    def test_safe_names_the_checks_made_and_those_without_data(self):
        self.assertEqual(
            ("safe", {"passed": {"cut", "stopped", "uncovered", "high_payout", "streak_ended"},
                      "not_made": {"yield_doubled", "thin_cash_cover", "yield_raised"}}),
            self.reasons(TEN_PERCENT, payout_ratio="0.5"))

    def test_at_risk_names_all_that_fired_and_all_without_data(self):
        states = {"fired": {"uncovered", "high_payout", "thin_cash_cover"}, "not_made": {"yield_doubled", "yield_raised"}}
        self.assertEqual(("at_risk", states), self.reasons(TEN_PERCENT, payout_ratio="1.1", fcf_cover="0.9"))
        not_made = {"cut", "uncovered", "yield_doubled", "high_payout", "yield_raised", "streak_ended"}
        self.assertEqual(("at_risk", {"fired": {"stopped"}, "not_made": not_made}), self.reasons(quarters({2025: "1"}), fcf_cover="2"))

    def test_cover_is_checked_whenever_the_payout_is_known(self):
        # one complete year, so no streak; no cash flow
        rows = quarters({2025: "1", 2026: "1"})[:-1]
        self.assertEqual(["passed", "fired", "not_made"], [figures(rows, **profile).checks()["uncovered"] for profile in (
            {"payout_ratio": "1"}, {"payout_ratio": "1.01"}, {"fcf_cover": "2"})])

    def test_watch_names_what_fired(self):
        self.assertEqual(("watch", {"fired": {"high_payout"}, "not_made": {"yield_doubled", "thin_cash_cover", "yield_raised"}}),
                         self.reasons(TEN_PERCENT, payout_ratio="0.8"))

    def test_unknown_has_no_reasons(self):
        self.assertEqual(("unknown", {}), self.reasons(TEN_PERCENT))

    def test_funds_may_fall_by_fifteen_percent(self):
        for second, verdict in (("0.85", "safe"), ("0.84", "at_risk")):
            rows = quarters({2022: "1", 2023: second, 2024: "1", 2025: "1.1", 2026: "1.1"})[:-1]
            self.assertEqual(verdict, figures(rows, type="ETF").safety())

    def test_a_fall_more_than_three_years_ago_does_not_count(self):
        rows = quarters({2021: "1", 2022: "0.5", 2023: "0.6", 2024: "0.7", 2025: "0.8", 2026: "0.8"})[:-1]
        self.assertEqual("safe", figures(rows, payout_ratio="0.5").safety())


class Scores(unittest.TestCase):
    def test_average_inputs_score_five(self):
        result = figures(TEN_PERCENT, price="36", yield_avg_5y_pct="5", pe="20", low52="24", high52="48", ma50="36", ma200="36")
        self.assertEqual({"value": Decimal("5.0"), "momentum": Decimal("5.0")},
                         {k: v for k, v in result.scores().items() if k != "rating"})

    def test_rating_is_the_mean_of_its_known_parts(self):
        # safe 10; a tenth a year 10; streak 5; yield 1.8 / 72 = 2.5% gives 5: the mean is 7.5
        self.assertEqual(Decimal("7.5"), figures(TEN_PERCENT, price="72", payout_ratio="0.5").scores()["rating"])

    def test_without_known_parts_there_is_no_score(self):
        self.assertEqual({"momentum": None, "rating": None, "value": None}, figures([], pe="-4", low52="5", high52="5", price="5").scores())

    def test_rating_needs_two_parts(self):
        # two recent payments and a price: the yield alone
        self.assertIsNone(figures(on("2026-06-01 2026-09-01", "1"), price="10").scores()["rating"])

    def test_parts_are_clamped(self):
        result = figures(TEN_PERCENT, price="60", low52="24", high52="48", ma50="10", ma200="20")
        self.assertEqual(Decimal("6.7"), result.scores()["momentum"])  # 10, 10, 0


class StockAnswer(unittest.TestCase):
    def test_yield_and_annual_rate(self):
        result = figures(TEN_PERCENT, price="36")
        self.assertEqual({"amount": "1.80", "currency": "USD"}, result.answer(True)["dividend"]["annual"])
        self.assertIsNone(result.answer(False)["dividend"]["annual"])
        self.assertEqual(Decimal("5.00"), result.answer(False)["dividend"]["yield_pct"])

    def test_the_next_ex_date_is_declared_or_estimated_and_never_past(self):
        next_date = lambda rows: tuple(figures(rows).answer(True)["dividend"][f] for f in ("ex_dividend_date", "ex_dividend_declared"))
        self.assertEqual(("2026-12-01", False), next_date(TEN_PERCENT))
        self.assertEqual(("2026-11-16", True), next_date(TEN_PERCENT + [paid("2026-11-16", "0.45"), paid("2027-03-01", "0.45")]))
        self.assertEqual(("2026-12-01", False), next_date(TEN_PERCENT + [paid("2026-11-20", "5", special=True)]))
        self.assertEqual((None, False), next_date(quarters({2020: "1"})))

    def test_an_unknown_rate_has_no_yield_and_a_payer_that_stopped_yields_zero(self):
        self.assertIsNone(figures([], price="10").answer(True)["dividend"]["yield_pct"])
        self.assertIsNone(figures([paid("2026-09-01", "1")], price="10").answer(True)["dividend"]["yield_pct"])
        self.assertEqual(0, figures(quarters({2020: "1"}), price="10").answer(True)["dividend"]["yield_pct"])

    def test_a_plain_price_date_means_midnight_utc(self):
        self.assertTrue(Instant(instant("2026-11-14")).accepts("2026-11-14T00:00:00Z"))


class Withholding(unittest.TestCase):
    def test_rates_by_source_country_and_residence(self):
        cases = {("US", "ES"): "0.15", ("US", ""): "0.3", ("DK", "ES"): "0.27", ("JP", "ES"): "0.05", ("DE", ""): "0.26375",
                 ("SE", "GB"): "0.05", ("US", "PT"): "0.3", ("FR", "ES"): "0.128", ("PE", "ES"): "0.15", (None, "ES"): "0.15"}
        for (source, residence), rate in cases.items():
            self.assertEqual(Fraction(rate), table_rate(source, residence), (source, residence))

    def test_the_users_own_dividends_of_24_months_decide(self):
        rows = [entry(0, "2024-11-14", "dividend", amount="100", tax="90"), entry(1, "2024-11-15", "dividend", amount="100", tax="19"),
                entry(2, "2026-11-15", "dividend", amount="100")]
        self.assertEqual(Fraction("0.19"), observed_rate(rows, TODAY))
        none_withheld = rows + [entry(3, "2026-11-15", "dividend", amount="90", tax="0.00")]
        self.assertEqual(Fraction("0.1"), observed_rate(none_withheld, TODAY))
        self.assertIsNone(observed_rate(rows[2:], TODAY))
        self.assertEqual(0, observed_rate([entry(0, "2026-01-01", "dividend", amount="5", tax="0")], TODAY))
        self.assertIsNone(observed_rate([entry(0, "2026-01-01", "dividend", amount="-5", tax="1")], TODAY))


    def test_a_rate_rounded_to_cents_is_the_treaty_or_statutory_rate(self):
        # 15% of 58.50 is 8.775
        rate = lambda *pairs: observed_rate(
            [entry(n, "2026-01-01", "dividend", amount=gross, tax=tax) for n, (gross, tax) in enumerate(pairs)], TODAY,
            table_rates("US", "ES"))
        self.assertEqual(Fraction("0.15"), rate(("58.50", "8.78")))
        self.assertEqual(Fraction("0.15"), rate(("58.50", "8.78"), ("58.50", "8.77")))
        self.assertEqual(Fraction("0.3"), rate(("58.50", "17.55")))
        self.assertEqual(Fraction("8.79") / Fraction("58.50"), rate(("58.50", "8.79")))
        self.assertEqual(Fraction("8.78") / Fraction("117"), rate(("58.50", "8.78"), ("58.50", "0")))
        # 17.55 within a cent: half a cent of each, judged on the sums
        self.assertEqual(Fraction("0.15"), rate(("58.50", "8.78"), ("58.50", "8.78")))
        self.assertEqual(Fraction("0.15"), rate(("58.50", "8.80"), ("58.50", "8.75")))
        self.assertEqual(Fraction("17.57") / 117, rate(("58.50", "8.78"), ("58.50", "8.79")))

    def test_gross_is_net_tax_and_fees_where_it_is_not_recorded(self):
        # 84 + 15 + 1 = 100
        self.assertEqual(Fraction("0.15"), observed_rate([entry(0, "2026-01-01", "dividend", net="84", tax="15", fees="1")], TODAY))

    def test_only_rows_in_the_currency_of_the_latest_count(self):
        rows = [entry(0, "2026-01-01", "dividend", amount="1000", tax="500", currency="JPY"),
                entry(1, "2026-02-01", "dividend", amount="10", tax="1")]
        self.assertEqual(Fraction("0.1"), observed_rate(rows, TODAY))
        same_day = [entry(2, "2026-02-01", "dividend", amount="10", tax="3", currency=currency) for currency in ("AUD", "ZAR")]
        self.assertEqual(Fraction("0.3"), observed_rate(rows + same_day, TODAY))

    def test_irish_funds_and_depositary_receipts(self):
        cases = ((Stock("A", "EUR", isin="IE00B3RBWM25", type="ETF"), "0"),
                 (Stock("A", "EUR", isin="LU0274208692", instrument_type="fund"), "0"),
                 (Stock("A", "EUR", isin="IE00B3RBWM25", type="EQUITY"), "0.15"),
                 (Stock("A", "USD", isin="US0000000127", type="ADR", country="GB"), "0"),
                 (Stock("A", "USD", isin="US0000000127", type="EQUITY", country="GB"), "0.15"))
        for stock, rate in cases:
            self.assertEqual(Fraction(rate), estimate(stock, "DE", [], TODAY), stock)
        own = [entry(0, "2026-01-01", "dividend", amount="10", tax="1")]
        self.assertEqual(Fraction("0.1"), estimate(cases[0][0], "DE", own, TODAY))


class Income(unittest.TestCase):
    BUY = [entry(0, "2020-01-02", "buy", "100", "20")]

    def test_income_in_the_preferred_currency_gross_and_net(self):
        # 100 x 1.80 = 180 USD = 144 EUR; 15% withheld
        result = account(TEN_PERCENT, self.BUY, price="36").income(1)
        self.assertEqual(("144.00", "122.40"), (result["annual_income"]["amount"], result["net_annual_income"]["amount"]))
        self.assertEqual(Decimal("5.00"), result["current_yield_pct"])
        self.assertTrue(result["growth_rate"].accepts(Decimal("0.1")))
        self.assertEqual((5, ABSENT, None), (result["holdings"][0]["streak"], result["holdings"][0]["portfolio"], result["income_year"]))

    def test_projection_with_and_without_reinvestment(self):
        # 144 x 1.1 = 158.40; x (1 + 5% x 85%) = 165.132, net 140.3622
        held = account(TEN_PERCENT, self.BUY, price="36")
        self.assertEqual(["144.00", "158.40"], [p["income"]["amount"] for p in held.income(1)["projection"]])
        last = held.income(1, drip=True)["projection"][1]
        self.assertEqual(("165.13", "140.36"), (last["income"]["amount"], last["net_income"]["amount"]))

    def test_without_a_price_nothing_is_reinvested(self):
        result = account(TEN_PERCENT, self.BUY).income(1, drip=True)
        self.assertEqual(("158.40", None), (result["projection"][1]["income"]["amount"], result["current_yield_pct"]))

    def test_a_resident_of_the_source_country_pays_no_foreign_tax(self):
        result = account(TEN_PERCENT, self.BUY, residence="US").income(1)
        self.assertEqual("144.00", result["net_annual_income"]["amount"])

    def test_holdings_without_income(self):
        result = account([], self.BUY, price="36").income(1)
        self.assertEqual(([], None, Decimal("0.00"), ABSENT),
                         (result["holdings"], result["growth_rate"], result["current_yield_pct"], result["unconverted"]))

    def test_holdings_without_an_exchange_rate_are_listed(self):
        stock = Stock("T", "TWD", price=Fraction(10))
        market = Market({"T": stock}, {"T": []}, {}, {}, RATES)
        result = Account(market, [entry(0, "2020-01-02", "buy", "1", "1", symbol="T", currency="TWD")], ["Main"], TODAY, "EUR").income(1)
        self.assertEqual(([{"symbol": "T", "currency": "TWD"}], None), (result["unconverted"], result["current_yield_pct"]))

    def test_payments_without_an_exchange_rate_leave_the_position_out(self):
        rows = [paid("2026-06-01", "1", currency="TWD"), paid("2026-09-01", "1", currency="TWD")]
        held = account(rows, self.BUY, price="36")
        result = held.income(1)
        self.assertEqual(([{"symbol": "S", "currency": "TWD"}], [], None),
                         (result["unconverted"], result["holdings"], result["current_yield_pct"]))
        coming = held.upcoming(45)
        self.assertEqual(("TWD", "TWD", "0.00"), (coming["items"][0]["per_share"]["currency"], coming["items"][0]["expected"]["currency"],
                                                  coming["expected_total"]["amount"]))

    def test_coverage_names_positions_without_data(self):
        entries = self.BUY + [entry(1, "2020-01-02", "buy", "1", "1", symbol="X"),
                              entry(2, "2020-01-02", "buy", "1", "1", symbol="X", portfolio="B")]
        result = account(TEN_PERCENT, entries, portfolios=("Main", "B"))
        self.assertEqual({"positions": 3, "with_data": 1, "without_data": ["X"]}, result.income(1)["coverage"])
        self.assertEqual({"positions": 1, "with_data": 0, "without_data": ["X"]}, result.income(1, portfolio="B")["coverage"])

    def test_the_streak_of_a_holding_says_if_it_is_a_lower_bound(self):
        row = account(TEN_PERCENT, self.BUY).income(1)["holdings"][0]
        self.assertEqual((5, True, "market"), (row["streak"], row["streak_at_least"], row["basis"]))


class FromTheLedger(unittest.TestCase):
    """100 shares; 10.00 three times and 11.00, paid 91 days apart, of a symbol that market data does not know."""

    ENTRIES = [entry(0, "2025-01-02", "buy", "100", "20", symbol="U", currency="EUR")] + [
        entry(n + 1, when, "dividend", amount=amount, symbol="U", currency="EUR")
        for n, (when, amount) in enumerate((("2025-11-17", "10"), ("2026-02-16", "10"), ("2026-05-18", "10"), ("2026-08-17", "11")))]

    def test_income_from_the_users_own_dividends(self):
        # two equal amounts among them: 0.11 x 4 x 100 = 44; 15% for want of a country
        result = account([], self.ENTRIES).income(1)
        self.assertEqual(("44.00", "37.40", "ledger"), (
            result["annual_income"]["amount"], result["net_annual_income"]["amount"], result["holdings"][0]["basis"]))
        self.assertEqual({"positions": 1, "with_data": 1, "without_data": []}, result["coverage"])

    def test_upcoming_from_the_users_own_dividends(self):
        # ex-dates 21 days before: 27 October, 26 January, 27 April, 27 July; 91 days on 26 October (past), then 25 January.
        found = account([], self.ENTRIES).upcoming(120)
        item = found["items"][0]
        self.assertEqual((1, "2027-01-25", "2027-02-15", False, "ledger"), (
            len(found["items"]), item["ex_dividend_date"], item["pay_date"], item["declared"], item["basis"]))
        self.assertEqual(("0.11", "11.00"), (item["per_share"]["amount"], item["expected"]["amount"]))
        self.assertEqual("0.10", item["previous_per_share"]["amount"])
        self.assertTrue(item["change"].accepts(Decimal("0.1")))

    def test_one_dividend_is_too_few_and_a_reversed_one_does_not_count(self):
        self.assertEqual([], account([], self.ENTRIES[:2]).income(1)["holdings"])
        reversal = entry(9, "2026-02-20", "dividend", amount="-10", symbol="U", currency="EUR")
        self.assertEqual([], account([], self.ENTRIES[:3] + [reversal]).income(1)["holdings"])

    def test_two_portfolios_record_one_payment(self):
        # 10 on 100 shares and 5.50 on 50: 15.50 / 150
        more = [entry(10, "2025-01-02", "buy", "50", "20", symbol="U", portfolio="B", currency="EUR"),
                entry(11, "2026-05-18", "dividend", amount="5.50", symbol="U", portfolio="B", currency="EUR")]
        held = account([], self.ENTRIES + more, portfolios=("Main", "B"))
        self.assertEqual([Fraction("0.1"), Fraction("0.1"), Fraction("15.5") / 150, Fraction("0.11")],
                         [p.amount for p in held.own_figures["U"].history.regular])

    def test_a_recorded_ex_date_and_share_count_are_used_and_own_splits_adjust(self):
        entries = self.ENTRIES[:1] + [
            entry(1, "2026-02-16", "dividend", "50", amount="10", symbol="U", currency="EUR", ex_date=day("2026-02-02")),
            entry(2, "2026-03-02", "split", ratio=Fraction(2), symbol="U"),
            entry(3, "2026-05-18", "dividend", amount="20", symbol="U", currency="EUR")]
        rows = account([], entries).own_figures["U"].history.regular
        # lag 14: ex on 4 May, on 200 shares
        self.assertEqual([(day("2026-02-02"), Fraction("0.1")), (day("2026-05-04"), Fraction("0.1"))],
                         [(p.ex_date, p.amount) for p in rows])

    def test_shares_held_before_a_payment_are_counted_as_those_of_its_ex_date(self):
        # lag 21: ex on 27 April, before the split; 100 shares then, 10 on the day of the payment
        entries = self.ENTRIES[:1] + [
            entry(1, "2026-02-16", "dividend", amount="10", symbol="U", currency="EUR"),
            entry(2, "2026-05-04", "split", ratio=Fraction(1, 10), symbol="U"),
            entry(3, "2026-05-18", "dividend", amount="20", symbol="U", currency="EUR")]
        rows = account([], entries).own_figures["U"].history.regular
        self.assertEqual([Fraction(1), Fraction(2)], [p.amount for p in rows])

    def test_market_dividends_take_precedence(self):
        own = [entry(n + 1, when, "dividend", amount="99") for n, when in enumerate(("2026-03-15", "2026-06-15"))]
        held = account(TEN_PERCENT, Income.BUY + own)
        self.assertEqual(({}, "market"), (held.own_figures, held.income(1)["holdings"][0]["basis"]))


class IncomeYear(unittest.TestCase):
    def test_the_income_year_of_five_payers(self):
        # Four annual payers of 12 EUR in January to April; a provider-known 12 EUR spread over the year.
        stocks, dividends, entries = {}, {}, []
        for number in range(1, 5):
            symbol = f"A{number}"
            stocks[symbol] = Stock(symbol, "EUR", country="ES")
            dividends[symbol] = [paid(f"{y}-{number:02d}-01", "12", f"{y}-{number:02d}-10", "EUR") for y in (2025, 2026)]
        stocks["B"] = Stock("B", "EUR", country="ES", forward_rate=Fraction(12))
        for order, symbol in enumerate(stocks):
            entries.append(entry(order, "2020-01-02", "buy", "1", "1", symbol=symbol, currency="EUR"))
        shape = Account(Market(stocks, dividends, {}, {}, RATES), entries, ["Main"], TODAY, "EUR", "ES").income(1)["income_year"]
        self.assertEqual(["13.00", "1.00"], [shape["by_month"][m]["amount"] for m in ("4", "5")])
        self.assertEqual("5.00", shape["average_month"]["amount"])
        self.assertEqual(([1, 2, 3], Decimal("0.650")), (shape["biggest_months"], shape["biggest_months_share"]))  # 39 / 60
        self.assertEqual(([], [5, 6, 7, 8, 9, 10, 11, 12]), (shape["empty_months"], shape["thin_months"]))


    def test_months_at_the_average_are_not_thin(self):
        stocks = {f"B{n}": Stock(f"B{n}", "EUR", country="ES", forward_rate=Fraction(7)) for n in range(5)}
        entries = [entry(n, "2020-01-02", "buy", "1", "1", symbol=symbol, currency="EUR") for n, symbol in enumerate(stocks)]
        shape = Account(Market(stocks, {}, {}, {}, RATES), entries, ["Main"], TODAY, "EUR", "ES").income(1)["income_year"]
        self.assertEqual(([], [1, 2, 3], Decimal("0.25")), (shape["thin_months"], shape["biggest_months"], shape["biggest_months_share"]))


class LikelyRange(unittest.TestCase):
    """100 EUR a year of a company with a declared rate, 300 of a fund with one, 100 of a company known by its rate alone, 200 of a
    semi-annual payer and 300 of an annual one, held in two portfolios."""

    MONTHS = " ".join(f"2026-{month:02d}-05" for month in range(1, 12))
    STOCKS = {"A": Stock("A", "EUR"), "B": Stock("B", "EUR", type="ETF"), "C": Stock("C", "EUR", forward_rate=Fraction(2)),
              "D": Stock("D", "EUR"), "E": Stock("E", "EUR")}
    DIVIDENDS = {"A": on("2025-12-01 2026-03-01 2026-06-01 2026-09-01", "1", "EUR"), "B": on(MONTHS, "0.5", "EUR"),
                 "D": on("2025-10-01 2026-04-01 2026-10-01", "1", "EUR"), "E": on("2024-05-01 2025-05-01 2026-05-01", "3", "EUR")}
    SHARES = (("A", "25", "Main"), ("B", "50", "Main"), ("C", "50", "Main"), ("D", "100", "Main"), ("E", "40", "Main"), ("E", "60", "B"))

    def range(self, shares=SHARES, portfolio=None):
        entries = [entry(n, "2020-01-02", "buy", count, "1", name, symbol=symbol, currency="EUR")
                   for n, (symbol, count, name) in enumerate(shares)]
        held = Account(Market(self.STOCKS, self.DIVIDENDS, {}, {}, RATES), entries, ["Main", "B"], TODAY, "EUR", "ES")
        found = held.income(1, portfolio=portfolio)["likely"]
        return found and (found["low"]["amount"], found["high"]["amount"])

    def test_the_range_of_five_payers(self):
        # centre 105 + 306 + 107 + 210 + 297 = 1025
        # below: 14, 48, 47, 60, 186; sum 355, squares 42,905: sqrt(0.07 x 126,025 + 0.93 x 42,905) = 220.7338
        # above: 19, 81, 41, 50, 135; sum 326, squares 29,328: sqrt(0.07 x 106,276 + 0.93 x 29,328) = 186.3179
        self.assertEqual(("804.27", "1211.32"), self.range())

    def test_there_is_no_range_with_fewer_than_five_symbols(self):
        self.assertIsNone(self.range(self.SHARES[1:]))
        self.assertIsNone(self.range(portfolio="B"))

    def test_kinds(self):
        kind = lambda rows, **profile: likely.kind(figures(rows, **profile))
        quarterly = quarters({2025: "1", 2026: "1"})[:-1]
        self.assertEqual((likely.COMPANY_DECLARED, likely.FUND_VARYING), (kind(quarterly), kind(quarterly, type="ETF")))
        # The history decides, not the provider's rate.
        self.assertEqual(likely.COMPANY_DECLARED, kind(quarterly, forward_rate="4.2"))
        monthly = on(self.MONTHS, "0.1")
        self.assertEqual((likely.COMPANY_DECLARED, likely.FUND_DECLARED), (kind(monthly), kind(monthly, type="ETF")))
        varying = [paid(r.ex_date.isoformat(), f"0.{20 + n}") for n, r in enumerate(monthly)]
        self.assertEqual((likely.COMPANY_VARYING, likely.FUND_VARYING), (kind(varying), kind(varying, type="ETF")))
        halves, years = on("2025-10-01 2026-04-01 2026-10-01", "1"), on("2025-05-01 2026-05-01", "1")
        self.assertEqual((likely.COMPANY_SEMI_ANNUAL, likely.FUND_VARYING), (kind(halves), kind(halves, type="ETF")))
        self.assertEqual((likely.COMPANY_ANNUAL, likely.FUND_VARYING), (kind(years), kind(years, type="ETF")))
        self.assertEqual((likely.COMPANY_VARYING, likely.FUND_VARYING), (kind([]), kind([], type="ETF")))


class Upcoming(unittest.TestCase):
    def items(self, rows, entries, days=45, **more):
        fields = ("ex_dividend_date", "pay_date", "declared", "shares", "held")
        result = account(rows, entries, **more).upcoming(days)["items"]
        return [tuple(item[f] for f in fields) for item in result], result

    BUY = [entry(0, "2020-01-02", "buy", "100", "20")]

    def test_estimates_are_last_years_payments_one_year_later(self):
        found, result = self.items(TEN_PERCENT, self.BUY, days=120)
        self.assertEqual([("2026-12-01", "2026-12-15", False, "100", True), ("2027-03-01", "2027-03-15", False, "100", True)], found)
        self.assertEqual(("0.45", "45.00", "38.25"), tuple(result[0][f]["amount"] for f in ("per_share", "expected", "expected_net")))

    def test_a_short_history_is_continued_by_its_months(self):
        # the 22nd business day from the end of September, and of December
        rows = [paid("2026-06-01", "0.45", "2026-06-15"), paid("2026-09-01", "0.45", "2026-09-15")]
        self.assertEqual([("2026-12-01", "2026-12-15", False, "100", True)], self.items(rows, self.BUY)[0])

    def test_the_payment_of_a_year_before_and_the_totals(self):
        # 0.45 against 0.4026275; 45 USD are 36 EUR, 15% withheld
        found = account(TEN_PERCENT, self.BUY).upcoming(45)
        item = found["items"][0]
        self.assertEqual({"amount": "0.4026275", "currency": "USD"}, item["previous_per_share"])
        self.assertTrue(item["change"].accepts(Decimal("0.45") / Decimal("0.4026275") - 1))
        self.assertEqual(("36.00", "30.60"), (found["expected_total"]["amount"], found["expected_net_total"]["amount"]))
        # ex on 1 December, paid on the 15th: outside of 20 days
        short = account(TEN_PERCENT, self.BUY).upcoming(20)
        self.assertEqual((1, "0.00"), (len(short["items"]), short["expected_total"]["amount"]))

    def test_a_special_has_no_payment_of_a_year_before(self):
        rows = TEN_PERCENT + [paid("2026-11-20", "3", "2026-12-01", special=True)]
        item = account(rows, self.BUY).upcoming(10)["items"][0]
        self.assertEqual((None, None), (item["previous_per_share"], item["change"]))

    def test_an_estimated_pay_date_moves_to_the_next_business_day(self):
        # 1 December + 18 days is Saturday 19 December 2026
        rows = [paid(r.ex_date.isoformat(), "1", (r.ex_date + timedelta(days=18)).isoformat()) for r in TEN_PERCENT]
        self.assertEqual([("2026-12-01", "2026-12-21", False, "100", True)], self.items(rows, self.BUY)[0])

    def test_a_split_on_the_ex_date_counts_new_shares(self):
        rows = TEN_PERCENT[:-1] + [paid("2026-11-10", "0.25", "2026-11-25")]
        found, result = self.items(rows, self.BUY, splits=[(day("2026-11-10"), Fraction(2))])
        self.assertEqual(("200", "0.25", "50.00"), (found[0][3], result[0]["per_share"]["amount"], result[0]["expected"]["amount"]))

    def test_an_announced_split_counts_from_its_day(self):
        # declared for 10 December after 2:1 on the 1st: 200 shares x 0.25; today's rate is 4 x 0.50
        rows = TEN_PERCENT[:-1] + [paid("2026-09-01", "0.5", "2026-09-15"), paid("2026-12-10", "0.25", "2026-12-24")]
        held = account(rows, self.BUY, splits=[(day("2026-12-01"), Fraction(2))])
        item = held.upcoming(45)["items"][0]
        self.assertEqual(("200", "0.25", "50.00", "0.20131375"), (item["shares"], item["per_share"]["amount"], item["expected"]["amount"],
                                                               item["previous_per_share"]["amount"]))
        self.assertEqual((2, "100"), (held.figures["S"].forward, held.holdings()["holdings"][0]["shares"]))

    def test_an_estimate_after_an_announced_split_is_per_new_share(self):
        found, result = self.items(TEN_PERCENT, self.BUY, splits=[(day("2026-11-20"), Fraction(2))])
        self.assertEqual(("200", "0.225", "45.00"), (found[0][3], result[0]["per_share"]["amount"], result[0]["expected"]["amount"]))

    def test_a_foreign_payment_is_shown_in_the_trading_currency(self):
        # 1 GBP = 1.25 / 0.8 = 1.5625 USD
        rows = [paid(f"{year}-{month}-01", "1", currency="GBP") for year in (2025, 2026) for month in ("03", "06", "09", "12")]
        item = self.items(rows, self.BUY)[1][0]
        self.assertEqual(({"amount": "1.5625", "currency": "USD"}, {"amount": "156.25", "currency": "USD"}, True),
                         (item["per_share"], item["expected"], item["declared"]))

    def test_a_past_ex_date_counts_shares_held_before_it_even_if_sold_since(self):
        rows = TEN_PERCENT[:-1] + [paid("2026-11-10", "0.5", "2026-11-25")]
        entries = [entry(0, "2026-11-05", "buy", "50", "1"), entry(1, "2026-11-10", "buy", "50", "1"),
                   entry(2, "2026-11-12", "sell", "100", "1")]
        found, result = self.items(rows, entries)
        self.assertEqual([("2026-11-10", "2026-11-25", True, "50", True)], found)
        self.assertEqual("25.00", result[0]["expected"]["amount"])
        # Bought on the ex-date: that payment is not the user's.
        self.assertEqual([], self.items(rows, entries[1:2])[0])

    def test_a_split_since_the_ex_date_changes_neither_shares_nor_amount(self):
        rows = TEN_PERCENT[:-1] + [paid("2026-11-10", "0.5", "2026-11-25")]
        found, result = self.items(rows, self.BUY, splits=[(day("2026-11-12"), Fraction(2))])
        self.assertEqual(("100", "0.50", "50.00"), (found[0][3], result[0]["per_share"]["amount"], result[0]["expected"]["amount"]))

    def test_specials_are_listed_and_both_ends_of_the_window_count(self):
        rows = TEN_PERCENT + [paid("2026-11-15", "3", "2027-01-01", special=True), paid("2026-11-16", "2", "2027-01-02", special=True),
                              paid("2026-11-17", "1", "2027-01-03", special=True)]
        self.assertEqual(["2026-11-15", "2026-11-16"], [f[0] for f in self.items(rows, self.BUY, days=1)[0]])

    def test_watchlist_stocks_have_no_shares_and_a_holding_takes_precedence(self):
        self.assertEqual([("2026-12-01", "2026-12-15", False, None, False)], self.items(TEN_PERCENT, [], radar=["S"])[0])
        self.assertEqual([("2026-12-01", "2026-12-15", False, "100", True)], self.items(TEN_PERCENT, self.BUY, radar=["S"])[0])

    def test_an_estimate_follows_the_last_known_payment(self):
        # Four payments span more than a year: the first of them, a year on (20 November), comes before the last known.
        rows = quarters({2024: "0.45", 2025: "0.45"})[:-1] + [
            paid(ex, "0.45") for ex in ("2025-11-20", "2026-03-01", "2026-06-01", "2026-12-02")]
        self.assertEqual(["2026-12-02"], [f[0] for f in self.items(rows, self.BUY)[0]])

    def test_shares_bought_on_the_ex_date_of_today_do_not_count(self):
        rows = TEN_PERCENT + [paid("2026-11-15", "0.45")]
        found = self.items(rows, self.BUY + [entry(1, "2026-11-15", "buy", "5", "1")], days=1)[0]
        self.assertEqual(["100"], [f[3] for f in found])

    def test_a_stopped_payer_has_no_estimates(self):
        self.assertEqual([], self.items(quarters({2025: "1"}), self.BUY, days=120)[0])


class LedgerAnswers(unittest.TestCase):
    def test_holdings_are_oldest_first_and_name_their_portfolio(self):
        entries = [entry(0, "2021-01-04", "buy", "1.50", "10", "A"), entry(1, "2020-01-02", "buy", "2", "10", "B")]
        rows = account([], entries, portfolios=("A", "B")).holdings()["holdings"]
        self.assertEqual([("B", "2"), ("A", "1.5")], [(r["portfolio"], r["shares"]) for r in rows])

    def test_dividends_are_newest_and_last_recorded_first(self):
        entries = [entry(0, "2026-01-02", "dividend", amount="18", tax="2.70"),
                   entry(1, "2026-01-02", "dividend", amount="-18", tax="-2.70"),
                   entry(2, "2026-02-02", "dividend", "1.5", net="0.4812")]
        rows = account([], entries).dividends()["dividends"]
        self.assertEqual(["0.4812", "-15.30", "15.30"], [r["net"]["amount"] for r in rows])
        self.assertEqual([(False, None, "1.5"), (ABSENT, None, None)], [(r["gross_known"], r["quantity"], r["shares"]) for r in rows[:2]])

    def test_net_is_gross_minus_tax_and_fees(self):
        entries = [entry(0, "2026-01-02", "dividend", amount="18", tax="2.70", fees="0.30"),
                   entry(1, "2026-01-03", "dividend", net="15.00", tax="2.70", fees="0.3"),
                   entry(2, "2026-01-04", "dividend", net="15.00", tax="0"),
                   entry(3, "2026-01-05", "dividend", amount="18", net="14", tax="2.70", fees="1")]
        rows = account([], entries).dividends()["dividends"][::-1]
        self.assertEqual([("18.00", "15.00", ABSENT), ("18.00", "15.00", ABSENT), ("15.00", "15.00", ABSENT), ("18.00", "14.00", ABSENT)],
                         [(r["amount"]["amount"], r["net"]["amount"], r["gross_known"]) for r in rows])
        self.assertEqual("0.00", rows[2]["withholding_tax"]["amount"])

    def test_dividends_of_the_future_are_not_paid_yet(self):
        entries = [entry(0, "2026-11-15", "dividend", amount="1"), entry(1, "2026-11-16", "dividend", amount="2")]
        self.assertEqual(["1.00"], [r["amount"]["amount"] for r in account([], entries).dividends()["dividends"]])

    def test_an_unknown_cost_is_said(self):
        unknown = entry(0, "2020-01-02", "transfer_in", "1", "10", source="opening:estimated")
        bought = entry(0, "2020-01-02", "buy", "1", "10")
        self.assertEqual([False, ABSENT], [account([], [e]).holdings()["holdings"][0]["cost_known"] for e in (unknown, bought)])

    def test_calendar_has_one_row_per_stock_and_ex_date(self):
        rows = TEN_PERCENT + [paid("2026-11-15", "1"), paid("2026-11-15", "1", special=True), paid("2026-12-31", "1")]
        self.assertEqual(["2026-11-15"], [r["ex_dividend_date"] for r in account(rows, []).calendar(45)["stocks"]])


class Search(unittest.TestCase):
    STOCKS = [Stock(symbol, "EUR", name=name) for symbol, name in (
        ("BAN", "Nordic Rail"), ("BANX", "Granite"), ("CC", "Bánco Sur"), ("DD", "Alpine Bank"), ("EE", "Urban Water"),
        ("D", "Alpine Banner"))]

    def test_classes_in_order_without_accents(self):
        found = exact_matches("ban", reversed(self.STOCKS), lambda symbol: False)
        self.assertEqual(["BAN", "BANX", "CC", "D", "DD", "EE"], [s.symbol for s in found])

    def test_one_typo_below_eight_letters(self):
        self.assertTrue(within_a_typo("grxnite", self.STOCKS[1]))
        self.assertFalse(within_a_typo("grxxite", self.STOCKS[1]))


class Automatic(unittest.TestCase):
    def test_half_to_105_percent_of_the_rounded_gross_is_the_payment(self):
        # 105.648398 x 0.5545 = 58.582036691, recorded as 58.58: from 29.29 (less than half of the exact amount) to 61.509.
        # 1.1 x 53.26 = 58.586, recorded as 58.59: from 29.295 (more than half of the exact amount) to 61.5195.
        for shares, per_share, kept in [("105.648398", "0.5545", {"29.28": 2, "29.29": 1, "61.50": 1, "61.51": 2}),
                                        ("1.1", "53.26", {"29.29": 2, "29.30": 1, "61.51": 1, "61.52": 2})]:
            for amount, dividends in kept.items():
                entries = [entry(0, "2026-01-05", "buy", shares, "10"),
                           entry(1, "2026-03-15", "dividend", amount=amount, source="manual")]
                market = account([paid("2026-03-01", per_share, "2026-03-15")], entries).market
                owner = Account(market, entries, ["Main"], TODAY, "EUR", "ES", recording=["Main"])
                found = [e for e in owner.entries if e.type == "dividend"]
                self.assertEqual(dividends, len(found), f"{amount} of {shares} x {per_share}")


class Reinvested(unittest.TestCase):
    # Ten shares that cost 100.00 are paid 1.00 each, of which 15% are withheld: 10.00 gross, 8.50 net.
    MARCH, JUNE = paid("2026-03-01", 1, "2026-03-15"), paid("2026-06-01", 1, "2026-06-15")

    def owner(self, rows, closes, rule="fractional", splits=(), entries=(), fx=RATES, **rules):
        stock = Stock("S", "USD", name="Sample", isin="US0000000127")
        market = Market({"S": stock}, {"S": rows}, {"S": [(day(text), Fraction(ratio)) for text, ratio in splits]},
                        {"S": {day(text): Fraction(close) for text, close in closes.items()}}, fx)
        reinvest = {("Main", None): rule, **{("Main", symbol): one for symbol, one in rules.items()}}
        bought = entry(0, "2026-01-05", "buy", "10", "10")
        return Account(market, [bought, *entries], ["Main"], TODAY, "EUR", "ES", recording=["Main"], reinvest=reinvest)

    def bought(self, *given, **more):
        """(date, shares, price, amount) of each purchase."""
        text = lambda number: None if number is None else f"{number:f}"
        return [(e.date.isoformat(), text(e.shares), text(e.price), text(e.amount))
                for e in self.owner(*given, **more).entries if e.type == "buy" and e.estimated]

    def test_fractions_of_shares_cost_the_net_amount(self):
        # 8.50 / 42 = 0.202380952...
        owner = self.owner([self.MARCH], {"2026-03-13": 42})
        position = owner.positions[0]
        self.assertEqual((Fraction("10.20238095"), Fraction("108.50")), (position.shares, position.cost))
        purchase, dividend, _ = owner.transactions()["transactions"]
        usd = lambda amount: {"amount": amount, "currency": "USD"}
        expected = {"id": 3, "date": "2026-03-15", "type": "buy", "symbol": "S", "shares": "0.20238095",
                    "price": usd("42.00"), "amount": usd("8.50"), "fees": None, "withholding_tax": None, "net": None,
                    "currency": "USD", "source": "automatic", "estimated": True, "gross_known": ABSENT}
        self.assertEqual(expected, {name: purchase[name] for name in expected})
        self.assertEqual((2, "dividend", usd("10.00"), usd("8.50")),
                         (dividend["id"], dividend["type"], dividend["amount"], dividend["net"]))

    def test_whole_shares_leave_a_rest_that_is_not_carried_over(self):
        # 8.50 / 4.25 = 2 exactly, 8.50 / 5 = 1.7, 8.50 / 8.51 < 1
        for close, found in [("4.25", ("2", "4.25")), ("5", ("1", "5")), ("8.51", None)]:
            expected = [("2026-03-15", *found, None)] if found else []
            self.assertEqual(expected, self.bought([self.MARCH], {"2026-03-15": close}, "whole"), close)
        # In June 11.00 gross, 1.65 tax, 9.35 net: 1.87 shares, and 12.85 with the 3.50 left in March would buy 2.
        owner = self.owner([self.MARCH, self.JUNE], {"2026-03-15": 5, "2026-06-15": 5}, "whole")
        self.assertEqual((12, 110), (owner.positions[0].shares, owner.positions[0].cost))
        self.assertEqual([{"amount": "5.00", "currency": "USD"}] * 2,
                         [row["amount"] for row in owner.transactions(kind="buy")["transactions"][:2]])

    def test_the_price_is_that_before_later_splits(self):
        # The close of 21.00 was 42.00 until the split of June. Those of March and December do not change it.
        closes, splits = {"2026-03-13": 21}, [("2026-03-15", 3), ("2026-06-01", 2), ("2026-12-01", 5)]
        found = self.bought([self.MARCH], closes, splits=splits)
        self.assertEqual([("2026-03-15", "0.20238095", "42", "8.50")], found)
        # 10 x 3 x 2 + 0.20238095 x 2
        owner = self.owner([self.MARCH], closes, splits=splits)
        self.assertEqual(Fraction("60.4047619"), owner.positions[0].shares)
        # 28.00 before a reverse split was 14.00; 8.50 / 14 = 0.607142857...
        self.assertEqual([("2026-03-15", "0.60714286", "14", "8.50")],
                         self.bought([self.MARCH], {"2026-03-13": 28}, splits=[("2026-06-01", "1/2")]))

    def test_the_price_is_in_the_currency_of_the_payment(self):
        # 40 x 0.8 / 1.25 = 25.60 GBP; 8.50 / 25.60 = 0.33203125. They cost 8.50 x 1.25 / 0.8 = 13.28125 USD.
        rows, closes = [paid("2026-03-01", 1, "2026-03-15", "GBP")], {"2026-03-12": 40}
        self.assertEqual([("2026-03-15", "0.33203125", "25.6", "8.50")], self.bought(rows, closes))
        self.assertEqual(Fraction("113.28125"), self.owner(rows, closes).positions[0].cost)
        # The rate is that of the payment date: 40 / 1.12 = 35.714285714285...
        rates = Fx([(day("2026-03-12"), "USD", Fraction("1.25")), (day("2026-03-15"), "USD", Fraction("1.12")),
                    (day("2026-03-16"), "USD", Fraction("1.5"))])
        rows = [paid("2026-03-01", 1, "2026-03-15", "EUR")]
        self.assertEqual([("2026-03-15", "0.238", "35.7142857143", "8.50")], self.bought(rows, closes, fx=rates))

    def test_without_an_exchange_rate_nothing_is_bought(self):
        owner = self.owner([paid("2026-03-01", 1, "2026-03-15", "TWD")], {"2026-03-15": 40})
        self.assertEqual(["buy", "dividend"], [e.type for e in owner.entries])

    def test_the_last_close_of_the_week_before_the_payment_counts(self):
        for closes, price in [({"2026-03-08": 40}, "40"), ({"2026-03-07": 40}, None), ({"2026-03-16": 40}, None),
                              ({"2026-03-08": 40, "2026-03-14": 42, "2026-03-16": 44}, "42"),
                              ({}, None), ({"2026-03-15": 0}, None)]:
            found = self.bought([self.MARCH], closes)
            self.assertEqual([price] if price else [], [row[2] for row in found], closes)

    def test_what_was_bought_counts_for_the_next_payment(self):
        # 10.20238095 x 1.00 = 10.20, of which 1.53 are withheld; 8.67 / 42 = 0.206428571...
        closes = {"2026-03-15": 42, "2026-06-15": 42}
        owner = self.owner([self.MARCH, self.JUNE], closes)
        dividends = [(e.shares, e.amount, e.net) for e in owner.entries if e.type == "dividend"]
        expected = [("10", "10", "8.50"), ("10.20238095", "10.20", "8.67")]
        self.assertEqual([tuple(map(Decimal, row)) for row in expected], dividends)
        self.assertEqual([("2026-03-15", "0.20238095", "42", "8.50"), ("2026-06-15", "0.20642857", "42", "8.67")],
                         self.bought([self.MARCH, self.JUNE], closes))
        self.assertEqual(Fraction("10.40880952"), owner.positions[0].shares)

    def test_what_was_bought_counts_from_the_day_after(self):
        # The special's ex-date is the day of the purchase, and the day after.
        for ex_date, shares in [("2026-03-15", "10"), ("2026-03-16", "12")]:
            rows = [self.MARCH, paid(ex_date, 1, "2026-03-25", special=True)]
            owner = self.owner(rows, {"2026-03-15": "4.25"}, "whole")
            self.assertEqual([10, Decimal(shares)], [e.shares for e in owner.entries if e.type == "dividend"], ex_date)

    def test_a_payment_is_recorded_if_the_purchases_before_it_explain_its_amount(self):
        # 10.60 is more than 105% of 10.00, but not of 12.00, with the two shares bought in March. 12.61 is.
        closes = {"2026-03-15": "4.25", "2026-06-15": "4.25"}
        for amount, purchases in [("10.60", 1), ("12.60", 1), ("12.61", 2)]:
            recorded = entry(1, "2026-06-15", "dividend", amount=amount, source="manual")
            found = self.bought([self.MARCH, self.JUNE], closes, "whole", entries=[recorded])
            self.assertEqual(purchases, len(found), amount)

    def test_a_recorded_dividend_buys_nothing(self):
        recorded = entry(1, "2026-03-15", "dividend", amount="10", source="manual")
        self.assertEqual([], self.bought([self.MARCH], {"2026-03-15": 42}, entries=[recorded]))

    def test_the_rule_of_the_stock_wins(self):
        for rule, of_stock, shares in [
                ("off", {}, []), ("off", {"S": "whole"}, ["2"]), ("fractional", {"S": "off"}, []),
                ("whole", {"S": "fractional"}, ["2.125"]), ("whole", {"T": "off"}, ["2"])]:
            found = self.bought([self.MARCH], {"2026-03-15": 4}, rule, **of_stock)
            self.assertEqual(shares, [row[1] for row in found], (rule, of_stock))


class Comparison(unittest.TestCase):
    def test_amounts_are_compared_as_strings_and_rates_within_a_billionth_and_nulls_must_be_present(self):
        expected = {"a": {"amount": "1.00"}, "r": Rate(Decimal("0.1")), "n": None, "p": ABSENT}
        self.assertEqual([], compare("", expected, {"a": {"amount": "1.00"}, "r": Decimal("0.10000000001"), "n": None, "x": 1})[1])
        wrong = {"a": {"amount": "1.0"}, "r": Decimal("0.1000001"), "p": None}
        self.assertEqual(["a.amount", "r", "n", "p"], [d.path for d in compare("", expected, wrong)[1]])

    def test_some_figures_have_several_values(self):
        expected = {"a": {"amount": OneOf(("1.00", "1.01"))}, "b": ANY}
        self.assertEqual([], compare("", expected, {"a": {"amount": "1.01"}, "b": {"amount": "7"}})[1])
        self.assertEqual(["a.amount", "b"], [d.path for d in compare("", expected, {"a": {"amount": "1.02"}})[1]])

    def test_reasons_are_compared_by_code_and_state(self):
        expected = Reasons(frozenset({("cut", "fired"), ("stopped", "not_made")}))
        rows = [{"code": "stopped", "state": "not_made", "message": "x"}, {"code": "cut", "state": "fired", "message": "y"}]
        self.assertTrue(expected.accepts(rows))
        self.assertFalse(expected.accepts(rows[:1]) or expected.accepts(rows + rows[:1]) or expected.accepts(None))

    def test_a_missing_row_is_reported_once(self):
        rows = [{"symbol": s, "v": 1} for s in "ABC"]
        self.assertEqual(["rows[]: expected 'A', got (absent)"], [str(d) for d in compare("rows", rows, rows[1:])[1]])


if __name__ == "__main__":
    unittest.main()
