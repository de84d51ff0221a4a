//! Rows in every table, with values that are hard to copy.

use std::collections::HashSet;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use store::copy::{TABLES, Table};
use store::statement::Type;
use uuid::Uuid;

const TEXTS: [&str; 12] =
    ["", " ", "a\u{301}", "\u{e1}", "ß", "\u{10ffff}", "\u{ffff}", "🦀", "'; --", "\\x00", "\u{1}\n\t", "\u{202e}abc\u{200b}"];
const DECIMALS: [&str; 10] = [
    "0",
    "0.00",
    "0.0000000000000000000000000000",
    "18.00",
    "-18",
    "0.0000000000000000000000000001",
    "79228162514264337593543950335",
    "-7.9228162514264337593543950335",
    "10000",
    "100.5000",
];
const DATES: [&str; 5] = ["0001-01-01", "9999-12-31", "2024-02-29", "1999-12-31", "2000-01-01"];
const INTEGERS: [i64; 6] = [0, 1, -1, i64::MAX, i64::MIN, 1_700_000_000_000_000];

/// Makes rows; the same ones for the same seed.
pub struct Maker {
    state: u64,
    /// Columns that may be without a value, with their tables.
    optional: HashSet<(String, String)>,
    users: Vec<Value>,
    /// With their users.
    portfolios: Vec<(Value, Value)>,
    imports: Vec<(Value, Value)>,
}

/// Rows in every table of an empty database; two thousand and more prices, which take several pages.
pub fn fill(raw: &Connection, seed: u64) {
    let mut maker =
        Maker { state: seed, optional: optional(raw), users: Vec::new(), portfolios: Vec::new(), imports: Vec::new() };
    for table in TABLES.iter() {
        let rows = match table.name {
            "prices" => 2_100,
            "users" => 5,
            "totp" => maker.users.len(),
            "import_files" | "statements" => maker.imports.len(),
            _ => 40,
        };
        raw.execute_batch("BEGIN").unwrap();
        for number in 0..rows {
            let row = maker.row(table, number);
            raw.execute(&table.insert.sql, params_from_iter(row)).unwrap_or_else(|error| panic!("{}: {error}", table.name));
        }
        raw.execute_batch("COMMIT").unwrap();
    }
}

fn optional(raw: &Connection) -> HashSet<(String, String)> {
    let sql =
        r#"SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c."notnull" = 0"#;
    let mut statement = raw.prepare(sql).unwrap();
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
}

impl Maker {
    fn row(&mut self, table: &'static Table, number: usize) -> Vec<Value> {
        let mut row: Vec<Value> = (0..table.columns.len()).map(|column| self.value(table, column, number)).collect();
        for (column, value) in self.bound(table.name, number, &row) {
            let place = table.columns.iter().position(|name| *name == column).unwrap();
            row[place] = value;
        }
        match table.name {
            "users" => self.users.push(row[0].clone()),
            "portfolios" => self.portfolios.push((row[0].clone(), row[1].clone())),
            "imports" => self.imports.push((row[0].clone(), row[1].clone())),
            _ => {}
        }
        row
    }

    /// Values constrained by other rows or columns.
    fn bound(&mut self, table: &str, number: usize, row: &[Value]) -> Vec<(&'static str, Value)> {
        let either = self.choose(&[true, false]);
        match table {
            "users" => vec![("owner", Value::Integer((number == 0).into()))],
            "portfolios" => {
                let slug = if either { Value::Null } else { text(&format!("slug {number}")) };
                let is_default = Value::Integer((number < self.users.len()).into());
                let user = self.users[number % self.users.len()].clone();
                vec![("user_id", user), ("is_default", is_default), ("slug", slug.clone()), ("slug_key", slug)]
            }
            "statements" => {
                let (user, import) = self.imports[number].clone();
                let portfolio = self.portfolios.iter().find(|(owner, _)| *owner == user).unwrap().1.clone();
                vec![("user_id", user), ("import_id", import), ("portfolio_id", portfolio)]
            }
            "import_files" | "accruals" => {
                let (user, import) = self.imports[number].clone();
                vec![("user_id", user), ("import_id", import)]
            }
            "entries" => {
                let (user, portfolio) = self.portfolios[number].clone();
                let import = self.imports.iter().find(|(owner, _)| *owner == user && either).map(|(_, import)| import.clone());
                vec![("user_id", user), ("portfolio_id", portfolio), ("import_id", import.unwrap_or(Value::Null))]
            }
            "positions" | "payment_decisions" | "reinvest_rules" => {
                let (user, portfolio) = self.portfolios[number].clone();
                vec![("user_id", user), ("portfolio_id", portfolio)]
            }
            "totp" => vec![("user_id", self.users[number].clone())],
            "tokens" if either => vec![("kind", text("personal")), ("grant_id", Value::Null), ("audience", Value::Null)],
            "tokens" => vec![("kind", text("access")), ("grant_id", row[1].clone()), ("audience", text("mcp"))],
            "refreshes" if either => vec![("topic", text("quote")), ("leased_until", Value::Integer(7)), ("holder", text(""))],
            "refreshes" => vec![("topic", text("history")), ("leased_until", Value::Integer(0)), ("holder", Value::Null)],
            _ => Vec::new(),
        }
    }

    fn value(&mut self, table: &Table, column: usize, number: usize) -> Value {
        let (name, kind) = (table.columns[column], table.insert.params[column]);
        let in_key = column < table.keys;
        let allowed = words(table.name, name);
        match kind {
            _ if self.optional.contains(&(table.name.to_owned(), name.to_owned())) && self.choose(&[true, false, false]) => {
                Value::Null
            }
            _ if !allowed.is_empty() => text(self.choose(allowed)),
            Type::Uuid if name == "user_id" => self.choose(&self.users.clone()),
            Type::Uuid => uuid((u128::from(self.random()) << 64) | u128::from(self.random())),
            Type::Text if in_key || matches!(name, "email_key" | "name_key" | "identity") => {
                text(&format!("{}{number}", self.choose(&TEXTS)))
            }
            Type::Text => text(self.choose(&TEXTS)),
            Type::Integer if in_key => Value::Integer(number as i64 - 20),
            Type::Integer if matches!(name, "failures" | "consecutive" | "used" | "version" | "value") => {
                Value::Integer(number as i64)
            }
            Type::Integer => Value::Integer(self.choose(&INTEGERS)),
            Type::Boolean => Value::Integer(self.choose(&[0, 1])),
            Type::Decimal => text(self.choose(&DECIMALS)),
            Type::Date => text(self.choose(&DATES)),
            Type::Bytes if name == "file" => self.bytes(number * 1_000),
            Type::Bytes if name == "secret" => self.bytes(number),
            Type::Bytes => self.bytes(32),
        }
    }

    fn bytes(&mut self, length: usize) -> Value {
        Value::Blob((0..length).map(|_| self.random() as u8).collect())
    }

    fn choose<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.random() as usize % from.len()].clone()
    }

    /// SplitMix64.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// The only values allowed there.
fn words(table: &str, column: &str) -> &'static [&'static str] {
    match (table, column) {
        ("entries", "type") => &["buy", "sell", "dividend", "split", "transfer_in", "transfer_out", "return_of_capital"],
        ("dividends", "kind") => &["regular", "special"],
        ("held_back", "topic") => &["quote", "history"],
        ("sessions", "state") => &["code", "open"],
        ("oauth_clients", "kind") => &["registered", "document", "operator", "resource_server"],
        ("oauth_clients", "auth_method") => &["none", "client_secret_basic"],
        ("oauth_device_codes", "state") => &["pending", "approved", "denied", "used"],
        (_, "reinvest") => &["off", "fractional", "whole"],
        (_, "audience") => &["api", "mcp"],
        _ => &[],
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn uuid(number: u128) -> Value {
    text(&Uuid::from_u128(number).to_string())
}
