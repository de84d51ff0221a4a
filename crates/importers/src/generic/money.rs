//! What a table's money columns are: before or after fees and tax, and with which signs.

use std::cmp::Ordering;

use ledger::{Decimal, Kind};

use super::columns::Columns;
use super::field::Field;
use super::header::Header;
use super::mapping::{Costs, Mapping, Meaning};
use super::types::meaning;
use crate::Reason;
use crate::reading::{Row, figure};

pub fn find_amounts(header: &Header<'_>, mapping: &mut Mapping, doubts: &mut Vec<Reason>) {
    let Some(row) = header.sheet.row(header.at) else { return };
    amount(header, row, mapping, doubts);
    let columns = Columns::of(header.sheet, row, mapping);
    match costs(header.rows(), &columns, mapping) {
        Ok(costs) => mapping.costs = costs,
        Err((above, below)) => doubts.push(Reason::CostSigns { above, below }),
    }
}

/// For a column titled just "Amount": gross if its rows add up that way, net if they add up the other way.
fn amount(header: &Header<'_>, row: Row<'_>, mapping: &mut Mapping, doubts: &mut Vec<Reason>) {
    let Some(column) = header.money.first().copied() else { return };
    if mapping.has(Field::Amount) {
        return;
    }
    let called = header.call(column);
    let columns = Columns::of(header.sheet, row, mapping);
    let sums = Sums::of(header, &columns, mapping, column);
    let field = match sums {
        Sums { other: Some(line), .. } if !sums.is_clear() => {
            doubts.push(Reason::AmountUnclear { name: called.as_str().into(), line });
            sums.likely()
        }
        // If there is a net column, this is the gross.
        _ if mapping.has(Field::Net) => Field::Amount,
        Sums { net: None, open: None, .. } => Field::Amount,
        Sums { gross: 0, net: Some(_), open: None, .. } => Field::Net,
        Sums { net: Some(line), open: None, .. } | Sums { open: Some(line), .. } => {
            doubts.push(Reason::GrossOrNet { name: called.as_str().into(), line });
            sums.likely()
        }
    };
    mapping.columns.push((field, called));
}

/// What the rows show about a column of money.
#[derive(Default)]
struct Sums {
    /// How many amounts are before fees and tax.
    gross: u32,
    /// How many are after them.
    nets: u32,
    /// The first line whose amount is after fees and tax.
    net: Option<u64>,
    /// How many add up neither way.
    others: u32,
    /// Dividends whose tax is a usual part of the amount, less those whose tax is one of the amount and the tax together.
    gross_by_rate: i32,
    /// The first line whose figures leave it open.
    open: Option<u64>,
    /// The first line that does not add up either way.
    other: Option<u64>,
}

impl Sums {
    fn of(header: &Header<'_>, columns: &Columns, mapping: &Mapping, column: usize) -> Sums {
        let mut sums = Sums::default();
        let mut even = None;
        for row in header.rows() {
            let kind = match meaning(mapping, columns, row) {
                Some(Meaning::Kind(kind @ (Kind::Buy | Kind::Sell | Kind::Dividend))) => kind,
                Some(Meaning::ByShares | Meaning::ByAmount) => Kind::Buy,
                _ => continue,
            };
            let Ok(money) = figure("amount", row.cell(column), columns.decimals) else { continue };
            let taken = [Field::Fees, Field::Tax].iter().filter_map(|field| columns.figure_if_valid(row, *field));
            let taken = taken.fold(Decimal::ZERO, |sum, cost| sum.saturating_add(cost.abs()));
            let product = columns.figure_if_valid(row, Field::Shares).zip(columns.figure_if_valid(row, Field::Price));
            let product = product.and_then(|(shares, price)| shares.checked_mul(price)).map(|product| product.abs());
            let fit = product.filter(|product| !product.is_zero()).map(|product| fit(money.abs(), product, taken));
            match (kind, fit) {
                (_, Some(Fit::Gross)) => sums.gross += 1,
                (_, Some(Fit::Net)) => {
                    sums.nets += 1;
                    sums.net = sums.net.or(Some(row.line()));
                }
                // A purchase without costs proves nothing.
                (Kind::Buy | Kind::Sell, Some(Fit::Either)) => {}
                (Kind::Buy | Kind::Sell, None) if taken.is_zero() => {}
                // Dividends per share are usually before tax; if trades agree, there is nothing left to ask.
                (Kind::Dividend, Some(Fit::Either)) => even = even.or(Some(row.line())),
                (Kind::Buy | Kind::Sell, Some(Fit::Neither)) => {
                    sums.others += 1;
                    sums.other = sums.other.or(Some(row.line()));
                }
                // The price in a dividend's row may be the share price.
                _ => {
                    let tax = columns.figure_if_valid(row, Field::Tax).map(|tax| tax.abs()).unwrap_or_default();
                    sums.gross_by_rate += by_rate(money.abs(), tax);
                    sums.open = sums.open.or(Some(row.line()));
                }
            }
        }
        if sums.gross == 0 || sums.net.is_some() {
            sums.open = sums.open.or(even);
        }
        sums
    }

    /// Nearly all amounts are before fees and tax: the few that are not become errors of their rows.
    fn is_clear(&self) -> bool {
        const FEW: u32 = 20;
        self.nets == 0 && self.open.is_none() && self.gross >= self.others.saturating_mul(FEW)
    }

    /// What most rows show.
    fn likely(&self) -> Field {
        let is_net = match self.gross.cmp(&self.nets) {
            Ordering::Greater => false,
            Ordering::Less => true,
            Ordering::Equal => self.gross_by_rate < 0,
        };
        if is_net { Field::Net } else { Field::Amount }
    }
}

/// The usual rates of tax on dividends, in thousandths of a percent.
const RATES: [i64; 16] = [
    5_000, 10_000, 12_500, 12_800, 15_000, 19_000, 20_000, 25_000, 26_000, 26_375, 27_000, 27_500, 28_000, 30_000, 35_000, 38_000,
];

/// 1 if the tax is a usual part of the amount, -1 if it is one of both together, 0 if that shows nothing.
fn by_rate(money: Decimal, tax: Decimal) -> i32 {
    let is_usual = |whole: Decimal| {
        // The tax is rounded to a hundredth.
        let near = |rate: i64| whole.checked_mul(Decimal::new(rate, 5)).is_some_and(|usual| is_rounded(usual, tax));
        RATES.into_iter().any(near)
    };
    match (tax.is_zero(), is_usual(money), is_usual(money.saturating_add(tax))) {
        (false, true, false) => 1,
        (false, false, true) => -1,
        _ => 0,
    }
}

fn is_rounded(exact: Decimal, written: Decimal) -> bool {
    exact.saturating_sub(written).abs() <= Decimal::new(6, 3)
}

enum Fit {
    Gross,
    Net,
    Either,
    Neither,
}

fn fit(money: Decimal, product: Decimal, taken: Decimal) -> Fit {
    let apart = |one: Decimal, other: Decimal| one.saturating_sub(other).abs();
    // Printed prices are rounded; prices may be in pence and amounts in pounds.
    let near = |sum: Decimal| {
        let rounding = sum.saturating_mul(Decimal::new(1, 2)).max(Decimal::new(2, 2));
        let within =
            if taken.is_zero() { rounding } else { rounding.min(taken.checked_div(Decimal::from(4)).unwrap_or_default()) };
        apart(money, sum) <= within
    };
    let pence = product.checked_div(Decimal::ONE_HUNDRED).unwrap_or_default();
    let is = |add: Decimal| [product, pence].iter().any(|product| near(product.saturating_add(add)));
    match (is(Decimal::ZERO), is(taken) || is(taken.saturating_mul(Decimal::NEGATIVE_ONE))) {
        (true, _) if taken.is_zero() => Fit::Either,
        (true, false) => Fit::Gross,
        (false, true) => Fit::Net,
        _ => Fit::Neither,
    }
}

/// The sign of fees and tax, if all rows agree; else two lines that do not.
pub fn costs<'a>(rows: impl Iterator<Item = Row<'a>>, columns: &Columns, mapping: &Mapping) -> Result<Option<Costs>, (u64, u64)> {
    let (mut above, mut below) = (None, None);
    for row in rows {
        let turned = match meaning(mapping, columns, row) {
            None | Some(Meaning::Ignore) => continue,
            // A reversed dividend returns its tax.
            Some(Meaning::Kind(Kind::Dividend)) => {
                let paid =
                    [Field::Amount, Field::Net, Field::Shares].iter().find_map(|field| columns.figure_if_valid(row, *field));
                paid.is_some_and(|paid| paid < Decimal::ZERO)
            }
            _ => false,
        };
        for cost in [Field::Fees, Field::Tax]
            .iter()
            .filter_map(|field| columns.figure_if_valid(row, *field))
            .filter(|cost| !cost.is_zero())
        {
            let place = if (cost > Decimal::ZERO) != turned { &mut above } else { &mut below };
            *place = place.or(Some(row.line()));
        }
    }
    match (above, below) {
        (Some(above), Some(below)) => Err((above, below)),
        (Some(_), None) => Ok(Some(Costs::Positive)),
        (None, Some(_)) => Ok(Some(Costs::Negative)),
        (None, None) => Ok(None),
    }
}
