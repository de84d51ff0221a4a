// Calls every operation with the generated client, and prints a figure of each answer.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.org/dripline/client"
)

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	api := client.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, os.Args[2])
	account, ledger, meta, stocks := api.AccountAPI, api.LedgerAPI, api.MetaAPI, api.StocksAPI
	year := "2026-01-01"

	fmt.Println("getMe", body(account.GetMe(ctx).Execute()).PreferredCurrency)
	fmt.Println("listPortfolios", body(account.ListPortfolios(ctx).Execute()).Portfolios[0].Name)
	fmt.Println("listHoldings", body(ledger.ListHoldings(ctx).Portfolio("Core").Execute()).Holdings[0].AverageCost.Amount)
	fmt.Println("listDividends", body(ledger.ListDividends(ctx).Symbol("KO").From(year).Execute()).Dividends[0].Net.Amount)
	incomeYear := body(ledger.GetIncome(ctx).Years(3).Drip(true).Execute()).IncomeYear.Get()
	fmt.Println("getIncome", incomeYear.ByMonth["1"].Amount)
	fmt.Println("listUpcoming", body(ledger.ListUpcoming(ctx).Days(90).Execute()).ExpectedNetTotal.Amount)
	fmt.Println("getStatus", body(ledger.GetStatus(ctx).Execute()).Next.Get().Expected.Get().Amount)
	fmt.Println("getValuation", body(ledger.GetValuation(ctx).Execute()).Totals.Gain.Amount)
	fmt.Println("getReceived", body(ledger.GetReceived(ctx).From(year).Execute()).Months[0].Net.Amount)
	fmt.Println("listTransactions", *body(ledger.ListTransactions(ctx).Type_("dividend").Limit(2).Execute()).NextCursor.Get())
	fmt.Println("getRadar", body(ledger.GetRadar(ctx).Execute()).Stocks[0].Price.Get().Amount)
	fmt.Println("whatIf", body(ledger.WhatIf(ctx).Symbol("KO").Shares("50").Execute()).AddedNetIncome.Get().Amount)
	fmt.Println("explainFigure", *body(ledger.ExplainFigure(ctx).Figure("annual_income").Execute()).Value.Get())
	fmt.Println("getCalendar", body(stocks.GetCalendar(ctx).Days(90).Execute()).Stocks[0].ExDividendDate)
	fmt.Println("searchStocks", *body(stocks.SearchStocks(ctx).Q("coca").Execute()).Results[0].Name.Get())
	fmt.Println("getStock", body(stocks.GetStock(ctx, "MSFT").Execute()).Dividend.Safety)
	fmt.Println("getOpenApi", body(meta.GetOpenApi(ctx).Execute())["openapi"])
	fmt.Println("getOpenApi31", body(meta.GetOpenApi31(ctx).Execute())["openapi"])

	_, _, err := stocks.GetStock(ctx, "NONE").Execute()
	var failure *client.GenericOpenAPIError
	if errors.As(err, &failure) {
		fmt.Println("error", failure.Model().(client.Error).Error.Code)
	}
}

func body[T any](answer T, _ *http.Response, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return answer
}
