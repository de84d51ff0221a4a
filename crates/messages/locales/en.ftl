### English. The Rust structs in `../src` name the keys; a test compares both.


## Pages

# Settings → Access.
access-title = Access
access-lead = What may read your account from outside. Nothing here can change it.
access-name = Name
access-created = Created
access-last_used = Last used
access-never = never
access-expires = Ends
access-ended = Ended
access-revoke = Revoke
access-revoke_one = Revoke { $name }
access-revoke_sure = Press again to revoke
access-tokens_title = Personal tokens
access-tokens_docs = How to use one
access-tokens_lead = A token lets a program of yours read the API as you. It reads everything of your account and changes nothing.
access-tokens_none = You have no token. Make one for each place that will use it, so that each can be revoked alone.
access-tokens_ended = { $n ->
     [one] { $n } token that has ended
    *[other] { $n } tokens that have ended
}
access-token_new = New token
access-token_name = Where will it be used?
access-token_name_hint = Such as “Laptop script” or “Home dashboard”. Up to 100 characters.
access-expiry = It ends
access-expiry_none = when I revoke it
access-expiry_days = { $n ->
     [one] after a day
    *[other] after { $n } days
}
access-token_create = Create the token
access-token_made_title = Your new token
access-token_made_lead = This is the token “{ $name }”. Copy it now: it is shown this once, and nobody can look it up later.
access-token_label = Token
access-token_try = To try it
access-token_keep = Keep it like a password. If it gets lost, revoke it and make another.
access-token_revoked = The token is revoked. Whoever uses it is refused from now on.
access-done = I have copied it
access-apps_title = Connected apps
access-apps_docs = How to connect one
access-apps_lead = Apps of others that you allowed to read your account. Revoking one stops it at once.
access-apps_none = No app is connected to your account.
access-apps_host = Answers went to
access-apps_device = a device
access-apps_reads = Reads
access-apps_api = the API
access-apps_mcp = for an AI assistant
access-apps_revoke_all = Revoke all apps
access-app_revoked = The app is disconnected. It is refused from now on.
access-apps_revoked = { $n ->
     [one] { $n } app is disconnected. It is refused from now on.
    *[other] { $n } apps are disconnected. They are refused from now on.
}
access-feeds_title = Calendar feeds
access-feeds_lead = An address that your calendar subscribes to: ex-dates and payments of the next 120 days, of all portfolios, with the amounts expected.
access-feeds_none = No calendar reads your payments yet.
access-feed_new = New feed
access-feed_name = Which calendar will read it?
access-feed_name_hint = Such as “Phone” or “Family calendar”. Up to 100 characters.
access-feed_create = Create the address
access-feed_made_title = Your new calendar feed
access-feed_made_lead = This is the address of the feed “{ $name }”. Copy it now: it is shown this once.
access-feed_label = Address
access-feed_open = Open in my calendar
access-feed_keep = Whoever has the address can read your payments without signing in. Give it to calendars that you trust; to stop it, revoke the feed.
access-feed_revoked = The feed is revoked. Its address leads nowhere from now on.

# Other people's apps: consent, and codes of devices.
connect-title = Allow access?
connect-lead = { $app } wants to read your account.
connect-who_asks = App
connect-known_by_address = Published at { $host }.
connect-known_by_operator = Added by the operator of this server.
connect-not_verified = The app chose this name. Nobody has verified it.
connect-where_to = Redirects to
connect-warn_loopback = A program on this computer. Allow it only if you just started it yourself.
connect-warn_private = An app on this device. Other apps can claim the same link, so allow it only if you just came from this app.
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
connect-refused_lead = An app sent you here with a request we can’t trust, so nothing was sent back to it.
connect-refused_next = Go back to the app and try again. If this keeps happening, send the message above to the app’s developer.
connect-refused_back = Back to { $host }
connect-removed_title = App removed
connect-removed_lead = The operator of this server has removed this app. It can’t ask for access here.
connect-repeated_title = Already answered
connect-repeated_lead = You already answered this request, so nothing was changed. If the app is still waiting, start again.
connect-expired_title = Page expired
connect-expired_lead = This page was open for too long, or another tab signed you in or out. Nothing was changed.
connect-again = Review the request again
connect-device_title = Connect a device
connect-device_lead = Enter the code shown on your device or in your app.
connect-device_code = Code
connect-device_code_hint = Eight letters, for example BCDF-GHJK.
connect-device_next = Continue
connect-device_warn = Only continue if you started this yourself. We will never send you a code or ask you to enter one.
connect-device_not_proven = The device gave this name. Nothing proves that it runs this app.
connect-device_unknown = This code doesn’t exist or has expired. Check it, or start again on the device.
connect-device_wait = Too many attempts. Wait a minute and try again.
connect-device_allowed = Device connected. You can return to it now.
connect-device_denied = The device was not connected.

# Taking everything along, or leaving.
data-lead = What is kept of you here is yours: take it along, or have it deleted.
data-confirm_first = To export everything or to delete your account, please give your password once more.
data-export_title = Export everything
data-export_lead = One zip file: your ledger as a table that can be imported again, every file that you imported as it came, and your settings, portfolios, radar and activity. At most five times a day.
data-export_submit = Export everything
data-delete_title = Delete the account
data-delete_lead = Your ledger, portfolios, files, tokens and shared pages are gone at once, for good. Export them first if you may want them again.
data-delete_open = I want to delete my account
data-delete_email = Your e-mail address, to be sure
data-delete_submit = Delete my account for good
data-delete_differs = That is not the e-mail address of this account. Please type it as you sign in with it.
data-deleted = Your account and everything in it is deleted. Farewell.

# The developers' page. What is said of single endpoints and fields comes from the description of the API itself.
developers-title = Developers
developers-lead = A read-only JSON API over your own portfolio and over public dividend data. What the pages show, it gives.
developers-contents = On this page
developers-document = OpenAPI document
developers-document_3_1 = The same in OpenAPI 3.1
developers-start_title = Start
developers-start_lead = Make a token, put it where this line says, and ask who you are:
developers-make_token = Create a token
developers-sign_in_first = Sign in to create a token
developers-copy_of = Copy the line for { $path }
developers-auth_title = Authentication
developers-auth_header = Send your token with each request, in the header `Authorization: Bearer` followed by the token.
developers-auth_make = A personal token is made under Settings, Access. It is shown once. It reads everything of its account and changes nothing, and it may end by itself after some days if you choose so.
developers-auth_apps = An app for other people asks each of them by OAuth 2.1: a code with PKCE, or a device code. `/.well-known/oauth-authorization-server` says where, and an app may register itself there.
developers-auth_revoke = A token that is revoked is refused from the very next request on.
developers-auth_public = The calendar and the stocks answer without a token, too. With one, the search looks further and a stock has its price of this moment.
developers-conventions_title = Conventions
developers-convention = Topic
developers-rule = Rule
developers-money = Money
developers-money_rule = An object of `amount`, a decimal in a string, and `currency`, three letters. Never a float: read it with a decimal type.
developers-rates = Rates
developers-rates_rule = A field whose name ends in `_pct` is a percentage: 3.1 is 3.1%. Any other rate is a fraction: 0.05 is 5%.
developers-dates = Dates
developers-dates_rule = `2026-11-15`. Instants are in UTC. “Today” is the day in UTC.
developers-parameters_rule = One that is malformed is an error, 422; it is never passed over. A number out of range is moved to the nearest that is allowed.
developers-absent = Absent and null
developers-absent_rule = A field that is not always present may be missing, or null where it says so. Fields may be added: pass over those that you do not know.
developers-caching = Caching
developers-caching_rule = Every answer has an `ETag`. Send it back in `If-None-Match`: while nothing has changed, the answer is 304 without a body.
developers-limits = Limits
developers-limits_rule = Without a token, 60 requests a minute from one address; then 429, and `Retry-After` says how many seconds to wait. With a token there is no fixed limit: every few minutes is often enough.
developers-versions = Versions
developers-versions_rule = Version 1 only grows. What would break a program of yours would come under another address.
developers-assistant_title = Connect an AI assistant
developers-assistant_address = Assistants that speak MCP, such as Claude, ChatGPT and the editors of programmers, connect to this address:
developers-assistant_copy = Copy the address for assistants
developers-assistant_sign_in = Give it to the assistant, and nothing else. The assistant sends you here to sign in, and you are asked whether it may read your account.
developers-assistant_token = One that takes a header in place of a sign-in takes a personal token: `Authorization: Bearer` followed by the token.
developers-assistant_tools = Its tools are the endpoints below, with the same parameters and the same answers. It can look, and change nothing. Any user has 240 calls a minute.
developers-assistant_revoke = What you allowed stands under Settings, Access. What you revoke there is refused from the very next request on.
developers-assistant_list = What is connected now
developers-assistant_care = What an assistant reads goes to whoever runs it.
developers-endpoints_title = Endpoints
developers-token_required = needs a token
developers-token_optional = token optional
developers-token_none = no token
developers-parameters = Parameters
developers-name = Name
developers-kind = Type
developers-required = Required
developers-present = Always present
developers-description = Description
developers-list_of = list of
developers-or_null = or null
developers-in_place = in the { $place }
developers-answer = Answer
developers-example = Example
developers-errors = Errors
developers-errors_title = Errors
developers-errors_lead = Every error has the same shape, {"{"}error: {"{"}code, message{"}"}{"}"}. Programs look at the code, which does not change; the message is for people. These can meet any request:
developers-status = Status
developers-meaning = Code and meaning
developers-schemas_title = Types

# Dividends received.
dividends-title = Dividends
dividends-lead = What you have received, in { $currency }: each payment at the exchange rate of its day.
dividends-net_12 = Last 12 months, net
dividends-gross_12 = Last 12 months, gross
dividends-growth = Growth
dividends-growth_note = net, against the 12 months before
dividends-growth_none = not known
dividends-all_time = All time, net
dividends-all_time_note = { $amount } gross
dividends-net_only = { $n ->
     [one] Of one dividend only the net was recorded; it counts as gross, too.
    *[other] Of { $n } dividends only the net was recorded; it counts as gross, too.
}
dividends-months_title = Month by month
dividends-months_note = net
dividends-month = Month
dividends-year = Year
dividends-total = Total
dividends-years_title = Year on year
dividends-years_chart = Net dividends by month, year beside year
dividends-bar = { $month } { $year }: { $amount }
dividends-by_stock = By stock
dividends-by_portfolio = By portfolio
dividends-stock = Stock
dividends-portfolio = Portfolio
dividends-net = Net
dividends-gross_of = { $amount } gross
dividends-expected_title = Received against expected
dividends-expected_lead = Each payment of the last 24 months that your shares were entitled to, before tax, and what is recorded for it.
dividends-expected_none = Of the last 24 months no payment is known for what you held.
dividends-all_well = Everything that was due is recorded as expected.
dividends-as_expected = { $n ->
     [one] One received as expected
    *[other] { $n } received as expected
}
dividends-look_at = To look at
dividends-cut_off = The newest { $n } are shown.
dividends-not_compared = Not compared, because no payment of them is known: { $names }.
dividends-pay_date = Pay date
dividends-due_amount = Expected
dividends-recorded = Recorded
dividends-state = State
dividends-received = Received
dividends-different = Different
dividends-missing = Missing
dividends-due = Due
dividends-extra = Not expected
dividends-off_by = off by { $amount }
dividends-on = on { $date }
dividends-estimated_day = about
dividends-special = special
dividends-net_mark = net
dividends-record = Record it
dividends-record_of = Record the dividend of { $symbol } of { $date }
dividends-list_title = Every dividend
dividends-symbol = Stock
dividends-all_stocks = All stocks
dividends-all_years = All years
dividends-date = Pay date
dividends-shares = Shares
dividends-per_share = Per share
dividends-tax = Tax withheld
dividends-amount = Gross
dividends-net_repeated = net only
dividends-range = { $from }–{ $to } of { $n }
dividends-pages = Pages of the list
dividends-none_match = No dividend matches. Choose another stock or year.
dividends-empty_title = No dividend recorded yet
dividends-empty_lead = Import your broker's file, or record a dividend by hand: what you received is added up here.
dividends-import = Import a file
dividends-by_hand = Add by hand

# Open positions and what each brings.
holdings-title = Holdings
holdings-lead = { $n ->
     [one] { $n } open position
    *[other] { $n } open positions
}
holdings-share_title = Where the income comes from
holdings-share_chart = Share of the gross income of a year, by holding
holdings-part = { $name }: { $amount } a year, { $share }
holdings-rest = All others
holdings-table = Open positions
holdings-table_note = income of a year
holdings-stock = Stock
holdings-shares = Shares
holdings-cost = Average cost
holdings-gross = Gross
holdings-net = Net
holdings-share = Share
holdings-yield_now = Yield
holdings-on_cost = On cost
holdings-safety = Safety
holdings-ex = Next ex-date
holdings-pay = Next pay date
holdings-portfolio = Portfolio
holdings-total = Total
holdings-sort_by = Sort by { $column }
holdings-oldest_first = Oldest first
holdings-no_rate = no rate
holdings-unknown = –
holdings-estimated = estimated
holdings-reasons = Why: { $reasons }.
holdings-cut = the dividend was cut in the last three years
holdings-stopped = nothing was paid for much longer than usual
holdings-uncovered = more is paid out than earned, and cash does not cover it
holdings-yield_doubled = the yield is twice its average while nearly all earnings are paid out
holdings-high_payout = much of the earnings is paid out
holdings-thin_cash_cover = cash hardly covers the dividend
holdings-yield_raised = the yield is well above its average
holdings-streak_ended = a streak of increases ended
holdings-empty_title = Nothing held yet
holdings-empty_lead = Import your broker's file, or record a purchase by hand.
holdings-import = Import a file
holdings-by_hand = Add by hand

# Files: brought, checked, imported, taken back.
import-title = Import
import-lead = Bring the file of your broker. You see what it would do before anything is stored.
import-drop_title = Drop files here, or choose them
import-drop_hint = CSV, XLSX, XML, JSON or OFX, up to 50 MB. The format is recognised by itself.
import-files = Files
import-read = Read it
import-by_default = for rows that name none
import-formats = Formats that are known
import-waiting_title = Waiting for you
import-waiting_lead = Read, but not imported. A file waits for a day.
import-go_on = Look at it
import-discard = Discard
import-discarded = The file was discarded. Nothing of it was stored.
import-past_title = Imported
import-past_empty = Nothing was imported yet.
import-file = File
import-when = When
import-rows = Rows
import-added = Added
import-existing = There already
import-skipped = Skipped
import-download = Download
import-undo = Undo
import-undo_lead = { $n ->
     [one] Takes out the { $n } entry that this import added.
    *[other] Takes out the { $n } entries that this import added.
}
import-undo_now = Take it back
import-undone = { $n ->
     [one] { $file } was taken back: { $n } entry went.
    *[other] { $file } was taken back: { $n } entries went.
}
import-no_file = Choose a file first.
import-too_many = That are too many files at once. Bring 20 at most.
import-waiting_now = { $n ->
     [one] { $n } file was read. Look at it below.
    *[other] { $n } files were read. Look at each of them below.
}
import-already = This file was imported already. It stands below, where you can undo it.
import-plan_title = Check before importing
import-detected = Read as
import-format_unknown = a format that is not known here
import-format_table = a table in no broker's format
import-total = Rows in the file
import-fate_new = New
import-fate_joined = Part of a new entry
import-fate_existing = There already
import-fate_repeated = Again in the file
import-repeats = It is the same as line { $line } of this file, and counts once.
import-fate_skipped = Skipped
import-fate_error = Error
import-all_rows = All rows
import-rows_title = Row by row
import-line = Line
import-fate = What happens
import-becomes = What it becomes
import-no_rows = No row is like that.
import-faults = This stands against the file as a whole
import-quote = In the file
import-questions_title = Which stock is it?
import-questions_lead = The file names what is not known here. Say what it is, once; it is remembered.
import-rows_mean_it = { $n ->
     [one] { $n } row
    *[other] { $n } rows
}
import-other_symbol = Another symbol
import-symbol_of = Symbol
import-answered_hint = As you said. Empty it to be asked again.
import-more_questions = { $n ->
     [one] { $n } more is asked about after these.
    *[other] { $n } more are asked about after these.
}
import-said_title = What you said
import-more_answered = { $n ->
     [one] { $n } earlier answer is not shown here; it counts.
    *[other] { $n } earlier answers are not shown here; they count.
}
import-keep_title = Keep it as it is
import-keep_hint = What nobody knows is kept under what the file calls it. It counts in the ledger, without price or dividends, until you say what it is.
import-keep = Keep all that is not answered
import-kept = What is not answered is kept under what the file calls it.
import-keep_not = Ask me about it instead
import-currency_title = Which currency is it in?
import-currency_lead = The file names no currency for these, and nobody here knows what they trade in: { $symbols }
import-currency_hint = For all rows that name no currency, of stocks that are not known here.
import-currency_unknown = — not said —
import-pence = GBp (pence)
import-agorot = ILA (agorot)
import-cents = ZAc (cents)
import-use_currency = Use this currency
import-answer = Use these answers
import-columns_title = Which column is which?
import-columns_lead = The table is in no broker's format. Say what its columns are; it is remembered for files like this.
import-doubts = These are the open questions
import-no_column = — none —
import-as_found = — as found —
import-sample = The first rows
import-more_settings = How it is written
import-dates = Days
import-day_first = Day first: 31/12/2026
import-month_first = Month first: 12/31/2026
import-decimals = Decimals
import-decimal_point = After a point: 1,234.50
import-decimal_comma = After a comma: 1.234,50
import-default_kind = Rows without a kind are
import-by_shares = Sales where shares are below zero, else purchases
import-by_amount = Purchases where the amount is below zero, else sales
import-default_currency = Rows without a currency are in
import-traded = Each stock's own
import-costs = Fees and tax that were taken are written
import-costs_positive = Above zero
import-costs_negative = Below zero
import-word = The word “{ $word }” means
import-ignore = Nothing: leave such rows out
import-use_columns = Read it like this
import-forget_columns = Start over
import-time = Time
import-isin = ISIN
import-cusip = CUSIP
import-name = Name of the stock
import-id = Number of the transaction
import-portfolio_title = Where it goes
import-portfolio_lead = For rows that name no portfolio themselves.
import-the_default = The default portfolio
import-choose = Use this portfolio
import-apply = Import it
import-ready = Nothing stands against it.
import-adds = { $n ->
     [one] { $n } entry will be added.
    *[other] { $n } entries will be added.
}
import-payments = { $n ->
     [one] { $n } announced payment will be noted.
    *[other] { $n } announced payments will be noted.
}
import-nothing_new = Everything in this file is in your ledger already. There is nothing to add.
import-in_the_way = It cannot be imported yet: see the errors and questions below. Nothing was stored.
import-not_imported = Nothing was imported. Something stands against it now: see below.
import-imported = { $n ->
     [one] { $n } entry was added, of { $rows } rows; { $existing } were there already.{ $repeated } You can take it back below.
    *[other] { $n } entries were added, of { $rows } rows; { $existing } were there already.{ $repeated } You can take it back below.
}
import-imported_repeated = { $n ->
     [one] {" "}{ $n } row stands in the file twice, and counts once.
    *[other] {" "}{ $n } rows repeat others of the file, and do not count again.
}

# The home page: what the portfolio will pay.
income-title = Income
income-lead = What your holdings will pay in a year, at today's rates.
income-net = A year, net
income-net_note = after estimated tax withheld abroad
income-gross = A year, gross
income-a_month = A month, net
income-a_month_note = on average
income-yield_now = Yield
income-yield_note = of what the holdings are worth
income-growth = Dividend growth
income-growth_note = a year, weighted by income
income-received = Received in 12 months, net
income-received_growth = Growth of what you received
income-received_growth_note = against the 12 months before
income-next_title = Next payments
income-next_all = All upcoming
income-unknown = not known
income-months_title = Your year
income-months_note = net, in { $currency }
income-months_chart = Net income by month of a typical year
income-months_average = The dashed line is the average month: { $amount }.
income-month = Month
income-amount = Net income
income-thin = Thin months: { $names }.
income-empty = Months without income: { $names }.
income-biggest = { $names } bring { $share } of the year.
income-too_small = With five or more paying stocks, the shape of your year is drawn here.
income-sources_title = Biggest sources
income-sources_all = All holdings
income-source = Stock
income-share = Share
income-net_income = Net
income-gross_mark = gross
income-projection_title = If it goes on like this
income-projection_chart = Projected income by year
income-projection_lead = Each holding's dividend grows as it did over the last years, between −10% and +15% a year. Not a promise.
income-years = Years
income-drip = Reinvest dividends
income-update = Show
income-year = Year
income-now = Now
income-in_years = { $n ->
     [one] in one year
    *[other] in { $n } years
}
income-series_gross = Gross
income-series_net = Net
income-point = { $when }: { $amount } { $kind }
income-empty_title = Nothing held yet
income-empty_lead = Bring your broker's file, or record your first purchase by hand: your income appears here at once.
income-import = Import a file
income-by_hand = Add by hand
income-no_income_title = No income in sight
income-no_income_lead = None of your holdings is known to pay a dividend. Market data may still be on its way.

# The ledger, and the form of an entry.
ledger-title = Ledger
ledger-total = { $n ->
     [one] { $n } entry
    *[other] { $n } entries
}
ledger-new_title = Add an entry
ledger-edit_title = Change an entry
ledger-delete_title = Delete this entry?
ledger-delete_lead = It is taken out of the ledger for good, and every figure is worked out without it.
ledger-import = Import a file
ledger-empty_title = Nothing is recorded yet
ledger-empty_lead = Import your broker's file, or add an entry by hand.
ledger-none_title = No entry fits
ledger-show_all = Show all entries
ledger-pages = Pages
ledger-range = { $first }–{ $last } of { $total }
ledger-all_kinds = All kinds
ledger-from = From
ledger-to = To
ledger-text = Text
ledger-form_lead = Fill in what you know. What follows from it is shown at once.
ledger-preview = What it does
ledger-not_saved = Nothing was saved yet.
ledger-use_kind = Use this kind
ledger-other_kind = { $kind } has other fields, which follow at once. What you typed stays.
ledger-kind_changed = These are the fields of: { $kind }. Look at them, and save again.
ledger-added = The entry for { $symbol } was added.
ledger-changed = The entry for { $symbol } was changed.
ledger-removed = The entry for { $symbol } was deleted.
ledger-entry = Entry
ledger-date = Date
ledger-kind = Kind
ledger-symbol = Symbol
ledger-symbol_hint = The ticker, such as KO or IBE.MC
ledger-shares = Shares
ledger-price = Price per share
ledger-price_hint = Or the amount instead
ledger-amount = Amount
ledger-amount_hint = Gross, before fees and tax
ledger-fees = Fees
ledger-tax = Tax
ledger-net = Net
ledger-net_hint = What arrived; enough where the gross is not known
ledger-ratio = Ratio
ledger-ratio_hint = New to old shares, such as 4:1
ledger-currency = Currency
ledger-currency_hint = Of the figures above
ledger-own_currency = The stock's own
ledger-fx_rate = Exchange rate
ledger-fx_rate_hint = Only if you want another than the official one: units of the stock's currency for one of this
ledger-fx_rate_in_words = the exchange rate
ledger-ex_date = Ex-date
ledger-ex_date_in_words = the ex-date
ledger-transfer_in_in_words = transfer in
ledger-transfer_out_in_words = transfer out
ledger-return_of_capital_in_words = return of capital
ledger-note = Note
ledger-source = Source
ledger-by_hand = By hand
ledger-money_moved = Money that moves
ledger-shares_after = Shares held on { $date }, after it
ledger-cost_after = Average cost on { $date }, after it
ledger-shares_today = Shares held today, with it
ledger-cost_today = Average cost today, with it
ledger-article = the{" "}
ledger-doubtful = Is this meant? Nothing was saved yet.
ledger-save_anyway = Save anyway
ledger-delete_anyway = Delete anyway
ledger-duplicate = There is an entry of the same day, kind and size already.
ledger-see_it = See it
ledger-tax_above_gross = The tax of { $tax } is more than the gross of { $gross }.
ledger-before_first = { $symbol } was first bought on { $first }, after the dividend was due.
ledger-never_bought = No purchase of { $symbol } is recorded in this portfolio.
ledger-nothing_on_ex_date = On { $date }, its ex-date, no share of { $symbol } was held.
ledger-nothing_before = In the months before { $date } no share of { $symbol } was held.
ledger-orphaned = { $n ->
     [one] A dividend of { $first } would be left without shares that it was paid on.
    *[other] { $n } dividends from { $first } on would be left without shares that they were paid on.
}
ledger-buy = Buy
ledger-sell = Sell
ledger-dividend = Dividend
ledger-split = Split
ledger-transfer_in = Transfer in
ledger-transfer_out = Transfer out
ledger-return_of_capital = Return of capital
ledger-no_date = Choose the day.
ledger-odd_date = This is no day. Choose one from the calendar.
ledger-odd_currency = This is no currency. Write its code of three letters, such as EUR.
ledger-odd_ratio = This is no ratio. Write new to old shares, such as 4:1.
ledger-two_ways = “{ $text }” could be { $large }, if its mark stands between thousands, or { $small }, if it stands before decimals. Write { $large } or { $small }.
ledger-no_figure = “{ $text }” is no figure. Write it like { $example }.
ledger-too_long = “{ $text }” has too many digits.

# When there is no page to show.
error_page-not_found_title = Nothing here
error_page-not_found = There is nothing at this address, or it is not yours to see. Please check the link, or go back to the start.
error_page-forbidden_title = Please try again
error_page-refused_title = That did not work
error_page-refused = This request could not be understood. Please go back and try again.
error_page-method = This address is part of a form and shows no page of its own. Please go back to the start.
error_page-too_large = What was sent is too large. A file to import may have up to 50 MiB.
error_page-too_many_title = Too many attempts
error_page-too_many = That was tried too often in a short time. Please wait a minute and try again.
error_page-too_many_pages = Too many requests from your network. Try again in { $seconds } seconds.
error_page-unavailable_title = One moment, please
error_page-unavailable = The service cannot answer at this moment. Please try again in a few seconds; nothing was changed.
error_page-crowded = Several large files are being worked on at this moment. Please try again in a few seconds; nothing was changed.
error_page-too_many_jobs = You already have three files in progress. Wait until one is done, then try again.
error_page-too_many_uploads = You are already uploading two files. Wait until one has arrived, then try again.
error_page-full_title = No space left
error_page-internal_title = Something went wrong
error_page-internal = Something went wrong on our side. It has been noted. Please try again later.
error_page-home = Go to the start page

# Portfolios: kept in order, shared, deleted.
portfolios-title = Portfolios
portfolios-lead = Keep accounts apart, and share one if you like.
portfolios-empty = There is none yet. The first one is made with the first entry, or here.
portfolios-add_title = Add a portfolio
portfolios-name = Name
portfolios-add = Add
portfolios-added = “{ $name }” was added.
portfolios-default = Default
portfolios-default_note = What names no portfolio goes here.
portfolios-entries = { $n ->
     [one] { $n } entry
    *[other] { $n } entries
}
portfolios-rename = Rename
portfolios-renamed = “{ $old }” is now “{ $name }”.
portfolios-up = Move up
portfolios-down = Move down
portfolios-moved = The order was changed.
portfolios-make_default = Make it the default
portfolios-made_default = “{ $name }” is the default now.
portfolios-share_title = Share
portfolios-share_lead = Whoever has the link sees this portfolio, without signing in. You can end that at any time.
portfolios-slug = Address
portfolios-slug_in_words = the address
portfolios-by_slug_in_words = by address
portfolios-slug_hint = 3 to 60 small letters, digits and hyphens
portfolios-show_amounts = Show amounts
portfolios-show_amounts_hint = Otherwise visitors see shares of the whole only.
portfolios-share = Share it
portfolios-shared = “{ $name }” is shared now.
portfolios-shared_badge = Shared
portfolios-with_amounts = Visitors see amounts.
portfolios-without_amounts = Visitors see no amounts.
portfolios-hide_amounts = Hide amounts
portfolios-amounts_changed = What visitors of “{ $name }” see was changed.
portfolios-unshare = End sharing
portfolios-unshared = “{ $name }” is no longer shared.
portfolios-delete_title = Delete
portfolios-delete_lead = { $n ->
     [one] { $n } entry goes with it, for good.
    *[other] { $n } entries go with it, for good.
}
portfolios-type_name = Type the name to delete it
portfolios-delete = Delete it with its entries
portfolios-deleted = “{ $name }” was deleted.
portfolios-not_the_name = Nothing was deleted: what you typed is not “{ $name }”.

# Stocks that are watched, and what is waited for.
radar-title = Radar
radar-lead = Stocks you watch, and the yield or price you wait for.
radar-symbol = Ticker, such as KO
radar-add = Put on the radar
radar-add_nothing = Please type a ticker.
radar-add_long = A ticker has at most 32 characters.
radar-added = { $symbol } is on your radar.
radar-removed = { $symbol } is off your radar.
radar-stock = Stock
radar-price = Price
radar-yield_now = Yield
radar-average = Average, 5 years
radar-safety = Safety
radar-next_ex = Next ex-date
radar-target = Target
radar-reached = Reached
radar-target_yield = yield of { $target }
radar-target_price = price of { $target }
radar-to_go = the price has to fall by { $pct }%
radar-unknown = not known
radar-no_data = Market data does not know it yet.
radar-change = Change
radar-change_label = Change: { $symbol }
radar-yield_label = Target yield, in percent
radar-price_label = Target price, in { $currency }
radar-price_label_unknown = Target price
radar-target_hint = Leave it empty for none.
radar-saved = The targets of { $symbol } are saved.
radar-remove = Take off the radar
radar-remove_label = Take off the radar: { $symbol }
radar-empty_title = Nothing on the radar yet
radar-empty_lead = Put a stock here to see its yield, its safety and its next ex-date, and when it reaches your target.
radar-browse = Look at the calendar

# Password, second factor, sessions, and what happened to the account.
security-lead = How you sign in, where you are signed in, and what happened lately.
security-confirm_first = To change your password, e-mail address or second factor, please give your password once more.
security-confirm_link = Confirm that it is you
security-password_title = Password
security-password = New password
security-password_hint = At least 15 characters. Tip: four or five unrelated words.
security-password_ends = Other sessions and connected apps lose access. Also end:
security-password_end_tokens = Personal access tokens
security-password_end_feeds = Calendar feeds
security-password_save = Change the password
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
security-email_unverified = This address is not verified yet. Until it is, a second factor is removed when the password is reset.
security-email_verify = E-mail me a verification link
security-email_verify_sent = We've e-mailed a verification link to { $email }. It works for 30 minutes.
security-email_verify_title = Verify your e-mail address
security-email_verify_ask = Is { $email } your address?
security-email_verify_save = Verify this address
security-email_verified = Your address is verified.
security-email_save = Change the address
security-email_saved = From now on you sign in with { $email }.
security-email_mailed = A letter is on its way to { $email }. You sign in with that address once you have opened the link in it.
security-email_link_title = A new e-mail address
security-email_link = From now on you want to sign in with { $email }.
security-email_link_bad = This link is not good any more, or it belongs to another account. Links work once, for half an hour.
security-email_link_save = Sign in with it from now on
security-factor_title = Second factor
security-factor_off = Off. With it, signing in takes a code from an app on your phone, too: a stolen password alone opens nothing.
security-factor_on = On. Signing in takes a code from your authenticator app.
security-factor_codes_left = { $n ->
     [one] One recovery code is left.
    *[other] { $n } recovery codes are left.
}
security-factor_begin = Set it up
security-factor_go_on = Go on setting it up
security-factor_disable = Turn it off
security-factor_disable_ask = Turn the second factor off
security-factor_disable_note = Your password alone will then open your account. All other sessions end.
security-factor_disabled = The second factor is off. All other sessions have ended.
security-factor_new_codes = Make new recovery codes
security-factor_new_codes_note = Those of before stop working.
security-setup_title = Set up the second factor
security-setup_scan = Scan this picture with your authenticator app.
security-setup_qr = QR code for the authenticator app
security-setup_type = Or type this secret into it:
security-setup_code = Code
security-setup_code_hint = The six digits that the app shows now.
security-setup_submit = Turn it on
security-setup_wrong = That code does not fit. Please check the clock of your phone, and take the code that the app shows now.
security-codes_title = Recovery codes
security-codes_on = The second factor is on.
security-codes_lead = Each of these signs you in once, should you lose your phone. They are shown only now: please keep them in a safe place.
security-codes_done = I have kept them
security-sessions_title = Sessions
security-sessions_lead = Where you are signed in.
security-session_agent = Browser
security-session_place = Network
security-session_since = Since
security-session_seen = Last seen
security-session_this = this one
security-session_act = End
security-session_end = End
security-session_end_label = End the session of { $agent }, { $place }
security-session_ended = That session has ended.
security-sessions_end_others = End all others
security-sessions_ended = { $n ->
     [0] There was no other session.
     [one] One other session has ended.
    *[other] { $n } other sessions have ended.
}
security-agent = { $browser } on { $system }
security-agent_unknown = Unknown browser
security-system_unknown = an unknown system
security-activity_title = Activity
security-activity_lead = The last 50 things that happened to your account.
security-activity_when = When
security-activity_what = What
security-activity_place = { $event }, from { $place }
security-activity_named = { $event }: { $name }
security-account_made = The account was made
security-sign_up_again = Somebody tried to make an account with your address
security-signed_in = Signed in
security-sign_in_failed = Signing in failed
security-signed_out = Signed out
security-session_was_ended = Sessions were ended
security-token_created = An access token was made
security-token_revoked = An access token was revoked
security-feed_created = A calendar feed was made
security-feed_revoked = A calendar feed was revoked
security-app_allowed = An app was given access
security-app_revoked = An app’s access was ended
security-app_removed = The operator removed an app
security-token_reused = A code or token of an app was used twice, so the app’s access was ended
security-password_changed = The password was changed
security-password_reset = The password was set anew
security-totp_on = The second factor was turned on
security-totp_off = The second factor was turned off
security-recovery_codes_made = New recovery codes were made
security-recovery_code_used = A recovery code was used
security-profile_changed = The profile was changed
security-email_changed = The e-mail address was changed
security-email_was_verified = The e-mail address was verified
security-unlocked = The waiting time for signing in was removed
security-exported = Everything was exported
security-deleted = The account was deleted
security-something = Something else happened

# Who the user is, and how the app speaks to them.
settings-title = Settings
settings-lead = Who you are, and how figures are shown to you.
settings-navigation = Settings
settings-profile = Profile
settings-security = Security
settings-access = Access
settings-data = Your data
settings-name = Name
settings-name_hint = As the app greets you. Optional.
settings-currency = Currency
settings-currency_hint = Every sum is shown in it, here and in the API.
settings-residence = Tax residence
settings-residence_hint = Foreign tax on dividends is estimated by it.
settings-residence_none = Not given
settings-number_format = Numbers
settings-number_format_browser = As the browser has them
settings-number_format_unknown = Please take one of the number formats on the list.
settings-idle = Sign me out when unused for
settings-idle_hint = You are asked to sign in again after this time without a visit. After 30 days you are in any case.
settings-idle_minutes = { $n ->
     [one] one minute
    *[other] { $n } minutes
}
settings-idle_hours = { $n ->
     [one] one hour
    *[other] { $n } hours
}
settings-idle_days = { $n ->
     [one] one day
    *[other] { $n } days
}
settings-keyboard = Keyboard
settings-shortcuts = Go to the search with the / key
settings-shortcuts_hint = Ctrl+K, or ⌘K, does the same and always works. Kept in this browser.
settings-shortcuts_save = Save the keys
settings-shortcuts_saved = Your keys are saved.
settings-save = Save the profile
settings-saved = Your profile is saved.

# A portfolio that its owner shows to everybody with the link.
shared-lead = A shared dividend portfolio. Figures are before tax.
shared-lead_hidden = A shared dividend portfolio, without amounts.
shared-annual = Income a year
shared-annual_note = before tax
shared-yield_now = Yield
shared-yield_note = of what the holdings are worth
shared-growth = Dividend growth
shared-growth_note = a year, weighted by income
shared-unknown = not known
shared-positions_title = Where the income comes from
shared-positions_chart = Share of the income by stock
shared-part = { $name }: { $share }%
shared-others = Others
shared-stock = Stock
shared-share = Share of income
shared-pays = Pays
shared-safety = Safety
shared-shares = Shares
shared-income = Income a year
shared-months_title = The year
shared-months_note = each month's share of it
shared-months_chart = Share of a typical year's income by month
shared-month = Month
shared-amount = Income
shared-months_bar = { $month }: { $share }%
shared-upcoming_title = Next 90 days
shared-ex_date = Ex-date
shared-pay_date = Pay date
shared-expected = Expected
shared-nothing_upcoming = No payment is expected in the next 90 days.
shared-empty_title = Nothing held
shared-empty_lead = This portfolio holds no stock at the moment.

# What stands around every page.
shell-product = Dripline
shell-skip = Skip to content
shell-main_navigation = Main
shell-income = Income
shell-upcoming = Upcoming
shell-dividends = Dividends
shell-holdings = Holdings
shell-radar = Radar
shell-ledger = Ledger
shell-import = Import
shell-calendar = Calendar
shell-developers = Developers
shell-portfolios = Portfolios
shell-settings = Settings
shell-sign_in = Sign in
shell-sign_up = Create an account
shell-sign_out = Sign out
shell-search = Search
shell-search_label = Search stocks by ticker or name
shell-search_hint = Ticker or company
shell-matches = {"{"}{"}"} matches
shell-appearance = Appearance
shell-light = Light
shell-dark = Dark
shell-as_device = As the device
shell-copy = Copy
shell-copied = Copied
shell-sure = Press again to confirm
shell-footer = Figures are computed from a ledger and market data. They are no advice.
shell-as_table = As a table
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
shell-unknown = Unknown
shell-declared = Declared
shell-estimated = Estimated
shell-unconverted = Left out, because their currency has no exchange rate: { $names }.
shell-months_short = Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec
shell-months_long = January February March April May June July August September October November December
shell-yes = yes
shell-no = no
shell-form_expired = This page was open for too long, or another tab signed you in or out. Please try again.

# Signing in, and everything before it.
sign_in-title = Sign in
sign_in-email = E-mail address
sign_in-password = Password
sign_in-submit = Sign in
sign_in-wrong = That e-mail address and password do not fit together. Please check both and try again.
sign_in-wait = Too many attempts. Wait { $time } and try again.
sign_in-unlock_lead = Is it your account? You don't have to wait.
sign_in-unlock_send = E-mail me an unlock link
sign_in-unlock_sent = If that address has an account, we've e-mailed it an unlock link.
sign_in-unlock_title = Unlock your account
sign_in-unlock_confirm = Remove the waiting time, then sign in with your password as usual.
sign_in-unlock_submit = Unlock
sign_in-unlock_done = Your account is unlocked. Sign in.
sign_in-seconds = { $n ->
     [one] one second
    *[other] { $n } seconds
}
sign_in-minutes = { $n ->
     [one] one minute
    *[other] { $n } minutes
}
sign_in-forgot = Forgot the password?
sign_in-new_here = New here?
sign_in-http_note = Browsers keep you signed in only over HTTPS, or on the machine itself. This address is neither; ask the operator for the HTTPS one.
sign_in-code_title = Second factor
sign_in-code = Code
sign_in-code_hint = Six digits from your authenticator app, or one of your recovery codes.
sign_in-code_submit = Go on
sign_in-code_wrong = That code does not fit, or was used already. Please take the next one.
sign_in-confirm_title = Is it still you?
sign_in-confirm_lead = What you are about to do needs your password once more. It then counts for ten minutes.
sign_in-confirm_wrong = That password does not fit. Please try again.
sign_in-confirm_submit = Confirm
sign_in-signed_out = You are signed out.
sign_in-welcome_title = Welcome to Dripline
sign_in-welcome_lead = Nobody has an account here yet. Make the first one: it is yours.
sign_in-welcome_submit = Create my account
sign_in-sign_up_title = Create an account
sign_in-sign_up_submit = Create account
sign_in-sign_up_mail_lead = Enter your e-mail address. We'll send you a link to create your account.
sign_in-sign_up_mail_submit = Send the link
sign_in-sign_up_mailed = Check your e-mail. We've sent you a link that works for 30 minutes.
sign_in-sign_up_link_lead = Your address is confirmed. Choose a password to finish.
sign_in-sign_up_link_bad = This link has expired or was already used. Start again with your e-mail address.
sign_in-sign_up_ready = Your account is ready. Sign in.
sign_in-sign_up_closed = You can't create an account here yourself. Ask the person who runs this server for one.
sign_in-sign_up_invitation = You need an invitation to create an account. Ask the person who runs this server for a link.
sign_in-sign_up_invitation_bad = This invitation has expired or was already used. Ask for a new one.
sign_in-sign_up_done = If this address had no account yet, it has one now. Please sign in.
sign_in-have_account = Have an account?
sign_in-name = Name
sign_in-name_hint = As the app greets you. Optional.
sign_in-password_hint = At least 15 characters. Tip: four or five unrelated words.
sign_in-currency = Currency
sign_in-currency_hint = Sums are shown in it. You can change it at any time.
sign_in-residence = Tax residence
sign_in-residence_hint = Foreign tax on dividends is estimated by it.
sign_in-residence_none = Not given
sign_in-reset_title = A new password
sign_in-reset_lead = Tell us your e-mail address. If it has an account, a link to choose a new password is on its way: it works for 30 minutes.
sign_in-reset_submit = Send the link
sign_in-reset_sent = If that address has an account, a link is on its way to it.
sign_in-reset_operator = E-mail isn't set up on this server. Ask your administrator for a reset link.
sign_in-reset_choose = Choose a new password. This signs you out everywhere and revokes access tokens, calendar feeds and connected apps.
sign_in-reset_new = New password
sign_in-reset_save = Save the new password
sign_in-reset_bad = This link was used, or has ended. Please ask for another.
sign_in-reset_done = Password changed. Sign in with the new one.

# The page of one stock.
stock-live = live
stock-as_of = as of
stock-unknown = not known
stock-price = Price
stock-yield_now = Yield
stock-above_average = { $pct }% above its own average
stock-below_average = { $pct }% below its own average
stock-at_average = the same as its own average
stock-average = 5-year average
stock-annual = Dividend a year
stock-annual_note = per share, at the current rate
stock-sign_in_for_annual = Sign in to see it
stock-growth = Dividend growth
stock-growth_note = a year, over 5 years
stock-streak = Years of growth
stock-streak_note = in a row
stock-history_title = Dividends by year
stock-history_chart = Dividends per share by year
stock-history_note = per share of today, specials left out
stock-year = Year
stock-total = Per share
stock-payments_count = Payments
stock-bar = { $year }: { $amount }
stock-bar_noted = { $year }: { $amount } ({ $note })
stock-complete = Complete year
stock-repaired = Adjusted to the usual number of payments
stock-running = So far, with what is declared
stock-incomplete = Not complete
stock-no_history = No dividend of this stock is known.
stock-safety_title = Safety
stock-safe_lead = None of the warning signs: payout, cash cover, cuts and yield look sound.
stock-unknown_lead = Too little is known of its earnings and dividends to judge.
stock-payout = Payout ratio
stock-cover = Free cash flow cover
stock-times = { $n } times
stock-cut = The dividend was cut: in one of the last three complete years it fell by more than 2%.
stock-stopped = It seems to have stopped: nothing was paid or declared for much longer than usual.
stock-uncovered = It pays out more than it earns ({ $payout } of earnings), and free cash flow covers the dividend only { $cover } times.
stock-uncovered_alone = It pays out more than it earns ({ $payout } of earnings), and no record of five years of increases speaks for it.
stock-yield_doubled = The yield is more than twice its 5-year average while { $payout } of earnings are paid out: the market expects a cut.
stock-high_payout = It pays out { $payout } of its earnings, which leaves little room.
stock-thin_cash_cover = Free cash flow covers the dividend only { $cover } times.
stock-yield_raised = The yield is more than one and a half times its 5-year average: the price fell, or the market has doubts.
stock-streak_ended = The last complete year paid no more than the one before, after three or more years of increases.
stock-rhythm_title = When it pays
stock-frequency = Pays
stock-months = Months
stock-every_month = every month
stock-ex_date = Ex-date
stock-next = Next payment
stock-next_ex = Its ex-date
stock-latest_ex = Latest ex-date
stock-next_pay = Pays on
stock-scores_title = Scores
stock-momentum = Momentum
stock-rating = Rating
stock-value = Value
stock-of_ten = of 10
stock-payments_title = Payments
stock-pay_date = Pay date
stock-amount = Per share
stock-special = Special
stock-to_come = To come
stock-pay_estimated = estimated
stock-older = { $n ->
     [one] one older payment
    *[other] { $n } older payments
}
stock-own_title = Yours
stock-portfolio = Portfolio
stock-shares = Shares
stock-cost = Average cost
stock-income = Income a year
stock-share = Share of income
stock-received = Received from it so far: { $net } net, { $gross } gross.
stock-not_held = You do not hold it.
stock-record = Record an entry
stock-add = Put on the radar
stock-remove = Take off the radar
stock-missing_title = { $symbol } is not followed here
stock-missing = Perhaps it is spelled differently: a search finds tickers and company names.
stock-follow = Follow { $symbol }
stock-follow_note = Following puts it on your radar. Its data is looked up at once.
stock-stranger_note = Somebody who is signed in can follow it.

# Search, and the calendar of ex-dates.
stocks-calendar_title = Ex-dividend calendar
stocks-calendar_lead = Every stock followed here that goes ex-dividend soon. Own it the day before, and the dividend is yours.
stocks-days = Days
stocks-stock = Stock
stocks-ex_date = Ex-date
stocks-frequency = Pays
stocks-sector = Sector
stocks-calendar_empty = No ex-date is declared for the next { $n } days.
stocks-held = held
stocks-watched = on the radar
stocks-search_title = Search
stocks-results = Results for “{ $q }”
stocks-type_something = Type a ticker or a company's name.
stocks-nothing_found = Nothing was found for “{ $q }”. Try a ticker, or a part of the company's name.
stocks-exchange = Exchange
stocks-kind = Kind
stocks-not_tracked = not followed here
stocks-watch = Put on the radar
stocks-weekly = weekly
stocks-monthly = monthly
stocks-quarterly = quarterly
stocks-semi_annual = twice a year
stocks-annual = once a year

# Payments to come.
upcoming-title = Upcoming
upcoming-lead = What your holdings pay next. The ex-date is the first day on which buying is too late.
upcoming-days = Days ahead
upcoming-feed = In your calendar app
upcoming-sums = { $n ->
     [one] Paid in the next { $n } day, net
    *[other] Paid in the next { $n } days, net
}
upcoming-sums_note = after estimated tax withheld abroad; stocks on the radar do not count
upcoming-no_sums = nothing
upcoming-list = By the next date: ex-date or pay date
upcoming-weekdays_short = Mon Tue Wed Thu Fri Sat Sun
upcoming-month = { $month } { $year }
upcoming-ex = Ex-date
upcoming-pays = Pay date
upcoming-ex_mark = ex
upcoming-pay_mark = pays
upcoming-gross = gross
upcoming-watched = On the radar
upcoming-a_share = a share
upcoming-empty_title = No payment in sight
upcoming-empty_lead = { $n ->
     [one] Nothing of what you hold or watch is known or expected to pay within { $n } day.
    *[other] Nothing of what you hold or watch is known or expected to pay within { $n } days.
}
upcoming-add = Add by hand
upcoming-import = Import a file


## Imports: errors, skipped rows, questions and doubts


## Errors and refusals

