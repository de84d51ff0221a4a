//! Upcoming payments as a calendar that other programs subscribe to (RFC 5545).

use std::collections::HashSet;

use app::income::upcoming::{Item, Owned};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use ledger::shares_text;
use messages::web::{Feed, Texts};

/// Payment dates of holdings, and ex-dividend dates of holdings and of the watchlist, from the day of `now` on. A payment keeps
/// its UID, so a calendar moves it instead of listing it twice. `host` is the host name of this server.
pub fn ics(items: &[Item], now: Timestamp, host: &str, texts: &'static Texts) -> String {
    let t = &texts.feed;
    let mut lines = Lines::default();
    for line in [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        &format!("PRODID:-//Dripline//Dividends//{}", texts.language.to_uppercase()),
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        &format!("X-WR-CALNAME:{}", escaped(t.calendar_name)),
        "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
        "X-PUBLISHED-TTL:PT6H",
    ] {
        lines.push(line);
    }
    let stamp = now.strftime("%Y%m%dT%H%M%SZ").to_string();
    for event in events(t, items, now.to_zoned(TimeZone::UTC).date()) {
        event.write(&mut lines, &stamp, host);
    }
    lines.push("END:VCALENDAR");
    lines.text
}

struct Event {
    uid: String,
    date: Date,
    summary: String,
    description: String,
}

fn events(t: &Feed, items: &[Item], today: Date) -> Vec<Event> {
    let mut events = Vec::new();
    let mut ex_dates = HashSet::new();
    for item in items {
        // The same stock in two portfolios has one ex-date.
        if item.ex_date >= today && ex_dates.insert((&item.symbol, item.ex_date)) {
            events.push(ex_date(t, item));
        }
        if let Some(owned) = item.owned.as_ref().filter(|_| item.pay_date >= today) {
            events.push(pay_date(t, item, owned));
        }
    }
    events
}

fn ex_date(t: &Feed, item: &Item) -> Event {
    Event {
        uid: format!("ex-{}-{}", plain(&item.symbol), item.ex_date),
        date: item.ex_date,
        summary: t.ex_dividend(item.symbol.as_str(), certainty(t, item)),
        description: format!("{}\n{}", title(item), per_share(t, item)),
    }
}

fn pay_date(t: &Feed, item: &Item, owned: &Owned) -> Event {
    let (net, gross) = (owned.expected_net, owned.expected);
    let portfolio = owned.portfolio.as_deref().unwrap_or_default();
    let shares = t.shares(shares_text(owned.shares), per_share(t, item));
    let mut lines = vec![title(item).to_owned(), shares, t.gross(gross.aggregate_text(), gross.currency.to_string())];
    lines.extend(owned.portfolio.as_deref().map(|name| t.portfolio(name)));
    Event {
        uid: format!("pay-{}-{}-{}", plain(&item.symbol), item.ex_date, plain(portfolio)),
        date: item.pay_date,
        summary: t.payment(item.symbol.as_str(), net.aggregate_text(), net.currency.to_string(), certainty(t, item)),
        description: lines.join("\n"),
    }
}

fn certainty(t: &Feed, item: &Item) -> &'static str {
    if item.declared { t.declared } else { t.estimated }
}

fn title(item: &Item) -> &str {
    item.name.as_deref().unwrap_or(&item.symbol)
}

fn per_share(t: &Feed, item: &Item) -> String {
    t.per_share(item.per_share.per_share_text(), item.per_share.currency.to_string(), certainty(t, item))
}

impl Event {
    fn write(&self, lines: &mut Lines, stamp: &str, host: &str) {
        let day = |date: Date| date.strftime("%Y%m%d").to_string();
        lines.push("BEGIN:VEVENT");
        lines.push(&format!("UID:{}@{}", self.uid, plain(host)));
        lines.push(&format!("DTSTAMP:{stamp}"));
        lines.push(&format!("DTSTART;VALUE=DATE:{}", day(self.date)));
        lines.push(&format!("DTEND;VALUE=DATE:{}", day(self.date.saturating_add(1.day()))));
        lines.push(&format!("SUMMARY:{}", escaped(&self.summary)));
        lines.push(&format!("DESCRIPTION:{}", escaped(&self.description)));
        lines.push("TRANSP:TRANSPARENT");
        lines.push("END:VEVENT");
    }
}

/// Keeps letters, digits, dots and hyphens and encodes every other byte as a number, so two names never become one.
fn plain(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'.' | b'-' => (byte as char).to_string(),
        _ if byte.is_ascii_alphanumeric() => (byte as char).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.replace("\r\n", "\n").chars() {
        match letter {
            '\\' | ';' | ',' => escaped.extend(['\\', letter]),
            '\n' | '\r' => escaped.push_str("\\n"),
            '\t' => escaped.push(' '),
            _ if letter.is_control() => {}
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[derive(Default)]
struct Lines {
    text: String,
}

/// Octets in a line, without the line break.
const LINE_MAX: usize = 75;

impl Lines {
    /// Folds long lines, but never inside a character.
    fn push(&mut self, line: &str) {
        let mut length = 0;
        for letter in line.chars() {
            if length + letter.len_utf8() > LINE_MAX {
                self.text.push_str("\r\n ");
                length = 1;
            }
            self.text.push(letter);
            length += letter.len_utf8();
        }
        self.text.push_str("\r\n");
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use ledger::{Currency, Decimal, Money};

    use super::*;

    const NOW: &str = "2026-11-15T12:34:56Z";

    fn euros(amount: &str) -> Money {
        Money::new(amount.parse().unwrap(), Currency::EUR)
    }

    fn item(symbol: &str, name: &str, ex_date: Date, owned: Option<Owned>) -> Item {
        let pay_date = ex_date.saturating_add(10.days());
        let (symbol, name) = (symbol.to_owned(), Some(name.to_owned()));
        Item {
            symbol,
            name,
            ex_date,
            pay_date,
            per_share: euros("0.5"),
            previous_per_share: None,
            change: None,
            declared: true,
            basis: ledger::Basis::Market,
            announced_by_broker: false,
            owned,
        }
    }

    fn owned(portfolio: &str) -> Option<Owned> {
        let portfolio = Some(portfolio.to_owned());
        Some(Owned {
            shares: Decimal::new(100, 1),
            expected: euros("5"),
            expected_net: euros("4.255"),
            portfolio_id: uuid::Uuid::nil(),
            portfolio,
        })
    }

    fn feed(items: &[Item]) -> String {
        ics(items, NOW.parse().unwrap(), "drip.example", messages::web::texts(""))
    }

    fn unfolded(feed: &str) -> Vec<String> {
        feed.replace("\r\n ", "").split_terminator("\r\n").map(str::to_owned).collect()
    }

    #[test]
    fn a_held_stock_has_an_ex_date_event_and_a_payment_event_with_its_net_amount() {
        let text = feed(&[item("OAK", "Oak Mills", date(2026, 11, 20), owned("Core"))]);
        let lines = unfolded(&text);
        for line in [
            "UID:ex-OAK-2026-11-20@drip.example",
            "SUMMARY:OAK goes ex-dividend (declared)",
            "DTSTART;VALUE=DATE:20261120",
            "UID:pay-OAK-2026-11-20-Core@drip.example",
            // 4.255 rounds half-even to 4.26.
            "SUMMARY:OAK: 4.26 EUR net (declared)",
            "DTSTART;VALUE=DATE:20261130",
            "DTEND;VALUE=DATE:20261201",
            "DTSTAMP:20261115T123456Z",
            "DESCRIPTION:Oak Mills\\n10 shares\\, 0.50 EUR per share\\, declared\\nGross: 5.00 EUR\\nPortfolio: Core",
        ] {
            assert!(lines.iter().any(|one| one == line), "{line} in {text}");
        }
        assert_eq!(text.matches("BEGIN:VEVENT").count(), 2);
        assert!(text.starts_with("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") && text.ends_with("END:VCALENDAR\r\n"));
    }

    #[test]
    fn only_days_to_come_are_listed_and_of_the_watchlist_only_ex_dates() {
        let gone_ex = item("OAK", "Oak", date(2026, 11, 14), owned("Core"));
        let watched = Item { declared: false, ..item("ELM", "Elm", date(2026, 11, 15), None) };
        let lines = unfolded(&feed(&[gone_ex, watched]));
        let summaries: Vec<_> = lines.iter().filter(|line| line.starts_with("SUMMARY")).collect();
        assert_eq!(summaries, ["SUMMARY:OAK: 4.26 EUR net (declared)", "SUMMARY:ELM goes ex-dividend (estimated)"]);
    }

    #[test]
    fn two_portfolios_share_an_ex_date_and_have_their_own_payments() {
        let day = date(2026, 11, 20);
        let lines = unfolded(&feed(&[item("OAK", "Oak", day, owned("A b")), item("OAK", "Oak", day, owned("A-b"))]));
        let uids: HashSet<_> = lines.iter().filter(|line| line.starts_with("UID")).collect();
        assert_eq!(uids.len(), 3);
        assert_eq!(lines.iter().filter(|line| line.starts_with("UID:ex-")).count(), 1);
    }

    #[test]
    fn special_characters_are_escaped_so_that_no_name_can_add_lines() {
        let name = "Oak, Elm; Sons\\Co\r\nEND:VEVENT\u{7}";
        let lines = unfolded(&feed(&[item("OAK", name, date(2026, 11, 20), None)]));
        assert!(lines.iter().any(|line| line.starts_with("DESCRIPTION:Oak\\, Elm\\; Sons\\\\Co\\nEND:VEVENT\\n0.50 EUR")));
        assert_eq!(lines.iter().filter(|line| *line == "END:VEVENT").count(), 1);
    }

    #[test]
    fn lines_are_folded_at_75_octets_and_never_inside_a_character() {
        let name = "Ünïcödé 株式会社 ".repeat(12);
        let text = feed(&[item("OAK", &name, date(2026, 11, 20), owned("Größe"))]);
        assert!(text.split("\r\n").all(|line| line.len() <= LINE_MAX));
        assert!(text.split("\r\n").any(|line| line.len() > 72 && line.starts_with(' ')));
        assert!(!text.replace("\r\n", "").contains(['\r', '\n']));
        assert!(unfolded(&text).iter().any(|line| line.contains(name.trim_end())));
    }
}
