//! `GET /api/v1/radar`

use app::stocks::radar_view::{self, Row, WatchTarget};
use axum::response::Response;
use ledger::Target;
use serde::Serialize;
use serving::number;
use utoipa::ToSchema;

use super::Reply;
use super::caller::User;
use super::endpoint::{Ask, Endpoint};
use super::stocks::Safety;
use super::wire::StoredPrice;

#[derive(Serialize, ToSchema)]
pub struct Radar {
    stocks: Vec<RadarStock>,
}

#[derive(Serialize, ToSchema)]
pub struct RadarStock {
    symbol: String,
    name: Option<String>,
    price: Option<StoredPrice>,
    #[schema(format = Double)]
    yield_pct: Option<f64>,
    safety: Safety,
    #[schema(format = Date)]
    ex_dividend_date: Option<String>,
    ex_dividend_declared: bool,
    /// Of two, the nearest.
    target: Option<RadarTarget>,
    reached: Option<bool>,
    /// By how much the price has to fall.
    #[schema(format = Double)]
    distance_pct: Option<f64>,
    other_target: Option<RadarTarget>,
}

#[derive(Serialize, ToSchema)]
pub struct RadarTarget {
    kind: TargetKind,
    /// A price in the trading currency, or a yield in percent.
    value: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    Price,
    Yield,
}

pub struct GetRadar;

impl Endpoint for GetRadar {
    const PATH: &'static str = "/api/v1/radar";
    const ID: &'static str = "getRadar";
    const TAG: &'static str = "ledger";
    const SUMMARY: &'static str = "The user's watchlist, with stored prices and the distance to targets.";
    const ANSWER: &'static str = "Watchlist.";
    type Caller = User;
    type Query = ();
    type Answer = Radar;

    async fn answer(ask: &Ask<Self>) -> Reply<Response> {
        ask.cached(async {
            let rows = radar_view::rows(&ask.api.app, ask.caller.id).await?;
            Ok(Radar { stocks: rows.into_iter().map(RadarStock::from).collect() })
        })
        .await
    }
}

impl From<Row> for RadarStock {
    fn from(row: Row) -> RadarStock {
        let mut targets = row.targets().into_iter();
        let (target, other) = (targets.next(), targets.next());
        let distance = target.and_then(|target| target.distance);
        let (symbol, stock) = (row.symbol, row.stock.as_ref());
        let next_ex = stock.and_then(|stock| stock.next_ex.as_ref());
        RadarStock {
            symbol,
            name: stock.and_then(|stock| stock.name.clone()),
            price: stock.and_then(|stock| Some(StoredPrice::new(stock.price?, stock.price_as_of))),
            yield_pct: stock.and_then(|stock| stock.yield_pct).map(number),
            safety: Safety::from(stock.map_or(ledger::Safety::Unknown, |stock| stock.safety)),
            ex_dividend_date: next_ex.map(|item| item.ex_date.to_string()),
            ex_dividend_declared: next_ex.is_some_and(|item| item.declared),
            target: target.map(RadarTarget::from),
            reached: distance.map(Target::is_reached),
            distance_pct: distance.map(|distance| number(distance.distance_pct())),
            other_target: other.map(RadarTarget::from),
        }
    }
}

impl From<WatchTarget> for RadarTarget {
    fn from(target: WatchTarget) -> RadarTarget {
        let kind = match target.kind {
            radar_view::TargetKind::Price => TargetKind::Price,
            radar_view::TargetKind::Yield => TargetKind::Yield,
        };
        RadarTarget { kind, value: ledger::shares_text(target.value) }
    }
}
