### English. The Rust structs in `../src` name the keys; a test compares both.


## Pages


## Imports: errors, skipped rows, questions and doubts


## Errors and refusals

error-busy = Too many people are signing in right now. Try again in a few seconds.
error-crowded = The server is working on several large files right now. Try again in a few seconds.
error-too_many_jobs = You already have three files in progress. Wait until one is done, then try again.
error-too_many_uploads = You are already uploading two files. Wait until one has arrived, then try again.
error-overflow = A figure is too large to calculate with. Check your transactions.
error-no_randomness = The operating system provides no random numbers. Restart the server.
error-password_hash = The password could not be stored. Try again.
error-unknown_portfolio = You have no portfolio called "{ $name }". Check the name.
error-unknown_account = There is no account { $email }. Run `dripline user list` to see them all.
error-lines = { $count ->
    [one] One line of the file can't be read.
   *[other] { $count } lines of the file can't be read.
}
error-market_files = { $count ->
    [one] Nothing was loaded: there is one problem in the market files.
   *[other] Nothing was loaded: there are { $count } problems in the market files.
}
error-ledger = The transactions of { $symbol } don't add up: { $cause }. Run `dripline doctor`.
error-wait = { $seconds ->
    [one] Too many wrong passwords. Try again in one second.
   *[other] Too many wrong passwords. Try again in { $seconds } seconds.
}

error-account-email_malformed = "{ $email }" is not an e-mail address. Enter one such as ana@example.com.
error-account-email_taken = There is already an account { $email }.
error-account-email_unavailable = You can't use this e-mail address. Choose another one.
error-account-name_length = A name has 1 to { $max } characters.
error-account-unknown_currency = "{ $code }" is not a currency. Enter an ISO 4217 code such as EUR or USD.
error-account-unknown_country = "{ $code }" is not a country. Enter a two-letter code such as ES or US.
error-account-unknown_number_format = Choose a number format from the list.
error-account-session_idle_time = Choose between { $minutes } minutes and { $days } days.
error-account-sign_up_closed = Only the operator of this server can create accounts. Ask your administrator for one.
error-account-first_account_exists = The first account already exists. Sign in instead.
error-account-password_missing = Choose a password.
error-account-invitation_expired = This invitation is no longer valid. Ask for a new one.
error-account-password_length = Use at least { $min } characters, and no more than { $max_bytes } bytes.
error-account-password_easy = That password is too easy to guess. Try several unrelated words.
error-account-password_breached = That password appeared in a data breach. Try several unrelated words.
error-account-second_factor_on = Two-factor authentication is already on. Turn it off first.
error-account-second_factor_not_started = You haven't started to set up two-factor authentication. Start again.
error-account-second_factor_off = Two-factor authentication is off. Turn it on before you create recovery codes.
error-account-second_factor_unreadable = This server can't check codes from your app right now. Use a recovery code, or ask your administrator.
error-account-invitation_days = An invitation is valid for { $min } to { $max } days.
error-account-unknown_invitation = There is no invitation "{ $id }". Run `dripline invite list` to see them all.

error-access-unknown_session = This session has already ended.
error-access-session_over = Your session has ended. Sign in again.
error-access-too_many_exports = You have exported your data { $max } times today. Try again tomorrow.
error-access-token_name = Give the token a name of 1 to { $max } characters, such as the place where you will use it.
error-access-too_many_tokens = You have { $max } active tokens, the most you can have. Revoke one first.
error-access-token_id = "{ $id }" is not the ID of a token.
error-access-unknown_token = There is no active token { $id }.
error-access-feed_name = Give the feed a name of 1 to { $max } characters, such as the calendar that will read it.
error-access-too_many_feeds = You have { $max } calendar feeds, the most you can have. Revoke one first.
error-access-unknown_feed = This calendar feed no longer exists.

error-portfolio-too_many = You have { $max } portfolios, the most you can have. Delete one first.
error-portfolio-named_twice = You named "{ $name }" twice. Name each portfolio once.
error-portfolio-name_taken = You already have a portfolio called "{ $name }". Choose another name.
error-portfolio-name_length = A portfolio's name has 1 to { $max } characters.
error-portfolio-slug_taken = The address "{ $slug }" is taken. Choose another one.
error-portfolio-slug_malformed = "{ $slug }" can't be an address. Use { $min } to { $max } lowercase letters, digits or hyphens.

error-entry-unknown = There is no transaction { $sequence }.
error-entry-doubtful = This transaction looks like a mistake. Check it, then save it again.
error-entry-symbol_missing = Enter a ticker such as KO or IBE.MC.
error-entry-symbol_unknown = No market data provider knows { $symbol }. Check the spelling.
error-entry-symbol_similar = No market data provider knows { $symbol }. Did you mean { $similar }?
error-entry-currency_missing = Choose a currency.
error-entry-future_date = { $date } is more than a year ahead. Check the date.
error-entry-portfolio_unknown = You have no portfolio called "{ $name }". Choose one from the list.
error-entry-duplicate = That portfolio already has this transaction.
error-entry-oversold = You only held { $held } { $symbol } on { $date }.
error-entry-missing_rate = There is no { $from }/{ $to } exchange rate for { $date }. Enter how many { $to } you got for 1 { $from }, because { $symbol } trades in { $to }.
error-entry-too_large = The figures of { $symbol } are too large to calculate with. Check the amounts.
error-entry-breaks_other = Another transaction would no longer fit: { $problem }
error-entry-needed = You can't delete this transaction, because others depend on it. Without it: { $problem }

error-import-too_many_uploads = You have { $max } unfinished imports. Finish or discard one first.
error-import-too_large = The file is larger than { $max } MiB. Export a shorter period, or split the file.
error-import-key_used = You already uploaded another file with this form. Reload the page and try again.
error-import-unreadable = The uploaded file can no longer be read. Upload it again.
error-import-unknown = There is no import { $id }.
error-import-file_lost = The file of import { $id } was not kept.
error-import-needed = You can't undo this import, because later transactions depend on it. Without it: { $problem } Undo the later import first.
error-import-unknown_format = There is no format "{ $name }".
error-import-columns_of_broker = { $format } files have fixed columns. Leave out either the format or the columns.
error-import-columns_malformed = These columns can't be used: { $reason }.
error-import-unknown_column = "{ $name }" is not something a column can hold.
error-import-instrument_name = A security in a file has a name of 1 to { $max } characters.
error-import-symbol_malformed = "{ $symbol }" is not a ticker. Enter one such as KO or IBE.MC.
error-import-unknown_unit = "{ $unit }" is not a currency. Enter an ISO 4217 code such as EUR or USD.

error-market-not_watched = { $symbol } is not on your watchlist. Nothing was changed.
error-market-target_yield = Enter a target yield above 0% and up to 100%.
error-market-target_price = Enter a target price above zero.
error-market-no_market_data = No data for { $symbol }: market data isn't set up. Nothing was changed.
error-market-unknown_symbol = No data for { $symbol }. Check the spelling. Nothing was changed.
error-market-lookup_failed = { $symbol } can't be looked up right now: { $cause }. Nothing was changed. Try again later.
error-market-implausible_price = The price of { $symbol } looks wrong: { $price } ({ $reason }). Nothing was changed. Try again later.
error-market-not_tracked = { $symbol } is not tracked. Run `dripline market track { $symbol }` first.
error-market-no_provider = No market data provider is set. Choose one or more with DRIPLINE_PROVIDER, such as yahoo,ecb.
error-market-unknown_provider = There is no market data provider "{ $name }". Choose from { $names }.
error-market-key_missing = The provider { $provider } needs a key. Set { $setting } or { $setting }_FILE.
error-market-malformed_url = { $setting } is not an address. Set one such as https://proxy.example.com.
error-market-http_client = The connection to market data providers can't be set up: { $cause }.

error-files-in_file = { $file }: { $reason }
error-files-in_line = { $file }, line { $line }: { $reason }
error-files-unreadable = The file can't be read: { $cause }.
error-files-empty_folder = The folder has none of the files { $names }.
error-files-header_not_utf8 = The header is not UTF-8 text. Save the file as UTF-8.
error-files-unknown_column = There is no column "{ $column }". The columns are { $columns }.
error-files-column_twice = The header has the column "{ $column }" twice. Remove one.
error-files-malformed_line = This line is not CSV in UTF-8, or it doesn't have as many fields as the header.
error-files-missing = Fill in { $column }.
error-files-malformed_symbol = "{ $text }" is not a ticker of up to 32 characters.
error-files-malformed_number = { $column } "{ $text }" is not a number. Write one such as 12.5, below a trillion.
error-files-not_positive = { $column } is { $figure }, but must be above zero.
error-files-malformed_date = { $column } "{ $text }" is not a date. Write it as YYYY-MM-DD.
error-files-malformed_instant = { $column } "{ $text }" is not a date or time. Write it as 2026-01-31 or 2026-01-31T16:00:00Z.
error-files-malformed_boolean = { $column } "{ $text }" is neither true nor false.
error-files-unknown_currency = "{ $text }" is not a currency. Write an ISO 4217 code such as EUR or USD.
error-files-unknown_kind = kind "{ $text }" is neither regular nor special.
error-files-malformed_ratio = ratio "{ $text }" is not a split ratio. Write new:old, such as 4:1.
error-files-rate_per_hundredth = Rates are per whole unit. Write the rate for { $currency }.
error-files-unknown_symbol = { $symbol } is unknown. Add it to stocks.csv.
error-files-dividend_twice = { $symbol } has two dividends on { $date } in { $currency }, one without a currency of its own. Keep one.
error-files-stock_conflict = { $symbol } is also on line { $line }, with other figures. Keep one.
error-files-dividend_conflict = The dividend of { $symbol } on { $date } is also on line { $line }, with other figures. Add them up, or mark one as special.
error-files-split_conflict = The split of { $symbol } on { $date } is also on line { $line }, with another ratio. Keep one.
error-files-close_conflict = The close of { $symbol } on { $date } is also on line { $line }, with another price. Keep one.
error-files-rate_conflict = The rate of { $currency } on { $date } is also on line { $line }, with another value. Keep one.

error-oauth-client_name_missing = Give the client a name that people can read.
error-oauth-redirect_malformed = { $uri } can't be a redirect address. Use https, or http on this computer.
error-oauth-redirect_count = A client has 1 to { $max } redirect addresses.
error-oauth-unknown_client = There is no client { $id }. Give its ID, or the https address of its description.
error-oauth-client_removed = Client { $id } has already been removed.
error-oauth-client_not_removed = Client { $id } has not been removed.
error-oauth-app_removed = The operator of this server has removed this app.
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
error-oauth-challenge_malformed = The parameter code_challenge must be the SHA-256 of the verifier in base64url, 43 characters.
error-oauth-verifier_missing = The parameter code_verifier is missing.
error-oauth-verifier_malformed = The parameter code_verifier must have 43 to 128 letters, digits and -._~.
error-oauth-verifier_mismatch = The code_verifier does not belong to this code.
error-oauth-code_invalid = The code is unknown, expired, or has already been used. Ask the user again.
error-oauth-redirect_mismatch = The redirect_uri is not the one that the code was sent to.
error-oauth-refresh_token_invalid = The refresh token is unknown, expired, or has been replaced. Ask the user again.
error-oauth-grant_type_unsupported = Exchange a code, a refresh token or a device code for a token. Other grant types are not supported.
error-oauth-target_unknown = The resource must be the address of the API or of the MCP endpoint, as in the metadata.
error-oauth-client_unknown = This server does not know the app, or the app did not prove its identity.
error-oauth-devices_not_declared = This app has not registered for device codes. Register it with that grant type.
error-oauth-too_many_devices = Too many devices are waiting. Try again in a few minutes.
error-oauth-too_many_tokens = This app has asked for too many tokens. Use the ones it has.
error-oauth-device_code_unknown = The device code is unknown. Start again.
error-oauth-device_code_expired = The device code has expired or has already been used. Start again.
error-oauth-denied = The user did not allow access.
error-oauth-pending = The user has not decided yet. Keep polling.
error-oauth-unavailable = The service can't answer right now. Try again shortly.
error-oauth-redirect_scheme = A redirect URI uses https, http on 127.0.0.1, [::1] or localhost, or a scheme of the app's own. It has no fragment and no user.
error-oauth-client_missing = The request does not say which app asks (client_id). Start again from the app.
error-oauth-redirect_missing = The request does not say where to send the answer (redirect_uri). Start again from the app.
error-oauth-redirect_unknown = The app has not registered this redirect address (redirect_uri). Tell whoever makes the app.
error-oauth-redirect_forbidden = This redirect address (redirect_uri) is not allowed. Tell whoever makes the app.
error-oauth-parameter_twice = The request has the parameter { $name } twice. Send it once.
error-oauth-parameter_missing = The parameter { $name } is missing.
error-oauth-scope_unknown = The only scope is { $scope }, optionally with { $other }.
error-oauth-slow_down = Poll only every { $seconds } seconds.
error-oauth-redirect_uris = An app has 1 to { $max } redirect_uris.

error-metadata-too_large = The description is larger than { $max } KiB. Send a smaller one.
error-metadata-not_an_object = The description must be a JSON object.
error-metadata-own_secret = An app can't choose its own secret. Leave out client_secret.
error-metadata-not_a_string = { $name } must be a string.
error-metadata-not_a_list = { $name } must be a list of strings.
error-metadata-response_type = The only supported response type is code.
error-metadata-scope = The only scope is { $scope }, optionally with { $other }.
error-metadata-grant_types = The supported grant types are { $types }.
error-metadata-application_type = The application_type must be native or web.
error-metadata-auth_method = The token_endpoint_auth_method must be none, client_secret_basic or client_secret_post.
error-metadata-secret_of_native_app = A native app can't keep a secret. Set token_endpoint_auth_method to none.

error-description-address_malformed = The app's address can't be read.
error-description-address_not_plain = The app's address must use https and have a path, without user, fragment or dot segments.
error-description-unreachable = The app's description could not be fetched.
error-description-status = The server of the app's description did not answer with status 200.
error-description-broken_off = The app's description was cut off.
error-description-too_large = The app's description is larger than { $max } KiB.
error-description-not_json = The app's description is not JSON.
error-description-not_an_object = The app's description is not a JSON object.
error-description-other_client_id = The client_id in the app's description is not its address.
error-description-secret = The app's description is public, so it can't have a secret.
error-description-auth_method = The token_endpoint_auth_method in the app's description must be none.
error-description-name_missing = The app's description has no client_name.
error-description-redirects_missing = The app's description has no redirect_uris.
error-description-unfit = The app's description must have a client_name and 1 to { $max } redirect_uris: https, a loopback address, or a scheme of the app's own.

error-server-key_missing = There is no secret key. Set DRIPLINE_SECRET_KEY or DRIPLINE_SECRET_KEY_FILE.
error-server-key_absent = { $secrets ->
    [one] One second factor in this database is encrypted with the key { $key }, which is not here. { $remedy } If the key is lost, run `dripline secret rotate --lost`: its owner then signs in with a recovery code, or you turn the second factor off.
   *[other] { $secrets } second factors in this database are encrypted with the key { $key }, which is not here. { $remedy } If the key is lost, run `dripline secret rotate --lost`: their owners then sign in with a recovery code, or you turn their second factor off.
}
error-server-key_first_in_use = The first key of DRIPLINE_SECRET_KEY is already in use. Put a new one before it on every node, and keep the old one after it. `openssl rand -base64 32` creates one.
error-server-key_open_to_others = Other users can read the secret key { $path }. Run `chmod 600 { $path }`, then `dripline secret rotate`.
error-server-key_malformed = { $path } has no secret key. Write one per line: 32 bytes in base 64 or hexadecimal.
error-server-key_unreadable = The secret key { $path } can't be read: { $cause }.
error-server-key_unwritable = The secret key { $path } can't be written: { $cause }.
error-server-key_unusable = The secret key can't encrypt anything. Run `dripline doctor`.
error-server-remedy_change_setting = Set DRIPLINE_SECRET_KEY to that key.
error-server-remedy_set_setting = Set DRIPLINE_SECRET_KEY or DRIPLINE_SECRET_KEY_FILE.
error-server-remedy_add_to_file = Put that key into { $path }, the file of DRIPLINE_SECRET_KEY_FILE.
error-server-remedy_copy_file = Copy the file { $name } from the data folder that the database came from into { $folder }, or set DRIPLINE_SECRET_KEY or DRIPLINE_SECRET_KEY_FILE to the key of the other nodes.
error-server-mail_sender = "{ $address }" can't send mail. Set an e-mail address.
error-server-mail_without_tls = Mail would be sent without TLS. Write smtps://… or smtp://…?tls=required.
error-server-mail_server = The mail server is not an address. Write it as smtps://user:password@host.
error-server-backup_path = { $path } can't be used for backups: { $cause }.
error-server-disk_full = No space is left on the server's disk: { $free } MiB are free, this needs { $needed } MiB, and { $reserve } MiB stay in reserve. Free some space, then try again.
error-server-uploads_full = All uploads on this server together may take { $max } MiB, and that is used up. Finish or discard your own imports, or try again tomorrow.
error-server-own_files_full = Your files take { $used } MiB, and with this one more than the { $max } MiB you can store. Discard unfinished imports, or undo imports you no longer need.

error-database-unavailable = { $cause }.
error-database-corrupt = { $cause }. Restore the last good backup with `dripline restore FILE`.
error-database-newer_schema = The database has schema { $found }, but this program only knows schemas up to { $known }. Nothing was changed. Run the newer dripline, or restore a backup made by this one.
error-database-old_sqlite = SQLite { $found } can damage the database. Build dripline with SQLite 3.51.3 or newer.
error-database-internal = { $cause }. This is a mistake in dripline. Please report it.
error-database-email_taken = There is already an account with this e-mail address. Use another one.
error-database-portfolio_name_taken = You already have a portfolio with this name. Choose another one.
error-database-slug_taken = This address is taken. Choose another one.
error-database-default_portfolio = You already have a default portfolio. Make it an ordinary one first.
error-database-entry_there = This portfolio already has this transaction.
error-database-key_there = There is already a row with this key.
