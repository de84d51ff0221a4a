### English. The Rust structs in `../src` name the keys; a test compares both.


## Pages

# Settings → Access: tokens, connected apps, calendar feeds.

access-title = Access
access-lead = These programs and apps can read your account, but can’t change anything.
access-name = Name
access-created = Created
access-last_used = Last used
access-never = Never
access-expires = Expires
access-ended = Ended
access-revoke = Revoke
access-revoke_one = Revoke { $name }
access-revoke_sure = Press again to revoke
access-tokens_title = Personal access tokens
access-tokens_docs = How to use a token
access-tokens_lead = A token lets your own programs read your account through the API.
access-tokens_none = No tokens yet. Create one for each program, so that you can revoke them separately.
access-tokens_ended = { $n ->
     [one] { $n } expired or revoked token
    *[other] { $n } expired or revoked tokens
}
access-token_new = New token
access-token_name = What is it for?
access-token_name_hint = For example “Laptop script”
access-expiry = Expires
access-expiry_none = Never
access-expiry_days = { $n ->
     [one] in 1 day
    *[other] in { $n } days
}
access-token_create = Create token
access-token_made_title = Your new token
access-token_made_lead = This is the token “{ $name }”. Copy it now. You won’t see it again.
access-token_label = Token
access-token_try = Try it
access-token_keep = Treat this token like a password. If you lose it, revoke it and create a new one.
access-token_revoked = Token revoked.
access-done = I’ve copied it
access-apps_title = Connected apps
access-apps_docs = How to connect an app
access-apps_lead = These third-party apps can read your account. Revoking access takes effect at once.
access-apps_none = No connected apps.
access-apps_host = Redirects to
access-apps_device = a device
access-apps_reads = Used for
access-apps_api = API
access-apps_mcp = AI assistant
access-apps_revoke_all = Revoke all apps
access-app_revoked = App disconnected.
access-apps_revoked = { $n ->
     [one] { $n } app disconnected.
    *[other] { $n } apps disconnected.
}
access-feeds_title = Calendar feeds
access-feeds_lead = A calendar feed is a private link for your calendar app. It shows the ex-dividend dates, payments and expected amounts of all portfolios for the next 120 days.
access-feeds_none = No calendar feeds yet.
access-feed_new = New feed
access-feed_name = Which calendar is it for?
access-feed_name_hint = For example “Phone” or “Family calendar”
access-feed_create = Create feed
access-feed_made_title = Your new calendar feed
access-feed_made_lead = This is the link to the feed “{ $name }”. Copy it now. You won’t see it again.
access-feed_label = Link
access-feed_open = Open in my calendar
access-feed_keep = Anyone with this link can see your payments without signing in. Only add the link to calendars you trust.
access-feed_revoked = Feed revoked.

# Consent for third-party apps, and device codes.

connect-title = Allow access?
connect-lead = { $app } wants to read your account.
connect-unnamed = An app without a name
connect-who_asks = App
connect-known_by_address = Published at { $host }.
connect-known_by_operator = Added by the administrator of this server.
connect-not_verified = The app chose this name. Nobody has verified the name.
connect-where_to = Redirects to
connect-warn_loopback = This address leads to a program on this computer. Allow access only if you just started that program.
connect-warn_private = This address opens an app on this device. Other apps can claim the same address, so allow access only if you just came from this app.
connect-may_read = Access
connect-read_only = Read-only
connect-reads_api = Portfolios, holdings, dividends, income and your profile, through the API.
connect-reads_mcp = Portfolios, holdings, dividends, income and your profile, for an AI assistant.
connect-never = The app can’t change anything and never sees your password.
connect-until = Access ends after 90 days, or when you revoke it in Settings{"\u00A0"}→{"\u00A0"}Access.
connect-signed_in_as = Your account
connect-before = You already allowed this app:
connect-allow = Allow
connect-deny = Cancel
connect-refused_title = Invalid request
connect-refused_lead = An app sent you here with a request we can’t trust, so we sent nothing back to the app.
connect-malformed = The app’s request isn’t encoded correctly. Go back to the app and try again.
connect-refused_next = Go back to the app and try again. If this keeps happening, send the message above to the app’s developer.
connect-refused_back = Back to { $host }
connect-removed_title = App removed
connect-removed_lead = The administrator of this server removed this app.
connect-repeated_title = Already answered
connect-repeated_lead = You already answered this request, so nothing was changed. If the app is still waiting, start again there.
connect-expired_title = Page expired
connect-expired_lead = This page was open for too long, or another tab signed you in or out. Nothing was changed.
connect-again = Review the request again
connect-device_title = Connect a device
connect-device_lead = Enter the code shown on your device or in your app.
connect-device_code = Code
connect-device_code_hint = Eight letters, for example BCDF-GHJK.
connect-device_next = Continue
connect-device_warn = Only continue if the code comes from your own device or app. If somebody sent you the code, stop: it would give them access to your account.
connect-device_not_proven = The device reported this name. We can’t verify that the name is true.
connect-device_unknown = This code doesn’t exist or has expired. Check the code, or start again on the device.
connect-device_wait = Too many attempts. Wait a minute and try again.
connect-device_allowed = Device connected. You can return to it now.
connect-device_denied = The device was not connected.

# Settings → Your data: export and delete.

data-archive_readme =
    This archive has everything that Dripline stores about your account.

    account.json: your profile, settings, portfolios, watchlist, tokens and calendar feeds (without their secrets), connected apps, sessions, imports and account activity
    ledger.csv: all your transactions. Import it into an empty account to get the same figures again.
    files/: the files you imported, unchanged
data-lead = Export or delete your data
data-confirm_first = Enter your password to export your data or delete your account.
data-export_title = Export your data
data-export_lead = The export is a ZIP file with your transactions (a table you can import again), your imported files, settings, portfolios, watchlist and activity.
data-export_submit = Export everything
data-delete_title = Delete your account
data-delete_lead = This permanently deletes your transactions, portfolios, files, tokens and shared pages. Export your data first if you might need it.
data-delete_open = I want to delete my account
data-delete_email = Enter your e-mail address to confirm
data-delete_submit = Delete my account permanently
data-delete_differs = That isn’t the e-mail address of this account. Enter the address you sign in with.
data-deleted = Your account and all its data have been deleted.

# The developers’ page. Endpoints and fields are described by the API’s own document.

developers-title = Developers
developers-lead = A read-only JSON API for your portfolio and for public dividend data. Everything in the app is available through the API.
developers-contents = On this page
developers-document = OpenAPI document
developers-document_3_1 = OpenAPI 3.1 version
developers-start_title = Get started
developers-start_lead = Create a token, replace $TOKEN with it, and request your profile:
developers-make_token = Create a token
developers-sign_in_first = Sign in to create a token
developers-copy_of = Copy the command for { $path }
developers-auth_title = Authentication
developers-auth_header = Send your token with every request, in the header `Authorization: Bearer TOKEN`.
developers-auth_make = Create personal access tokens under Settings → Access. A token is shown once. It can read everything in its account and change nothing. You can let it expire after a number of days.
developers-auth_apps = Apps for other people use OAuth 2.1, with an authorization code and PKCE or with a device code. `/.well-known/oauth-authorization-server` lists the endpoints. Apps can register themselves there.
developers-auth_revoke = A revoked token stops working with the next request.
developers-auth_public = The calendar and the stocks don’t need a token. With a token, search covers more sources and stocks have live prices.
developers-conventions_title = Conventions
developers-convention = Topic
developers-rule = Rule
developers-money = Money
developers-money_rule = An object with `amount`, a decimal in a string, and `currency`, a three-letter code. Never a float: parse it with a decimal type.
developers-rates = Rates
developers-rates_rule = A field whose name ends in `_pct` is a percentage: 3.1 means 3.1%. Any other rate is a fraction: 0.05 means 5%.
developers-dates = Dates
developers-dates_rule = `2026-11-15`. Timestamps are in UTC. “Today” is the current day in UTC.
developers-parameters_rule = A malformed parameter is an error, 422; it is never ignored. A number out of range is moved to the nearest allowed value.
developers-absent = Missing and null
developers-absent_rule = A field that isn’t marked “Always present” may be missing. New fields may be added: ignore fields you don’t know.
developers-caching = Caching
developers-caching_rule = Every response has an `ETag`. Send it back in `If-None-Match`: if nothing has changed, the response is 304 without a body.
developers-limits = Limits
developers-limits_rule = Without a token, you can send 60 requests a minute from one address. After that you get 429, and `Retry-After` says how many seconds to wait. With a token there is no fixed limit, but polling every few minutes is enough.
developers-versions = Versions
developers-versions_rule = Version 1 only gets additions. Breaking changes would come under a new address.
developers-assistant_title = Connect an AI assistant
developers-assistant_address = Assistants that support MCP, such as Claude, ChatGPT and many code editors, connect to this address:
developers-assistant_copy = Copy the address for assistants
developers-assistant_sign_in = Give the assistant only this address. It sends you here to sign in and to decide whether it may read your account.
developers-assistant_token = Assistants that take a header instead of a sign-in can use a personal access token, in the header `Authorization: Bearer TOKEN`.
developers-assistant_tools = Its tools are the endpoints below, with the same parameters and responses. It can read but not change anything. Each user can make 240 calls a minute.
developers-assistant_revoke = You can see and revoke access under Settings → Access. A revoked assistant is refused from its next request on.
developers-assistant_list = See connected assistants
developers-assistant_care = Everything an assistant reads goes to the company that runs it.
developers-endpoints_title = Endpoints
developers-token_required = token required
developers-token_optional = token optional
developers-token_none = no token
developers-parameters = Parameters
developers-name = Name
developers-kind = Type
developers-required = Required
developers-present = Always present
developers-description = Description
developers-list_of = list of
developers-map_of = map of
developers-or_null = or null
developers-in_place = in the { $place }
developers-answer = Response
developers-example = Example
developers-errors = Errors
developers-errors_title = Errors
developers-errors_lead = Every error has the same shape, {"{"}error: {"{"}code, message{"}"}{"}"}. Programs should check the code, which never changes; the message is for people. Any request can return these:
developers-status = Status
developers-other_status = Other
developers-meaning = Code and meaning
developers-schemas_title = Types

# Dividends received.

dividends-title = Dividends
dividends-lead = Dividends received, converted to { $currency } at the rate on each payment date
dividends-net_12 = Last 12 months (net)
dividends-gross_12 = Last 12 months (gross)
dividends-growth = Year over year
dividends-growth_note = net, last 12 months vs. the 12 months before
dividends-all_time = All time (net)
dividends-all_time_note = { $amount } gross
dividends-net_only = { $n ->
     [one] 1 dividend has no gross amount, so its net amount also counts as gross.
    *[other] { $n } dividends have no gross amount, so their net amounts also count as gross.
}
dividends-months_title = By month
dividends-months_note = net
dividends-month = Month
dividends-year = Year
dividends-total = Total
dividends-years_title = Year over year
dividends-years_chart = Net dividends by month, with the years side by side
dividends-bar = { $month } { $year }: { $amount }
dividends-by_stock = By stock
dividends-by_portfolio = By portfolio
dividends-stock = Stock
dividends-portfolio = Portfolio
dividends-net = Net
dividends-gross_of = { $amount } gross
dividends-expected_title = Missing payments
dividends-expected_lead = We compare your records with the gross payments you were entitled to in the last 24 months.
dividends-expected_none = No dividend data for your holdings in the last 24 months.
dividends-all_well = All expected payments are recorded.
dividends-as_expected = { $n ->
     [one] 1 payment as expected
    *[other] { $n } payments as expected
}
dividends-look_at = Needs attention
dividends-cut_off = Showing the latest { $n } payments.
dividends-not_compared = No dividend data for: { $names }.
dividends-pay_date = Pay date
dividends-due_amount = Expected
dividends-recorded = Recorded
dividends-state = Status
dividends-received = Received
dividends-different = Different
dividends-missing = Missing
dividends-due = Due
dividends-extra = Unexpected
dividends-off_by = differs by { $amount }
dividends-on = on { $date }
dividends-estimated_day = about
dividends-special = special
dividends-net_mark = net
dividends-record = Record
dividends-record_of = Record the { $symbol } dividend of { $date }
dividends-ignored = { $n ->
     [one] You ignored 1 payment.
    *[other] You ignored { $n } payments.
}
dividends-list_title = All payments
dividends-symbol = Stock
dividends-all_stocks = All stocks
dividends-all_years = All years
dividends-date = Pay date
dividends-shares = Shares
dividends-per_share = Per share
dividends-tax = Withholding tax
dividends-amount = Gross
dividends-net_repeated = net only
dividends-range = { $from }–{ $to } of { $n }
dividends-pages = Pages
dividends-none_match = No payments match. Choose another stock or year.
dividends-empty_title = No dividends yet
dividends-empty_lead = Import a broker file or add a dividend to see what you’ve received.
dividends-import = Import a file
dividends-by_hand = Add manually

# How a figure is calculated.

explain-title = How is this calculated?
explain-close_panel = Close
explain-open_page = Open as a page
explain-next_step_data = Check market data
explain-next_step_ledger = Review your transactions
explain-next_step_import = Import a broker file
explain-no_such_figure = We can’t explain this figure. Open it from the page that shows it.
explain-no_such_stock = You have no open position in this stock, or there is no data for it.
explain-given_ledger = From your transactions
explain-given_table = From the withholding-tax table
explain-given_estimate = Calculated by Dripline
explain-rule_clamp = Growth is limited to this range, so that one exceptional year does not shape the projection.
explain-rule_lowest = The lower of the two rates applies.
explain-rule_growth_per_year = The yearly growth that leads from the first total to the last.
explain-rule_near_provider = The provider’s rate agrees with past payments, so it is used.
explain-rule_near_history = The provider’s rate is far from what was paid, so past payments are used.
explain-rule_withheld = What was really withheld from your recent dividends.
explain-rule_withheld_official = The official rate that your recent dividends were taxed at.
explain-rule_home = Nothing is withheld abroad: the company is in your country of residence.
explain-rule_untaxed_fund = Funds from Ireland and Luxembourg pay without withholding tax.
explain-rule_unknown_source = The country of the company is not known, so the usual rate is assumed.
explain-rule_stopped = Nothing was paid or declared for more than 1.5 times the usual gap plus 30 days, so no income is expected.
explain-rule_streak = Years in a row that each paid more than the year before.
explain-rule_replay_shares = Your transactions since you opened the position, in order.
explain-rule_replay_cost = What you paid for the shares that you still hold. A sale takes its part of the cost with it.
explain-rule_safety = Eight checks decide the rating. One of the first four makes it “at risk”, one of the others “watch”.
explain-rule_too_little_data = A rating needs payments and earnings data, or a fund with three complete years.
explain-rule_median = The middle value.
explain-rule_months_later = So many months after the ex-date.
explain-rule_weighted = The average of all holdings, weighted by their income.
explain-ex_from_end = Estimated: the same distance from the end of the month as an earlier ex-date.
explain-ex_from_start = Estimated: the same distance from the start of the month as an earlier ex-date.
explain-ex_same_date = Estimated: the same day of the month as an earlier ex-date.
explain-ex_364_days = Estimated: 364 days after an earlier ex-date, on the same weekday.
explain-ex_same_weekday = Estimated: the same weekday of the month as a year earlier.
explain-ex_third_friday = Estimated: the same distance from the third Friday of the month as an earlier ex-date.
explain-ex_gap = Estimated: the last ex-date plus the usual gap.
explain-ex_median = Estimated: the middle one of three dates.
explain-why_no_data = We have no market data for this stock.
explain-why_no_payments = No dividend of this stock is known.
explain-why_no_exchange_rate = There is no exchange rate for its currency.
explain-why_no_price = We have no price for this stock.
explain-why_no_income = None of your holdings pays a dividend that we know of.
explain-why_too_few_years = There are too few complete years of dividends to compare.
explain-why_none_expected = No payment is declared or expected.
explain-why_several_currencies = The amounts are in different currencies, so they can’t be compared.
explain-why_too_few_closes = There are fewer than 24 months of prices and dividends.
explain-why_cost_not_known = The cost of these shares is not recorded.
explain-why_nothing_before = No dividends are recorded in the 12 months before.
explain-rule_highest = The higher of the two figures.
explain-rule_square_root = The square root of this sum.
explain-rule_grown = The income times the yearly factor, once for each year.
explain-rule_points = From 0 points at the first limit to 10 at the second, in proportion.
explain-rule_safety_points = 10 points for safe, 5 for watch, and 0 for at risk.
explain-why_too_few_figures = There is too little data for this score.
explain-reinvested = Dividends reinvested
explain-counts_as_zero = It counts as zero.
explain-fired = Warning
explain-passed = Passed
explain-not_made = No data
explain-all_time = All time
explain-rule_sum = The sum of { $n } amounts
explain-per_euro = { $amount } { $currency } per euro
explain-days = { $n ->
     [one] { $n } day
    *[other] { $n } days
}
explain-months_n = { $n ->
     [one] { $n } month
    *[other] { $n } months
}
explain-years_n = { $n ->
     [one] { $n } year
    *[other] { $n } years
}
explain-transaction = Your transaction of { $date }
explain-transaction_n = Transaction { $n }
explain-transactions = { $n ->
     [one] { $n } transaction
    *[other] { $n } transactions
}
explain-more = … and { $n } more
explain-table_row = Withholding-tax table: { $source } → { $residence }
explain-table_row_alone = Withholding-tax table: { $source }
explain-ex_on = ex-date { $date }
explain-period = { $from } – { $to }
explain-days_ahead = { $n ->
     [one] Next { $n } day
    *[other] Next { $n } days
}
explain-after_years = { $n ->
     [one] After { $n } year
    *[other] After { $n } years
}
explain-paid_in = { $n ->
     [one] Paid in { $n } month
    *[other] Paid in { $n } months
}
explain-name_income = Annual income (gross)
explain-name_net_income = Annual income (net)
explain-name_annual_income = Annual income (gross)
explain-name_net_annual_income = Annual income (net)
explain-name_forward_rate = Annual dividend per share
explain-name_provider_rate = Annual dividend named by the provider
explain-name_history_rate = Annual dividend from past payments
explain-name_withholding = Withholding tax
explain-name_growth = Dividend growth
explain-name_growth_5y = Dividend growth over 5 years
explain-name_streak = Growth streak
explain-name_safety = Safety
explain-name_average_cost = Average cost
explain-name_expected = Next payment
explain-name_ex_dividend_date = Ex-dividend date
explain-name_value = Market value
explain-name_shares = Shares
explain-name_price = Price
explain-name_yield_pct = Yield
explain-name_average_yield_pct = 5-year average yield
explain-name_relative_yield = Yield compared with its average
explain-name_yield_on_cost = Yield on cost
explain-name_share_of_income = Share of income
explain-name_payment = Payment
explain-name_net_payment = Payment (net)
explain-name_upcoming = Upcoming payments (net)
explain-name_monthly_average = Monthly average (net)
explain-name_current_yield = Yield
explain-name_received = Dividends received (net)
explain-name_received_gross = Dividends received (gross)
explain-name_received_growth = Dividends received, year over year
explain-name_last_12_months = Last 12 months
explain-name_before_12_months = 12 months before
explain-name_paid = Paid per share
explain-name_payments = Payments
explain-name_payments_per_year = Payments a year
explain-name_per_share = Dividend per share
explain-name_new_shares = New shares
explain-name_old_shares = Old shares
explain-name_one_share = One share
explain-name_cost = Cost
explain-name_amount = Amount
explain-name_fees = Fees
explain-name_gross = Gross
explain-name_net = Net
explain-name_withheld = Tax withheld
explain-name_exchange_rate = Exchange rate
explain-name_growth_per_year = Growth per year
explain-name_years = Years
explain-name_least = Lowest
explain-name_most = Highest
explain-name_near = Annual dividend per share
explain-name_clamp = Limited growth
explain-name_last_ex_date = Last ex-date
explain-name_nominal_gap = Usual gap
explain-name_today = Today
explain-name_last = Last ex-date
explain-name_reference = Ex-date
explain-name_months = Months later
explain-name_gap = Gap
explain-name_date = Date
explain-name_dividends = Dividends
explain-name_close = Closing price
explain-name_yield = Yield at month-end
explain-name_payout_ratio = Payout ratio
explain-name_fcf_cover = Free cash flow cover
explain-name_limit = Limit
explain-name_kept_at_least = At least, of the year before
explain-name_streak_before = Streak a year earlier
explain-name_complete_years = Complete years
explain-name_fund = Fund
explain-name_source_country = Country of the company
explain-name_residence = Your country of residence
explain-name_rounding = Rounding allowed
explain-name_half_a_unit = Rounding of one dividend
explain-name_treaty_rate = Treaty rate
explain-name_statutory_rate = Statutory rate
explain-name_lowest = Lower rate
explain-name_months_of_year = Months
explain-name_whole = Whole
explain-name_constant = Constant
explain-name_sum = Sum
explain-name_product = Product
explain-name_quotient = Ratio
explain-name_difference = Difference
explain-name_convert = Converted
explain-name_median = Median
explain-name_projected_income = Projected income (gross)
explain-name_projected_net_income = Projected income (net)
explain-name_likely_low = Likely income: low end
explain-name_likely_high = Likely income: high end
explain-name_usual_outcome = Usual outcome
explain-name_likely_deviation = Deviation
explain-name_deviations = Deviations together
explain-name_squared_deviations = Squared deviations
explain-name_squares = Sum of squares
explain-name_declared_company = Companies with a steady dividend
explain-name_declared_fund = Funds with a steady dividend
explain-name_varying_company = Companies with a varying dividend
explain-name_varying_fund = Funds with a varying dividend
explain-name_semi_annual_company = Companies that pay twice a year
explain-name_annual_company = Companies that pay once a year
explain-name_month_income = Income of a month (net)
explain-name_biggest_months = Share of the strongest months
explain-name_rest_of_income = Income of the other holdings
explain-name_rest_share = Share of the other holdings
explain-name_due_payment = Expected payment
explain-name_recorded = Recorded
explain-name_missing_net = Missing payments (net)
explain-name_value_score = Value score
explain-name_momentum_score = Momentum score
explain-name_rating_score = Rating score
explain-name_year_total = Dividends of a year
explain-name_adjusted_payment = Payment, adjusted for splits
explain-name_above_average = Yield compared with its average
explain-name_to_target_yield = Distance to your target yield
explain-name_to_target_price = Distance to your target price
explain-name_yearly_factor = Yearly factor
explain-name_yield_fraction = Yield
explain-name_points_relative_yield = Yield compared with its average
explain-name_points_pe = P/E
explain-name_points_range = Price in its 52-week range
explain-name_points_price = Price and its 200-day average
explain-name_points_trend = 50-day and 200-day average
explain-name_points_safety = Safety
explain-name_points_growth = Dividend growth over 5 years
explain-name_points_streak = Growth streak
explain-name_points_yield = Yield
explain-name_points_from = 0 points at
explain-name_points_to = 10 points at
explain-name_over_ma200 = Compared with the 200-day average
explain-name_below_pe = Below a P/E of 30
explain-name_pe = P/E
explain-name_low52 = 52-week low
explain-name_high52 = 52-week high
explain-name_ma50 = 50-day average
explain-name_ma200 = 200-day average
explain-name_other_payment = Another payment of that day
explain-name_recorded_sum = Recorded together
explain-name_part_of_sum = Part of a recorded sum
explain-name_estimated_tax = Estimated tax
explain-name_target_yield = Target yield
explain-name_target_price = Target price
explain-name_added_income = Added income (gross)
explain-name_added_net_income = Added income (net)
explain-name_purchase_cost = Cost of the purchase
explain-name_purchase_yield = Yield of the purchase
explain-name_bought_shares = Shares to buy
explain-name_purchase_amount = Amount to spend
explain-name_with_purchase = Income with the purchase
explain-name_before = Income before
explain-name_suggested_net = Missing payment (net)
explain-name_import_net_income = Annual income of these securities (net)
explain-name_entry_amount = Amount
explain-name_entry_tax = Estimated tax
explain-name_entry_net = Cash effect
explain-name_reinvested_net = Net amount to reinvest
explain-name_reinvested_shares = Shares bought
explain-name_reinvested_price = Purchase price per share
explain-name_reinvested_cost = Cost of the purchase
explain-with_purchase = If you bought { $symbol }
explain-with_entry = With the transaction in the form
explain-unsaved = As you entered it; not saved
explain-check_cut = Dividend cuts
explain-check_stopped = Stopped payments
explain-check_uncovered = Cover by earnings and cash
explain-check_yield_doubled = Yield against its average
explain-check_high_payout = Payout ratio
explain-check_thin_cash_cover = Free cash flow cover
explain-check_yield_raised = Yield above its average
explain-check_streak_ended = End of a growth streak
explain-fires_cut = Fires if a year’s total is less than the limit allows, compared with the year before.
explain-fires_stopped = Fires if nothing was paid or declared for 1.5 times the usual gap plus 30 days.
explain-fires_uncovered = Fires if more is paid out than earned, and cash flow (or, without it, the streak) does not make up for it.
explain-fires_yield_doubled = Fires if the yield is more than twice its average and the payout ratio is above its limit.
explain-fires_high_payout = Fires if the payout ratio is above the limit.
explain-fires_thin_cash_cover = Fires if free cash flow covers the dividend less often than the limit.
explain-fires_yield_raised = Fires if the yield, compared with its average, is above the limit.
explain-fires_streak_ended = Fires if the last year ended a streak of at least the limit.

# Open positions and their income.

holdings-title = Holdings
holdings-lead = { $n ->
     [one] { $n } open position
    *[other] { $n } open positions
}
holdings-share_title = Income by holding
holdings-share_chart = Share of annual gross income by holding
holdings-part = { $name }: { $amount } a year, { $share }
holdings-rest = Others
holdings-table = Open positions
holdings-table_note = annual income
holdings-stock = Stock
holdings-shares = Shares
holdings-cost = Average cost
holdings-gross = Gross
holdings-net = Net
holdings-share = % of income
holdings-yield_now = Yield
holdings-on_cost = Yield on cost
holdings-safety = Safety
holdings-ex = Ex-date
holdings-pay = Pay date
holdings-portfolio = Portfolio
holdings-total = Total
holdings-sort_by = Sort by { $column }
holdings-oldest_first = Oldest first
holdings-no_income = No dividend data or no exchange rate
holdings-estimated = estimated
holdings-cost_unknown = cost not known
holdings-reasons = { $reasons }.
holdings-cut = Dividend cut in the last three years
holdings-stopped = Payments seem to have stopped
holdings-uncovered = Dividend exceeds earnings and isn’t covered by cash
holdings-yield_doubled = Yield is twice its average while nearly all earnings are paid out
holdings-high_payout = High payout ratio
holdings-thin_cash_cover = Free cash flow barely covers the dividend
holdings-yield_raised = Yield is well above its average
holdings-streak_ended = A streak of increases ended
holdings-unapplied_split = The { $ratio } split of { $symbol } on { $date } doesn’t fit your transactions in { $portfolio }: more shares would have been sold than you held. It isn’t applied. Add the split or correct the transactions.
holdings-transactions = Transactions
holdings-empty_title = No holdings yet
holdings-empty_lead = Import a broker file or add your first purchase.
holdings-import = Import a file
holdings-by_hand = Add manually

# Import: upload, review, undo.

import-title = Import
import-lead = Upload your broker’s export. You can review everything before it is saved.
import-drop_title = Drop files here or choose them
import-drop_hint = CSV, XLSX, XML, JSON or OFX files up to 50 MiB. The format is detected automatically.
import-files = Files
import-read = Preview import
import-by_default = for rows that don’t name one
import-formats = Supported brokers and formats
import-waiting_title = Unfinished imports
import-waiting_lead = We keep these files for 24 hours.
import-go_on = Review
import-discard = Discard
import-discard_all = Discard all
import-discarded = Import discarded. Nothing was saved.
import-discarded_all = { $n ->
    [one] One import discarded. Nothing was saved.
   *[other] { $n } imports discarded. Nothing was saved.
}
import-past_title = Past imports
import-past_empty = No imports yet.
import-file = File
import-when = Date
import-rows = Rows
import-added = Added
import-existing = Duplicates
import-skipped = Skipped
import-download = Download
import-undo = Undo
import-undo_lead = { $n ->
     [one] This removes the { $n } transaction added by this import.
    *[other] This removes the { $n } transactions added by this import.
}
import-undo_now = Undo import
import-see_dividends = See your dividends
import-undone = { $n ->
     [one] Import undone: { $n } transaction removed.
    *[other] Import undone: { $n } transactions removed.
}
import-openings_back = { $n ->
     [one] { $n } opening position is back.
    *[other] { $n } opening positions are back.
}
import-no_file = Choose a file first.
import-too_many = Too many files. Upload up to 20 at a time.
import-waiting_now = { $n ->
     [one] { $n } file uploaded. Review it below.
    *[other] { $n } files uploaded. Review them below.
}
import-already = You’ve already imported this file.
import-plan_title = Review import
import-detected = Format
import-format_unknown = unknown
import-format_table = table with custom columns
import-total = Rows
import-fate_new = New
import-fate_joined = Merged
import-fate_existing = Duplicate
import-fate_repeated = Repeated in file
import-repeats = This row repeats line { $line } and isn’t counted again.
import-fate_skipped = Skipped
import-fate_error = Error
import-all_rows = All rows
import-rows_title = Rows
import-line = Line
import-fate = Status
import-becomes = Transaction
import-no_rows = No rows with this status.
import-faults = This file can’t be imported as it is
import-quote = Original row
import-questions_title = Match securities
import-questions_lead = We couldn’t identify these securities. You only need to match them once.
import-rows_mean_it = { $n ->
     [one] { $n } row
    *[other] { $n } rows
}
import-other_symbol = Other ticker
import-symbol_of = Ticker
import-answered_hint = Clear the field to undo.
import-more_questions = { $n ->
     [one] { $n } more security to match after these.
    *[other] { $n } more securities to match after these.
}
import-said_title = Your matches
import-more_answered = { $n ->
     [one] { $n } earlier match isn’t shown. It still applies.
    *[other] { $n } earlier matches aren’t shown. They still apply.
}
import-keep_title = Skip matching for now
import-keep_hint = We import unmatched securities under their ISIN, ticker or name in the file. They have no price or dividend data until you match them.
import-keep = Import without matching
import-kept = Unmatched securities are imported under their ISIN, ticker or name.
import-keep_not = Match them instead
import-currency_title = Choose a currency
import-currency_lead = The file doesn’t say which currency these securities are in: { $symbols }
import-currency_hint = We use this currency for rows without one, if the stock’s currency is unknown.
import-currency_unknown = – choose –
import-pence = GBp (pence)
import-agorot = ILA (agorot)
import-cents = ZAc (cents)
import-use_currency = Use this currency
import-answer = Save matches
import-columns_title = Match columns
import-columns_lead = We don’t recognize this format. Tell us what each column is. We’ll remember your choices for similar files.
import-doubts = Please check
import-no_column = – none –
import-as_found = – detect –
import-sample = First rows
import-more_settings = Format options
import-dates = Dates
import-day_first = Day first: 31/12/2026
import-month_first = Month first: 12/31/2026
import-decimals = Numbers
import-decimal_point = Decimal point: 1,234.50
import-decimal_comma = Decimal comma: 1.234,50
import-default_kind = Rows without a type are
import-by_shares = Sales if the shares are negative, otherwise purchases
import-by_amount = Purchases if the amount is negative, otherwise sales
import-default_currency = Rows without a currency are in
import-traded = The stock’s currency
import-costs = Fees and taxes are
import-costs_positive = Positive numbers
import-costs_negative = Negative numbers
import-word = “{ $word }” means
import-ignore = Nothing (skip these rows)
import-use_columns = Apply
import-forget_columns = Start over
import-time = Time
import-isin = ISIN
import-cusip = CUSIP
import-name = Company name
import-id = Transaction ID
import-portfolio_title = Portfolio
import-portfolio_lead = Rows that don’t name a portfolio go here.
import-the_default = Default portfolio
import-choose = Use this portfolio
import-apply = Import
import-ready = Ready to import.
import-will_add = { $rows ->
     [one] { $n } of { $rows } row will be added: { $kinds }.
    *[other] { $n } of { $rows } rows will be added: { $kinds }.
}
import-would_add = { $rows ->
     [one] With the recommended answers, { $n } of { $rows } row will be added: { $kinds }.
    *[other] With the recommended answers, { $n } of { $rows } rows will be added: { $kinds }.
}
import-kind_count = { $kind ->
     [buy] { $n ->
         [one] { $n } purchase
        *[other] { $n } purchases
    }
     [sell] { $n ->
         [one] { $n } sale
        *[other] { $n } sales
    }
     [dividend] { $n ->
         [one] { $n } dividend
        *[other] { $n } dividends
    }
     [split] { $n ->
         [one] { $n } split
        *[other] { $n } splits
    }
     [transfer_in] { $n ->
         [one] { $n } transfer in
        *[other] { $n } transfers in
    }
     [transfer_out] { $n ->
         [one] { $n } transfer out
        *[other] { $n } transfers out
    }
    *[return_of_capital] { $n ->
         [one] { $n } return of capital
        *[other] { $n } returns of capital
    }
}
import-opens = { $n ->
     [one] { $n } security gets an opening position.
    *[other] { $n } securities get an opening position.
}
import-leaves_out = { $n ->
     [one] { $n } row is left out.
    *[other] { $n } rows are left out.
}
import-keeps = { $n ->
     [one] { $n } security keeps its ISIN or name until you match it.
    *[other] { $n } securities keep their ISIN or name until you match them.
}
import-recommended = Use the recommended answers
import-recommended_hint = You can change each of them before you import.
import-openings_title = Add opening positions
import-openings_lead = You sold or moved shares that aren’t in your history. An opening position adds them the day before your first transaction, at the price of the sale. The cost is marked as not known.
import-openings_all = { $n ->
     [one] Add { $n } opening position
    *[other] Add { $n } opening positions
}
import-openings_added = { $n ->
     [one] We add { $n } opening position for shares that aren’t in your history.
    *[other] We add { $n } opening positions for shares that aren’t in your history.
}
import-openings_not = Don’t add opening positions
import-held_on = { $shares } held on { $date }
import-errors_title = Rows we can’t import
import-errors_lead = Leave these rows out, or fix them below. We keep a list of them with the import, so that you can try again later.
import-payments = { $n ->
     [one] { $n } announced payment will be added to Upcoming.
    *[other] { $n } announced payments will be added to Upcoming.
}
import-nothing_new = Nothing to add: everything in this file is already in your ledger.
import-partly_new = Nothing to add. Rows already in your ledger: { $existing }. Rows skipped: { $skipped }.
import-nothing_found = No transactions found in this file.
import-all_skipped = { $n ->
     [one] No transactions found: the only row was skipped. See below for the reason.
    *[other] No transactions found: all { $n } rows were skipped. See below for the reasons.
}
import-blocked = Fix the problems below to import this file. Nothing has been saved.
import-unmatched = { $n ->
     [one] { $n } security needs a match before we can import this file.
    *[other] { $n } securities need a match before we can import this file.
}
import-not_imported = New problems stopped the import. See below.
import-skip_row = Skip this row
import-skip_all = { $n ->
     [one] Skip { $n } row with this error
    *[other] Skip all { $n } rows with this error
}
import-skip_errors = { $n ->
     [one] Skip { $n } row
    *[other] Skip all { $n } rows
}
import-include_row = Include again
import-include_all = { $n ->
     [one] Include { $n } skipped row again
    *[other] Include all { $n } skipped rows again
}
import-share_count = { $n ->
     [one] { $shares } share
    *[other] { $shares } shares
}
import-sold_missing = { $n ->
     [one] Sold { $shares } share that isn’t in your history.
    *[other] Sold { $shares } shares that aren’t in your history.
}
import-moved_missing = { $n ->
     [one] Transferred out { $shares } share that isn’t in your history.
    *[other] Transferred out { $shares } shares that aren’t in your history.
}
import-add_opening = Add opening position
import-opening_lead = Enter the shares you held before your history begins. They are added as a transfer in.
import-opening_shares_hint = This number covers all later sales of { $symbol }.
import-opening_shares_missing = Enter the number of shares you held.
import-opening_cost = Total cost ({ $currency })
import-opening_cost_hint = Optional. If you leave it blank, we use the price of the sale and mark the cost as not known.
import-remove_opening = Remove opening position
import-rates_title = Exchange rates
import-rates_lead = We don’t have these exchange rates. Each is used for all rows whose day has none.
import-rate_of = One { $from } in { $to }
import-use_rate = Use this rate
import-done_title = Imported
import-see_income = See your income
import-see_ledger = See your transactions
import-another = Import another file
import-added_count = Transactions added
import-pays = Annual income (net)
import-pays_later = waiting for market data
import-reload = Reload
import-loading = { $n ->
     [one] We’re looking for market data about { $n } security. Reload this page in a minute.
    *[other] We’re looking for market data about { $n } securities. Reload this page in a minute.
}
import-pays_note = { $n ->
     [0] no security in this file is known to pay
     [one] from { $n } security in this file
    *[other] from { $n } securities in this file
}
import-openings_count = { $n ->
     [one] { $n } opening position
    *[other] { $n } opening positions
}
import-next_title = What’s next
import-nothing_open = Nothing is left to do.
import-unknown_costs = The cost of these opening positions is an estimate. Enter what you paid:
import-left_out_title = Rows left out
import-left_out_lead = { $n ->
     [one] { $n } row of this file is not in your ledger. You can review it again at any time.
    *[other] { $n } rows of this file are not in your ledger. You can review them again at any time.
}
import-readable_now = { $n ->
     [one] { $n } of these rows can be imported now. Review the file again to add it.
    *[other] { $n } of these rows can be imported now. Review the file again to add them.
}
import-more_left_out = { $n ->
     [one] { $n } more row is not listed here.
    *[other] { $n } more rows are not listed here.
}
import-again = Review the file again
import-positions_title = Enter what you hold
import-positions_lead = No file? Enter the shares you hold now. They become opening positions; you can add their history later.
import-position_symbol = Ticker or ISIN
import-position_cost = Cost per share
import-position_incomplete = Enter a ticker or ISIN and the number of shares in each row that you use.
import-as_traded = As traded
import-positions_paste = Or paste a list
import-positions_hint = One security per line: ticker or ISIN, shares, cost per share, currency.
import-positions_read = Review
import-positions_blank = Enter at least one security.
import-positions_file = positions
import-imported = { $n ->
     [one] { $n } transaction imported.
    *[other] { $n } transactions imported.
}
import-imported_existing = { $n ->
     [one] { $n } duplicate was skipped.
    *[other] { $n } duplicates were skipped.
}
import-imported_repeated = { $n ->
     [one] { $n } row is repeated in the file and was counted once.
    *[other] { $n } rows are repeated in the file and were counted once.
}
import-imported_skipped = { $n ->
     [one] You skipped { $n } row.
    *[other] You skipped { $n } rows.
}

# The home page: forward income.

income-title = Income
income-lead = Expected dividends over the next 12 months
income-net = Annual income (net)
income-net_note = after estimated withholding tax
income-gross = Annual income (gross)
income-likely = probably { $low } to { $high }
income-from_history = from your history
income-a_month = Monthly average (net)
income-a_month_note = over 12 months
income-yield_now = Yield
income-yield_note = on market value
income-growth = Dividend growth
income-growth_note = per year, income-weighted
income-received = Received in 12 months (net)
income-received_growth = Dividends received
income-received_growth_note = year over year
income-next_title = Next payments
income-next_all = All upcoming
income-months_title = Income by month
income-months_note = net, in { $currency }
income-months_chart = Net income by month in a typical year
income-months_average = Dashed line: monthly average ({ $amount })
income-month = Month
income-amount = Net income
income-thin = Weakest months: { $names }.
income-empty = No income in: { $names }.
income-biggest = Strongest months: { $names } ({ $share } of income).
income-too_small = The monthly chart appears once you hold five dividend payers.
income-sources_title = Top payers
income-sources_all = All holdings
income-source = Stock
income-share = % of income
income-net_income = Net
income-gross_mark = gross
income-projection_title = Income projection
income-projection_chart = Projected income by year
income-projection_lead = The projection assumes that each dividend keeps growing at its recent rate (capped at −10% to +15% a year).
income-years = Years
income-drip = Reinvest dividends
income-update = Update
income-year = Year
income-now = Now
income-in_years = { $n ->
     [one] in 1 year
    *[other] in { $n } years
}
income-series_gross = Gross
income-series_net = Net
income-series_likely = Likely range (gross)
income-point = { $when }: { $amount } { $kind }
income-empty_title = No holdings yet
income-empty_lead = Import a broker file or add your first purchase.
income-import = Import a file
income-by_hand = Add manually
income-no_income_title = No income forecast
income-no_income_lead = We have no dividend data for your holdings yet. The data may still be loading.

# The ledger and the form for a transaction.

ledger-title = Ledger
ledger-total = { $n ->
     [one] { $n } transaction
    *[other] { $n } transactions
}
ledger-new_title = Add transaction
ledger-edit_title = Edit transaction
ledger-delete_title = Delete this transaction?
ledger-delete_lead = This updates all figures. You can undo it in the ledger for 24 hours, or until you delete something else.
ledger-import = Import a file
ledger-empty_title = No transactions yet
ledger-empty_lead = Import a broker file or add a transaction.
ledger-none_title = No transactions match
ledger-show_all = Show all transactions
ledger-pages = Pages
ledger-range = { $first }–{ $last } of { $total }
ledger-all_kinds = All types
ledger-all_sources = All sources
# An imported file, and the day of its import.
ledger-file = { $name } ({ $day })
ledger-from = From
ledger-to = To
ledger-text = Search names, ISINs and notes
ledger-apply = Apply
ledger-form_lead = The preview updates as you type.
ledger-preview = Preview
ledger-preview_hint = The effect on your position appears here once the form is complete.
ledger-not_saved = Not saved yet
ledger-use_kind = Use this type
ledger-other_kind = { $kind } has different fields, which appear in a moment. We keep what you typed.
ledger-kind_changed = The form now shows the fields for: { $kind }. Check them and save again.
ledger-added = { $symbol } transaction added.
ledger-changed = { $symbol } transaction updated.
ledger-entry = Transaction
ledger-date = Date
ledger-kind = Type
ledger-symbol = Symbol
ledger-symbol_hint = Ticker, name or ISIN
ledger-security = Security
ledger-which_security = Which security is “{ $text }”?
ledger-matches = Choose a match to save the transaction with it, or correct what you typed.
ledger-no_match = We found no match. Check the spelling, or try the ticker or ISIN.
ledger-anyway_currency = Not listed? Its currency:
ledger-choose = Choose
ledger-add_anyway = Add { $symbol } anyway
ledger-anyway_hint = You won’t get prices or dividends for it unless a provider has them.
ledger-symbol_unknown = We don’t know { $symbol }. When you save, you can choose a match.
ledger-shares = Shares
ledger-price = Price per share
ledger-dividend_per_share = Dividend per share
ledger-per_share_hint = Instead of the total
ledger-price_hint = Or enter the total under More
ledger-cost_per_share = Cost per share
ledger-transfer_price_hint = Leave blank if you don’t know it
ledger-opening_price_hint = Or enter the total cost
ledger-total_cost = Total cost
ledger-amount = Amount
ledger-total_amount = Total
ledger-total_dividend = Total dividend
ledger-total_dividend_hint = Gross, before tax. Or enter the dividend per share.
ledger-more = More
ledger-save_another = Save and add another
ledger-estimated_tax = Estimated tax
ledger-suggested_price = { $price } on { $date }. Leave blank to use it.
ledger-suggested_rate = Official rate: 1 { $from } = { $rate } { $to }. Leave blank to use it.
ledger-suggested_shares = You held { $shares }. Leave blank to use it.
ledger-suggested_tax = Estimated: { $rate }. Leave blank to use it; enter 0 for none.
ledger-future = { $date } is in the future.
ledger-amount_hint = Gross, before fees and tax
ledger-fees = Fees
ledger-tax = Tax
ledger-net = Net
ledger-net_hint = Amount received (if you don’t know the gross)
ledger-ratio = Ratio
ledger-ratio_hint = New to old shares, for example 4:1
ledger-currency = Currency
ledger-currency_hint = Currency of these amounts
ledger-own_currency = Stock’s currency
ledger-fx_rate = Exchange rate
ledger-fx_rate_hint = Optional. To override the official rate, enter how many units of the stock’s currency you get for 1 unit of the currency you entered.
ledger-ex_date = Ex-dividend date
ledger-note = Note
ledger-source = Source
ledger-by_hand = Added manually
ledger-opening = Opening position
ledger-automatic = Automatic
ledger-estimated = Estimated
ledger-only_estimated = Estimated only
ledger-estimated_lead = These dividends come from market data, and their tax is an estimate. Confirm them if the amounts are right, or edit them. Confirming a dividend also confirms the purchase that reinvests it.
ledger-confirm = Confirm
ledger-confirm_of = Confirm the { $symbol } dividend of { $date }
ledger-confirm_all = { $n ->
     [one] Confirm it
    *[other] Confirm these { $n }
}
ledger-confirmed = { $n ->
     [one] 1 dividend confirmed.
    *[other] { $n } dividends confirmed.
}
ledger-none_estimated = These dividends are no longer estimates. Nothing was changed.
ledger-delete_purchase = This dividend was reinvested. The purchase is deleted with it:
ledger-delete_automatic = This dividend comes from market data. If you delete it, it won’t be recorded again. To change that later, choose “Suggest again” under Ignored on the page
ledger-delete_automatic_purchase = This purchase reinvests a dividend that comes from market data. If you delete it, the dividend stays in your ledger, confirmed as it is, and won’t be reinvested again.
ledger-dividend_reinvested = Dividend, reinvested
ledger-reinvested_dividend = Reinvested dividend
ledger-reinvested = Reinvested
ledger-reinvested_hint = Enter the price or the shares. The other follows from the net amount.
ledger-bought_shares = Shares bought
ledger-bought_price = Purchase price per share
ledger-bought_cost = Cost of the purchase
ledger-money_moved = Cash effect
ledger-shares_after = Shares after this transaction
ledger-cost_after = Average cost after this transaction
ledger-before = Before
ledger-after = After
ledger-average_cost = Average cost
ledger-annual_income = Annual income (gross)
ledger-yield_on_cost = Yield on cost
ledger-doubtful = Please check before saving
ledger-save_anyway = Save anyway
ledger-delete_anyway = Delete anyway
ledger-duplicate = You already have a transaction with the same date, type and size.
ledger-see_it = View it
ledger-tax_above_gross = The tax ({ $tax }) is higher than the gross amount ({ $gross }).
ledger-before_first = You first bought { $symbol } on { $first }, after this dividend was due.
ledger-never_bought = You have no purchase of { $symbol } in this portfolio.
ledger-nothing_on_ex_date = You held no { $symbol } on the day before the ex-dividend date, { $date }.
ledger-nothing_before = You held no { $symbol } in the 90 days before { $date }.
ledger-orphaned = { $n ->
     [one] You would no longer hold any shares for the dividend on { $first }.
    *[other] You would no longer hold any shares for { $n } dividends, the first on { $first }.
}
ledger-selection = Change several transactions
ledger-select = Apply to
ledger-selected_rows = Selected transactions
ledger-select_page = Select all on this page
ledger-select_row = Select: { $kind } { $symbol }, { $date }
ledger-on_page = { $n ->
    [one] The transaction on this page
   *[other] All { $n } on this page
}
ledger-all_matching = { $n ->
    [one] The transaction that matches
   *[other] All { $n } that match the filter
}
ledger-move_to = Portfolio
ledger-move_button = Move
ledger-move_title = Move these transactions?
ledger-move_anyway = Move anyway
ledger-delete_several = Delete these transactions?
ledger-unchanged = Nothing has been changed yet.
ledger-back = Back to the ledger
ledger-moved = { $n ->
    [one] { $n } transaction moved to { $portfolio }.
   *[other] { $n } transactions moved to { $portfolio }.
}
ledger-deleted = { $n ->
    [one] { $n } transaction deleted.
   *[other] { $n } transactions deleted.
}
ledger-undo = Undo
ledger-export = Export
ledger-export_all = Export as CSV
ledger-restored = { $n ->
    [one] { $n } transaction restored.
   *[other] { $n } transactions restored.
}
ledger-not_restored = Not restored. { $reason }
ledger-many_doubts = We found { $n } likely mistakes, too many to check at once. Select fewer transactions.
ledger-buy = Buy
ledger-sell = Sell
ledger-dividend = Dividend
ledger-split = Split
ledger-transfer_in = Transfer in
ledger-transfer_out = Transfer out
ledger-return_of_capital = Return of capital
ledger-no_date = Choose a date.
ledger-odd_date = Enter a valid date.
ledger-odd_currency = Enter a three-letter currency code such as EUR.
ledger-odd_ratio = Enter the ratio of new to old shares, for example 4:1.
ledger-two_ways = “{ $text }” could mean { $large } or { $small }. Enter { $large } or { $small }.
ledger-no_figure = Enter a number such as { $example }.
ledger-too_long = “{ $text }” has too many digits. Enter a shorter number.

# Settings → Market data, and the same choice on the welcome page.

market_data-title = Market data
market_data-lead = Where prices, dividends and exchange rates come from
market_data-sends = Providers get the ticker symbols and ISINs of what you hold or watch, and what you search for. They never get amounts.
market_data-legend = Prices and dividends
market_data-yahoo_and_ecb = Yahoo and the European Central Bank (recommended)
market_data-yahoo_and_ecb_hint = No key needed. Yahoo is an unofficial service that may stop working.
market_data-with_key = A provider with a key
market_data-with_key_hint = We test the key when you continue. Exchange rates come from the European Central Bank.
market_data-none_for_now = None for now
market_data-none_hint = Dripline contacts nobody, so forecasts only use your own history.
market_data-choose_one = Choose where prices and dividends come from, or “None for now”.
market_data-provider = Provider
market_data-key = Key
market_data-key_set = A key is saved. Leave blank to keep it.
market_data-name_yahoo = Yahoo
market_data-name_fmp = Financial Modeling Prep (FMP)
market_data-name_alphavantage = Alpha Vantage
market_data-name_eodhd = EODHD
market_data-name_ecb = European Central Bank
market_data-name_files = Files on the server
market_data-about_yahoo = Prices, dividends, splits and company data. Unofficial, may stop working.
market_data-about_fmp = Prices, dividends with payment dates, calendar. Needs a key.
market_data-about_alphavantage = Prices and dividends with payment dates. Needs a key.
market_data-about_eodhd = Prices, dividends and splits. Needs a key.
market_data-about_ecb = Exchange rates. It gets no symbols.
market_data-not_set = Market data isn’t set up on this server.
market_data-set_up = Set up market data
market_data-ask_owner = Ask the owner of this server to set it up.
market_data-only_owner = Only the owner of this server can change this.
market_data-configured = The server’s configuration decides this ({ $origin }). To choose here, remove that setting and restart the server.
market_data-nothing_asked = No provider is set. Dripline contacts nobody.
market_data-use_recommended = Use Yahoo and the European Central Bank
market_data-status_title = Providers
market_data-status = Status
market_data-last_success = Last success
market_data-requests = Requests today
market_data-requests_of = { $used } of { $budget }
market_data-never_asked = Not asked yet
market_data-answers = Reachable
market_data-watched = Watched folder
market_data-fails = Failing: { $reason }
market_data-key_unreadable = Not used: its key can’t be read. Enter it again.
market_data-test = Test
market_data-test_of = Test { $provider }
market_data-tested = { $provider } answers.
market_data-test_failed = The test failed: { $reason }.
market_data-refresh = Refresh now
market_data-refreshing = Refresh started.
market_data-progress = { $due ->
    [one] 1 of { $planned } updates is waiting or running.
   *[other] { $due } of { $planned } updates are waiting or running.
}
market_data-up_to_date = All updates are done.
market_data-reload = Reload
market_data-missing_title = Your holdings
market_data-missing_none = No open positions yet.
market_data-complete = { $held ->
    [one] Your security has a price and dividends.
   *[other] All { $held } securities have prices and dividends.
}
market_data-unmatched = No match
market_data-unmatched_hint = Not found at any provider
market_data-without_price = No price
market_data-without_dividends = No dividends
market_data-without_dividends_hint = Or it doesn’t pay any
market_data-of_held = { $n } of { $held }
market_data-change_title = Change providers
market_data-change_lead = For each kind of data, Dripline asks the best provider first. Among equals, your order decides.
market_data-order = Order of { $provider }
market_data-not_used = Not used
market_data-untested = Save without testing new keys
market_data-remove_hint = The key of a provider you don’t use is deleted.
market_data-save = Save providers
market_data-saved = Providers saved. Data is being fetched.
market_data-saved_none = Saved. Dripline contacts nobody from now on.
market_data-not_saved = { $reason } Nothing was saved. Check the key, or tick “Save without testing new keys”.
market_data-account_made = Your account is ready, but the provider isn’t set up: { $reason }. Enter the key again, or save it without testing.

# Error pages.

error_page-not_found_title = Page not found
error_page-not_found = This page doesn’t exist, or you don’t have access to it. Check the link.
error_page-forbidden_title = Page expired
error_page-refused_title = That didn’t work
error_page-refused = We couldn’t read this request. Go back and try again.
error_page-method = This address only receives forms, so there is nothing to show.
error_page-too_large = Your request is too large. You can import files of up to 50 MiB.
error_page-too_many_title = Too many attempts
error_page-too_many = Too many attempts. Wait a minute and try again.
error_page-too_many_pages = Too many requests from your network. Try again in { $seconds } seconds.
error_page-unavailable_title = Temporarily unavailable
error_page-unavailable = The server is busy or restarting. Nothing was changed. Try again in a few seconds.
error_page-crowded = The server is processing several large files. Nothing was changed. Try again in a few seconds.
error_page-too_many_jobs = You already have three files in progress. Wait until one is done, then try again.
error_page-too_many_uploads = You are already uploading two files. Wait until one has arrived, then try again.
error_page-full_title = No space left
error_page-disk_full = No space is left on the server’s disk. Nothing was changed. Ask your administrator to free some space, then try again.
error_page-internal_title = Something went wrong
error_page-internal = The problem is on our side, and it has been logged. Try again later.
error_page-home = Go to the start page

# Countries of tax residence.

country-AD = Andorra
country-AE = United Arab Emirates
country-AF = Afghanistan
country-AG = Antigua and Barbuda
country-AI = Anguilla
country-AL = Albania
country-AM = Armenia
country-AO = Angola
country-AQ = Antarctica
country-AR = Argentina
country-AS = American Samoa
country-AT = Austria
country-AU = Australia
country-AW = Aruba
country-AX = Åland Islands
country-AZ = Azerbaijan
country-BA = Bosnia and Herzegovina
country-BB = Barbados
country-BD = Bangladesh
country-BE = Belgium
country-BF = Burkina Faso
country-BG = Bulgaria
country-BH = Bahrain
country-BI = Burundi
country-BJ = Benin
country-BL = Saint Barthélemy
country-BM = Bermuda
country-BN = Brunei
country-BO = Bolivia
country-BQ = Caribbean Netherlands
country-BR = Brazil
country-BS = Bahamas
country-BT = Bhutan
country-BV = Bouvet Island
country-BW = Botswana
country-BY = Belarus
country-BZ = Belize
country-CA = Canada
country-CC = Cocos Islands
country-CD = Democratic Republic of the Congo
country-CF = Central African Republic
country-CG = Republic of the Congo
country-CH = Switzerland
country-CI = Ivory Coast
country-CK = Cook Islands
country-CL = Chile
country-CM = Cameroon
country-CN = China
country-CO = Colombia
country-CR = Costa Rica
country-CU = Cuba
country-CV = Cape Verde
country-CW = Curaçao
country-CX = Christmas Island
country-CY = Cyprus
country-CZ = Czechia
country-DE = Germany
country-DJ = Djibouti
country-DK = Denmark
country-DM = Dominica
country-DO = Dominican Republic
country-DZ = Algeria
country-EC = Ecuador
country-EE = Estonia
country-EG = Egypt
country-EH = Western Sahara
country-ER = Eritrea
country-ES = Spain
country-ET = Ethiopia
country-FI = Finland
country-FJ = Fiji
country-FK = Falkland Islands
country-FM = Micronesia
country-FO = Faroe Islands
country-FR = France
country-GA = Gabon
country-GB = United Kingdom
country-GD = Grenada
country-GE = Georgia
country-GF = French Guiana
country-GG = Guernsey
country-GH = Ghana
country-GI = Gibraltar
country-GL = Greenland
country-GM = Gambia
country-GN = Guinea
country-GP = Guadeloupe
country-GQ = Equatorial Guinea
country-GR = Greece
country-GS = South Georgia
country-GT = Guatemala
country-GU = Guam
country-GW = Guinea-Bissau
country-GY = Guyana
country-HK = Hong Kong
country-HM = Heard Island
country-HN = Honduras
country-HR = Croatia
country-HT = Haiti
country-HU = Hungary
country-ID = Indonesia
country-IE = Ireland
country-IL = Israel
country-IM = Isle of Man
country-IN = India
country-IO = British Indian Ocean Territory
country-IQ = Iraq
country-IR = Iran
country-IS = Iceland
country-IT = Italy
country-JE = Jersey
country-JM = Jamaica
country-JO = Jordan
country-JP = Japan
country-KE = Kenya
country-KG = Kyrgyzstan
country-KH = Cambodia
country-KI = Kiribati
country-KM = Comoros
country-KN = Saint Kitts and Nevis
country-KP = North Korea
country-KR = South Korea
country-KW = Kuwait
country-KY = Cayman Islands
country-KZ = Kazakhstan
country-LA = Laos
country-LB = Lebanon
country-LC = Saint Lucia
country-LI = Liechtenstein
country-LK = Sri Lanka
country-LR = Liberia
country-LS = Lesotho
country-LT = Lithuania
country-LU = Luxembourg
country-LV = Latvia
country-LY = Libya
country-MA = Morocco
country-MC = Monaco
country-MD = Moldova
country-ME = Montenegro
country-MF = Saint Martin
country-MG = Madagascar
country-MH = Marshall Islands
country-MK = Macedonia
country-ML = Mali
country-MM = Myanmar
country-MN = Mongolia
country-MO = Macau
country-MP = Northern Mariana Islands
country-MQ = Martinique
country-MR = Mauritania
country-MS = Montserrat
country-MT = Malta
country-MU = Mauritius
country-MV = Maldives
country-MW = Malawi
country-MX = Mexico
country-MY = Malaysia
country-MZ = Mozambique
country-NA = Namibia
country-NC = New Caledonia
country-NE = Niger
country-NF = Norfolk Island
country-NG = Nigeria
country-NI = Nicaragua
country-NL = Netherlands
country-NO = Norway
country-NP = Nepal
country-NR = Nauru
country-NU = Niue
country-NZ = New Zealand
country-OM = Oman
country-PA = Panama
country-PE = Peru
country-PF = French Polynesia
country-PG = Papua New Guinea
country-PH = Philippines
country-PK = Pakistan
country-PL = Poland
country-PM = Saint Pierre and Miquelon
country-PN = Pitcairn
country-PR = Puerto Rico
country-PS = Palestine
country-PT = Portugal
country-PW = Palau
country-PY = Paraguay
country-QA = Qatar
country-RE = Réunion
country-RO = Romania
country-RS = Serbia
country-RU = Russia
country-RW = Rwanda
country-SA = Saudi Arabia
country-SB = Solomon Islands
country-SC = Seychelles
country-SD = Sudan
country-SE = Sweden
country-SG = Singapore
country-SH = Saint Helena
country-SI = Slovenia
country-SJ = Svalbard
country-SK = Slovakia
country-SL = Sierra Leone
country-SM = San Marino
country-SN = Senegal
country-SO = Somalia
country-SR = Suriname
country-SS = South Sudan
country-ST = São Tomé and Príncipe
country-SV = El Salvador
country-SX = Sint Maarten
country-SY = Syria
country-SZ = Eswatini
country-TC = Turks and Caicos Islands
country-TD = Chad
country-TF = French Southern Territories
country-TG = Togo
country-TH = Thailand
country-TJ = Tajikistan
country-TK = Tokelau
country-TL = Timor-Leste
country-TM = Turkmenistan
country-TN = Tunisia
country-TO = Tonga
country-TR = Türkiye
country-TT = Trinidad and Tobago
country-TV = Tuvalu
country-TW = Taiwan
country-TZ = Tanzania
country-UA = Ukraine
country-UG = Uganda
country-UM = United States Minor Outlying Islands
country-US = United States
country-UY = Uruguay
country-UZ = Uzbekistan
country-VA = Vatican City
country-VC = Saint Vincent and the Grenadines
country-VE = Venezuela
country-VG = British Virgin Islands
country-VI = U.S. Virgin Islands
country-VN = Vietnam
country-VU = Vanuatu
country-WF = Wallis and Futuna
country-WS = Samoa
country-YE = Yemen
country-YT = Mayotte
country-ZA = South Africa
country-ZM = Zambia
country-ZW = Zimbabwe

# Dividends that market data knows and nobody recorded.

missing-title = Missing dividends
missing-lead = Payments that market data shows for your shares, but that aren’t in your ledger
missing-headline = { $n ->
     [one] 1 payment is missing: { $amount } net
    *[other] { $n } payments are missing: { $amount } net
}
missing-differ = { $n ->
     [one] 1 recorded payment differs from market data
    *[other] { $n } recorded payments differ from market data
}
missing-review = Review
missing-table_lead = Gross amounts come from market data, and the tax is an estimate. Change what your broker paid differently. If you change the gross or the tax, the net follows. If you change only the net, the tax follows.
missing-select = Select
missing-amounts = Shares × per share
missing-after_tax = after estimated tax
missing-buys = buys { $shares } shares at { $price }
missing-buys_one = buys 1 share at { $price }
missing-buys_lead = The shares that a dividend buys follow from the net amount you record. Once it’s recorded, later dividends count them.
missing-of_row = { $symbol }, { $date }, { $field }
missing-record_selected = Record selected
missing-record_all = { $n ->
     [one] Record it
    *[other] Record all { $n }
}
missing-ignore_selected = Ignore selected
missing-none_selected = Select at least one payment.
missing-no_amounts = Enter the gross or the net.
missing-gone = These payments are no longer missing. Nothing was changed.
missing-recorded = { $n ->
     [one] 1 dividend recorded.
    *[other] { $n } dividends recorded.
}
missing-ignored = { $n ->
     [one] 1 payment ignored. You can undo this under Ignored.
    *[other] { $n } payments ignored. You can undo this under Ignored.
}
missing-suggested = { $n ->
     [one] 1 payment is suggested again.
    *[other] { $n } payments are suggested again.
}
missing-see_ledger = Show in ledger
missing-beside_title = Same payment?
missing-beside = You recorded { $recorded } on { $date }. Market data says { $expected }. Is it the same payment?
missing-same = It’s the same: ignore
missing-both = Record both
missing-ignored_title = Ignored ({ $n })
missing-again = Suggest again
missing-empty_title = No missing dividends
missing-empty_lead = Market data shows no payment for your shares that isn’t in your ledger.
missing-off_title = No suggestions
missing-off = Suggestions are off for: { $names }.
missing-automatic = Recorded automatically for: { $names }.
missing-modes = For each portfolio, you can choose whether missing dividends are suggested, recorded automatically, or left alone, and whether they are reinvested:

# Portfolios: add, order, share, delete.

portfolios-title = Portfolios
portfolios-lead = Use a separate portfolio for each brokerage account. You can share a portfolio by link.
portfolios-empty = No portfolios yet. Your first transaction creates one. You can also add one here.
portfolios-add_title = Add portfolio
portfolios-name = Name
portfolios-add = Add
portfolios-added = “{ $name }” added.
portfolios-default = Default
portfolios-default_note = New transactions go here by default.
portfolios-entries = { $n ->
     [one] { $n } transaction
    *[other] { $n } transactions
}
portfolios-rename = Rename
portfolios-renamed = “{ $old }” is now “{ $name }”.
portfolios-up = Move up
portfolios-down = Move down
portfolios-moved = Order changed.
portfolios-make_default = Make default
portfolios-made_default = “{ $name }” is now the default.
portfolios-automatic_title = Missing dividends
portfolios-automatic_lead = Some payments that market data shows for your shares may not be in your ledger. Choose what happens with them.
portfolios-off = Off
portfolios-off_hint = Nothing is suggested or recorded.
portfolios-suggest = Suggest
portfolios-suggest_hint = They are listed on the page Missing dividends. You decide which ones to record.
portfolios-record = Record automatically
portfolios-record_hint = They are recorded on their payment date, marked as estimated because the tax is an estimate. If you import or add the same dividend, it replaces the estimate. If you choose another option later, estimates that you haven’t confirmed are removed.
portfolios-set_off = Missing dividends of “{ $name }” are no longer suggested.
portfolios-set_suggest = Missing dividends of “{ $name }” are now suggested.
portfolios-set_record = Missing dividends of “{ $name }” are now recorded automatically.
portfolios-reinvest_title = Reinvest dividends
portfolios-reinvest_lead = Dividends recorded from market data, automatically or on the page Missing dividends, can buy more shares of their stock. The net amount is reinvested at the closing price of the payment date, or the last one before it. Without a price, nothing is bought. Transactions that you import or add never buy anything by themselves.
portfolios-reinvest_without_effect = Missing dividends are off for this portfolio, so nothing is bought. To change that, choose “Suggest” or “Record automatically” under Missing dividends.
portfolios-reinvest_changes = A change also applies to estimates that you haven’t confirmed.
portfolios-reinvest_off = Off
portfolios-reinvest_off_hint = Nothing is bought.
portfolios-reinvest_fractional = Fractional shares
portfolios-reinvest_fractional_hint = The whole net amount is reinvested.
portfolios-reinvest_whole = Whole shares
portfolios-reinvest_whole_hint = As many whole shares as the net amount pays for. The rest isn’t reinvested.
portfolios-reinvest_summary = { $n ->
     [one] { $rule }, 1 exception
    *[other] { $rule }, { $n } exceptions
}
portfolios-reinvest_as_rest = Same as portfolio ({ $rule })
portfolios-reinvest_set_off = Dividends of “{ $name }” are no longer reinvested.
portfolios-reinvest_set_fractional = Dividends of “{ $name }” now buy fractional shares.
portfolios-reinvest_set_whole = Dividends of “{ $name }” now buy whole shares.
portfolios-reinvest_stock_set = Reinvest dividends of { $symbol } in “{ $name }”: { $rule }.
portfolios-reinvest_stock_default = Dividends of { $symbol } are now reinvested as those of the rest of “{ $name }”.
portfolios-exceptions_title = Exceptions for single stocks
portfolios-exception_rule = Rule
portfolios-add_exception = Add exception
portfolios-remove_exception = Remove
portfolios-share_title = Share
portfolios-share_lead = Anyone with the link can see this portfolio without signing in.
portfolios-slug = Address
portfolios-slug_hint = 3–60 lowercase letters, digits or hyphens
portfolios-show_amounts = Show amounts
portfolios-show_amounts_hint = If off, visitors see percentages only.
portfolios-share = Share
portfolios-shared = “{ $name }” is now shared.
portfolios-shared_badge = Shared
portfolios-with_amounts = Visitors see amounts.
portfolios-without_amounts = Visitors see percentages only.
portfolios-hide_amounts = Hide amounts
portfolios-amounts_changed = Sharing settings of “{ $name }” updated.
portfolios-unshare = Stop sharing
portfolios-unshared = “{ $name }” is no longer shared.
portfolios-delete_title = Delete
portfolios-delete_lead = { $n ->
     [one] This permanently deletes the portfolio and its { $n } transaction.
    *[other] This permanently deletes the portfolio and its { $n } transactions.
}
portfolios-type_name = Enter the name to confirm
portfolios-delete = Delete portfolio
portfolios-deleted = “{ $name }” deleted.
portfolios-not_the_name = Not deleted: the name you entered isn’t “{ $name }”.

# The watchlist and its targets.

radar-title = Watchlist
radar-lead = Watchlist with yield and price targets
radar-symbol = Ticker, for example KO
radar-add = Add to watchlist
radar-add_nothing = Enter a ticker.
radar-add_long = Tickers have up to 32 characters.
radar-added = { $symbol } added to your watchlist.
radar-removed = { $symbol } removed from your watchlist.
radar-stock = Stock
radar-price = Price
radar-yield_now = Yield
radar-average = 5-year average
radar-safety = Safety
radar-next_ex = Next ex-date
radar-target = Target
radar-reached = Reached
radar-target_yield = Yield { $target }
radar-target_price = Price { $target }
radar-to_go = price must drop { $pct }
radar-no_data = No market data yet
radar-change = Change targets
radar-change_label = Change targets: { $symbol }
radar-set_target = Set target
radar-set_label = Set target: { $symbol }
radar-yield_label = Target yield (%)
radar-price_label = Target price ({ $currency })
radar-price_label_unknown = Target price
radar-target_hint = Leave blank for no target.
radar-saved = Targets for { $symbol } saved.
radar-remove = Remove
radar-remove_label = Remove from watchlist: { $symbol }
radar-empty_title = Your watchlist is empty
radar-empty_lead = Add a stock to follow its yield, safety and next ex-dividend date, and to see when it reaches your target.
radar-browse = Browse the calendar

# Match securities: what files name by ISIN or name only.

securities-title = Match securities
securities-lead = We couldn’t identify these securities in your files. Choose the stock once, and your transactions move to it.
securities-none_open_title = Everything is matched
securities-none_open_lead = All your securities have a ticker, or you told us that they have none.
securities-holdings = See your holdings
securities-security = Security
securities-isin = ISIN
securities-shares = Shares
securities-currency = Currency
securities-transactions = Transactions
securities-count = { $n ->
    [one] 1 transaction
   *[other] { $n } transactions
}
securities-accept = It’s { $symbol }
securities-accept_label = It’s { $symbol }: { $name }
securities-search = Ticker or company
securities-search_label = Search for { $name }
securities-search_button = Search
securities-results = Search results
securities-nothing_found = We found nothing for “{ $q }”.
securities-use_typed = Use { $symbol } as its ticker
securities-unlisted = It has no ticker
securities-unlisted_label = It has no ticker: { $name }
securities-cancel = Cancel
securities-automatic_title = Matched automatically
securities-automatic_lead = We found these stocks by ISIN or name. If one is wrong, change it.
securities-change = Change
securities-change_label = Change the match of { $name }
securities-undo = Undo
securities-undo_label = Undo the match of { $name }
securities-unlisted_title = Without a ticker
securities-unlisted_lead = Kept under their own name. Their income is estimated from the dividends you recorded.
securities-match_now = Match
securities-match_label = Match { $name }
securities-chosen = { $name } is now { $symbol }.
securities-set_unlisted = { $name } is kept without a ticker.
securities-undone = { $name } is no longer matched.
securities-unmatched = { $n ->
    [one] 1 security isn’t included, because it isn’t matched with a stock yet: { $names }.
   *[other] { $n } securities aren’t included, because they aren’t matched with stocks yet: { $names }.
}
securities-without_data = { $n ->
    [one] 1 position isn’t included, because there is no data about its dividends: { $names }.
   *[other] { $n } positions aren’t included, because there is no data about their dividends: { $names }.
}
securities-linked = { $n ->
    [one] We found the stock of 1 of your securities: { $names }.
   *[other] We found the stocks of { $n } of your securities: { $names }.
}
securities-linked_one = { $name } is { $symbol }
securities-review = Review
securities-dismiss = OK

# Settings → Security: password, two-factor authentication, sessions, activity.

security-lead = Sign-in, sessions and recent activity
security-confirm_first = Enter your password to change your password, e-mail address or two-factor authentication.
security-confirm_link = Confirm it’s you
security-password_title = Password
security-password = New password
security-password_hint = At least 15 characters. Tip: four or five unrelated words.
security-password_ends = Changing your password ends your other sessions and disconnects all apps. Also revoke:
security-password_end_tokens = Personal access tokens
security-password_end_feeds = Calendar feeds
security-password_save = Change password
security-password_saved = Password changed.
security-password_saved_ended = Password changed. Ended: { $list }.
security-ended_sessions = { $n ->
     [one] 1 other session
    *[other] { $n } other sessions
}
security-ended_apps = { $n ->
     [one] 1 connected app
    *[other] { $n } connected apps
}
security-ended_tokens = { $n ->
     [one] 1 access token
    *[other] { $n } access tokens
}
security-ended_feeds = { $n ->
     [one] 1 calendar feed
    *[other] { $n } calendar feeds
}
security-email_title = E-mail address
security-email = New e-mail address
security-email_now = You sign in as { $email }.
security-email_unverified = This address isn’t verified. If you set up two-factor authentication before you verify the address, a password reset turns two-factor authentication off.
security-email_verify = E-mail me a verification link
security-email_verify_sent = We’ve e-mailed a verification link to { $email }.
security-email_verify_title = Verify your e-mail address
security-email_verify_ask = Is { $email } your address?
security-email_verify_save = Verify this address
security-email_verified = Your address is verified.
security-email_save = Change address
security-email_saved = You now sign in with { $email }.
security-email_mailed = We’ve e-mailed a link to { $email }. Open it to start signing in with that address.
security-email_link_title = New e-mail address
security-email_link = Sign in with { $email } from now on?
security-email_link_bad = This link has expired, was already used, or belongs to another account. Request a new one.
security-email_link_save = Use this address
security-factor_title = Two-factor authentication
security-factor_off = Two-factor authentication is off. When it’s on, signing in also takes a code from an app on your phone, so a stolen password alone isn’t enough.
security-factor_on = Two-factor authentication is on. Signing in takes a code from your authenticator app.
security-factor_codes_left = { $n ->
     [one] 1 recovery code left.
    *[other] { $n } recovery codes left.
}
security-factor_begin = Set up
security-factor_go_on = Continue setup
security-factor_disable = Turn off
security-factor_disable_ask = Turn off two-factor authentication
security-factor_disable_note = Your password alone will be enough to sign in. All other sessions end.
security-factor_disabled = Two-factor authentication is off. All other sessions have ended.
security-factor_new_codes = Create new recovery codes
security-factor_new_codes_note = Your old codes stop working.
security-setup_title = Set up two-factor authentication
security-setup_scan = Scan this QR code with your authenticator app.
security-setup_qr = QR code for the authenticator app
security-setup_type = Or enter this key manually:
security-setup_code = Code
security-setup_code_hint = The six digits your app shows now.
security-setup_submit = Turn on
security-setup_wrong = That code is wrong. Check your phone’s clock and enter the code your app shows now.
security-codes_title = Recovery codes
security-codes_on = Two-factor authentication is on.
security-codes_lead = If you lose your phone, each of these codes signs you in once. Save them in a safe place. You won’t see them again.
security-codes_done = I’ve saved them
security-sessions_title = Sessions
security-sessions_lead = Devices where you’re signed in
security-session_agent = Browser
security-session_place = Network
security-session_since = Signed in
security-session_seen = Last seen
security-session_this = this device
security-session_act = End
security-session_end = End
security-session_end_label = End session: { $agent }, { $place }
security-session_ended = Session ended.
security-sessions_end_others = End all others
security-sessions_ended = { $n ->
     [0] You have no other sessions.
     [one] 1 other session ended.
    *[other] { $n } other sessions ended.
}
security-agent = { $browser } on { $system }
security-agent_unknown = Unknown browser
security-system_unknown = unknown system
security-activity_title = Recent activity
security-activity_lead = The last 50 events in your account
security-activity_when = Date
security-activity_what = Event
security-activity_place = { $event }, from { $place }
security-activity_named = { $event }: { $name }
security-account_made = Account created
security-sign_up_again = Someone tried to create an account with your address
security-signed_in = Signed in
security-sign_in_failed = Failed sign-in
security-signed_out = Signed out
security-session_was_ended = Sessions ended
security-token_created = Access token created
security-token_revoked = Access token revoked
security-feed_created = Calendar feed created
security-feed_revoked = Calendar feed revoked
security-app_allowed = App connected
security-app_revoked = App disconnected
security-app_removed = App removed by the administrator
security-token_reused = App disconnected because one of its codes or tokens was used twice
security-password_changed = Password changed
security-password_reset = Password reset
security-totp_on = Two-factor authentication turned on
security-totp_off = Two-factor authentication turned off
security-recovery_codes_made = New recovery codes created
security-recovery_code_used = Recovery code used
security-profile_changed = Profile changed
security-email_changed = E-mail address changed
security-email_was_verified = E-mail address verified
security-unlocked = Account unlocked
security-providers_chosen = Market data providers changed
security-became_owner = Became the owner of this server
security-exported = Data exported
security-transactions_exported = Transactions exported
security-deleted = Account deleted
security-something = Other event

# Settings → Profile.

settings-title = Settings
settings-lead = Profile and display
settings-navigation = Settings
settings-profile = Profile
settings-security = Security
settings-access = Access
settings-data = Your data
settings-name = Display name (optional)
settings-currency = Currency
settings-currency_hint = Totals are shown in this currency, here and in the API.
settings-residence = Tax residence
settings-residence_hint = Used to estimate foreign withholding tax.
settings-residence_none = Prefer not to say
settings-number_format = Number format
settings-number_format_browser = Browser default
settings-number_format_unknown = Choose a number format from the list.
settings-idle = Sign me out after
settings-idle_hint = You’ll be signed out after this much inactivity, and always after 30 days.
settings-idle_minutes = { $n ->
     [one] 1 minute
    *[other] { $n } minutes
}
settings-idle_hours = { $n ->
     [one] 1 hour
    *[other] { $n } hours
}
settings-idle_days = { $n ->
     [one] 1 day
    *[other] { $n } days
}
settings-keyboard = Keyboard
settings-shortcuts = Press / to search
settings-shortcuts_hint = Ctrl+K or ⌘K always works. This browser saves the setting.
settings-shortcuts_save = Save shortcuts
settings-shortcuts_saved = Shortcuts saved.
settings-save = Save profile
settings-saved = Profile saved.

# The public page of a shared portfolio.

shared-lead = All figures in this shared dividend portfolio are before tax.
shared-lead_hidden = This shared dividend portfolio shows no amounts.
shared-annual = Annual income
shared-annual_note = before tax
shared-yield_now = Yield
shared-yield_note = on market value
shared-growth = Dividend growth
shared-growth_note = per year, income-weighted
shared-positions_title = Income by stock
shared-positions_chart = Share of income by stock
shared-part = { $name }: { $share }%
shared-others = Others
shared-stock = Stock
shared-share = % of income
shared-pays = Pays
shared-safety = Safety
shared-shares = Shares
shared-income = Annual income
shared-months_title = Income by month
shared-months_note = % of annual income
shared-months_chart = Share of annual income by month
shared-month = Month
shared-amount = Income
shared-months_bar = { $month }: { $share }%
shared-upcoming_title = Next 90 days
shared-ex_date = Ex-date
shared-pay_date = Pay date
shared-expected = Expected
shared-nothing_upcoming = No payments expected in the next 90 days.
shared-empty_title = No holdings
shared-empty_lead = This portfolio is empty.

# Header, footer and words used on several pages.

shell-product = Dripline
shell-skip = Skip to content
shell-main_navigation = Main
shell-income = Income
shell-upcoming = Upcoming
shell-dividends = Dividends
shell-holdings = Holdings
shell-radar = Watchlist
shell-ledger = Ledger
shell-import = Import
shell-calendar = Calendar
shell-developers = Developers
shell-portfolios = Portfolios
shell-settings = Settings
shell-sign_in = Sign in
shell-sign_up = Create account
shell-sign_out = Sign out
shell-search = Search
shell-search_label = Search stocks by ticker or name
shell-search_hint = Ticker or company
shell-matches = Matches: {"{}"}
shell-appearance = Appearance
shell-light = Light
shell-dark = Dark
shell-as_device = System
shell-copy = Copy
shell-copied = Copied
shell-sure = Press again to confirm
shell-footer = Calculated from your transactions and market data. Not investment advice. “–” means no data.
shell-as_table = Show data
shell-all_portfolios = All portfolios
shell-portfolio = Portfolio
shell-show = Show
shell-previous = Previous
shell-next = Next
shell-cancel = Cancel
shell-save = Save
shell-delete = Delete
shell-edit = Edit
shell-safe = Safe
shell-watch = Watch
shell-at_risk = At risk
shell-unknown = Not rated
shell-declared = Declared
shell-estimated = Estimated
shell-outdated_rates = Exchange rates of { $date }.
shell-unconverted = Not included (no exchange rate): { $names }.
shell-months_short = Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec
shell-months_long = January February March April May June July August September October November December
shell-yes = yes
shell-no = no
shell-form_expired = This page was open for too long, or you signed in or out in another tab. Please try again.

# Signing in, signing up, resetting the password.

sign_in-title = Sign in
sign_in-email = E-mail address
sign_in-password = Password
sign_in-submit = Sign in
sign_in-wrong = Wrong e-mail or password.
sign_in-wait = Too many attempts. Wait { $time } and try again.
sign_in-unlock_lead = If this is your account, you don’t have to wait.
sign_in-unlock_send = E-mail me an unlock link
sign_in-unlock_sent = If that address has an account, we’ve e-mailed it an unlock link.
sign_in-unlock_title = Unlock your account
sign_in-unlock_confirm = Unlock your account, then sign in with your password.
sign_in-unlock_submit = Unlock
sign_in-unlock_done = Your account is unlocked. Sign in.
sign_in-seconds = { $n ->
     [one] 1 second
    *[other] { $n } seconds
}
sign_in-minutes = { $n ->
     [one] 1 minute
    *[other] { $n } minutes
}
sign_in-forgot = Forgot your password?
sign_in-new_here = New here?
sign_in-http_note = Signing in only works over HTTPS, or on the computer that runs this server. Ask your administrator for the HTTPS address.
sign_in-code_title = Two-factor authentication
sign_in-code = Code
sign_in-code_hint = Six digits from your authenticator app, or a recovery code.
sign_in-code_submit = Continue
sign_in-code_wrong = That code is wrong or was already used. Enter the next code.
sign_in-confirm_title = Confirm it’s you
sign_in-confirm_lead = Enter your password to continue.
sign_in-confirm_wrong = Wrong password.
sign_in-confirm_submit = Confirm
sign_in-signed_out = You’re signed out.
sign_in-welcome_title = Welcome to Dripline
sign_in-welcome_lead = Create the first account. You will be the owner of this server.
sign_in-welcome_submit = Create account
sign_in-sign_up_title = Create account
sign_in-sign_up_submit = Create account
sign_in-sign_up_mail_lead = Enter your e-mail address. We’ll send you a link to create your account.
sign_in-sign_up_mail_submit = Send link
sign_in-sign_up_mailed = Check your e-mail. We’ve sent you a link.
sign_in-sign_up_link_lead = Your address is confirmed. Choose a password to finish.
sign_in-sign_up_link_bad = This link has expired or was already used. Start again with your e-mail address.
sign_in-sign_up_ready = Your account is ready. Sign in.
sign_in-sign_up_closed = You can’t create an account here yourself. Ask your administrator for one.
sign_in-sign_up_invitation = You need an invitation to create an account. Ask your administrator for a link.
sign_in-sign_up_invitation_bad = This invitation has expired or was already used. Ask for a new one.
sign_in-sign_up_done = If this address didn’t have an account, it does now. Sign in.
sign_in-have_account = Already have an account?
sign_in-name = Display name (optional)
sign_in-password_hint = At least 15 characters. Tip: four or five unrelated words.
sign_in-currency = Currency
sign_in-currency_hint = Totals are shown in this currency. You can change it later.
sign_in-residence = Tax residence
sign_in-residence_hint = Used to estimate foreign withholding tax.
sign_in-residence_none = Prefer not to say
sign_in-reset_title = Reset your password
sign_in-reset_lead = Enter your e-mail address. If it has an account, we’ll send you a link to choose a new password.
sign_in-reset_submit = Send link
sign_in-reset_sent = If that address has an account, we’ve e-mailed it a reset link.
sign_in-reset_operator = E-mail isn’t set up on this server. Ask your administrator for a reset link.
sign_in-reset_choose = Choose a new password. The new password signs you out everywhere and revokes access tokens, calendar feeds and connected apps.
sign_in-reset_new = New password
sign_in-reset_save = Save new password
sign_in-reset_bad = This link has expired or was already used. Request a new one.
sign_in-reset_done = Password changed. Sign in with the new one.

# The page of one stock.

stock-live = live
stock-as_of = as of
stock-price = Price
stock-yield_now = Yield
stock-above_average = { $pct } above its 5-year average
stock-below_average = { $pct } below its 5-year average
stock-at_average = equal to its 5-year average
stock-average = 5-year average
stock-annual = Annual dividend
stock-annual_note = per share, at the current rate
stock-sign_in_for_annual = Sign in to see it
stock-growth = Dividend growth
stock-growth_note = per year, over 5 years
stock-streak = Growth streak
stock-streak_note = years in a row
stock-history_title = Dividends by year
stock-history_chart = Dividends per share by year
stock-history_note = split-adjusted, excluding specials
stock-year = Year
stock-total = Per share
stock-payments_count = Payments
stock-bar = { $year }: { $amount }
stock-bar_noted = { $year }: { $amount } ({ $note })
stock-complete = Full year
stock-changed = The number of payments changed this year, so it is not compared
stock-running = Year to date, incl. declared
stock-incomplete = Incomplete year
stock-no_history = No dividend data for this stock.
stock-safety_title = Safety
stock-safe_lead = No warning signs.
stock-passed = Checks passed: { $checks }.
stock-not_checked = Not checked, because data is missing: { $checks }.
stock-check_cut = cuts in the last three years
stock-check_stopped = stopped payments
stock-check_uncovered = cover by earnings and cash
stock-check_yield_doubled = a yield twice its average
stock-check_high_payout = payout ratio
stock-check_thin_cash_cover = free cash flow cover
stock-check_yield_raised = a yield above its average
stock-check_streak_ended = the end of a growth streak
stock-unknown_lead = Not enough data to rate this dividend.
stock-payout = Payout ratio
stock-cover = Free cash flow cover
stock-times = { $n } times
stock-cut = The dividend fell by more than 2% in one of the last three full years.
stock-cut_fund = The fund paid over 15% less in one of the last three full years than in the year before.
stock-stopped = Payments seem to have stopped: nothing was paid or declared for much longer than usual.
stock-uncovered = The payout ratio is { $payout }, and free cash flow covers the dividend only { $cover } times.
stock-uncovered_alone = The payout ratio is { $payout }. There is no cash flow data and no record of five straight years of increases.
stock-yield_doubled = The yield is more than twice its 5-year average and the payout ratio is { $payout }: the market may expect a cut.
stock-high_payout = The payout ratio is { $payout }, which leaves little margin.
stock-thin_cash_cover = Free cash flow covers the dividend only { $cover } times.
stock-yield_raised = The yield is more than 1.5 times its 5-year average: the price has fallen, or the market has doubts.
stock-streak_ended = The dividend didn’t grow in the last full year, after three or more years of increases.
stock-rhythm_title = Schedule
stock-frequency = Frequency
stock-months = Months
stock-every_month = Every month
stock-ex_date = Ex-dividend date
stock-next = Next payment
stock-next_ex = Ex-dividend date
stock-next_pay = Payment date
stock-following_ex = Next ex-dividend date
stock-scores_title = Scores
stock-momentum = Momentum
stock-rating = Rating
stock-value = Value
stock-of_ten = out of 10
stock-payments_title = Payments
stock-pay_date = Pay date
stock-amount = Per share
stock-special = Special
stock-to_come = Upcoming
stock-pay_estimated = estimated
stock-older = { $n ->
     [one] 1 older payment
    *[other] { $n } older payments
}
stock-own_title = Your position
stock-portfolio = Portfolio
stock-shares = Shares
stock-cost = Average cost
stock-income = Annual income
stock-share = % of income
stock-received = Dividends received: { $net } net ({ $gross } gross)
stock-reinvest = Reinvest dividends: { $rule }
stock-reinvest_lead = Applies to dividends recorded from market data. To set it for a whole portfolio, open
stock-not_held = You don’t hold this stock.
stock-record = Add transaction
stock-add = Add to watchlist
stock-remove = Remove from watchlist
stock-missing_title = No data for { $symbol }
stock-missing = Check the spelling or search by company name.
stock-follow = Add { $symbol } to watchlist
stock-follow_note = This adds the stock and fetches its data.
stock-stranger_note = Sign in to add this stock to your watchlist.

# Search and the ex-dividend calendar.

stocks-calendar_title = Ex-dividend calendar
stocks-calendar_lead = To receive a dividend, own the stock on the day before its ex-dividend date.
stocks-days = Days
stocks-stock = Stock
stocks-ex_date = Ex-date
stocks-frequency = Frequency
stocks-sector = Sector
stocks-calendar_empty = No ex-dividend dates declared for the next { $n } days.
stocks-held = Held
stocks-watched = Watchlist
stocks-search_title = Search
stocks-results = Results for “{ $q }”
stocks-type_something = Enter a ticker or company name.
stocks-nothing_found = No results for “{ $q }”. Try a ticker or part of the company name.
stocks-exchange = Exchange
stocks-kind = Type
stocks-equity = Stock
stocks-etf = ETF
stocks-fund = Fund
stocks-not_tracked = No data yet
stocks-watch = Add to watchlist
stocks-weekly = Weekly
stocks-monthly = Monthly
stocks-quarterly = Quarterly
stocks-semi_annual = Semi-annually
stocks-annual = Annually

# Upcoming payments.

upcoming-title = Upcoming
upcoming-lead = To receive a dividend, you must own the stock before its ex-dividend date.
upcoming-days = Days ahead
upcoming-feed = Subscribe in your calendar
upcoming-sums = { $n ->
     [one] Expected in the next { $n } day (net)
    *[other] Expected in the next { $n } days (net)
}
upcoming-sums_note = after estimated withholding tax; watchlist excluded
upcoming-list = Timeline
upcoming-weekdays_short = Mon Tue Wed Thu Fri Sat Sun
upcoming-month = { $month } { $year }
upcoming-ex = Ex-date
upcoming-pays = Pay date
upcoming-ex_mark = ex
upcoming-pay_mark = pays
upcoming-gross = gross
upcoming-watched = Watchlist
upcoming-a_share = per share
upcoming-empty_title = No upcoming payments
upcoming-empty_lead = { $n ->
     [one] No payments expected in the next day.
    *[other] No payments expected in the next { $n } days.
}
upcoming-add = Add manually
upcoming-import = Import a file


# What a purchase would change.

what_if-title = What if I bought …
what_if-lead = See what a purchase today would change about your income. Nothing is saved.
what_if-symbol = Ticker, for example KO
what_if-shares = Shares
what_if-amount = Amount ({ $currency })
what_if-calculate = Calculate
what_if-nothing = Enter a number of shares or an amount.
what_if-both = Enter shares or an amount, not both.
what_if-not_positive = Enter a number above zero.
what_if-card_title = What if I bought { $symbol }?
what_if-link = What if I bought it?
what_if-link_label = What if I bought it? { $symbol }
what_if-add = Add this transaction
what_if-bought = { $shares } { $symbol }
what_if-at = at { $price } ({ $as_of })
what_if-at_price = at { $price }
what_if-into = in { $portfolio }
what_if-added_net = Added income (net)
what_if-added_gross = Added income (gross)
what_if-after_tax = after estimated withholding tax
what_if-cost = Cost
what_if-no_price = no price
what_if-purchase_yield = Yield of this purchase
what_if-purchase_yield_note = added gross income ÷ cost
what_if-compared_title = Before and after
what_if-figure = Figure
what_if-before = Before
what_if-after = After
what_if-annual_net = Annual income (net)
what_if-annual_gross = Annual income (gross)
what_if-current_yield = Yield on market value
what_if-position_shares = { $symbol }: shares
what_if-position_net = { $symbol }: income (net)
what_if-position_gross = { $symbol }: income (gross)
what_if-share = { $symbol }: % of income
what_if-months_title = Income by month
what_if-months_chart = Net income by month in a typical year, before and after
what_if-months_note = net, in { $currency }
what_if-month = Month
what_if-bar = { $month }, { $when }: { $amount }
what_if-too_small = The monthly chart appears once you hold five dividend payers.

## Imports: errors, skipped rows, questions and doubts

reason-word-kind = { $kind ->
     [buy] purchase
     [sell] sale
     [dividend] dividend
     [split] split
     [transfer_in] transfer in
     [transfer_out] transfer out
    *[return_of_capital] return of capital
}

# The file.

reason-file_too_large = The file is larger than { $max_mib } MiB. Export a shorter period, or split the file.
reason-file_empty = The file is empty. Export it again.
reason-image = This is an image, not a broker export.
reason-pdf = This is a PDF. Export your transactions as CSV, XLSX or XML instead.
reason-old_excel = This is an old Excel workbook (XLS). Save it as XLSX or CSV.
reason-compressed = This is a compressed file. Unpack it first.
reason-portfolio_packed = This Portfolio Performance file is saved in a binary or compressed format. In Portfolio Performance, choose File → Save as → XML.
reason-portfolio_encrypted = This Portfolio Performance file is protected by a password. In Portfolio Performance, choose File → Save as → XML, without a password.
reason-portfolio_damaged = This part of the Portfolio Performance file is damaged or from an old version. Open the file in the current Portfolio Performance, let it repair the file, and save again.
reason-portfolio_ledger = This file uses the new ledger of Portfolio Performance, which we don’t support yet. In Portfolio Performance, export your transactions as CSV (File → Export).
reason-not_utf8 = This line isn’t UTF-8 text, but other lines are. Save the whole file as UTF-8.
reason-wrong_encoding = The file claims to be { $encoding }, but contains invalid bytes. Save it as UTF-8.
reason-zero_byte = This line contains a zero byte. The file isn’t text, or it was damaged. Export it again.
reason-too_many_values = The file has more than { $max } values. Export a shorter period, or split the file.
reason-too_many_rows = The file has more than { $max } rows. Export a shorter period, or split the file.
reason-too_many_problems = The file has more than { $max } rows that can’t be imported. Export transactions only, or split the file.
reason-too_many_cells = This line has more than { $max } cells. The file isn’t a table of transactions.
reason-line_too_long = This line is longer than { $max_kib } KiB. The file isn’t a table of transactions.
reason-row_too_long = This row is longer than { $max_kib } KiB. Check for a quotation mark that is never closed.
reason-quote_not_closed = A quotation mark on this line is never closed, so the rest of the file can’t be read. Close it, or export the file again.
reason-csv_malformed = The file can’t be read as CSV: { $cause }. Export it again.
reason-json_malformed = The file can’t be read as JSON. Export it again.
reason-xml_malformed = The file can’t be read as XML: { $cause }. Export it again.
reason-xml_too_deep = The file can’t be read as XML: elements are nested more than { $max } levels deep. Export it again.
reason-xml_attributes = The file can’t be read as XML: an element has more than { $max } attributes. Export it again.
reason-xml_entity = The file can’t be read as XML: it defines its own entities. Export it again.
reason-cut_off = The file is incomplete: it breaks off in the middle. Export it again.
reason-workbook_malformed = The workbook can’t be read: { $cause }. Save it again as XLSX or CSV.
reason-workbook_damaged = The workbook is damaged. Save it again as XLSX or CSV.
reason-workbook_parts = The workbook has more than { $max } parts. Save it as CSV.
reason-workbook_too_large = The workbook unpacks to more than { $max_mib } MiB. Save it as CSV, or split it.
reason-workbook_cell_too_long = A cell of the workbook is longer than a spreadsheet allows. Save it again as XLSX or CSV.
reason-header_missing = The header row with { $columns } is missing. Export the file again, or choose another format.
reason-unknown_column = Unknown column “{ $name }”. Rename or remove it.
reason-column_twice = The header has the column “{ $name }” twice. Rename or remove one of them.
reason-column_missing = The header has no column “{ $name }”. Add it, or export the file again.
reason-header_unusable = This row wasn’t read, because the header row can’t be used.
reason-no_table = The file has no table with a header row. Add a header row, or export the file again.
reason-list_missing = The file has no list of { $list }. Export it again as JSON.
reason-sections_missing = The file has none of these sections: { $sections }. Add them to the export.
reason-not_the_statement = This is the reply to a request for a statement, not the statement itself. Download the statement.
reason-bank_statement = This is a bank or card statement. Export the statement of your brokerage account instead.
reason-wrong_statement = { $statement ->
     [crypto] This is Revolut’s crypto statement.
     [gains] This is Revolut’s profit and loss statement, which has no purchases.
    *[account] This is the statement of a Revolut current account, which has no trades.
} Export the account statement of Revolut Invest (Excel or CSV) instead.
reason-no_transactions = The file has no purchase, sale or dividend of a listed security.
reason-unknown_format = We don’t recognize this format. The file begins with “{ $begin }”.
reason-rows_unaccounted = Not every row was accounted for, so nothing is imported. This is a bug in the { $format } importer. Please report it.

# A row.

reason-field_count = This row has { $fields } fields, but the header has { $header }. Correct the row, or export the file again.
reason-missing = “{ $column }” is missing.
reason-too_long = “{ $column }” is longer than { $max } characters. Shorten it.
reason-control_character = “{ $column }” contains a control character. Remove it.
reason-too_many_decimals = “{ $column }” has more than { $max } decimal places. Round the number.
reason-figures_too_large = The amounts in this row are too large to calculate with. Check them.
reason-no_security = The symbol and the ISIN are missing. Add at least one of them.
reason-needs_shares = The number of shares for this { $kind } is missing.
reason-needs_price = The price for this { $kind } is missing. Enter a price per share or a total.
reason-needs_amount = The amount for this { $kind } is missing.
reason-needs_ratio = The ratio for this split is missing. Enter it as new:old, such as 4:1.
reason-ratio_not_split = Only a split has a ratio, but this is a { $kind }. Leave the ratio empty.
reason-shares_not_positive = The number of shares is { $shares }. Enter a positive number. The type says whether the shares were bought or sold.
reason-rate_not_positive = The exchange rate must be above zero.
reason-negative = “{ $column }” must not be negative. Enter a positive number. The type says whether you paid or received the amount.
reason-amount_mismatch = The amount { $amount } isn’t shares × price ({ $product }). Correct one of them, or leave one empty.
reason-net_mismatch = The net amount { $net } isn’t the gross amount less taxes and fees ({ $expected }). If one of the columns is in a different currency, leave that column out.
reason-unsupported = We don’t support “{ $kind }” yet. Skip this row and enter the transaction manually.
reason-reversed_missing = The row that this one reverses isn’t in the file. Export a period that contains both rows, or skip this row.
reason-counterpart_missing = This event has another row, which isn’t in the file. Export a period that contains both rows, or skip this row and enter the transaction manually.
reason-fee_not_convertible = The fee can’t be converted: the file has no exchange rate for it. Skip this row and enter the transaction manually.
reason-account_currency_missing = The currency of the account isn’t in the file. Export it again with the account details.
reason-reversal = This row reverses another one. If the other row is in the file, skip both. Otherwise, enter the transaction manually.
reason-side_unknown = It isn’t clear whether shares were bought or sold. Skip this row and enter the transaction manually.
reason-position_unknown = We can’t tell which stock paid this dividend: its position was opened before the period of this file. Export a longer period, or write the ticker into the Details column, such as KO/USD.
reason-position_unclear = We can’t tell the security and its shares apart. Write one line per position, such as “KO 10 60.50 USD”.
reason-multiplier = This trade has a multiplier, which stocks don’t have. Skip this row and enter the trade manually.
reason-date_too_early = The date { $date } is before { $first }. Correct it.
reason-fee_rate_missing = There is no exchange rate to convert the commission from { $from } to { $to }. In a Flex query, add the field “FX Rate To Base” and the Account Information section.
reason-flex_field_missing = “{ $column }” is missing. Add this field to the Flex query.
reason-flex_date_ambiguous = “{ $text }” could be two different dates. Choose yyyyMMdd as the date format of the query.
reason-flex_date_formats = Dates are written in two different ways. Choose yyyyMMdd as the date format of the query.
reason-level_of_detail = This level of detail isn’t supported. Choose “Executions” in the Trades section of the query.
reason-in_activity = Activity { $number }: { $reason }
reason-not_an_activity = This isn’t an activity with a type, a date and a symbol.
reason-in_sheet = Sheet { $sheet }: { $reason }
reason-split_ratio_unknown = The ratio of this split can’t be worked out from the file. Skip its rows and enter the split manually, such as 4:1.
reason-split_ratio_inexact = This split changes { $held } shares by { $added }, which isn’t a plausible ratio. Import a file that starts with the first purchase, or skip this row and enter the split manually.
reason-booked_currency_unknown = The file doesn’t say which currency the booked amount is in. Export a period that also has deposits or trades in the account’s own currency.
reason-dividend_without_amount = This dividend has no amount. If it was paid in shares, skip this row and enter them manually.
reason-no_such_dividend = The file has no dividend of this security and portfolio on { $date }.
reason-several_dividends = The file has several dividends of this security and portfolio on { $date }. Add the number of the one that you mean, such as “{ $date } 2”.
reason-reinvested_by_other = Only a purchase can reinvest a dividend. This row is a { $kind }.
reason-unexplained_payment = The file doesn’t say what this payment is for. Skip this row and enter the transaction manually.
reason-counted_after_split = The number of shares in this deposit was restated after a later split, but the sale on line { $sale } still has the old number. Skip both rows and enter the transactions manually, with the number of shares at the time.
reason-possible_duplicate = This looks like the trade on line { $line }, but the dates are too far apart to be sure. Skip one of the two.

# The text of a cell.

reason-not_a_number = { $column }: “{ $text }” isn’t a number.
reason-not_a_plain_number = { $column }: “{ $text }” isn’t a number such as 1234.50 (with a point and no thousands separator).
reason-number_too_large = { $column }: “{ $text }” is too large. Numbers must be below 1 trillion.
reason-too_many_digits = { $column }: “{ $text }” has too many digits to be stored exactly.
reason-not_a_date = { $column }: “{ $text }” isn’t a date.
reason-not_an_iso_date = { $column }: “{ $text }” isn’t a date between 1900 and 2200, written as YYYY-MM-DD.
reason-not_an_isin = { $column }: “{ $text }” isn’t a valid ISIN. Check its 12 characters.
reason-symbol_with_space = { $column }: “{ $text }” contains a space. Enter the ticker alone, such as KO or IBE.MC.
reason-unknown_currency = { $column }: “{ $text }” isn’t a currency code such as EUR or USD.
reason-not_a_ratio = { $column }: “{ $text }” isn’t a ratio such as 4:1.
reason-unknown_type = { $column }: “{ $text }” isn’t recognized.
reason-unknown_kind = { $column }: “{ $text }” isn’t a type of transaction. Use buy, sell, dividend, split, transfer_in, transfer_out or return_of_capital.
reason-currency_mismatch = { $column }: “{ $text }” isn’t in the currency of this row. Correct one of them.
reason-trade_unclear = { $column }: “{ $text }” doesn’t say how many shares were traded at which price.
reason-unknown_choice = { $column }: “{ $text }” isn’t one of the choices.
reason-not_a_symbol = { $column }: “{ $text }” isn’t a valid ticker symbol.

# Rows that are skipped.

reason-part_of_error = Belongs to line { $line }, which has an error.
reason-continues = Continues line { $line }.
reason-part_of = Part of line { $line }
reason-cancels = Cancels line { $line }.
reason-cancelled = Cancelled on line { $line }.
reason-cash = Cash movement
reason-interest = Interest, not a dividend
reason-account_fee = Account fee, not part of a trade
reason-unsupported_asset = { $asset ->
     [bond] Bonds aren’t supported.
     [cfd] CFDs aren’t supported.
     [crypto] Cryptocurrencies aren’t supported.
     [derivative] Derivatives aren’t supported.
     [future] Futures aren’t supported.
     [liability] Liabilities aren’t supported.
     [option] Options aren’t supported.
     [warrant] Warrants aren’t supported.
    *[other] “{ $asset }” isn’t a stock or fund.
}
reason-short_sale = Short sales aren’t supported.
reason-moved = Moved between your accounts, together with line { $line }
reason-moved_inside = Moved between your own accounts; the number of shares stays the same
reason-currency_exchange = Currency exchange
reason-money_market = Cash held in a money market fund or bank account
reason-cash_in_lieu = Cash in lieu of a fractional share; not a dividend
reason-fee_without_trade = Fee for a trade that isn’t in this file
reason-fee_without_dividend = Depositary fee without a dividend on that day
reason-fee_refunded = Refunded fee
reason-tax_without_dividend = Tax without a dividend in this file
reason-same_shares = Exchanged for the same shares on line { $line }
reason-nothing_received = No shares were received in exchange for those on line { $line }
reason-reversed = Reversed by another row in this file
reason-counted_elsewhere = Already counted in other rows
reason-earlier_position = Replaced by the position of { $date } in the same file
reason-reinvested = Cash side of a reinvestment; the shares are on another row
reason-cash_for_shares = Cash for shares, but the file doesn’t say how many. If shares were sold, enter the sale manually.
reason-announced_payment = Announced payment, shown under Upcoming
reason-announced_payment_unusable = Announced payment that can’t be shown: { $reason }
reason-announced_payment_earlier = Announced payment from an earlier statement in this file
reason-accrual_change = Accrued dividend, counted when it is paid
reason-no_shares = Moves no shares
reason-not_executed = Not executed ({ $status })
reason-total = Total of other rows
reason-remark = Title or note, not a transaction
reason-not_listed = Not a listed security
reason-cash_side = This is the cash side of a trade. Also import the securities account.
reason-split_not_held = Split of shares you didn’t hold on that day
reason-securities_lending = Income from securities lending, not a dividend
reason-assumed_income = Tax on a fund’s deemed income (Vorabpauschale); nothing was paid out
reason-ignored_type = Ignored because of its type
reason-not_yet_read = On hold (answer the questions first)

# Questions about a table in no broker’s format.

reason-open_questions = Questions about the columns: { $questions }
reason-which_column = { $field ->
     [date] Which column is the date?
     [security] Which column is the security (its symbol, ISIN or name)?
     [shares] Which column is the number of shares?
     [price] Which column is the price or the amount?
     [figures] Which column is the number of shares or the amount?
    *[type] Which column is the type of transaction? The column we found has too many different words.
}
reason-which_date = Which column is the date: { $columns }?
reason-which_currency = Which currency are the amounts in? Choose a currency, or the column with the currency.
reason-no_type_column = No column says whether a row is a purchase, a sale or a dividend. Choose the column, or a type for all rows.
reason-unknown_word = What does the type “{ $word }” on line { $line } mean?
reason-date_order = Does “{ $text }” mean { $date }? Choose whether the day or the month comes first.
reason-date_orders_mixed = The day comes first in some dates and the month in others: { $dates }. Write them all in the same order.
reason-decimal_mark = Is “{ $text }” more than a thousand? Choose whether a point or a comma marks the decimals.
reason-ratio_order = Does the split “{ $text }” result in fewer shares or in more? Choose whether the new or the old shares come first.
reason-cost_signs = Fees and taxes are positive on line { $above } and negative on line { $below }. Choose how the file writes amounts that were deducted.
reason-costs_overlap = On line { $line }, several of these columns have a value: { $columns }. If one column already includes another, leave out the included one. Otherwise, choose them all, and we add them up.
reason-gross_or_net = Is “{ $name }” before or after taxes and fees (see line { $line })?
reason-amount_unclear = “{ $name }” on line { $line } isn’t shares × price, with or without fees and taxes. Choose whether this column is before or after fees and taxes. If it is in a different currency, leave it out.
reason-currencies_differ = Line { $line } has different currencies in these columns: { $columns }. Choose one currency, and leave out amounts in the other one.
reason-no_columns = No columns are chosen.
reason-setting_incomplete = “{ $setting }” is incomplete.
reason-unknown_setting = There is no column or setting called “{ $setting }”.
reason-chosen_twice = More than one column is chosen for “{ $column }”. Only fees and taxes can have several columns.

# What the ledger has against a row.

reason-left_out = On hold (fix the errors first)
reason-skipped_by_user = { $problems ->
     [0] Skipped by you
    *[other] Error: { $problems }
}
reason-currency_missing = The currency is missing.
reason-currency_unknown = The currency is missing, and we don’t know which currency { $symbol } trades in.
reason-id_twice = The ID “{ $id }” is also on line { $line }, for a different transaction. Give each transaction its own ID.
reason-split_differs = The shares in the file suggest a split of { $ratio }, but market data says { $known } on { $date }. Earlier purchases are missing from the file: import them first, or skip this row.
reason-unknown_security = We couldn’t identify { $key }.
reason-unknown_name = We couldn’t identify “{ $name }”.
reason-several_listings = { $key } has several listings.
reason-several_securities = Several securities are called “{ $name }”.
reason-breaks_recorded = This file conflicts with a transaction you already recorded: { $problem }
reason-several = Several problems: { $problems }
reason-oversold = { $held ->
    [0] This transaction needs { $asked } { $symbol }, but you held none on { $date }. Import the earlier history first, or add the missing shares as an opening position.
   *[other] This transaction needs { $asked } { $symbol }, but you only held { $held } on { $date }. Import the earlier history first, or add the missing shares as an opening position.
}
reason-missing_rate = There is no { $from }/{ $to } exchange rate for { $date }. Enter how many { $to } you got for 1 { $from }, because { $symbol } trades in { $to }.
reason-position_too_large = The amounts for { $symbol } are too large to calculate with. Check them.


# An opening position whose shares an import brings.
opening-change = { $after ->
     [0] The opening position of { $symbol } is no longer needed: its { $before } shares are now in your history.
    *[other] The opening position of { $symbol } shrinks from { $before } to { $after } shares: the others are now in your history.
}

# Supported formats
format-ibkr-flex = Interactive Brokers Flex Query (XML or CSV)
format-ibkr-history = Interactive Brokers Transaction History (CSV)
format-ibkr-statement = Interactive Brokers Activity Statement (CSV)
format-degiro = DEGIRO account statement (CSV)
format-degiro-transactions = DEGIRO transactions (CSV)
format-schwab = Charles Schwab transaction history (CSV, JSON)
format-schwab-equity-awards = Charles Schwab Equity Award Center history (CSV, JSON)
format-fidelity = Fidelity account history (CSV)
format-ofx = OFX and QFX from Vanguard, Fidelity, E*Trade and others
format-trading212 = Trading 212 history (CSV)
format-trade-republic = Trade Republic transactions (CSV)
format-trade-republic-pytr = Trade Republic, exported with pytr (CSV)
format-scalable = Scalable Capital transactions (CSV)
format-swissquote = Swissquote transactions (CSV)
format-saxo = Saxo transactions (CSV, XLSX)
format-xtb = XTB cash operations (CSV, XLSX)
format-bux = BUX transactions (CSV)
format-etoro = eToro account statement (XLSX, or its Account Activity as CSV)
format-revolut = Revolut Invest account statement (CSV, XLSX)
format-freetrade = Freetrade activity feed (CSV)
format-vanguard-uk = Vanguard UK transactions (CSV, XLSX)
format-investengine = InvestEngine trading statement (CSV)
format-hargreaves-lansdown = Hargreaves Lansdown transaction summary (CSV)
format-morgan-stanley = Morgan Stanley releases and withdrawals (CSV)
format-questrade = Questrade account activities (CSV, XLSX, JSON)
format-avanza = Avanza transactions (CSV)
format-finpension = finpension transactions (CSV)
format-rabobank = Rabobank investment movements (CSV)
format-directa = Directa movements (CSV)
format-investimental = Investimental orders (CSV)
format-disnat = Disnat transactions (CSV)
format-parqet = Parqet activities (CSV)
format-delta = Delta transactions (CSV)
format-snowball = Snowball Analytics portfolio (CSV)
format-yahoo-portfolio = Yahoo Finance portfolio (CSV)
format-portfolio-performance = Portfolio Performance (XML)
format-portfolio-performance-csv = Portfolio Performance transactions (CSV)
format-wealthfolio = Wealthfolio activities (CSV)
format-ghostfolio = Ghostfolio export (JSON) or import table (CSV)
format-dripline = Dripline ledger file (CSV)
format-positions = List of positions (CSV, XLSX, or pasted text)
format-generic = Any table with a date, a security, and shares or an amount (CSV, XLSX)

## Errors and refusals

error-busy = Too many people are signing in right now. Try again in a few seconds.
error-crowded = The server is working on several large files right now. Try again in a few seconds.
error-too_many_jobs = You already have three files in progress. Wait until one is done, then try again.
error-too_many_uploads = You are already uploading two files. Wait until one has arrived, then try again.
error-overflow = A figure is too large to calculate with. Check your transactions.
error-no_randomness = The operating system provides no random numbers. Restart the server.
error-password_hash = The password could not be stored. Try again.
error-stored_password_hash = The stored password of this account can’t be read. Reset the password.
error-second_factor_secret = The key of your two-factor authentication can’t be used. Turn two-factor authentication off, then set it up again.
error-upload_unwritten = The server couldn’t save the upload: { $cause }. Try again, or ask your administrator.
error-imported_file_unwritten = The server couldn’t unpack the file you imported: { $cause }. Try again, or ask your administrator.
error-export_unwritten = The server couldn’t write the export: { $cause }. Try again, or ask your administrator.
error-unknown_portfolio = { $count ->
     [0] You have no portfolio called "{ $name }", and no other one yet.
    *[other] You have no portfolio called "{ $name }". You have: { $names }.
}
error-unknown_account = There is no account { $email }. Run `dripline user list` to see all accounts.
error-lines = { $count ->
    [one] One line of the file can’t be read.
   *[other] { $count } lines of the file can’t be read.
}
error-market_files = { $count ->
    [one] Nothing was loaded: there is one problem in the market files.
   *[other] Nothing was loaded: there are { $count } problems in the market files.
}
error-ledger = The transactions for { $symbol } don’t add up: { $cause } Run `dripline doctor`.
error-entry_incomplete = Transaction { $sequence } has no { $field }.
error-no_snapshot_entries = A stored position has no transactions. Run `dripline doctor`.
error-wait = { $seconds ->
    [one] Too many wrong passwords. Try again in one second.
   *[other] Too many wrong passwords. Try again in { $seconds } seconds.
}

error-account-email_malformed = "{ $email }" is not an e-mail address. Enter one such as ana@example.com.
error-account-email_taken = There is already an account for { $email }.
error-account-email_unavailable = You can’t use this e-mail address. Choose another one.
error-account-name_length = Enter a name of 1 to { $max } characters.
error-account-unknown_currency = "{ $code }" is not a currency. Enter an ISO 4217 code such as EUR or USD.
error-account-unknown_country = "{ $code }" is not a country. Enter a two-letter code such as ES or US.
error-account-unknown_number_format = Choose a number format from the list.
error-account-session_idle_time = Choose a sign-out time from { $minutes } minutes to { $days } days.
error-account-sign_up_closed = You can’t create an account here yourself. Ask your administrator for one.
error-account-first_account_exists = The first account already exists. Sign in instead.
error-account-password_missing = Choose a password.
error-account-invitation_expired = This invitation is no longer valid. Ask for a new one.
error-account-password_length = Use at least { $min } characters, and no more than { $max_bytes } bytes.
error-account-password_easy = That password is too easy to guess. Try several unrelated words.
error-account-password_breached = That password appeared in a data breach. Try several unrelated words.
error-account-second_factor_on = Two-factor authentication is already on. Turn it off first.
error-account-second_factor_not_started = You haven’t started to set up two-factor authentication. Start again.
error-account-second_factor_off = Two-factor authentication is off. Turn it on before you create recovery codes.
error-account-second_factor_unreadable = This server can’t check codes from your app right now. Use a recovery code, or ask your administrator.
error-account-invitation_days = An invitation is valid for { $min } to { $max } days.
error-account-unknown_invitation = There is no invitation "{ $id }". Run `dripline invite list` to see all invitations.

error-access-unknown_session = This session has already ended.
error-access-session_over = Your session has ended. Sign in again.
error-access-too_many_exports = You have exported your data { $max } times today. Try again tomorrow.
error-access-token_name = Give the token a name of 1 to { $max } characters, such as the place where you will use it.
error-access-too_many_tokens = You have { $max } active tokens, the most you can have. Revoke one first.
error-access-token_id = "{ $id }" is not the ID of a token.
error-access-unknown_token = There is no active token { $id }.
error-access-feed_name = Give the feed a name of 1 to { $max } characters, such as the calendar that will use it.
error-access-too_many_feeds = You have { $max } calendar feeds, the most you can have. Revoke one first.
error-access-unknown_feed = This calendar feed no longer exists.

error-portfolio-too_many = You have { $max } portfolios, the most you can have. Delete one first.
error-portfolio-named_twice = You named "{ $name }" twice. Name each portfolio once.
error-portfolio-name_taken = You already have a portfolio called "{ $name }". Choose another name.
error-portfolio-name_length = Give the portfolio a name of 1 to { $max } characters.
error-portfolio-without_stock = This portfolio has no transactions of { $symbol }.
error-portfolio-slug_taken = The address "{ $slug }" is taken. Choose another one.
error-portfolio-slug_malformed = "{ $slug }" can’t be an address. Use { $min } to { $max } lowercase letters, digits or hyphens.

error-entry-unknown = There is no transaction { $sequence }.
error-entry-doubtful = This transaction looks like a mistake. Check it, then save it again.
error-entry-none_selected = Select at least one transaction.
error-entry-too_many_selected = You can change at most { $max } transactions at a time. Narrow the filter.
error-entry-list_changed = The list has changed since you selected it. Nothing was changed. Check it and try again.
error-entry-not_restorable = This deletion can no longer be undone.
error-entry-portfolio_deleted = You can’t undo this deletion, because a portfolio of these transactions was deleted.
error-entry-import_undone = You can’t undo this deletion, because the import of these transactions was undone.
error-entry-symbol_missing = Enter a ticker such as KO or IBE.MC.
error-entry-currency_missing = Choose a currency.
error-entry-reinvestment_empty = Enter the price per share, or the number of shares bought.
error-entry-nothing_to_reinvest = Enter this figure. It can’t be calculated from the dividend’s net amount.
error-entry-future_date = { $date } is more than a year ahead. Check the date.
error-entry-not_paid_yet = { $date } is in the future. Enter the day on which the dividend was paid.
error-entry-not_part_of_gross = The tax and the net must be between zero and the gross. Check the three amounts.
error-entry-portfolio_unknown = You have no portfolio called "{ $name }". Choose one from the list.
error-entry-duplicate = That portfolio already has this transaction.
error-entry-oversold = { $held ->
    [0] You held no { $symbol } on { $date }.
   *[other] You only held { $held } { $symbol } on { $date }.
}
error-entry-missing_rate = There is no { $from }/{ $to } exchange rate for { $date }. Enter how many { $to } you got for 1 { $from }, because { $symbol } trades in { $to }.
error-entry-too_large = The amounts for { $symbol } are too large to calculate with. Check them.
error-entry-breaks_other = This change conflicts with another transaction: { $problem }
error-entry-needed = You can’t delete this transaction, because others depend on it. Deleting it would cause this problem: { $problem }

error-import-too_many_uploads = You have { $max } unfinished imports. Finish or discard one first.
error-import-too_large = The file is larger than { $max } MiB. Export a shorter period, or split the file.
error-import-key_used = You already uploaded another file with this form. Reload the page and try again.
error-import-unreadable = The uploaded file can no longer be read. Upload it again.
error-import-unknown = There is no import { $id }.
error-import-file_lost = The original file of import { $id } was not kept.
error-import-needed = You can’t undo this import, because later transactions depend on it. Undoing it would cause this problem: { $problem } Undo or delete the later transactions first.
error-import-unknown_security = You have no security called "{ $key }". Reload the page and try again.
error-import-match_inconsistent = These transactions can’t be matched with { $symbol }, because that would cause this problem: { $problem }
error-import-unknown_format = There is no format "{ $name }".
error-import-columns_of_broker = { $format } files have fixed columns. Choose either a format or your own columns, not both.
error-import-columns_malformed = These columns can’t be used: { $reason }
error-import-unknown_column = There is no field "{ $name }" to assign a column to.
error-import-instrument_name = The name of a security must have 1 to { $max } characters.
error-import-symbol_malformed = "{ $symbol }" is not a ticker. Enter one such as KO or IBE.MC.
error-import-row_not_skippable = Line { $line } can’t be skipped. You can only skip a row that has an error and a line of its own.
error-import-no_shares_missing = Line { $line } needs no opening position: no shares are missing there.
error-import-too_many_skipped = You can skip up to { $max } rows of a file. Remove them from the file instead.
error-import-too_many_openings = You can add up to { $max } opening positions to an import. Import the earlier history instead.
error-import-unknown_unit = "{ $unit }" is not a currency. Enter an ISO 4217 code such as EUR or USD.

error-purchase-no_data = No data for { $symbol }. Check the spelling.
error-purchase-no_price = There is no price for { $symbol }. Enter shares instead of an amount.
error-purchase-no_rate = There is no exchange rate from { $from } to { $to }. Set up exchange rates, then try again.
error-purchase-out_of_range = This purchase is too large or too small to calculate. Enter another number.

error-market-not_watched = { $symbol } is not on your watchlist. Nothing was changed.
error-market-target_yield = Enter a target yield above 0% and up to 100%.
error-market-target_price = Enter a target price above zero.
error-market-no_market_data = No data for { $symbol }: market data isn’t set up. Nothing was changed.
error-market-unknown_symbol = No data for { $symbol }. Check the spelling. Nothing was changed.
error-market-lookup_failed = { $symbol } can’t be looked up right now: { $cause }. Nothing was changed. Try again later.
error-market-implausible_price = The price of { $symbol } looks wrong: { $price } ({ $reason }). Nothing was changed. Try again later.
error-market-not_tracked = { $symbol } is not tracked. Run `dripline market track { $symbol }` first.
error-market-no_dividends = There are no dividends of { $symbol }. Nothing was removed.
error-market-no_dividend_on = { $symbol } has no such dividend with the ex-dividend date { $date }. The nearest ex-dividend dates are { $near }. Nothing was removed.
error-market-several_dividends = { $symbol } has several dividends with the ex-dividend date { $date }: { $rows }. Choose one with --kind or --currency. Nothing was removed.
error-market-no_provider = No market data provider is set. Choose one or more with DRIPLINE_PROVIDER, such as yahoo,ecb, or in the web app under Settings → Market data.
error-market-not_owner = Only the owner of this server can do that.
error-market-configured_by_operator = The server’s configuration sets the providers. Remove that setting to choose them here.
error-market-not_offered = There is no provider “{ $provider }”. Choose one from the list.
error-market-chosen_twice = { $provider } is chosen twice. Choose each provider once.
error-market-chosen_without_key = Enter the key of { $provider }.
error-market-malformed_key = That isn’t a key of { $provider }. Enter up to { $max } letters, digits or signs, without spaces.
error-market-unknown_provider = There is no market data provider "{ $name }". Choose from { $names }.
error-market-key_missing = The provider { $provider } needs a key. Set { $setting } or { $setting }_FILE.
error-market-malformed_url = { $setting } is not a valid web address. Set it to one such as https://proxy.example.com.
error-market-http_client = The connection to market data providers can’t be set up: { $cause }.

error-files-in_file = { $file }: { $reason }
error-files-in_line = { $file }, line { $line }: { $reason }
error-files-unreadable = The file can’t be read: { $cause }.
error-files-empty_folder = The folder has none of the files { $names }.
error-files-header_not_utf8 = The header is not UTF-8 text. Save the file as UTF-8.
error-files-unknown_column = There is no column "{ $column }". The columns are { $columns }.
error-files-column_twice = The header has the column "{ $column }" twice. Remove one.
error-files-malformed_line = This line is not CSV in UTF-8, or it doesn’t have as many fields as the header.
error-files-missing = Fill in { $column }.
error-files-malformed_symbol = "{ $text }" is not a valid ticker. Enter one of up to 32 characters, such as KO.
error-files-malformed_number = { $column } "{ $text }" is not a number. Enter a number below 1 trillion, such as 12.5.
error-files-not_positive = { $column } is { $figure }, but must be above zero.
error-files-payout_not_fraction = payout_ratio is { $figure }, but must be a fraction, such as 0.40 for 40%.
error-files-malformed_date = { $column } "{ $text }" is not a date. Enter it as YYYY-MM-DD.
error-files-malformed_instant = { $column } "{ $text }" is not a date or time. Enter it as 2026-01-31 or 2026-01-31T16:00:00Z.
error-files-malformed_boolean = { $column } "{ $text }" is not valid. Enter true or false.
error-files-unknown_currency = "{ $text }" is not a currency. Enter an ISO 4217 code such as EUR or USD.
error-files-unknown_kind = kind "{ $text }" is not valid. Enter regular or special.
error-files-malformed_ratio = ratio "{ $text }" is not a split ratio. Enter it as new:old, such as 4:1.
error-files-rate_per_hundredth = Exchange rates must be per whole unit, not per hundredth. Enter the rate for { $currency }.
error-files-unknown_symbol = { $symbol } is unknown. Add it to stocks.csv.
error-files-dividend_twice = { $symbol } has two dividends on { $date } in { $currency } (one row has no currency, so the stock’s currency was used). Keep one dividend.
error-files-stock_conflict = The figures for { $symbol } differ from those on line { $line }. Keep one line.
error-files-dividend_conflict = The figures for the { $symbol } dividend on { $date } differ from those on line { $line }. Add them up, or mark one as special.
error-files-split_conflict = The ratio of the { $symbol } split on { $date } differs from the one on line { $line }. Keep one line.
error-files-close_conflict = The closing price of { $symbol } on { $date } differs from the one on line { $line }. Keep one line.
error-files-rate_conflict = The { $currency } rate for { $date } differs from the one on line { $line }. Keep one line.

error-oauth-client_name_missing = Give the client a name that people can read.
error-oauth-redirect_malformed = { $uri } can’t be a redirect address. Use https, or http on this computer.
error-oauth-redirect_count = Give the client 1 to { $max } redirect addresses.
error-oauth-unknown_client = There is no client { $id }. Give a client ID, or the https address of its description.
error-oauth-client_removed = Client { $id } has already been removed.
error-oauth-client_not_removed = Client { $id } has not been removed.
error-oauth-app_removed = The administrator of this server has removed this app.
error-oauth-app_without_access = This app no longer has access.

error-oauth-not_a_form = Send the request as a form: application/x-www-form-urlencoded.
error-oauth-query_not_allowed = Send the parameters in the form, not in the address.
error-oauth-form_too_large = The form is too large. Send a smaller one.
error-oauth-form_malformed = The form is not encoded correctly. Encode it as UTF-8.
error-oauth-credentials_twice = Send the client's credentials once, either in the header or in the form.
error-oauth-two_client_ids = The header and the form name two different clients. Name one.
error-oauth-response_type_missing = The parameter response_type is missing. Set it to code.
error-oauth-response_type_unsupported = The only supported response_type is code.
error-oauth-challenge_missing = The parameter code_challenge is missing. Use PKCE.
error-oauth-challenge_method = The only supported code_challenge_method is S256.
error-oauth-challenge_malformed = The parameter code_challenge must be the SHA-256 of the verifier in base64url (43 characters).
error-oauth-verifier_missing = The parameter code_verifier is missing.
error-oauth-verifier_malformed = The parameter code_verifier must have 43 to 128 characters: letters, digits and -._~.
error-oauth-verifier_mismatch = The code_verifier does not belong to this code.
error-oauth-code_invalid = The code is unknown or expired, or has already been used. Ask the user again.
error-oauth-redirect_mismatch = The redirect_uri is not the one that the code was sent to.
error-oauth-refresh_token_invalid = The refresh token is unknown or expired, or has been replaced. Ask the user again.
error-oauth-grant_type_unsupported = This grant type is not supported. Use an authorization code, a refresh token or a device code.
error-oauth-target_unknown = The resource must be the address of the API or of the MCP endpoint, as given in the metadata.
error-oauth-client_unknown = This server does not know the app, or the app did not prove its identity.
error-oauth-devices_not_declared = This app must first register the grant type for device codes.
error-oauth-too_many_devices = Too many devices are waiting. Try again in a few minutes.
error-oauth-too_many_tokens = This app has asked for too many tokens. Reuse the tokens it has.
error-oauth-device_code_unknown = The device code is unknown. Start again.
error-oauth-device_code_expired = The device code has expired or has already been used. Start again.
error-oauth-denied = The user did not allow access.
error-oauth-pending = The user has not decided yet. Keep polling.
error-oauth-unavailable = The service can't answer right now. Try again shortly.
error-oauth-redirect_scheme = A redirect URI must use https, the app's own scheme, or http on 127.0.0.1, [::1] or localhost. It must have no fragment and no user name.
error-oauth-client_missing = The request does not say which app is asking (client_id). Start again from the app.
error-oauth-redirect_missing = The request does not say where to send the answer (redirect_uri). Start again from the app.
error-oauth-redirect_unknown = The app has not registered this redirect address (redirect_uri). Tell the app’s developer.
error-oauth-redirect_forbidden = This redirect address (redirect_uri) is not allowed. Tell the app’s developer.
error-oauth-parameter_twice = The request has the parameter { $name } twice. Send it once.
error-oauth-parameter_missing = The parameter { $name } is missing.
error-oauth-scope_unknown = The supported scopes are { $scope } and { $other }.
error-oauth-slow_down = Poll at most once every { $seconds } seconds.
error-oauth-redirect_uris = Send 1 to { $max } redirect_uris.

error-metadata-too_large = The app's metadata is larger than { $max } KiB. Send less.
error-metadata-not_an_object = The app's metadata must be a JSON object.
error-metadata-own_secret = An app can't choose its own secret. Leave out client_secret.
error-metadata-not_a_string = { $name } must be a string.
error-metadata-not_a_list = { $name } must be a list of strings.
error-metadata-response_type = The only supported response type is code.
error-metadata-scope = The supported scopes are { $scope } and { $other }.
error-metadata-grant_types = The supported grant types are { $types }.
error-metadata-application_type = The application_type must be native or web.
error-metadata-auth_method = The token_endpoint_auth_method must be none, client_secret_basic or client_secret_post.
error-metadata-secret_of_native_app = A native app can't keep a secret. Set token_endpoint_auth_method to none.

error-description-address_malformed = The app's address can't be read.
error-description-address_not_plain = The app's address must use https, have a path, and have no user name, fragment or dot segments.
error-description-unreachable = The app's description could not be fetched.
error-description-status = The server that hosts the app's description did not answer with status 200.
error-description-broken_off = The app's description was cut off.
error-description-too_large = The app's description is larger than { $max } KiB.
error-description-not_json = The app's description is not JSON.
error-description-not_an_object = The app's description is not a JSON object.
error-description-other_client_id = The client_id must be the address of the app's description.
error-description-secret = The app's description is public, so it can't have a secret.
error-description-auth_method = The token_endpoint_auth_method in the app's description must be none.
error-description-name_missing = The app's description has no client_name.
error-description-redirects_missing = The app's description has no redirect_uris.
error-description-unfit = The app's description must have a client_name and 1 to { $max } redirect_uris with https, a loopback address, or the app's own scheme.

error-server-key_missing = There is no secret key. Set DRIPLINE_SECRET_KEY or DRIPLINE_SECRET_KEY_FILE.
error-server-key_absent = { $secrets ->
    [one] The key { $key }, which encrypts a secret in this database (a second factor or a provider’s key), is missing. { $remedy } If the key is lost, run `dripline secret rotate --lost`. Users can then sign in with a recovery code, or you can turn off their second factor. The owner enters providers’ keys again.
   *[other] The key { $key }, which encrypts { $secrets } secrets in this database (second factors and providers’ keys), is missing. { $remedy } If the key is lost, run `dripline secret rotate --lost`. Users can then sign in with a recovery code, or you can turn off their second factor. The owner enters providers’ keys again.
}
error-server-key_first_in_use = The first key of DRIPLINE_SECRET_KEY or DRIPLINE_SECRET_KEY_FILE is already in use. Put a new key before it on every node, and keep the old key after it. `openssl rand -base64 32` creates a key.
error-server-key_open_to_others = Other users can read the secret key { $path }. Run `chmod 600 { $path }`, then `dripline secret rotate`.
error-server-key_malformed = { $path } has no valid secret key. Write one key per line: 32 bytes in base 64 or hexadecimal.
error-server-key_unreadable = The secret key { $path } can’t be read: { $cause }.
error-server-key_unwritable = The secret key { $path } can’t be written: { $cause }.
error-server-key_unusable = The secret key can’t encrypt anything. Run `dripline doctor`.
error-server-remedy_change_setting = Set DRIPLINE_SECRET_KEY to that key.
error-server-remedy_set_setting = Set DRIPLINE_SECRET_KEY or DRIPLINE_SECRET_KEY_FILE.
error-server-remedy_add_to_file = Add that key to { $path }, which DRIPLINE_SECRET_KEY_FILE names.
error-server-remedy_copy_file = Copy the file { $name } from the database’s original data folder into { $folder }, or use DRIPLINE_SECRET_KEY or DRIPLINE_SECRET_KEY_FILE to set the key of the other nodes.
error-server-mail_sender = "{ $address }" is not an e-mail address. Set DRIPLINE_MAIL_FROM to one such as drip@example.com.
error-server-mail_without_tls = Mail would be sent without TLS. Set DRIPLINE_SMTP_URL to smtps://… or smtp://…?tls=required.
error-server-mail_server = DRIPLINE_SMTP_URL is not a valid mail server address. Set it to one such as smtps://user:password@host.
error-server-backup_path = { $path } can’t be used for backups: { $cause }. Check the path and its permissions.
error-server-disk_full = The server doesn’t have enough free disk space: { $free } MiB are free, but this task needs { $needed } MiB, and { $reserve } MiB must stay free. Free some space, then try again.
error-server-uploads_full = This server’s space for uploads is full ({ $max } MiB for all users). Finish or discard your unfinished imports, or try again tomorrow.
error-server-own_files_full = This file doesn’t fit: you can store { $max } MiB and already use { $used } MiB. Discard unfinished imports, or undo imports you no longer need.

error-tls-unreadable = { $path } can’t be read: { $cause }. Check that it exists and that the service can read it.
error-tls-no_certificate = { $path } has no certificate in PEM format. Set DRIPLINE_TLS_CERT to the file with the certificate and its chain, such as fullchain.pem.
error-tls-malformed_certificate = The first certificate in { $path } is malformed. Get a new one.
error-tls-no_key = { $path } has no unencrypted private key in PEM format. Set DRIPLINE_TLS_KEY to the file with the certificate’s key, such as privkey.pem.
error-tls-key_mismatch = The key in { $key } doesn’t belong to the first certificate in { $certificate }. Set DRIPLINE_TLS_CERT and DRIPLINE_TLS_KEY to files that were created together.
error-tls-unsupported_key = The key in { $path } is of an unsupported type. Create an ECDSA (P-256) or RSA (2048-bit) key.
error-tls-setup = TLS can’t be set up: { $cause }.

error-redis-malformed_url = DRIPLINE_REDIS_URL is not a valid Redis address. Set it to one such as redis://user:password@host:6379/0, or rediss:// for TLS.
error-redis-authority_without_tls = DRIPLINE_REDIS_CA only works with TLS. Use rediss:// in DRIPLINE_REDIS_URL, or unset DRIPLINE_REDIS_CA.
error-redis-authority_unreadable = { $path }, set in DRIPLINE_REDIS_CA, can’t be read: { $cause }. Check the path and its permissions.
error-redis-authority_malformed = { $path }, set in DRIPLINE_REDIS_CA, has no usable PEM certificate. Set DRIPLINE_REDIS_CA to a PEM file with the certificate authority’s certificates.

error-database-damaged = { $damage } Restore the last good backup with `dripline restore FILE`.
error-database-bug = The database was used in a way it doesn’t allow ({ $details }). This is a bug in Dripline. Please report it.
error-database-locked = Another process is using the database { $path }. Try again, or stop the job that is writing to it.
error-database-busy_reading = The database { $path } is busy with other read requests. Try again.
error-database-busy_writing = The database { $path } is busy with other write requests. Try again.
error-database-disk_full = No space is left on the disk for the database { $path }. Free some space.
error-database-not_writable = The database { $path } can’t be opened for writing: { $cause }. Give the user that runs dripline write access to its folder.
error-database-unreadable = The database { $path } couldn’t be read or written: { $cause }. Check the disk.
error-database-data_folder_unusable = The data folder { $path } can’t be used: { $cause }. Give the user that runs dripline write access, or choose another folder with --data-dir.
error-database-file_unusable = The database file { $path } can’t be used: { $cause }. Give the user that runs dripline write access, or choose another folder with --data-dir.
error-database-damaged_file_unusable = The damaged database { $path } can’t be renamed: { $cause }. Give the user that runs dripline write access to its folder.
error-database-backup_unusable = The backup file { $path } can’t be used: { $cause }. Make sure the user that runs dripline can read and write there.
error-database-restore_leftover = { $path }, which an earlier restore left behind, can’t be removed: { $cause }. Delete it yourself, then restore again.
error-database-no_write_ahead_log = The database { $path } can’t keep a write-ahead log. Put the data folder on a local disk.
error-database-backup_target_in_use = { $path } is a database that is in use. Write the backup to a different file.
error-database-not_copied = The database is busy, so { $path } was not copied. Try again.
error-database-unreachable = The database can’t be reached. Check that it is running and that DRIPLINE_DATABASE_URL is right.
error-database-no_answer_in_time = The database didn’t answer in time. Try again.
error-database-server_busy = The database is busy with other write requests. Try again.
error-database-statement_too_slow = The database took too long. Try again.
error-database-changed_by_others = Other requests changed the same data at the same time. Try again.
error-database-server_not_ready = The database server is starting, stopping or short of resources (SQLSTATE { $state }). Try again.
error-database-read_only_server = The database is read-only, like a replica. Set DRIPLINE_DATABASE_URL to the primary.
error-database-login_refused = The database refuses the user or password in DRIPLINE_DATABASE_URL. Correct them.
error-database-no_such_database = The database in DRIPLINE_DATABASE_URL doesn’t exist. Create it with createdb, or name another one.
error-database-not_permitted = The user in DRIPLINE_DATABASE_URL isn’t allowed to do this. Make that user the owner of the database.
error-database-server_disk_full = The database server has no disk space left. Free some space.
error-database-too_many_connections = The database accepts no more connections. Raise its max_connections, or lower DRIPLINE_DATABASE_CONNECTIONS.
error-database-connections_in_use = All connections to the database are in use. Try again, or raise DRIPLINE_DATABASE_CONNECTIONS.
error-database-commit_unknown = The connection to the database was lost while saving, so the change may or may not be saved. Check before you try again.
error-database-malformed_url = The database address is not valid. Use one such as postgres://user:password@host:5432/dripline?sslmode=require.
error-database-authority_unreadable = { $path }, set in DRIPLINE_DATABASE_CA, can’t be read. Check the path and its permissions.
error-database-authority_not_pem = { $path }, set in DRIPLINE_DATABASE_CA, is not a PEM file. Set DRIPLINE_DATABASE_CA to a PEM file with the certificate authority’s certificates.
error-database-authority_bad_certificate = { $path }, set in DRIPLINE_DATABASE_CA, has a certificate that can’t be used. Set DRIPLINE_DATABASE_CA to a PEM file with the certificate authority’s certificates.
error-database-authority_no_certificate = { $path }, set in DRIPLINE_DATABASE_CA, has no PEM certificate. Set DRIPLINE_DATABASE_CA to a PEM file with the certificate authority’s certificates.
error-database-tables_of_another_program = The database contains another program’s tables. Create a separate database for Dripline, or choose another schema with ?options=-csearch_path%3Dname.
error-database-another_copy_started = Another copy into the same database was started, so this one stopped. Let the other one finish.
error-database-copy_target_not_empty = The target database is not empty: the table { $table } has rows. Name an empty database. Nothing was changed.
error-database-copy_differs = The copy of the table { $table } differs from the original, because another program wrote to the target database. Stop that program, then copy again.
error-database-copy_source_unfinished = The source database is itself an unfinished copy. Finish that copy first.
error-database-damaged_file = The database { $path } is damaged, so Dripline has stopped reading and writing it: { $cause }.
error-database-not_a_database = { $path } is not a Dripline database.
error-database-of_another_program = { $path } belongs to another program.
error-database-cut_off = { $path } is empty, but the log beside it is not: the file was cut off.
error-database-damaged_copy = The database was copied, but the copy is damaged: { $cause }.
error-database-damaged_server = The database is damaged (SQLSTATE { $state }).
error-database-unreadable_value = The database has an unreadable value (column { $column } of { $statement }).
error-database-version_missing = The database has lost its version counters for market data.
error-database-orphan = a row in { $table } refers to a row in { $parent } that doesn’t exist
error-database-newer_schema = The database has schema { $found }, but this program only knows schemas up to { $known }. Nothing was changed. Run the newer version of dripline, or restore a backup made by this version.
error-database-old_sqlite = SQLite { $found } can damage the database. Build dripline with SQLite 3.51.3 or newer.
error-database-email_taken = There is already an account with this e-mail address. Use another one.
error-database-portfolio_name_taken = You already have a portfolio with this name. Choose another one.
error-database-slug_taken = This address is taken. Choose another one.
error-database-default_portfolio = You already have a default portfolio. Make it an ordinary one first.
error-database-entry_there = This portfolio already has this transaction.
error-database-key_there = There is already a row with this key.

## dripline doctor

doctor-sound_file = { $path } is intact (schema { $schema }, SQLite { $sqlite }).
doctor-faults = { $count ->
    [one] { $path } has a fault: { $first }. Restore the last good backup with `dripline restore FILE`.
   *[other] { $path } has { $count } faults. The first one is: { $first }. Restore the last good backup with `dripline restore FILE`.
}
doctor-server = PostgreSQL { $version } answers (schema { $schema }, { $megabytes } MB).
doctor-server_with_replica = PostgreSQL { $version } answers, and so does its replica (schema { $schema }, { $megabytes } MB).
doctor-server_without_replica = PostgreSQL { $version } answers (schema { $schema }, { $megabytes } MB), but its replica doesn’t. Check the replica, or unset DRIPLINE_DATABASE_REPLICA_URL.
doctor-database_open_to_others = Other users can read { $path }. Run `chmod 600 { $path }`.
doctor-database_private = Only its owner can read the database.
doctor-no_backup = There is no backup in { $folder } yet. The server makes the first one a minute after it starts.
doctor-old_backup = The newest backup in { $folder } is from { $newest }. The server’s log says why there is no newer one.
doctor-recent_backup = The newest backup in { $folder } is from { $newest }.
doctor-audit_intact = { $accounts ->
    [one] The activity log of 1 account is intact.
   *[other] The activity logs of { $accounts } accounts are intact.
}
doctor-audit_changed = { $broken ->
    [one] The activity log of 1 account (of { $accounts }) was changed outside of Dripline. Find out who writes to the database.
   *[other] The activity logs of { $broken } accounts (of { $accounts }) were changed outside of Dripline. Find out who writes to the database.
}
doctor-wrong_date = The system date is { $today }, which can’t be right. Set the system clock.
doctor-fixed_clock = DRIPLINE_NOW stops the clock at { $instant }: sessions, codes and tokens never expire, and market data never ages. Unset it unless this is a demo or a test.
doctor-today = Today is { $today } (UTC).
doctor-no_rates = There are no exchange rates. Load fx.csv with `dripline market load`, or add the provider ecb.
doctor-old_rates = The newest exchange rates are from { $newest }. Load newer ones with `dripline market load`, or add the provider ecb.
doctor-rates = { $currencies ->
    [one] There are exchange rates for 1 currency, the newest from { $newest }.
   *[other] There are exchange rates for { $currencies } currencies, the newest from { $newest }.
}
doctor-symbols_known = There is market data for every symbol in use.
doctor-unknown_symbols = There is no market data for { $symbols }. Add them to stocks.csv, or choose a provider.
doctor-unknown_to_providers = There is no market data for { $symbols }. `dripline market status` shows what the providers answer. You can add missing stocks with stocks.csv.
doctor-no_provider = No provider is set, so market data only comes from `dripline market load`. To keep it current, choose providers in the web app under Settings → Market data, or set DRIPLINE_PROVIDER=yahoo,ecb.
doctor-providers = Market data comes from { $names }, { $origin }.
doctor-provider_key_unreadable = { $name } is not used, because its key can’t be read. Enter the key again in the web app under Settings → Market data.
doctor-provider_never_asked = { $name } has never been asked. Check that `dripline serve` is running.
doctor-provider_fails = { $requests ->
    [one] { $error } (1 request sent on { $day }). Earlier data is kept. See `dripline market status`.
   *[other] { $error } ({ $requests } requests sent on { $day }). Earlier data is kept. See `dripline market status`.
}
doctor-provider_answers = { $requests ->
    [one] { $name } answers (1 request sent on { $day }).
   *[other] { $name } answers ({ $requests } requests sent on { $day }).
}
doctor-refresh_late = { $due ->
    [one] { $topic }: 1 update is due, but none has been made recently. Check that `dripline serve` is running and that the providers’ request budgets are large enough.
   *[other] { $topic }: { $due } updates are due, but none has been made recently. Check that `dripline serve` is running and that the providers’ request budgets are large enough.
}
doctor-rejected_values = { $count ->
    [one] 1 value from a provider was rejected. See `dripline market status`.
   *[other] { $count } values from providers were rejected. See `dripline market status`.
}
doctor-key_not_needed = No key is needed yet. `dripline serve` creates one when it starts.
doctor-not_encrypted = { $secrets ->
    [one] 1 second factor is not encrypted yet. Start `dripline serve` once.
   *[other] { $secrets } second factors are not encrypted yet. Start `dripline serve` once.
}
doctor-key_absent_unused = The key { $key } can’t be found, but nothing is encrypted with it.
doctor-key_absent = { $unreadable ->
    [one] The key { $key } can’t be found, and 1 secret needs it. { $remedy } { $lost }
   *[other] The key { $key } can’t be found, and { $unreadable } secrets need it. { $remedy } { $lost }
}
doctor-key_open_to_others = Other users can read { $place }. Run `chmod 600 { $place }`, unless something else protects the file.
doctor-key_in_use = { $secrets ->
    [one] 1 secret is encrypted with the key { $key } from { $place }. No backup includes the key, so keep a copy elsewhere.
   *[other] { $secrets } secrets are encrypted with the key { $key } from { $place }. No backup includes the key, so keep a copy elsewhere.
}
doctor-other_key_absent = { $unreadable ->
    [one] 1 secret (of { $secrets }) is encrypted with a key that can’t be found. If you find it, add it to { $place } and run `dripline secret rotate`. { $lost }
   *[other] { $unreadable } secrets (of { $secrets }) are encrypted with a key that can’t be found. If you find it, add it to { $place } and run `dripline secret rotate`. { $lost }
}
doctor-lost_key = Secrets are second factors and providers’ keys. Meanwhile, affected users can sign in with a recovery code, or you can turn off their second factor with `dripline user factor EMAIL --off`.
doctor-place_setting = DRIPLINE_SECRET_KEY
doctor-place_nowhere = nowhere
doctor-old_copies = { $count ->
    [one] { $names } is from before an upgrade, and its second factors are not encrypted. Delete it once the upgrade works.
   *[other] { $names } are from before an upgrade, and their second factors are not encrypted. Delete them once the upgrade works.
}
doctor-snapshots_current = { $count ->
    [one] 1 stored position agrees with its transactions.
   *[other] { $count } stored positions agree with their transactions.
}
doctor-snapshots_differ = { $different ->
    [one] 1 stored position (of { $count }) differs from its transactions. Find out who else writes to the database. Stop dripline, run `UPDATE positions SET fold = NULL` on the database, and start dripline again to recalculate all positions.
   *[other] { $different } stored positions (of { $count }) differ from their transactions. Find out who else writes to the database. Stop dripline, run `UPDATE positions SET fold = NULL` on the database, and start dripline again to recalculate all positions.
}
doctor-snapshot_differs = { $symbol } of user { $user }: { $mismatch }
doctor-not_stored = There are transactions, but no stored position.
doctor-no_entries = There is a stored position, but no transactions.
doctor-snapshot_different = The stored position is { $stored }, but the transactions give { $replayed }.
doctor-snapshot_not_replayed = no result
doctor-snapshot_without_shares = { $dividends ->
    [one] no shares, 1 dividend
   *[other] no shares, { $dividends } dividends
}
doctor-snapshot = { $dividends ->
    [one] { $shares } shares for { $cost } { $currency } since { $opened }, 1 dividend
   *[other] { $shares } shares for { $cost } { $currency } since { $opened }, { $dividends } dividends
}
doctor-split_not_applied = { $symbol } of user { $user }: the { $ratio } split of { $date } was not applied, because it would leave fewer shares than were sold later. Ask the user to record the split or to correct the transactions.
doctor-disk_low = { $free } MiB are free at { $folder }, less than the reserve of { $reserve } MiB (DRIPLINE_DISK_RESERVE_MIB). Uploads, imports and backups are refused until you free some space.
doctor-disk_free = { $free } MiB are free at { $folder }.
doctor-disk_unmeasured = The free space at { $folder } can’t be measured: { $cause }.
doctor-uploads_full = { $files ->
    [one] 1 upload takes { $used } of { $quota } MiB. No more uploads are accepted until it expires after a day. To raise the limit, set DRIPLINE_UPLOAD_QUOTA_MIB.
   *[other] { $files } uploads take { $used } of { $quota } MiB. No more uploads are accepted until older ones expire after a day. To raise the limit, set DRIPLINE_UPLOAD_QUOTA_MIB.
}
doctor-uploads = { $files ->
    [one] 1 upload takes { $used } of { $quota } MiB.
   *[other] { $files } uploads take { $used } of { $quota } MiB.
}
doctor-certificate-expired = { $path } expired on { $day }, so no browser accepts it. Renew it.
doctor-certificate-expires_soon = { $days ->
    [0] { $path } expires on { $day }, in less than a day. Find out why it has not been renewed.
    [one] { $path } expires on { $day }, in 1 day. Find out why it has not been renewed.
   *[other] { $path } expires on { $day }, in { $days } days. Find out why it has not been renewed.
}
doctor-certificate-valid = { $path } expires on { $day }, in { $days } days. Its key matches.
doctor-certificate-key_open_to_others = Other users can read the key { $path }. Run `chmod o= { $path }`, and get a new certificate if somebody may have read the key.

## E-mails

mail-reset_subject = Reset your Dripline password
mail-reset_body =
    Somebody, probably you, asked to reset the password of your Dripline account.

    Open this link within 30 minutes to choose a new password. The link works once:

    { $link }

    If you didn’t ask for this, ignore this e-mail. Your password stays the same.
mail-unlock_subject = Unlock your Dripline account
mail-unlock_body =
    Too many wrong passwords or codes were entered for your Dripline account, so signing in is on hold.

    Open this link within 30 minutes to unlock your account:

    { $link }

    If you didn’t ask for this, ignore this e-mail. Your password still protects your account.
mail-verify_subject = Verify your e-mail address for Dripline
mail-verify_body =
    Open this link within 30 minutes, in a browser where you are signed in to Dripline, to verify your address:

    { $link }

    If you don’t have an account, ignore this e-mail. Somebody else entered your address.
mail-confirm_subject = Confirm your new e-mail address for Dripline
mail-confirm_body =
    Somebody, probably you, wants to use this address to sign in to Dripline.

    Open this link within 30 minutes, in a browser where you are signed in. The link works once:

    { $link }

    If you didn’t ask for this, ignore this e-mail. Nothing changes.
mail-taken_subject = Your e-mail address and Dripline
mail-taken_body =
    Somebody wanted to use this address for their Dripline account. You already have an account with this address, so nothing has changed.

    If it was you, sign in with this address, or choose another one for your other account.
mail-changed_subject = Your Dripline account has a new e-mail address
mail-changed_body =
    The e-mail address of your Dripline account was changed. You can no longer sign in with this address.

    If it wasn’t you, tell your administrator immediately.
mail-create_subject = Create your Dripline account
mail-create_body =
    Open this link within 30 minutes to create your Dripline account:

    { $link }

    If you didn’t ask for this, ignore this e-mail. No account is created.
mail-exists_subject = You already have a Dripline account
mail-exists_body =
    Somebody, probably you, tried to create a Dripline account with this address. You already have one.

    Sign in: { $sign_in }
    Forgot your password? { $reset }

    If you didn’t ask for this, ignore this e-mail. Nothing has changed.

## Calendar feed

feed-calendar_name = Dividends
feed-declared = declared
feed-estimated = estimated
feed-ex_dividend = { $symbol } goes ex-dividend ({ $certainty })
feed-payment = { $symbol }: { $amount } { $currency } net ({ $certainty })
feed-per_share = { $amount } { $currency } per share, { $certainty }
feed-shares = { $shares } shares, { $per_share }
feed-gross = Gross: { $amount } { $currency }
feed-portfolio = Portfolio: { $name }

## Providers of market data: parts of a line, without a full stop

origin-flag = set with --provider
origin-variable = set in the environment with DRIPLINE_PROVIDER
origin-file = set in the configuration file
origin-owner = chosen by the owner in the web app
origin-unset = the owner can choose in the web app
refresh-done = done
refresh-unchanged = nothing new
refresh-late = not published yet
refresh-lost = another node has taken over
refresh-unknown_symbol = no provider knows the symbol
refresh-not_in_use = no transaction uses the symbol any more
refresh-no_provider = no provider offers this data
refresh-files = { $problems ->
    [one] a problem in { $file }; `dripline market load` shows it
   *[other] { $problems } problems, the first in { $file }; `dripline market load` shows them
}
refresh-files_line = { $problems ->
    [one] a problem in { $file }, line { $line }; `dripline market load` shows it
   *[other] { $problems } problems, the first in { $file }, line { $line }; `dripline market load` shows them
}
provider-unknown = { $provider } doesn’t know the symbol
provider-unsupported = { $provider } doesn’t offer { $what }
provider-not_in_plan = { $provider } doesn’t include this data in the plan of your key
provider-over_budget = { $provider } has used up its request budget
provider-resting = { $provider } is paused for { $seconds } s: { $cause }
provider-throttled = { $provider } asked us to send fewer requests
provider-throttled_for = { $provider } asked us to send fewer requests and to wait { $seconds } s
provider-timed_out = { $provider } didn’t answer in time
provider-unreachable = { $provider } can’t be reached: { $cause }
provider-interrupted = the request to { $provider } was interrupted
provider-too_large = { $provider } answered with more than { $bytes } bytes
provider-status = { $provider } answered with status { $status }
provider-denied = { $provider } refused access: { $cause }
provider-malformed = { $provider } answered in an unexpected format: { $cause }
offer-quotes = prices
offer-profiles = company profiles
offer-dividends = dividends
offer-splits = splits
offer-closes = historical prices
offer-search = search
offer-calendar = a dividend calendar
offer-rates = exchange rates
offer-exchange = stocks of the exchange of { $symbol }
offer-currency = prices of { $symbol } in a known currency
denied-key = it doesn’t accept the key (from { $setting }, or entered in the web app)
denied-status = status { $status }
denied-quoted = it says “{ $text }”
denied-repeats_key = its answer repeats the key, so it isn’t shown here
denied-no_crumb = it gave no session, which prices and profiles need
denied-leads_away = it redirects to another site, { $host }
denied-endless_consent = its consent pages never end
malformed-not_utf8 = the text isn’t UTF-8
malformed-cut_off = the answer is cut off
malformed-damaged_zip = the ZIP file is damaged
malformed-no_rates = the answer has no exchange rates
malformed-repeats_key = the answer repeats the key, so it isn’t shown here
malformed-unparsable = it can’t be parsed: { $cause }
malformed-unparsable_quoted = it can’t be parsed: { $cause }; it starts with “{ $start }”
malformed-rate_twice = there are two rates for { $currency } on { $date }
malformed-too_many_events = { $count } dividends and splits for { $symbol } are too many to be right
malformed-quoted = it says “{ $text }”
malformed-missing = “{ $field }” is missing
malformed-missing_in = “{ $field }” is missing ({ $record })
malformed-invalid = “{ $field }” can’t be “{ $value }”
malformed-invalid_in = “{ $field }” can’t be “{ $value }” ({ $record })
malformed-in_file = file { $file }: { $problem }
malformed-in_line = line { $line }: { $problem }
rejected-not_positive = not above zero
rejected-negative = below zero
rejected-too_large = too large to calculate with
rejected-too_many_digits = a ratio with too many digits
rejected-closes_not_positive = { $days ->
    [one] 1 closing price on { $from }: not above zero
   *[other] { $days } closing prices from { $from } on: not above zero
}
rejected-closes_future = { $days ->
    [one] 1 closing price on { $from }: in the future
   *[other] { $days } closing prices from { $from } on: in the future
}
rejected-closes_ambiguous = { $days ->
    [one] 1 closing price on { $from }: differs from others by a factor of more than 50, and it is unclear which is right
   *[other] { $days } closing prices from { $from } on: they differ by a factor of more than 50, and it is unclear which are right
}
rejected-closes_out_of_scale = { $days ->
    [one] 1 closing price on { $from }: differs from the others or from the price by a factor of more than 50 (pence instead of pounds?)
   *[other] { $days } closing prices from { $from } on: they differ from the others or from the price by a factor of more than 50 (pence instead of pounds?)
}
rejected-other_currency = the stock trades in { $expected }, but this is in { $found }
rejected-unit_unknown = the amounts are in the stock’s quote unit (such as pence), which isn’t known yet
rejected-ex_date_too_old = the ex-dividend date is before 1900
rejected-ex_date_too_far_ahead = the ex-dividend date is more than { $days } days ahead
rejected-pay_date_far_from_ex_date = more than { $before } days before or { $after } days after the ex-dividend date; the rest of the dividend is kept
rejected-declared_after_ex_date = declared after the ex-dividend date; the rest of the dividend is kept
rejected-booked_twice = duplicate: the same amount went ex-dividend on { $date }
rejected-farther_from_usual = several amounts on one day ({ $amounts }); another one is closer to the usual { $usual }
rejected-several_amounts = several amounts on one day ({ $amounts }), and it is unclear which is right (one in a different currency?)
rejected-far_from_usual = differs by a factor of more than 50 from { $usual }, the usual payment around that date (pence instead of pounds?)
rejected-year_far_from_rate = the payments of the last year add up to { $sum }, which differs by a factor of more than 50 from the annual rate of { $rate } (pence instead of pounds?)
rejected-year_above_price = the payments of the last year add up to { $sum }, more than the price of { $price } (pence instead of pounds?)
rejected-dividend_above_price = a single dividend higher than the price of { $price } (pence instead of pounds?)
rejected-future_time = dated { $time }, which is in the future
rejected-not_newer = from { $time }, but the stored price is from { $stored }
rejected-far_from_stored_price = differs by a factor of more than 50 from the stored price of { $stored }, and no split explains it (pence instead of pounds?)
rejected-far_from_price = differs by a factor of more than 50 from the price of { $price } (pence instead of pounds?)
rejected-rate_above_price = an annual dividend higher than the price of { $price } (pence instead of pounds?)
rejected-far_from_stored_rate = differs by a factor of more than 50 from the stored rate of { $stored } (pence instead of pounds?)
rejected-low_above_high = the 52-week low, { $low }, is above the high, { $high }
rejected-payout_out_of_range = the payout ratio is not between 0 and 50
rejected-yield_out_of_range = the yield is not between 0 and 100%
rejected-malformed_isin = not an ISIN: wrong check digit or format
rejected-unusual_ratio = { $ratio } is not a plausible split (perhaps a spin-off, which doesn’t change the number of shares)
rejected-split_too_far_ahead = more than { $days } days ahead
rejected-other_split = within a week of the split of { $ratio } on { $date }, but with a different ratio
rejected-removed_by_operator = removed with `dripline market remove`
rejected-exchange_rate_jumped = differs by a factor of more than 3 from the rate of { $before } on { $date }

## API

notice-market_data_old = { $n ->
    [one] The stored price of 1 position is more than a week old (oldest: { $date }): { $names }.
   *[other] The stored prices of { $n } positions are more than a week old (oldest: { $date }): { $names }.
}
notice-exchange_rates_old = The exchange rates are of { $date }.
notice-positions_without_data = { $n ->
    [one] 1 position isn’t included, because there is no data about its dividends: { $names }.
   *[other] { $n } positions aren’t included, because there is no data about their dividends: { $names }.
}
notice-no_exchange_rate = Not included (no exchange rate): { $names }.
notice-payments_missing = { $n ->
    [one] 1 payment of the last 24 months isn’t recorded: { $names }.
   *[other] { $n } payments of the last 24 months aren’t recorded: { $names }.
}
notice-split_not_applied = The { $ratio } split of { $symbol } on { $date } doesn’t fit the transactions in { $portfolio }: more shares would have been sold than held. It isn’t applied. Add the split or correct the transactions.

## Connector for AI assistants

mcp-unknown_tool = There is no such tool. Call `tools/list` to see all tools.
mcp-unknown_symbol = No data for this symbol. Find symbols with `search_stocks`.
mcp-unknown_page = There is no such page of the list.
mcp-too_many_calls = Too many calls in a minute. Wait { $seconds } seconds, then continue.
mcp-too_long = These arguments are too long for a request. Shorten them.
mcp-malformed_parameters = The parameters of { $method } are malformed.
mcp-not_text = `{ $name }` must be a string, such as "KO".
mcp-not_integer = `{ $name }` must be a whole number without quotes, such as 30.
mcp-not_boolean = `{ $name }` must be true or false, without quotes.
mcp-missing = The argument `{ $name }` is missing.
mcp-empty = The argument `{ $name }` is empty. Leave it out, or give it a value.
mcp-given_twice = `{ $other }` and `{ $name }` are the same argument. Give one of them.
mcp-unknown_argument = There is no argument `{ $name }`. This tool takes { $known }.
mcp-takes_nothing = There is no argument `{ $name }`. This tool takes no arguments.
mcp-unknown_prompt = There is no such prompt. Call `prompts/list` to see all prompts.
mcp-unknown_prompt_argument = This prompt only takes the argument `{ $takes }`.
mcp-prompt_argument_not_text = `{ $name }` must be a string.

## Settings file

settings-unusable = { $path } can’t be used: line { $line }: { $problem }
settings-unusable_setting = { $path } can’t be used: line { $line }, { $setting }: { $problem }
settings-key = the key must be text in quotes, such as key = "…"
settings-mail_server = the mail server’s address must be text in quotes
settings-address = the address must be text in quotes

## Settings: errors

error-setting-number = { $name } is set to "{ $value }". It must be a number from { $min } to { $max }.
error-setting-mebibytes = { $name } is set to "{ $value }". It must be a number of MiB from 0 to { $max }.
error-setting-replica_alone = DRIPLINE_DATABASE_REPLICA_URL is set without DRIPLINE_DATABASE_URL. Set both.
error-setting-postgres_address = { $name } is not a PostgreSQL address. Set it to one such as postgres://user:password@host:5432/dripline.
error-setting-pooler = DRIPLINE_DATABASE_POOLER is set to "{ $value }". It must be none or transaction.
error-setting-sender_missing = DRIPLINE_SMTP_URL is set without a sender. Set DRIPLINE_MAIL_FROM to your address.
error-setting-provider_of_owner = provider isn’t set: what the owner chose in the web app applies, see `dripline market status`
error-setting-provider_table = The configuration has a table for the provider "{ $provider }", which doesn’t exist. Choose from { $known }.
error-setting-provider_unknown = DRIPLINE_PROVIDER has the unknown provider "{ $provider }". Set it to none, or choose from { $known }.
error-setting-provider_twice = DRIPLINE_PROVIDER has { $provider } twice. Name each provider once.
error-setting-budget = { $name } is set to "{ $value }". It must be requests per minute and per day, such as 300/100000.
error-setting-secret_key = DRIPLINE_SECRET_KEY must be 32 bytes in base 64 or hexadecimal. `openssl rand -base64 32` creates a key.
error-setting-backups_of_server = DRIPLINE_BACKUP_EVERY only works with the embedded database. Unset it, and back up PostgreSQL with its own tools.
error-setting-backup_every = DRIPLINE_BACKUP_EVERY is set to "{ $value }". It must be off, or an interval from 5m to 30d such as 15m, 1h or 1d.
error-setting-listen = The listen address "{ $value }" is not valid. It must be an IP address with a port, such as 127.0.0.1:8080.
error-setting-trusted_proxy = The trusted proxy "{ $value }" is not valid. It must be an IP address, or a network such as 10.0.0.0/8.
error-setting-now = DRIPLINE_NOW is set to "{ $value }". It must be a time such as 2026-11-15T12:00:00Z.
error-setting-sign_up = DRIPLINE_SIGN_UP is set to "{ $value }". It must be open, invite or closed.
error-setting-tls_key_missing = DRIPLINE_TLS_CERT is set without DRIPLINE_TLS_KEY. Set DRIPLINE_TLS_KEY to the file with the certificate’s key.
error-setting-tls_certificate_missing = DRIPLINE_TLS_KEY is set without DRIPLINE_TLS_CERT. Set DRIPLINE_TLS_CERT to the file with the certificate.
error-setting-both_set = { $name } and { $name }_FILE are both set. Keep one.
error-setting-empty_file = The file { $path } is empty. Write the value of { $name } into it.
error-setting-messages_unreadable = DRIPLINE_MESSAGES: { $path } can’t be read
error-setting-messages_tag = DRIPLINE_MESSAGES: "{ $tag }" is not a language tag. Name the file after one, such as fr.ftl.
error-setting-messages_file = DRIPLINE_MESSAGES: { $path } can’t be used: { $problems }
error-setting-messages_incomplete = WARNING: { $path } is incomplete. These messages are in English: { $problems }
error-setting-more_problems = and { $count } more
error-setting-collector = Traces can’t be sent to the collector in { $name }. Set an address such as http://127.0.0.1:4318, or unset it

## Command line: errors. Those without a full stop are followed by their cause.

error-command-unreadable = { $path } can’t be read
error-command-unwritable = { $path } can’t be written
error-command-folder_not_created = { $path } can’t be created
error-command-stdout_unwritable = The standard output can’t be written
error-command-password_unreadable = The password can’t be read from standard input
error-command-threads = Threads can’t be started
error-command-signals = Signals can’t be received
error-command-listen = Can’t listen on { $address }. If another program uses the port, choose another port with --listen
error-command-metrics = Can’t serve metrics on { $address }
error-command-unfinished_copy = This database is an unfinished copy. Run `dripline copy` again to finish it.
error-command-restore_of_server = Only the embedded database can be restored, but DRIPLINE_DATABASE_URL is set. Copy the backup into an empty database with `dripline copy --from { $path }`, or use PostgreSQL’s own tools.
error-command-backups_off = Automatic backups are off. Name a backup file.
error-command-no_backup = There is no backup in { $folder }. The server makes the first one a minute after it starts.
error-command-drill_folder = A drill needs a temporary folder next to the backup, but none can be created in { $folder }
error-command-delete_portfolio = This deletes the portfolio "{ $name }" and all its transactions. Add --yes to confirm.
error-command-delete_account = This deletes { $email } with all its portfolios, transactions and tokens. Add --yes to confirm.
error-command-no_data = No data for { $symbol }. Run `dripline market track { $symbol }` to look it up.
error-command-copy_target_missing = Name the database to copy into with --to, or set DRIPLINE_DATABASE_URL.
error-command-copy_address = This is not a database address. Write the path of a file, sqlite:///path, or postgres://user:password@host/database.
error-command-copy_source = The source database
error-command-copy_target = The target database
error-command-copy_interrupted = The copy is not finished. Run the same command again to continue
error-command-nothing_copied = Nothing was copied
error-command-folder = { $path } is a folder. Name the file dripline.db in it.
error-command-no_file = There is no file { $path }.
error-command-mapping = write it as ISIN=SYMBOL, such as US1912161007=KO
error-command-skip_line_of_one = --skip-line only works with a single file. Import the files one at a time.
error-command-list_imports = Run `dripline import list --user EMAIL` to see all imports.
error-command-list_tokens = Run `dripline token list --user EMAIL` to see a user’s tokens.
error-command-list_formats = Run `dripline import --list-formats` to see all formats.
error-command-no_histories = There are no past dividends to compare with. Add stocks with `dripline market track` or `dripline market load`, or name a folder with stocks.csv and dividends.csv.
error-command-no_histories_in = { $path } has no past dividends to compare with. Add them to dividends.csv.
error-command-few_payers = The likely range needs a month with at least 20 payers in each half.
error-command-rule_of_stock = "default" removes the exception of a stock. Name the stock with --symbol, or choose off, fractional or whole for the portfolio.
error-command-name_slug = Set the address with --slug.

## Command line: progress

progress-reading = Reading
progress-identifying = Identifying securities
progress-checking = Checking
progress-storing = Saving
progress-storing_stocks = Saving stocks
progress-storing_dividends = Saving dividends
progress-storing_prices = Saving prices
progress-storing_rates = Saving exchange rates
progress-backup = Copying and checking the database
progress-restore = Checking and restoring the backup
progress-restored = Checking the restored data
progress-fetching = Fetching market data
progress-measuring = Comparing past estimates with payments
progress-copy_preparing = Preparing { $table }
progress-copy_copying = Copying { $table }
progress-copy_verifying = Verifying { $table }

## Command line: results

command-import-added = { $rows ->
    [one] added { $new } of 1 row
   *[other] added { $new } of { $rows } rows
}
command-import-would_add = { $rows ->
    [one] would add { $new } of 1 row
   *[other] would add { $new } of { $rows } rows
}
command-import-merged = { $n ->
    [one] (1 more row merged into them)
   *[other] ({ $n } more rows merged into them)
}
command-import-duplicates = { $n ->
    [one] 1 duplicate
   *[other] { $n } duplicates
}
command-import-repeated = { $n } repeated in the file
command-import-skipped = { $n } skipped
command-import-announced = { $n ->
    [one] 1 announced payment, shown under Upcoming
   *[other] { $n } announced payments, shown under Upcoming
}
command-import-errors = { $n ->
    [one] 1 of { $rows } rows has an error:
   *[other] { $n } of { $rows } rows have errors:
}
command-import-undone = { $n ->
    [one] { $file } ({ $email }): import undone, 1 transaction removed
   *[other] { $file } ({ $email }): import undone, { $n } transactions removed
}
command-import-opening = opening position for line { $line }: { $shares } { $symbol } on { $date }
command-import-opening_needed = missing: { $shares } { $symbol } held on { $date }
command-import-openings_back = { $n ->
     [one] { $n } opening position is back
    *[other] { $n } opening positions are back
}
command-import-opening_hint = To add opening positions for the missing shares, use --opening auto.
command-import-skip_hint = To skip rows with errors, use --skip-errors (all) or --skip-line LINE (one).
command-import-matched = { $matches ->
    [one] 1 match saved
   *[other] { $matches } matches saved
}, { $n ->
    [one] 1 transaction changed
   *[other] { $n } transactions changed
}
command-market_status-requests = { $n ->
    [one] 1 request on { $day }
   *[other] { $n } requests on { $day }
}
command-market_status-work = { $stocks ->
    [one] 1 stock
   *[other] { $stocks } stocks
}, { $never } never fetched, { $due } due, { $failing } failing, last refreshed { $newest }
command-market_status-refreshed = last refreshed { $newest }
command-market_status-due = last refreshed { $newest }, due
command-market_status-failing = last refreshed { $newest }, failing
command-market_status-rejected = { $n ->
    [one] 1 implausible value:
   *[other] { $n } implausible values:
}
