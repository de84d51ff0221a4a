"""Tests the auditor's arithmetic against figures worked out by hand. Run: python3 -m unittest discover -s e2e/audit"""

import sys
import unittest
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from dates import month_ends
from expect import ABSENT, Instant, Rate, compare
from history import History
from inputs import DividendRow, Entry, Market, Stock, instant
from model import Account
from money import Fx, fixed, percent, per_share, recorded, total
from positions import replay
from search import exact_matches, within_a_typo
from stock import StockFigures
from withholding import observed_rate, table_rate

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


def history(rows, stock=Stock("S", "USD"), splits=(), today=TODAY):
    return History(stock, rows, list(splits), RATES, today)


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

    def test_per_share_figures_keep_ten_decimals_and_trim_to_minor_units(self):
        self.assertEqual("0.3333333333", per_share(Fraction(1, 3), "USD")["amount"])
        self.assertEqual("2.50", per_share(Fraction("2.5"), "USD")["amount"])
        self.assertEqual("2500", per_share(Fraction(2500), "JPY")["amount"])

    def test_recorded_figures_keep_their_decimals(self):
        self.assertEqual(["18.00", "0.4812", "7.50", "-3.00"],
                         [recorded(Decimal(v), "EUR")["amount"] for v in ("18.00", "0.4812", "7.5", "-3")])

    def test_percentages_have_two_decimals(self):
        self.assertEqual(Decimal("3.14"), percent(Fraction("0.03137")))


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
        return replay("Main", "S", entries, list(splits), currency, RATES, TODAY)

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

    def test_an_own_split_within_seven_days_replaces_the_markets(self):
        for own, shares in (("2024-06-10", 20), ("2024-05-27", 20), ("2024-06-11", 40), ("2024-05-26", 40)):
            held = self.position([entry(0, "2024-01-02", "buy", "10", "100"), entry(1, own, "split", ratio=Fraction(2))],
                                 [(day("2024-06-03"), Fraction(2))])
            self.assertEqual(shares, held.shares, own)

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

    def test_the_row_in_the_trading_currency_wins_and_others_are_converted(self):
        rows = [paid("2026-01-05", "9", currency="GBP"), paid("2026-01-05", "1"), paid("2026-04-06", "1", currency="EUR"),
                paid("2026-07-06", "1", currency="TWD"), paid("2014-12-31", "1", currency="EUR")]
        self.assertEqual([1, Fraction("1.25")], [p.amount for p in history(rows).regular])

    def test_a_missing_pay_date_takes_the_truncated_median_lag(self):
        # lags 10 and 15: 12.5, so 12 days
        rows = [paid("2026-01-05", "1", "2026-01-15"), paid("2026-04-06", "1", "2026-04-21"), paid("2026-07-06", "1")]
        self.assertEqual(day("2026-07-18"), history(rows).regular[-1].pay_date)
        self.assertEqual(day("2026-07-27"), history(rows[2:]).regular[-1].pay_date)

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

    def test_semi_annual_and_uneven_payers_sum_their_last_year(self):
        halves = [paid("2025-05-01", "0.1"), paid("2025-11-01", "0.2"), paid("2026-05-01", "0.1"), paid("2026-11-01", "0.25")]
        self.assertEqual(Fraction("0.35"), self.rate(halves))
        uneven = quarters({2025: "0.1"})[1:] + [paid("2026-03-01", "0.1"), paid("2026-06-01", "0.1"), paid("2026-09-01", "0.131")]
        self.assertEqual(Fraction("0.431"), self.rate(uneven))

    def test_at_exactly_1_3_times_a_payer_is_still_even(self):
        rows = quarters({2025: "0.1"}) + [paid("2026-03-01", "0.1"), paid("2026-06-01", "0.1"), paid("2026-09-01", "0.13")]
        self.assertEqual(Fraction("0.52"), self.rate(rows))

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

    def test_the_first_year_counts_only_with_all_its_payments(self):
        result = history(TEN_PERCENT[1:])
        self.assertEqual((4, 5, None), (result.streak(), len(result.complete_years()), result.cagr(5)))
        self.assertAlmostEqual(0.1, float(result.growth()), places=15)

    def test_a_short_year_is_extrapolated_and_an_empty_one_is_zero(self):
        rows = [r for r in quarters({2022: "1", 2023: "1", 2024: "1", 2025: "1", 2026: "1"})[:-1]
                if r.ex_date.year != 2023 and r.ex_date != day("2024-06-01")]
        result = history(rows)
        self.assertEqual([4, 0, 4, 4], result.complete_years())
        self.assertEqual(0, result.streak())

    def test_growth_is_clamped(self):
        self.assertEqual(Decimal("0.15"), history(quarters({2024: "1", 2025: "2", 2026: "2"})[:-1]).growth())
        self.assertEqual(Decimal("-0.1"), history(quarters({2024: "2", 2025: "1", 2026: "1"})[:-1]).growth())

    def test_fewer_than_two_complete_years_have_no_streak_and_no_growth(self):
        result = history(quarters({2025: "1", 2026: "1"})[:-1])
        self.assertEqual((None, None), (result.streak(), result.growth()))


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
        # one recent payment and a price: the yield alone (0%)
        self.assertIsNone(figures([paid("2026-09-01", "1")], price="10").scores()["rating"])

    def test_parts_are_clamped(self):
        result = figures(TEN_PERCENT, price="60", low52="24", high52="48", ma50="10", ma200="20")
        self.assertEqual(Decimal("6.7"), result.scores()["momentum"])  # 10, 10, 0


class StockAnswer(unittest.TestCase):
    def test_yield_and_annual_rate(self):
        result = figures(TEN_PERCENT, price="36")
        self.assertEqual({"amount": "1.80", "currency": "USD"}, result.answer(True)["dividend"]["annual"])
        self.assertIsNone(result.answer(False)["dividend"]["annual"])
        self.assertEqual(Decimal("5.00"), result.answer(False)["dividend"]["yield_pct"])

    def test_the_next_declared_ex_date_comes_before_the_last_known(self):
        self.assertEqual("2026-09-01", figures(TEN_PERCENT).answer(True)["dividend"]["ex_dividend_date"])
        declared = TEN_PERCENT + [paid("2026-11-15", "0.45"), paid("2027-03-01", "0.45")]
        self.assertEqual("2026-11-15", figures(declared).answer(True)["dividend"]["ex_dividend_date"])

    def test_a_stock_that_never_paid_has_no_yield_and_one_that_stopped_yields_zero(self):
        self.assertIsNone(figures([], price="10").answer(True)["dividend"]["yield_pct"])
        self.assertEqual(0, figures(quarters({2020: "1"}), price="10").answer(True)["dividend"]["yield_pct"])

    def test_a_plain_price_date_means_midnight_utc(self):
        self.assertTrue(Instant(instant("2026-11-14")).accepts("2026-11-14T00:00:00Z"))


class Withholding(unittest.TestCase):
    def test_rates_by_source_country_and_residence(self):
        cases = {("US", "ES"): "0.15", ("US", ""): "0.3", ("DK", "ES"): "0.27", ("JP", "ES"): "0.05", ("DE", ""): "0.26375",
                 ("SE", "GB"): "0.05", ("US", "PT"): "0.3", ("PE", "ES"): "0.15", (None, "ES"): "0.15"}
        for (source, residence), rate in cases.items():
            self.assertEqual(Fraction(rate), table_rate(source, residence), (source, residence))

    def test_the_users_own_dividends_of_24_months_decide(self):
        rows = [entry(0, "2024-11-14", "dividend", amount="100", tax="90"), entry(1, "2024-11-15", "dividend", amount="100", tax="19"),
                entry(2, "2026-11-15", "dividend", amount="100")]
        self.assertEqual(Fraction("0.095"), observed_rate(rows, TODAY))
        self.assertIsNone(observed_rate(rows[2:], TODAY))
        self.assertEqual(0, observed_rate([entry(0, "2026-01-01", "dividend", amount="5", tax="0")], TODAY))
        self.assertIsNone(observed_rate([entry(0, "2026-01-01", "dividend", amount="-5", tax="1")], TODAY))


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

    def test_a_short_history_is_continued_by_the_nominal_gap(self):
        rows = [paid("2026-06-01", "0.45", "2026-06-15"), paid("2026-09-01", "0.45", "2026-09-15")]
        self.assertEqual([("2026-12-01", "2026-12-15", False, "100", True)], self.items(rows, self.BUY)[0])

    def test_a_past_ex_date_counts_shares_held_before_it_even_if_sold_since(self):
        rows = TEN_PERCENT[:-1] + [paid("2026-11-10", "0.5", "2026-11-25")]
        entries = [entry(0, "2026-11-05", "buy", "50", "1"), entry(1, "2026-11-10", "buy", "50", "1"),
                   entry(2, "2026-11-12", "sell", "100", "1")]
        found, result = self.items(rows, entries)
        self.assertEqual([("2026-11-10", "2026-11-25", True, "50", True)], found)
        self.assertEqual("25.00", result[0]["expected"]["amount"])
        # Bought on the ex-date: that payment is not the user's, the next one is.
        self.assertEqual([("2026-12-01", "2026-12-15", False, "50", True)], self.items(rows, entries[1:2])[0])

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
        entries = [entry(0, "2026-01-02", "dividend", amount="18", tax="2.70"), entry(1, "2026-01-02", "dividend", amount="-18", tax="-2.70"),
                   entry(2, "2026-02-02", "dividend", "1.5", net="0.4812")]
        rows = account([], entries).dividends()["dividends"]
        self.assertEqual(["0.4812", "-15.30", "15.30"], [r["net"]["amount"] for r in rows])
        self.assertEqual([(False, None, "1.5"), (ABSENT, None, None)], [(r["gross_known"], r["quantity"], r["shares"]) for r in rows[:2]])

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


class Comparison(unittest.TestCase):
    def test_amounts_are_compared_as_strings_and_rates_within_a_billionth_and_nulls_must_be_present(self):
        expected = {"a": {"amount": "1.00"}, "r": Rate(Decimal("0.1")), "n": None, "p": ABSENT}
        self.assertEqual([], compare("", expected, {"a": {"amount": "1.00"}, "r": Decimal("0.10000000001"), "n": None, "x": 1})[1])
        wrong = {"a": {"amount": "1.0"}, "r": Decimal("0.1000001"), "p": None}
        self.assertEqual(["a.amount", "r", "n", "p"], [d.path for d in compare("", expected, wrong)[1]])

    def test_a_missing_row_is_reported_once(self):
        rows = [{"symbol": s, "v": 1} for s in "ABC"]
        self.assertEqual(["rows[]: expected 'A', got (absent)"], [str(d) for d in compare("rows", rows, rows[1:])[1]])


if __name__ == "__main__":
    unittest.main()
