//! Searches for stocks, compared with the definition of the ranking.

use app::stocks::search::{Hit, Index, Listing, RESULTS_MAX, case_folding};
use proptest::prelude::*;
use reference::REFERENCE;

use crate::full_distance::full_distance;

fn stock(symbol: &str, name: &str, followers: u32) -> Listing {
    let name = (!name.is_empty()).then(|| name.to_owned());
    let (exchange, tracked) = (Some("NYSE".into()), followers > 0);
    let public_followers = tracked.then_some(followers);
    Listing { symbol: symbol.to_owned(), name, exchange, kind: None, tracked, followers, public_followers }
}

fn index(stocks: &[(&str, &str, u32)]) -> Index {
    Index::build(stocks.iter().map(|(symbol, name, followers)| stock(symbol, name, *followers)))
}

fn symbols<'a>(index: &'a Index, q: &str) -> Vec<&'a str> {
    index.search(q).iter().map(|hit| hit.symbol).collect()
}

#[test]
fn a_better_kind_of_match_ranks_first_whatever_the_followers() {
    let index = index(&[
        ("ZTYPO", "Cola Mne Works", 900),
        ("ZPART", "Amgen Commnet", 800),
        ("ZWORD", "Great Mne Company", 700),
        ("ZNAME", "Mnemonic Holdings", 600),
        ("MNEX", "Other", 500),
        ("MNE", "Exact", 0),
        ("AMNE", "Symbol holds it", 50),
        ("ZSLIP", "Acme Mnx", 40),
        ("NONE", "Nothing of it", 999),
    ]);
    assert_eq!(symbols(&index, "mne"), ["MNE", "MNEX", "ZNAME", "ZTYPO", "ZWORD", "ZPART", "AMNE", "ZSLIP"]);
}

#[test]
fn among_equals_followers_come_first_then_short_symbols_then_the_alphabet() {
    let index =
        index(&[("BBB", "Delta", 0), ("AAA", "Delta", 0), ("LONGER", "Delta", 3), ("ZZ", "Delta", 0), ("MANY", "Delta", 7)]);
    assert_eq!(symbols(&index, "delta"), ["MANY", "LONGER", "ZZ", "AAA", "BBB"]);
}

#[test]
fn accents_case_and_surrounding_space_make_no_difference() {
    let index = index(&[("NESN.SW", "Nestlé S.A.", 0), ("OR.PA", "L'Oréal", 0), ("WSS", "Weiß", 0)]);
    for q in ["nestle", "NESTLÉ", " Nestle\u{301} ", "nesn.sw"] {
        assert_eq!(symbols(&index, q), ["NESN.SW"], "{q}");
    }
    assert_eq!(symbols(&index, "loreal"), ["OR.PA"]);
    assert_eq!(symbols(&index, "l’oreal"), ["OR.PA"]);
    assert_eq!(symbols(&index, "WEISS"), ["WSS"]);
}

#[test]
fn one_typo_is_forgiven_below_eight_letters_and_two_from_eight() {
    let index = index(&[("MSFT", "Microsoft Corporation", 0), ("TSLA", "Tesla", 0)]);
    assert_eq!(symbols(&index, "telsa"), ["TSLA"]);
    assert_eq!(symbols(&index, "tlsa"), ["TSLA"]); // the symbol with two neighbours swapped
    assert_eq!(symbols(&index, "tessal"), [""; 0]); // two slips in six letters
    assert_eq!(symbols(&index, "micrsof"), [""; 0]); // seven letters, two missing
    assert_eq!(symbols(&index, "mcirosfot"), ["MSFT"]); // nine letters, two swaps
    assert_eq!(symbols(&index, "mcirsft"), [""; 0]);
    assert_eq!(symbols(&index, "mcirsfto"), [""; 0]);
    assert_eq!(symbols(&index, "micrsoff"), ["MSFT"]); // eight letters, one missing, one other
}

#[test]
fn a_single_letter_query_allows_no_typo() {
    let index = index(&[("T", "AT&T", 0), ("O", "Realty Income", 0)]);
    assert_eq!(symbols(&index, "t"), ["T", "O"]); // "Realty" holds a t
    assert_eq!(symbols(&index, "x"), [""; 0]);
}

#[test]
fn several_words_match_in_a_row_and_forgive_typos_at_the_start_of_the_name() {
    let index = index(&[
        ("KO", "Coca-Cola Company (The)", 0),
        ("CCEP", "Coca-Cola Europacific Partners", 0),
        ("BAC", "Bank of America", 0),
        ("BMO", "The Bank of Montreal", 0),
        ("TBOA", "Citibank of Arkansas", 0),
    ]);
    assert_eq!(symbols(&index, "coca cola"), ["KO", "CCEP"]);
    assert_eq!(symbols(&index, "coca cola company"), ["KO"]);
    assert_eq!(symbols(&index, "coca cola co"), ["KO", "CCEP"]); // "co" for "eu" is two slips
    assert_eq!(symbols(&index, "cola comp"), ["KO"]);
    assert_eq!(symbols(&index, "bank of"), ["BAC", "BMO", "TBOA"]); // start of the name, of a word, inside one
    assert_eq!(symbols(&index, "bank of amrica"), ["BAC"]);
    assert_eq!(symbols(&index, "coac cla"), [""; 0]); // two slips, seven letters
    assert_eq!(symbols(&index, "coac clla"), ["KO", "CCEP"]); // two slips, eight letters
}

#[test]
fn a_leading_punctuation_mark_searches_symbols_only() {
    let index = index(&[("BRK-B", "Berkshire", 0), ("BBB", "Bed Bath", 0), ("^GSPC", "Index", 0), ("GSPC", "Gspc Plc", 0)]);
    assert_eq!(symbols(&index, "-b"), ["BRK-B"]);
    assert_eq!(symbols(&index, "^g"), ["^GSPC"]);
    assert_eq!(symbols(&index, "brk.b"), ["BRK-B"]); // one slip
    assert_eq!(symbols(&index, "&"), [""; 0]);
}

#[test]
fn strangers_find_only_public_stocks_among_few_or_many_others() {
    for others in [1, 40] {
        let others = (0..others).map(|n| Listing { public_followers: None, ..stock(&format!("ABC{n}"), "Abacus", 2) });
        let public = (0..12).map(|n| Listing { public_followers: Some(0), ..stock(&format!("LONGABC{n}"), "Abacus", 0) });
        let index = Index::build(others.chain(public));
        let hits = index.search_public("abac");
        assert_eq!(hits.len(), RESULTS_MAX);
        assert!(hits.iter().all(|hit| hit.symbol.starts_with("LONG")));
        assert_eq!(index.search_public("abc0")[0].symbol, "LONGABC0");
        assert_eq!(index.search("abc0")[0].symbol, "ABC0");
    }
}

/// Whether the service has none of the reference data's listings, two thirds, nearly all or all.
#[test]
fn listings_of_the_reference_data_are_found_as_if_the_service_had_them() {
    let listing = |symbol: &str, name: &str, exchange: &str, kind: &str| Listing {
        exchange: Some(exchange.to_owned()),
        kind: Some(kind.to_owned()),
        ..stock(symbol, name, 0)
    };
    let all: Vec<Listing> = REFERENCE.listings.iter().map(|one| listing(one.symbol, one.name, one.exchange, one.kind)).collect();
    let whole = Index::build(all.iter().cloned());
    let queries = ["k", "ko", "KO", "coca", "van", "vanguard world", "income", "nestle", "iberdola", "zzzz", "s.a.", "ag"];
    for (which, nth) in [("all", Some(1)), ("a third", Some(3)), ("a few", Some(2_000)), ("none", None)] {
        let held = all.iter().enumerate().filter(|(n, _)| nth.is_none_or(|nth| n % nth != 0));
        let beside = Index::build_beside(&REFERENCE, held.map(|(_, listing)| listing.clone()));
        for q in queries {
            assert_eq!(symbols(&beside, q), symbols(&whole, q), "{q}, without {which}");
        }
    }
}

#[test]
fn the_order_of_results_does_not_show_strangers_what_few_users_hold() {
    let listings = |held: u32| {
        let with = |followers, public_followers, symbol| Listing {
            public_followers: Some(public_followers),
            ..stock(symbol, "Abacus", followers)
        };
        [with(0, 0, "AAA"), with(held, 0, "HELD"), with(5, 5, "MANY"), with(0, 0, "ZZZZ")]
    };
    let order = |index: &Index| index.search_public("abacus").iter().map(|hit| hit.symbol.to_owned()).collect::<Vec<_>>();
    let (nobody, somebody) = (Index::build(listings(0).into_iter()), Index::build(listings(2).into_iter()));
    assert_eq!(order(&nobody), ["MANY", "AAA", "HELD", "ZZZZ"]);
    assert_eq!(order(&somebody), order(&nobody));
    assert_eq!(symbols(&somebody, "abacus"), ["MANY", "HELD", "AAA", "ZZZZ"]);
}

#[test]
fn a_hit_carries_the_listing_and_blank_queries_find_nothing() {
    let index = index(&[("T", "AT&T", 4), ("X", "", 0)]);
    let hit = Hit { symbol: "T", name: Some("AT&T"), exchange: Some("NYSE"), kind: None, tracked: true, followers: 4 };
    assert_eq!(index.search("at&t"), [hit]);
    assert_eq!(index.search("x")[0].name, None);
    for q in ["", "  ", "\u{301}"] {
        assert_eq!(index.search(q), []);
    }
    assert!(Index::build(std::iter::empty()).search_public("a").is_empty());
}

#[test]
fn very_long_queries_are_answered() {
    let index = index(&[("T", "AT&T", 0)]);
    assert_eq!(symbols(&index, &"ﷺ".repeat(100)), [""; 0]);
    assert_eq!(symbols(&index, &"at ".repeat(33)), [""; 0]);
}

prop_compose! {
    fn any_stock()(symbol in "[abAB.]{1,4}", name in "[ab' é-]{0,9}|([ab]{1,2} ){1,5}", followers in 0u32..3, public: bool, hidden: bool) -> Listing {
        let public_followers = public.then_some(if hidden { 0 } else { followers });
        Listing { symbol, name: Some(name), exchange: None, kind: None, tracked: true, followers, public_followers }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]
    #[test]
    fn the_index_agrees_with_comparing_every_stock(
        stocks in prop::collection::vec(any_stock(), 0..40),
        q in "[abé' .-]{0,10}|([ab]{1,2} ){1,3}[ab]",
        stranger: bool,
    ) {
        let mut stocks = stocks;
        stocks.sort_by(|a, b| a.symbol.cmp(&b.symbol));
        stocks.dedup_by(|a, b| a.symbol == b.symbol);
        let index = Index::build(stocks.iter().cloned());
        let found: Vec<&str> = found(&index, &q, stranger).iter().map(|hit| hit.symbol).collect();
        prop_assert_eq!(found, slow_search(&stocks, &q, stranger));
    }
}

prop_compose! {
    fn longer_stock()(
        symbol in "[A-F]{1,5}(\\.[A-C]{1,2})?",
        name in "[a-f]{1,7}( [a-f]{1,7}){0,4}",
        followers in 0u32..2,
        public: bool,
        hidden: bool,
    ) -> Listing {
        let public_followers = public.then_some(if hidden { 0 } else { followers });
        Listing { symbol, name: Some(name), exchange: None, kind: None, tracked: true, followers, public_followers }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]
    #[test]
    fn a_mistyped_query_finds_what_comparing_every_stock_finds(
        stocks in prop::collection::vec(longer_stock(), 1..60),
        meant: prop::sample::Index,
        of_name: bool,
        cut in (any::<prop::sample::Index>(), 1usize..20),
        slips in prop::collection::vec((any::<prop::sample::Index>(), "[a-g ]", 0u8..4), 0..3),
        stranger: bool,
    ) {
        let mut stocks = stocks;
        stocks.sort_by(|a, b| a.symbol.cmp(&b.symbol));
        stocks.dedup_by(|a, b| a.symbol == b.symbol);
        let stock = meant.get(&stocks);
        let text = if of_name { stock.name.as_deref().unwrap_or_default() } else { &stock.symbol };
        let mut letters: Vec<char> = text.chars().skip(cut.0.index(text.len()) / 2).take(cut.1).collect();
        for (place, other, kind) in slips {
            let (place, other) = (place.index(letters.len().max(1)), other.chars().next().unwrap());
            match kind {
                0 if place + 1 < letters.len() => letters.swap(place, place + 1),
                1 if letters.len() > 1 => drop(letters.remove(place)),
                2 if place < letters.len() => letters[place] = other,
                _ => letters.insert(place, other),
            }
        }
        let q: String = letters.into_iter().collect();
        let index = Index::build(stocks.iter().cloned());
        let found: Vec<&str> = found(&index, &q, stranger).iter().map(|hit| hit.symbol).collect();
        prop_assert_eq!(found, slow_search(&stocks, &q, stranger), "{}", q);
    }
}

fn found<'a>(index: &'a Index, q: &str, stranger: bool) -> Vec<Hit<'a>> {
    if stranger { index.search_public(q) } else { index.search(q) }
}

/// The ranking by its definition, stock by stock, without the index's shortcuts.
fn slow_search<'a>(stocks: &'a [Listing], q: &str, stranger: bool) -> Vec<&'a str> {
    let followers = |stock: &Listing| if stranger { stock.public_followers } else { Some(stock.followers) };
    let key = |stock: &'a Listing| {
        Some((slow_rank(stock, q)?, std::cmp::Reverse(followers(stock)?), stock.symbol.len(), &*stock.symbol))
    };
    let mut ranked: Vec<_> = stocks.iter().filter_map(key).collect();
    ranked.sort();
    ranked.into_iter().take(10).map(|(.., symbol)| symbol).collect()
}

fn slow_rank(stock: &Listing, q: &str) -> Option<u8> {
    let (symbol, name) = (case_folding::symbol(&stock.symbol), case_folding::name(stock.name.as_deref()?));
    let q_symbol = case_folding::symbol(q);
    let names_too = q_symbol.starts_with(char::is_alphanumeric);
    let q_name = if names_too { case_folding::name(q) } else { "\0".to_owned() };
    let letters = q_symbol.chars().filter(|letter| letter.is_alphanumeric()).count();
    let near = |a: &str, b: &str| full_distance(a, b) <= if letters >= 8 { 2 } else { 1 };
    let starts: Vec<&str> = (0..=name.len()).filter_map(|end| name.get(..end)).collect();
    if q_symbol.is_empty() {
        None
    } else if symbol == q_symbol {
        Some(0)
    } else if symbol.starts_with(&q_symbol) {
        Some(1)
    } else if name.starts_with(&q_name) {
        Some(2)
    } else if format!(" {name}").contains(&format!(" {q_name}")) {
        Some(3)
    } else if symbol.contains(&q_symbol) || name.contains(&q_name) {
        Some(4)
    } else if letters >= 2
        && (near(&symbol, &q_symbol)
            || names_too && !name.is_empty() && name.split(' ').any(|word| near(word, &q_name))
            || q_name.contains(' ')
                && (!q_symbol.contains('.') || q_symbol.contains(' '))
                && starts.iter().any(|start| near(start, &q_name)))
    {
        Some(5)
    } else {
        None
    }
}
