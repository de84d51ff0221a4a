//! Writes the automatic entries that there should be.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use jiff::civil::Date;
use ledger::Decimal;
use store::entries::{self, Entry};
use store::payment_decisions::{self, Decision};
use store::portfolios::{Automatic, Portfolio, Reinvest};
use store::reinvest_rules::{self, Rule};
use store::rejected_values::{self, OPERATOR};
use store::{Tx, portfolios, prices, users, versions};
use uuid::Uuid;

use super::key::Key;
use super::reinvest::Reinvesting;
use super::unrecorded::{Evidence, Unrecorded, unrecorded};
use crate::book;
use crate::book::lots::{self, Lot, is_automatic, is_estimated, is_imported_estimate};
use crate::entries::reference::reference;
use crate::market::day_price::oldest_of;
use crate::market::profile::Profile;
use crate::{App, Error};

/// What has to change in a user's automatic entries.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    delete: Vec<i64>,
    add: Vec<Entry>,
}

impl Changes {
    pub fn is_empty(&self) -> bool {
        self.delete.is_empty() && self.add.is_empty()
    }

    /// Leaves one stored entry that is as wanted.
    fn replace(&mut self, stored: &[Entry], wanted: Option<Entry>) {
        let same = stored.iter().position(|one| wanted.as_ref().is_some_and(|wanted| is_same(one, wanted)));
        self.delete.extend(stored.iter().enumerate().filter(|(at, _)| Some(*at) != same).map(|(_, one)| one.sequence));
        self.add.extend(wanted.filter(|_| same.is_none()));
    }

    pub async fn store(mut self, tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
        for sequence in self.delete {
            entries::delete(tx, user_id, sequence).await?;
        }
        self.add.sort_by(|a, b| (a.date, &a.identity).cmp(&(b.date, &b.identity)));
        let next = entries::next_sequence(tx, user_id).await?;
        for (entry, sequence) in self.add.iter_mut().zip(next..) {
            entry.sequence = sequence;
        }
        Ok(entries::add(tx, user_id, &self.add).await?)
    }
}

/// For these symbols, after their entries have changed; `automatic` says whether any of those is automatic. True if any entry
/// changed.
pub(crate) async fn written(
    app: &App,
    tx: &mut Tx,
    user_id: Uuid,
    symbols: &BTreeSet<&str>,
    automatic: bool,
) -> Result<bool, Error> {
    let rules = Rules::load(tx, user_id).await?;
    if !automatic && !rules.matter() {
        return Ok(false);
    }
    let rows = entries::of_symbols(tx, user_id, &Vec::from_iter(symbols.iter().copied())).await?;
    let changes = changes(app, tx, &rules, rows).await?;
    let any = !changes.is_empty();
    changes.store(tx, user_id).await?;
    Ok(any)
}

/// For all of a user's symbols, after the day, market data or the user's decisions have changed. True if any entry changed.
pub(crate) async fn everything(app: &App, tx: &mut Tx, user_id: Uuid) -> Result<bool, Error> {
    let changes = changes_of(app, tx, user_id).await?;
    let any = !changes.is_empty();
    changes.store(tx, user_id).await?;
    Ok(any)
}

/// What would change.
pub(super) async fn changes_of(app: &App, tx: &mut Tx, user_id: Uuid) -> Result<Changes, Error> {
    let rules = Rules::load(tx, user_id).await?;
    let rows = entries::of_user(tx, user_id).await?;
    changes(app, tx, &rules, rows).await
}

/// What an automatic entry is for.
#[derive(PartialEq, Eq, Hash)]
enum About {
    Payment(Key),
    /// A purchase: its lot, and what it reinvests.
    Purchase((Uuid, String), String),
}

impl About {
    /// A purchase that reinvests a dividend.
    fn of_purchase(Key { portfolio_id, symbol, .. }: &Key, dividend: &Entry) -> About {
        About::Purchase((*portfolio_id, symbol.clone()), reference(dividend))
    }

    fn of(entry: &Entry) -> Option<About> {
        let purchase = || Some(About::Purchase((entry.portfolio_id, entry.symbol.clone()), entry.reinvests.clone()?));
        Key::of_entry(entry).map(About::Payment).or_else(purchase)
    }
}

/// What the user chose.
pub(super) struct Rules {
    pub residence: Option<String>,
    pub portfolios: Vec<Portfolio>,
    /// Of stocks that are not reinvested as the rest of their portfolio.
    pub reinvest: Vec<Rule>,
    pub decisions: Vec<Decision>,
}

impl Rules {
    pub async fn load(tx: &mut Tx, user_id: Uuid) -> Result<Rules, Error> {
        let user = users::by_id(tx, user_id).await?.ok_or_else(|| Error::UnknownAccount(user_id.to_string()))?;
        let portfolios = portfolios::list(tx, user_id).await?;
        let (reinvest, decisions) = (reinvest_rules::of_user(tx, user_id).await?, payment_decisions::of_user(tx, user_id).await?);
        Ok(Rules { residence: user.residence, portfolios, reinvest, decisions })
    }

    fn matter(&self) -> bool {
        !self.decisions.is_empty() || self.portfolios.iter().any(|portfolio| portfolio.automatic == Automatic::Record)
    }

    pub fn mode(&self, portfolio_id: Uuid) -> Automatic {
        self.portfolio(portfolio_id).map_or(Automatic::Off, |one| one.automatic)
    }

    pub fn reinvest(&self, portfolio_id: Uuid, symbol: &str) -> Reinvest {
        let of_stock = self.reinvest.iter().find(|rule| (rule.portfolio_id, rule.symbol.as_str()) == (portfolio_id, symbol));
        let of_portfolio = || self.portfolio(portfolio_id).map(|one| one.reinvest);
        of_stock.map(|rule| rule.reinvest).or_else(of_portfolio).unwrap_or_default()
    }

    fn portfolio(&self, portfolio_id: Uuid) -> Option<&Portfolio> {
        self.portfolios.iter().find(|portfolio| portfolio.id == portfolio_id)
    }
}

/// `rows` are all entries of the symbols that they name.
async fn changes(app: &App, tx: &mut Tx, rules: &Rules, rows: Vec<Entry>) -> Result<Changes, Error> {
    let (stored, real): (Vec<Entry>, Vec<Entry>) = rows.iter().cloned().partition(is_automatic);
    let mut stored: HashMap<About, Vec<Entry>> = stored.into_iter().fold(HashMap::new(), |mut stored, entry| {
        if let Some(about) = About::of(&entry) {
            stored.entry(about).or_default().push(entry);
        }
        stored
    });
    let mut changes = Changes::default();
    for payment in all_unrecorded(app, tx, rules, &rows, &real).await? {
        let (dividend, purchase) = (payment.entry, payment.purchase);
        let bought = stored.remove(&About::of_purchase(&payment.key, &dividend)).unwrap_or_default();
        let kept = stored.remove(&About::Payment(payment.key.clone())).unwrap_or_default();
        let wanted = match payment.decided {
            Some(recorded) => recorded,
            // An imported estimate stays until something real replaces it.
            None => rules.mode(payment.key.portfolio_id) == Automatic::Record || kept.iter().any(|one| one.import_id.is_some()),
        };
        changes.replace(&kept, wanted.then_some(dividend));
        changes.replace(&bought, purchase.filter(|_| wanted));
    }
    // Nothing is known about a position without real entries.
    let is_gone = |entry: &Entry| entry.import_id.is_none() || real.iter().any(|row| lots::same_lot(row, entry));
    changes.delete.extend(stored.into_values().flatten().filter(is_gone).map(|entry| entry.sequence));
    changes.delete.sort_unstable();
    Ok(changes)
}

/// Whether both record the same; where they come from does not matter.
fn is_same(stored: &Entry, wanted: &Entry) -> bool {
    let Entry { sequence, isin, name, import_id, .. } = stored;
    let wanted = Entry { sequence: *sequence, isin: isin.clone(), name: name.clone(), import_id: *import_id, ..wanted.clone() };
    *stored == wanted
}

/// The payments of all positions that no real entry is.
pub(super) async fn all_unrecorded(
    app: &App,
    tx: &mut Tx,
    rules: &Rules,
    rows: &[Entry],
    real: &[Entry],
) -> Result<Vec<Unrecorded>, Error> {
    let today = app.clock.today();
    let versions = versions::get(tx).await?;
    let fx = app.rates.at(tx, versions.rates).await?;
    let of_real = reinvested(real);
    let confirmed = lots::gather(rows.iter().filter(|row| !is_estimated(row)))?;
    let mut by_symbol: BTreeMap<String, Vec<Lot>> = BTreeMap::new();
    for lot in lots::gather(real)? {
        by_symbol.entry(lot.symbol.clone()).or_default().push(lot);
    }
    let (mut all, none) = (Vec::new(), HashSet::new());
    for (symbol, lots) in by_symbol {
        let profile = app.profiles.get(tx, &symbol, versions, today, &fx).await?;
        let same: Vec<&Lot> = confirmed.iter().filter(|lot| lot.symbol == symbol).collect();
        let closes = closes(tx, rules, &lots).await?;
        let of_symbol = |profile: Option<&Profile>| -> Result<Vec<Unrecorded>, Error> {
            let mut found = Vec::new();
            for lot in &lots {
                let is_of_lot = |one: &&Decision| (one.portfolio_id, &one.symbol) == (lot.portfolio_id, &symbol);
                let decisions: Vec<&Decision> = rules.decisions.iter().filter(is_of_lot).collect();
                let is_kept = |row: &&Entry| is_imported_estimate(row) && is_of(lot, row);
                let imported: Vec<&Entry> = rows.iter().filter(is_kept).collect();
                let rule = rules.reinvest(lot.portfolio_id, &symbol);
                let evidence = Evidence {
                    profile,
                    decisions: &decisions,
                    imported: &imported,
                    reinvested: of_real.get(&(lot.portfolio_id, symbol.as_str())).unwrap_or(&none),
                    withheld: withheld(lot, profile, &same, rules, today),
                    records: rules.mode(lot.portfolio_id) == Automatic::Record,
                    reinvesting: profile.filter(|_| rule != Reinvest::Off).map(|profile| Reinvesting {
                        rule,
                        closes: &closes,
                        profile,
                        fx: &fx,
                        today,
                    }),
                    fx: &fx,
                    today,
                };
                found.extend(unrecorded(lot, &evidence)?);
            }
            Ok(found)
        };
        let mut found = of_symbol(profile.as_deref())?;
        // Most often there is nothing to doubt.
        if let Some(profile) = profile.filter(|_| !found.is_empty())
            && !is_believed(tx, &profile).await?
        {
            found = of_symbol(None)?;
        }
        all.extend(found);
    }
    Ok(all)
}

/// What the purchases among these entries reinvest, of each lot.
fn reinvested(rows: &[Entry]) -> HashMap<(Uuid, &str), HashSet<&str>> {
    let mut found: HashMap<(Uuid, &str), HashSet<&str>> = HashMap::new();
    for row in rows {
        if let Some(to) = &row.reinvests {
            found.entry(lots::lot_of(row)).or_default().insert(to);
        }
    }
    found
}

/// Those that purchases of these lots of a stock need.
async fn closes(tx: &mut Tx, rules: &Rules, lots: &[Lot]) -> Result<Vec<(Date, Decimal)>, Error> {
    let reinvesting = lots.iter().filter(|lot| rules.reinvest(lot.portfolio_id, &lot.symbol) != Reinvest::Off);
    match reinvesting.filter_map(|lot| Some((lot.first()?.0, lot))).min_by_key(|(first, _)| *first) {
        Some((first, lot)) => Ok(prices::of_symbol(tx, &lot.symbol, oldest_of(first)).await?),
        None => Ok(Vec::new()),
    }
}

fn is_of(lot: &Lot, row: &Entry) -> bool {
    (row.portfolio_id, &row.symbol) == (lot.portfolio_id, &lot.symbol)
}

fn withheld(lot: &Lot, profile: Option<&Profile>, same: &[&Lot], rules: &Rules, today: Date) -> Decimal {
    let source = book::tax_source(lot.isin.as_deref(), profile);
    let seen = book::seen_in(same.iter().map(|lot| &*lot.entries), today);
    ledger::withholding::estimate(source, rules.residence.as_deref(), seen).rate
}

/// Whether no value of the stock's dividends or splits, nor their currency, is in doubt.
async fn is_believed(tx: &mut Tx, profile: &Profile) -> Result<bool, Error> {
    let rejected = rejected_values::of_symbol(tx, &profile.stock.symbol).await?;
    let about = |field: &str| ["dividend", "split", "unit"].iter().any(|word| field.starts_with(word));
    let doubted = rejected.iter().any(|one| one.provider != OPERATOR && about(&one.field));
    Ok(!profile.stock.placeholder && !doubted)
}
