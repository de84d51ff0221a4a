//! The XML of a Flex query: statements contain sections, sections contain elements, and everything else is in attributes.

use crate::ibkr::book::{Book, Statement, day_digits};
use crate::ibkr::entry::{Entry, Part};
use crate::reading::{Decimals, Element, Elements, Step};
use crate::{Opened, Problem, Reason};

pub fn detect(file: &Opened) -> bool {
    if !file.sheets.is_empty() {
        return false;
    }
    let mut elements = Elements::of(&file.text);
    loop {
        match elements.step() {
            Ok(Some(Step::Open(root))) => return matches!(root.name.as_str(), "FlexQueryResponse" | "FlexStatementResponse"),
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => return false,
        }
    }
}

pub fn book(file: &Opened) -> Result<Book, Problem> {
    let mut elements = Elements::of(&file.text);
    let mut book = Book::default();
    let mut section: Option<(Part, usize)> = None;
    let mut depth = 0_usize;
    while let Some(step) = elements.step()? {
        match step {
            Step::Open(element) => {
                open(&element, &mut book, section.map(|(part, _)| part))?;
                if let (None, Some(part)) = (section, part_of(&element.name)) {
                    if !book.parts.contains(&part) {
                        book.parts.push(part);
                    }
                    section = (!element.empty).then_some((part, depth));
                }
                depth += usize::from(!element.empty);
            }
            Step::Close => {
                depth = depth.saturating_sub(1);
                section = section.filter(|(_, opened)| *opened < depth);
            }
            Step::Text(_) => {}
        }
    }
    Ok(book)
}

fn open(element: &Element, book: &mut Book, section: Option<Part>) -> Result<(), Problem> {
    if let Some(part) = section {
        book.entries.push(entry(element, part, book.statements.len().saturating_sub(1)));
        return Ok(());
    }
    match element.name.as_str() {
        "FlexStatementResponse" => return Err(Problem::new(element.line, Reason::NotTheStatement)),
        "FlexStatement" => book.statements.push(Statement {
            account: element.get("accountId").unwrap_or_default().to_owned(),
            until: element.get("toDate").unwrap_or_default().to_owned(),
            ..Statement::default()
        }),
        "AccountInformation" => match book.statements.last_mut() {
            Some(statement) => statement.base = element.get("currency").map(str::to_owned),
            None => book.base = element.get("currency").map(str::to_owned),
        },
        "ConversionRate" => {
            let value = |name: &str| element.get(name).unwrap_or_default().to_owned();
            if let Some(statement) = book.statements.last_mut() {
                let key = (day_digits(&value("reportDate")), value("fromCurrency"), value("toCurrency"));
                statement.rates.insert(key, value("rate"));
            }
        }
        _ => {}
    }
    Ok(())
}

fn part_of(section: &str) -> Option<Part> {
    Some(match section {
        "Trades" => Part::Trades,
        "CashTransactions" => Part::Cash,
        "CorporateActions" => Part::Corporate,
        "Transfers" => Part::Transfers,
        "ChangeInDividendAccruals" => Part::ChangeInAccruals,
        "OpenDividendAccruals" => Part::OpenAccruals,
        "OpenPositions" => Part::OpenPositions,
        _ => return None,
    })
}

fn entry(element: &Element, part: Part, statement: usize) -> Entry {
    let mut entry = Entry::new(element.line, part, statement, Decimals::Point);
    for (name, value) in element.attributes() {
        entry.set(name, value);
    }
    // In older queries only the element's name shows the level.
    entry.set(
        "levelofdetail",
        match element.name.as_str() {
            "Order" => "ORDER",
            "Lot" | "ClosedLot" => "CLOSED_LOT",
            "SymbolSummary" => "SYMBOL_SUMMARY",
            "AssetSummary" => "ASSET_SUMMARY",
            "WashSale" => "WASH_SALE",
            "TransferLot" => "LOT",
            _ => "",
        },
    );
    entry
}
