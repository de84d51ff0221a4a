//! `/import/positions`: what the user holds, typed or pasted, becomes a file to review.

use app::import::staged::Spooled;
use axum::extract::State;
use axum::http::StatusCode;
use messages::web::Texts;

use super::upload::{self, Sent};
use crate::format::Format;
use crate::format::figures::{self, FigureError};
use crate::visit::{Form, SignedIn};
use crate::{Reply, Web};

const ROWS: usize = 5;

/// The form, with what was typed.
pub struct Typed {
    pub rows: Vec<Row>,
    /// Pasted, in any notation.
    pub list: String,
}

#[derive(Clone, Default)]
pub struct Row {
    pub symbol: String,
    pub shares: String,
    /// The average of one share.
    pub cost: String,
    /// Blank for the one that the security trades in.
    pub currency: String,
}

impl Default for Typed {
    fn default() -> Typed {
        Typed { rows: vec![Row::default(); ROWS], list: String::new() }
    }
}

impl Typed {
    fn of(form: &Form) -> Typed {
        let text = |name: &str, at: usize| form.text(&format!("{name}.{at}")).replace(char::is_control, " ");
        let row = |at| Row {
            symbol: text("symbol", at),
            shares: text("shares", at),
            cost: text("cost", at),
            currency: text("currency", at),
        };
        Typed { rows: (0..ROWS).map(row).collect(), list: form.text("list").to_owned() }
    }

    pub fn is_blank(&self) -> bool {
        self.list.is_empty() && self.rows.iter().all(Row::is_blank)
    }

    /// The typed rows as a table with decimal points.
    fn table(&self, format: &Format) -> Result<Option<String>, RowError> {
        let mut table = String::from("Symbol\tShares\tAvg_cost\tCurrency\n");
        let mut rows = 0;
        for row in self.rows.iter().filter(|row| !row.is_blank()) {
            let figure = |text: &str| match text.is_empty() {
                true => Ok(String::new()),
                false => figures::parse(text, format).map(|figure| figure.to_string()),
            };
            if row.symbol.is_empty() || row.shares.is_empty() {
                return Err(RowError::Incomplete);
            }
            let (shares, cost) = (figure(&row.shares)?, figure(&row.cost)?);
            table += &format!("{}\t{shares}\t{cost}\t{}\n", row.symbol, row.currency);
            rows += 1;
        }
        Ok((rows > 0).then_some(table))
    }
}

/// Why a row is not accepted.
enum RowError {
    /// The security or its shares are missing.
    Incomplete,
    Figure(FigureError),
}

impl From<FigureError> for RowError {
    fn from(error: FigureError) -> RowError {
        RowError::Figure(error)
    }
}

impl RowError {
    fn text(&self, t: &'static Texts) -> String {
        match self {
            RowError::Incomplete => t.import.position_incomplete.to_owned(),
            RowError::Figure(error) => error.text(t),
        }
    }
}

impl Row {
    fn is_blank(&self) -> bool {
        self.symbol.is_empty() && self.shares.is_empty() && self.cost.is_empty()
    }
}

pub async fn post(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let t = who.visitor.texts;
    let typed = Typed::of(&form);
    let table = match typed.table(&who.visitor.format) {
        Ok(table) => table,
        Err(error) => return refused(&web, &who, typed, error.text(t)).await,
    };
    let pasted = (!typed.list.is_empty()).then(|| typed.list.clone());
    let texts: Vec<String> = [table, pasted].into_iter().flatten().collect();
    if texts.is_empty() {
        return refused(&web, &who, typed, t.import.positions_blank.to_owned()).await;
    }
    let name = format!("{}.csv", t.import.positions_file);
    let files = texts.iter().map(|text| Ok((name.clone(), Spooled::of(&web.app, text.as_bytes())?)));
    let files = files.collect::<Result<_, app::Error>>()?;
    let (key, portfolio) = (form.non_empty("key").map(str::to_owned), form.non_empty("portfolio").map(str::to_owned));
    upload::put(&web, &who, Sent { key, portfolio, files, refusal: None }).await
}

async fn refused(web: &Web, who: &SignedIn, typed: Typed, problem: String) -> Reply {
    super::render(web, who, StatusCode::UNPROCESSABLE_ENTITY, Some(problem), typed).await
}
