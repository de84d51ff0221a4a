// Calls every operation with the generated client, and prints a figure of each answer.
import createClient from "openapi-fetch";
import type { paths } from "./client/schema.js";

const [baseUrl, token] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

async function body<T>(answer: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await answer;
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const show = (operation: string, figure: unknown) => console.log(operation, figure);

show("getMe", (await body(client.GET("/api/v1/me"))).preferred_currency);
show("listPortfolios", (await body(client.GET("/api/v1/portfolios"))).portfolios[0].name);
const core = { query: { portfolio: "Core" } };
show("listHoldings", (await body(client.GET("/api/v1/holdings", { params: core }))).holdings[0].average_cost.amount);
const ofKo = { query: { symbol: "KO", from: "2026-01-01" } };
show("listDividends", (await body(client.GET("/api/v1/dividends", { params: ofKo }))).dividends[0].net.amount);
const years = { query: { years: 3, drip: true } };
show("getIncome", (await body(client.GET("/api/v1/income", { params: years }))).income_year?.by_month["1"].amount);
const days = { query: { days: 90 } };
show("listUpcoming", (await body(client.GET("/api/v1/upcoming", { params: days }))).expected_net_total.amount);
show("getStatus", (await body(client.GET("/api/v1/status"))).next?.expected?.amount);
show("getValuation", (await body(client.GET("/api/v1/valuation"))).totals.gain.amount);
const from = { query: { from: "2026-01-01" } };
show("getReceived", (await body(client.GET("/api/v1/received", { params: from }))).months[0].net.amount);
const two = { query: { type: "dividend", limit: 2 } } as const;
show("listTransactions", (await body(client.GET("/api/v1/transactions", { params: two }))).next_cursor);
show("getRadar", (await body(client.GET("/api/v1/radar"))).stocks[0].price?.amount);
const fifty = { query: { symbol: "KO", shares: "50" } };
show("whatIf", (await body(client.GET("/api/v1/whatif", { params: fifty }))).added_net_income?.amount);
const figure = { query: { figure: "annual_income" } } as const;
show("explainFigure", (await body(client.GET("/api/v1/explain", { params: figure }))).value);
show("getCalendar", (await body(client.GET("/api/v1/calendar", { params: days }))).stocks[0].ex_dividend_date);
const coca = { query: { q: "coca" } };
show("searchStocks", (await body(client.GET("/api/v1/stocks", { params: coca }))).results[0].name);
const microsoft = { path: { symbol: "MSFT" } };
show("getStock", (await body(client.GET("/api/v1/stocks/{symbol}", { params: microsoft }))).dividend.safety);
show("getOpenApi", (await body(client.GET("/api/v1/openapi.json"))).openapi);
show("getOpenApi31", (await body(client.GET("/api/v1/openapi-3.1.json"))).openapi);

const { error } = await client.GET("/api/v1/stocks/{symbol}", { params: { path: { symbol: "NONE" } } });
show("error", error?.error.code);
