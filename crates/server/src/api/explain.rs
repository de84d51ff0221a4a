//! `GET /api/v1/explain`

use app::explain::{Figure, Question};
use axum::response::Response;
use ledger::explain::{Node, Rule};
use serde::Serialize;
use serving::{ApiError, Query};
use utoipa::ToSchema;
use utoipa::openapi::Object;
use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::Reply;
use super::caller::User;
use super::endpoint::{Ask, Endpoint};
use super::parameters::{Param, query};

/// How a figure came about.
#[derive(Serialize, ToSchema)]
pub struct Explanation {
    #[schema(value_type = String, example = "income")]
    figure: &'static str,
    /// A decimal, a date or a word. Null if unknown.
    #[schema(required = true, example = "31.00")]
    value: Option<String>,
    /// Such as EUR or shares.
    #[schema(example = "EUR")]
    unit: String,
    /// Gives `value`, such as sum or product.
    #[schema(value_type = String, example = "sum")]
    rule: &'static str,
    /// If it is rounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = 2)]
    decimals: Option<u32>,
    inputs: Vec<ExplanationInput>,
}

#[derive(Serialize, ToSchema)]
pub struct ExplanationInput {
    name: String,
    #[schema(required = true)]
    value: Option<String>,
    unit: String,
    /// A provider, ledger, table or estimate. Null for a constant or a result.
    #[schema(required = true)]
    source: Option<String>,
    /// Of a payment, its ex-dividend date.
    #[schema(required = true, format = Date)]
    as_of: Option<String>,
    /// Ids of transactions, or country pairs.
    rows: Vec<String>,
    /// Absent without `inputs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    rule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    decimals: Option<u32>,
    #[schema(no_recursion, example = json!([]))]
    inputs: Vec<ExplanationInput>,
}

impl Param for Figure {
    const REQUIRED: bool = true;

    fn parse(query: &Query<'_>, name: &str) -> Reply<Figure> {
        let accepts = || format!("one of {}", Figure::API.map(Figure::as_str).join(", "));
        let known = query.text(name)?.and_then(Figure::parse);
        known.ok_or_else(|| ApiError::invalid_params(name, &accepts()))
    }

    fn schema() -> Object {
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(Figure::API.map(Figure::as_str))).build()
    }
}

query! {
    pub struct ExplainQuery {
        /// What to explain.
        figure: Figure = "income",
        /// Only growth, value, annual_income and net_annual_income work without it.
        symbol: Option<String> = "KO",
        /// Name or slug of a portfolio, case-insensitive. If omitted, all.
        portfolio: Option<String> = "Core",
    }
}

pub struct ExplainFigure;

impl Endpoint for ExplainFigure {
    const PATH: &'static str = "/api/v1/explain";
    const ID: &'static str = "explainFigure";
    const TAG: &'static str = "ledger";
    const SUMMARY: &'static str = "How a figure came about, down to transactions, payments and exchange rates.";
    const ANSWER: &'static str = "Explanation.";
    const NOT_FOUND: bool = true;
    type Caller = User;
    type Query = ExplainQuery;
    type Answer = Explanation;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        let ExplainQuery { figure, symbol, portfolio } = &ask.query;
        let symbol = symbol.as_ref().map(|symbol| symbol.to_uppercase());
        match (figure.of_symbol(), &symbol) {
            (Some(true), None) => {
                return Err(ApiError::invalid_params("symbol", &format!("given for the figure `{}`", figure.as_str())));
            }
            (Some(false), Some(_)) => {
                return Err(ApiError::invalid_params("symbol", &format!("left out for the figure `{}`", figure.as_str())));
            }
            _ => {}
        }
        ask.cached(async {
            let question = Question { symbol, portfolio: portfolio.clone(), ..Question::of(*figure) };
            let found = app::explain::explain(&ask.api.app, ask.caller.id, &question).await?;
            let node = found.ok_or_else(|| {
                ApiError::not_found(
                    "You have no open position in this symbol, or there is no data for it. GET /api/v1/holdings lists yours.",
                )
            })?;
            Ok(Explanation::new(*figure, node))
        })
        .await
    }
}

impl Explanation {
    fn new(figure: Figure, node: Node) -> Explanation {
        let (value, unit, rule, decimals) = (node.value_text(), node.unit.text().into_owned(), node.rule, node.decimals);
        // A figure without inputs is shown as its own input, because inputs have a source.
        let inputs = if rule == Rule::Given { vec![node.into()] } else { inputs(node.inputs) };
        Explanation { figure: figure.as_str(), value, unit, rule: rule.as_str(), decimals, inputs }
    }
}

impl From<Node> for ExplanationInput {
    fn from(node: Node) -> ExplanationInput {
        ExplanationInput {
            value: node.value_text(),
            unit: node.unit.text().into_owned(),
            source: node.source.as_ref().map(|source| source.as_str().to_owned()),
            as_of: node.as_of.map(|date| date.to_string()),
            rule: (!node.inputs.is_empty()).then(|| node.rule.as_str()),
            decimals: node.decimals.filter(|_| !node.inputs.is_empty()),
            name: node.name.into_owned(),
            rows: node.rows,
            inputs: inputs(node.inputs),
        }
    }
}

fn inputs(nodes: Vec<Node>) -> Vec<ExplanationInput> {
    nodes.into_iter().map(ExplanationInput::from).collect()
}
