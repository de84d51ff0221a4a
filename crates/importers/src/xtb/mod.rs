//! XTB's history of cash operations (CSV, or a sheet of its workbook): each row's comment has what was traded or paid, and the
//! amounts are in the account's currency, which only some exports name.

mod columns;
mod comment;
mod payments;
mod symbol;
mod trades;

use columns::Operations;
use comment::{Comment, Fill};
use jiff::{Span, ToSpan};
use ledger::Decimal;
use payments::{Payment, Payments};
use symbol::{Listed, listed};
use trades::{Cost, Trade, Trades};

use crate::reading::{Line, Order, fields, moment};
use crate::rows::{self, Read};
use crate::{Kind, Opened, Parsed, Reason, Record};

pub fn detect(file: &Opened) -> bool {
    Operations::find(file).is_some()
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(operations) = Operations::find(file) else {
        return Parsed::refused(1, Reason::header_missing(&["ID", "Type", "Time", "Symbol", "Comment", "Amount"]));
    };
    let (mut trades, mut payments) = (Trades::default(), Payments::default());
    let mut parsed =
        rows::parse(&operations.table, |line| (Row { operations: &operations, line }).read(&mut trades, &mut payments));
    let account = operations.currency().or_else(|| trades.account());
    trades.finish(account, &mut parsed);
    payments.finish(account, &mut parsed);
    parsed
}

struct Row<'r, 'a> {
    operations: &'r Operations<'a>,
    line: Line<'r, 'a>,
}

impl<'a> Row<'_, 'a> {
    fn read(&self, trades: &mut Trades, payments: &mut Payments) -> Result<Read, Reason> {
        let kind = self.cell(self.operations.kind);
        let words = kind.to_lowercase();
        let is = |starts: &[&str]| starts.iter().any(|word| words.contains(word));
        if words == "total" || self.line.text("id").is_some_and(|id| id.eq_ignore_ascii_case("total")) {
            return Ok(Read::Skip(Reason::Total));
        }
        let comment = comment::read(self.cell(self.operations.comment))?;
        let Some(symbol) = self.symbol(&comment) else {
            return match comment {
                Comment::Other => Ok(Read::Skip(Reason::Cash)),
                _ => Err(Reason::missing("symbol")),
            };
        };
        let Some(listed) = listed(symbol) else {
            return Ok(Read::Skip(Reason::unsupported_asset("cfd")));
        };
        match comment {
            Comment::Short => return Ok(Read::Skip(Reason::unsupported_asset("cfd"))),
            Comment::Buy(fill) => trades.add(self.trade(Kind::Buy, listed, fill)?),
            Comment::Sell(fill) => trades.add(self.trade(Kind::Sell, listed, fill)?),
            _ if is(&["spin"]) => payments.add(self.payment(Kind::ReturnOfCapital, listed, comment)?),
            Comment::PerShare(..) | Comment::Withheld(_) => payments.add(self.payment(Kind::Dividend, listed, comment)?),
            _ if is(&["withholding", "podatek", "quellensteuer", "retenc", "retenç", "ritenut", "srážkov"]) => {
                payments.add(self.payment(Kind::Dividend, listed, Comment::Withheld(None))?);
            }
            _ if is(&["divid", "dywid"]) => payments.add(self.payment(Kind::Dividend, listed, comment)?),
            _ if is(&["close trade", "profit"]) => {
                trades.profit(self.cost(symbol)?);
                return Ok(Read::Skip(Reason::CountedElsewhere));
            }
            _ if is(&["swap", "rollover"]) => return Ok(Read::Skip(Reason::unsupported_asset("cfd"))),
            _ if is(&["stamp", "fee", "ftt", "commission", "prowizj", "tax"]) => trades.cost(self.cost(symbol)?),
            _ => return Err(Reason::unsupported(kind)),
        }
        Ok(Read::Kept)
    }

    /// The comment of a payment also begins with the symbol.
    fn symbol(&self, comment: &Comment) -> Option<&str> {
        let named = Some(self.cell(self.operations.symbol)).filter(|symbol| !symbol.is_empty());
        let of_payment = matches!(comment, Comment::PerShare(..) | Comment::Withheld(_));
        let first = self.cell(self.operations.comment).split_whitespace().next().filter(|_| of_payment);
        named.or(first.filter(|word| listed(word).is_some()))
    }

    fn trade(&self, kind: Kind, listed: Listed, fill: Fill) -> Result<Trade, Reason> {
        let amount = self.amount()?;
        let record = self.record(kind, &listed)?;
        Ok(Trade { record, symbol: listed, fill, amount, number: self.number() })
    }

    fn payment(&self, kind: Kind, listed: Listed, comment: Comment) -> Result<Payment, Reason> {
        let amount = self.amount()?;
        let record = self.record(kind, &listed)?;
        Ok(Payment { record, comment, amount, number: self.number() })
    }

    fn cost(&self, symbol: &str) -> Result<Cost, Reason> {
        let (date, time) = moment("time", self.cell(self.operations.time), Order::DayFirst)?;
        let at = date.to_datetime(time.unwrap_or_default());
        let traded = comment::day(self.cell(self.operations.comment)).unwrap_or(date);
        let ticker = listed(symbol).map(|listed| listed.ticker).unwrap_or_default();
        Ok(Cost { line: self.line.number(), ticker, at, traded, amount: self.amount()?, number: self.number() })
    }

    fn record(&self, kind: Kind, listed: &Listed) -> Result<Record, Reason> {
        let (date, time) = moment("time", self.cell(self.operations.time), Order::DayFirst)?;
        // Within one second, shares are bought before they are sold, whichever way the file runs.
        let later = if kind == Kind::Sell { 1.nanosecond() } else { Span::new() };
        Ok(Record {
            time: time.map(|time| time.saturating_add(later)),
            ticker: Some(listed.ticker.clone()),
            suffix: listed.suffix,
            isin: self.line.isin("isin"),
            name: self.line.text("instrument").and_then(fields::short),
            // Includes the type, because one number may stand for both sides of an operation.
            id: self.line.text("id").map(|id| fields::text("id", &format!("{id} {}", kind.word()), 200)).transpose()?,
            ..Record::new(self.line.number(), date, kind)
        })
    }

    fn cell(&self, column: &str) -> &'a str {
        self.line.text(column).unwrap_or_default()
    }

    fn amount(&self) -> Result<Decimal, Reason> {
        self.line.figure_needed(self.operations.amount)
    }

    fn number(&self) -> Option<u64> {
        self.line.text("id").and_then(|id| id.parse().ok())
    }
}
