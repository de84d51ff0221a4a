//! What is searched: a file, or listings made up.

use app::stocks::search::Listing;

use crate::dice::Dice;

/// Texts of a file with quotes where they hold commas, one listing a line.
pub fn from_csv(text: &str) -> Vec<Listing> {
    let mut lines = text.lines().map(fields);
    let header = lines.next().unwrap_or_default();
    let column = |name: &str| header.iter().position(|field| field == name).unwrap_or_else(|| panic!("no column {name}"));
    let [symbol, name, exchange, kind] = ["symbol", "name", "exchange", "type"].map(column);
    lines
        .enumerate()
        .map(|(n, line)| listing(n, line[symbol].clone(), line[name].clone(), &line[exchange], &line[kind]))
        .collect()
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(letter),
        }
    }
    fields
}

/// Words as frequent as in real names: few are everywhere, most are somewhere. Funds have the long names.
pub fn made_up(count: usize) -> Vec<Listing> {
    let mut dice = Dice::new(1);
    let words: Vec<String> = (0..6_000).map(|_| made_up_word(&mut dice)).collect();
    let own = |dice: &mut Dice| words[dice.below(words.len()).min(dice.below(words.len()))].clone();
    let company = ["Inc.", "Corp", "Ltd.", "Limited", "Holdings", "Group", "Co.", "PLC", "AG", "S.A.", "Technology", "Energy"];
    let fund = ["ETF", "UCITS", "Index", "Bond", "Global", "Equity", "MSCI", "Fund", "EUR", "USD", "Acc", "Income", "ESG"];
    let place = ["", ".L", ".BE", ".MU", ".F", ".TO", ".T", ".PA", ".DE", ".SZ", ".AX"];
    let mut listings = Vec::with_capacity(count);
    for n in 0..count {
        let is_fund = n % 3 == 0;
        let (owns, usual, usual_max) = if is_fund { (1, &fund[..], 7) } else { (2, &company[..], 2) };
        let mut name: Vec<String> = (0..owns + dice.below(2)).map(|_| own(&mut dice)).collect();
        name.extend((0..1 + dice.below(usual_max)).map(|_| dice.pick(usual).to_string()));
        // Letters from the number, so that no symbol comes twice.
        let letters: String = (0..4).map(|place| char::from(b'A' + (n * 7 / 26_usize.pow(place) % 26) as u8)).collect();
        listings.push(listing(n, letters + *dice.pick(&place), name.join(" "), "XXXX", if is_fund { "ETF" } else { "EQUITY" }));
    }
    listings
}

fn made_up_word(dice: &mut Dice) -> String {
    let syllables = (0..1 + dice.below(4)).map(|_| {
        let (onset, vowel) = (*dice.pick(b"bcdfghklmnprstvw") as char, *dice.pick(b"aaeeiioou") as char);
        format!("{onset}{vowel}{}", dice.pick(&["", "n", "r", "s", "l", "x"]))
    });
    syllables.collect()
}

fn listing(number: usize, symbol: String, name: String, exchange: &str, kind: &str) -> Listing {
    let followers = if number.is_multiple_of(200) { 1 + number as u32 % 7 } else { 0 };
    let (exchange, kind) = (Some(exchange.to_owned()), Some(kind.to_owned()));
    let public_followers = (followers > 2).then_some(followers);
    Listing { symbol, name: Some(name), exchange, kind, tracked: followers > 0, followers, public_followers }
}
