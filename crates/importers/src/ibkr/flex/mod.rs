//! Flex queries as XML and as CSV: the same rows with the same numbers.

mod csv;
mod xml;

use super::book::Book;
use crate::{Opened, Parsed, Reason};

pub fn detect(file: &Opened) -> bool {
    xml::detect(file) || csv::detect(file)
}

pub fn parse(file: &Opened) -> Parsed {
    let book = if file.sheets.is_empty() { xml::book(file) } else { csv::book(file) };
    match book {
        Ok(book) if book.parts.is_empty() => {
            Parsed::refused(1, Reason::SectionsMissing { sections: "Trades, Cash Transactions, Corporate Actions" })
        }
        Ok(book) => Book { import_date: file.import_date, ..book }.read(),
        Err(problem) => Parsed { refusal: Some(problem), ..Parsed::default() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Record;

    fn read(text: &str) -> Parsed {
        let file = Opened::open(text.as_bytes()).unwrap();
        assert!(detect(&file));
        parse(&file)
    }

    #[test]
    fn an_empty_accruals_section_means_no_upcoming_payments() {
        let with = |sections: &str| {
            read(&format!("<FlexQueryResponse><FlexStatement accountId=\"U1\">{sections}</FlexStatement></FlexQueryResponse>"))
        };
        assert_eq!(with("<Trades/><OpenDividendAccruals/>").accruals, Some(Vec::new()));
        assert_eq!(with("<Trades/><OpenDividendAccruals></OpenDividendAccruals>").accruals, Some(Vec::new()));
        assert_eq!(with("<Trades/>").accruals, None);
        let csv = "\"BOF\",\"U1\"\n\"BOA\",\"U1\"\n\"BOS\",\"ODIV\",\"Open Dividend Accruals\"\n\"CurrencyPrimary\",\"ExDate\"\n\"EOS\",\"ODIV\",\"0\"\n";
        assert_eq!(read(csv).accruals, Some(Vec::new()));
    }

    #[test]
    fn xml_and_csv_of_one_query_are_the_same_records() {
        let xml = read(
            "<FlexQueryResponse><FlexStatement accountId=\"U1\"><Trades><Trade accountId=\"U1\" currency=\"USD\" assetCategory=\"STK\" \
             symbol=\"KO\" isin=\"US1912161007\" tradeID=\"8\" transactionID=\"7\" tradeDate=\"20240304\" quantity=\"10\" \
             tradePrice=\"60\" buySell=\"BUY\" ibCommission=\"-1\" ibCommissionCurrency=\"USD\"/></Trades></FlexStatement></FlexQueryResponse>",
        );
        let csv = read(
            "ClientAccountID,CurrencyPrimary,AssetClass,Symbol,ISIN,TradeID,TransactionID,TradeDate,Quantity,TradePrice,Buy/Sell,IBCommission,IBCommissionCurrency\n\
             U1,USD,STK,KO,US1912161007,8,7,20240304,10,60,BUY,-1,USD\n",
        );
        let lineless = |parsed: Parsed| parsed.records.into_iter().map(|record| Record { line: 0, ..record }).collect::<Vec<_>>();
        let (xml, csv) = (lineless(xml), lineless(csv));
        assert_eq!(xml, csv);
        assert_eq!(xml.first().and_then(|record| record.id.as_deref()), Some("7"));
    }
}
