//! The value of every explanation on the pages follows from its inputs by its rule, computed here a second time.

use app::entries::{Draft, Kind, Reinvested};
use app::explain::{Figure, Question, Supposed, explain};
use app::income::what_if::Size;
use jiff::civil::Date;
use ledger::explain::{Node, Rule, Unit};
use ledger::{Currency, Decimal};
use rust_decimal::RoundingStrategy;
use testkit::sample::{ANA, BOB};

use super::explanations::{links, pages};
use super::people::{signed_in, world};

/// From the address of an explanation.
fn question(address: &str) -> Question {
    let mut question = Question::of(Figure::AnnualIncome);
    let (mut bought, mut draft, mut editing) = (String::new(), draft(), None);
    for pair in address.split_once('?').unwrap().1.split('&') {
        let (name, value) = pair.split_once('=').unwrap();
        let value = percent_encoding::percent_decode_str(value).decode_utf8().unwrap();
        match name {
            "figure" => question.figure = Figure::of_page(&value).unwrap(),
            "symbol" => question.symbol = Some(value.into_owned()),
            "portfolio" => question.portfolio = Some(value.into_owned()),
            "position" => question.position = Some(value.into_owned()),
            "ex_date" => question.ex_date = Some(value.parse().unwrap()),
            "per_share" => question.per_share = Some(value.parse().unwrap()),
            "days" => question.days = Some(value.parse().unwrap()),
            "currency" => question.currency = Some(Currency::parse(&value).unwrap()),
            "years" => question.years = Some(value.parse().unwrap()),
            "drip" => question.drip = value == "true",
            "month" => question.month = Some(value.parse().unwrap()),
            "year" => question.year = Some(value.parse().unwrap()),
            "live" => question.live = value == "true",
            "from" => question.from = Some(value.parse().unwrap()),
            "to" => question.to = Some(value.parse().unwrap()),
            "import" => question.import = Some(value.parse().unwrap()),
            "buy" => bought = value.into_owned(),
            "shares" => question.supposed = Some(purchase(&bought, Size::Shares(value.parse().unwrap()))),
            "amount" => question.supposed = Some(purchase(&bought, Size::Amount(value.parse().unwrap()))),
            "editing" => editing = Some(value.parse().unwrap()),
            name => fill(&mut draft, name.strip_prefix("entry.").unwrap_or_else(|| panic!("{name}")), &value),
        }
    }
    if address.contains("entry.") {
        question.supposed = Some(Supposed::Entry { editing, draft: Box::new(draft) });
    }
    question
}

fn purchase(symbol: &str, size: Size) -> Supposed {
    Supposed::Purchase { symbol: symbol.to_owned(), size }
}

fn draft() -> Draft {
    Draft {
        portfolio: String::new(),
        date: Date::MIN,
        kind: Kind::Buy,
        opening: false,
        symbol: String::new(),
        shares: None,
        price: None,
        amount: None,
        fees: None,
        tax: None,
        net: None,
        currency: None,
        fx_rate: None,
        ratio: None,
        ex_date: None,
        reinvested: Reinvested::No,
        note: None,
    }
}

fn fill(draft: &mut Draft, field: &str, value: &str) {
    let figure = || Some(value.parse().unwrap());
    match field {
        "date" => draft.date = value.parse().unwrap(),
        "kind" => draft.kind = Kind::parse(value).unwrap(),
        "symbol" => draft.symbol = value.to_owned(),
        "shares" => draft.shares = figure(),
        "price" => draft.price = figure(),
        "amount" => draft.amount = figure(),
        "fees" => draft.fees = figure(),
        "tax" => draft.tax = figure(),
        "net" => draft.net = figure(),
        "reinvested" => draft.reinvested = Reinvested::Yes { shares: None, price: None },
        "reinvested_shares" => draft.reinvested = Reinvested::Yes { shares: figure(), price: None },
        "reinvested_price" => draft.reinvested = Reinvested::Yes { shares: None, price: figure() },
        other => panic!("{other}"),
    }
}

/// Shares and cost after the steps of a replay.
fn replayed(steps: &[Node]) -> [Decimal; 2] {
    let (mut shares, mut cost) = (Decimal::ZERO, Decimal::ZERO);
    let least = Decimal::new(1, 4);
    for step in steps {
        let figure = step.decimal().unwrap_or_default();
        match &*step.name {
            "buy" | "transfer_in" => shares += figure,
            "cost" => cost += figure,
            "sell" | "transfer_out" => {
                let rest = shares - figure;
                (shares, cost) = if rest <= least { Default::default() } else { (rest, cost * rest / shares) };
            }
            "split" => {
                let [new, old] = [0, 1].map(|side: usize| step.inputs[side].decimal().unwrap());
                shares = shares * new / old;
            }
            "return_of_capital" => cost = (cost - figure).max(Decimal::ZERO),
            other => panic!("{other}"),
        }
    }
    [shares, cost]
}

/// `None` for rules that are not arithmetic.
fn result(node: &Node) -> Option<Decimal> {
    let all: Vec<Decimal> = node.inputs.iter().map(Node::decimal).collect::<Option<_>>()?;
    let found = match (node.rule, &all[..]) {
        (Rule::Sum, all) => all.iter().sum(),
        (Rule::Product, all) => all.iter().copied().reduce(|a, b| a * b)?,
        (Rule::Quotient, [above, below]) => above / below,
        (Rule::Difference, [from, less]) => from - less,
        (Rule::Convert, [amount, from, to]) => amount * to / from,
        (Rule::Lowest, all) => *all.iter().min()?,
        (Rule::Highest, all) => *all.iter().max()?,
        (Rule::Clamp, [figure, least, most]) => *figure.max(least).min(most),
        (Rule::Grown, [income, factor, years]) => {
            let years: u32 = years.to_string().parse().unwrap();
            (0..years).fold(*income, |income, _| income * factor)
        }
        (Rule::Points, [figure, from, _]) if figure <= from => Decimal::ZERO,
        (Rule::Points, [figure, _, to]) if figure >= to => Decimal::TEN,
        (Rule::Points, [figure, from, to]) => (figure - from) / (to - from) * Decimal::TEN,
        _ => return None,
    };
    Some(match node.decimals {
        Some(20) => found.round_dp_with_strategy(20, RoundingStrategy::MidpointAwayFromZero),
        Some(decimals) => found.round_dp_with_strategy(decimals, RoundingStrategy::MidpointNearestEven),
        None => found,
    })
}

/// Returns how many nodes were recomputed.
fn recompute(node: &Node, about: &str) -> usize {
    let below: usize = node.inputs.iter().map(|input| recompute(input, about)).sum();
    let value = node.decimal();
    if let Some(expected) = result(node) {
        assert_eq!(value, Some(expected), "{about}: {} by {}", node.name, node.rule.as_str());
        return below + 1;
    }
    match (node.rule, &node.inputs[..]) {
        (Rule::ReplayShares, steps) => {
            assert_eq!(value, Some(replayed(steps)[0]), "{about}");
            below + 1
        }
        (Rule::ReplayCost, steps) => {
            assert_eq!(value, Some(replayed(steps)[1]), "{about}");
            below + 1
        }
        (Rule::SquareRoot, [of]) => {
            let (root, of) = (value.unwrap(), of.decimal().unwrap());
            assert!((root * root - of).abs() < Decimal::new(1, 12), "{about}: the root of {of} is not {root}");
            assert!(matches!(node.unit, Unit::Money(_)), "{about}");
            below + 1
        }
        (Rule::SafetyPoints, [rating]) => {
            let points = match rating.value_text().as_deref() {
                Some("safe") => 10,
                Some("watch") => 5,
                Some("at_risk") => 0,
                other => panic!("{about}: {other:?}"),
            };
            assert_eq!(value, Some(Decimal::from(points)), "{about}");
            below + 1
        }
        _ => below,
    }
}

#[test]
fn every_value_follows_from_its_inputs() {
    let world = world();
    for (who, least) in [(ANA, 500), (BOB, 500)] {
        let (browser, user_id) = (signed_in(&world, who), world.user_id(who));
        let mut recomputed = 0;
        for page in pages(&browser) {
            for link in links(&browser.get(&page).text()) {
                let node = world.run(explain(&world.app, user_id, &question(&link.address))).unwrap();
                recomputed += recompute(&node.unwrap_or_else(|| panic!("{}", link.address)), &link.address);
            }
        }
        assert!(recomputed >= least, "{who}: {recomputed}");
    }
}
