//! The command line: what is wrong with settings and arguments, how far a command is, and what it did.

use app::operations::progress::Stage;

use crate::{Keys, Language};

pub const KEYS: &[Keys] = &[Setting::KEYS, Command::KEYS, Progress::KEYS, Import::KEYS, MarketStatus::KEYS];

crate::texts! { Setting = "error-setting" {
    replica_alone, sender_missing, secret_key, provider_of_owner, backups_of_server, tls_key_missing, tls_certificate_missing;
    number(name, value, min, max), mebibytes(name, value, max), postgres_address(name), pooler(value),
    provider_table(provider, known), provider_unknown(provider, known), provider_twice(provider), budget(name, value),
    backup_every(value), listen(value), trusted_proxy(value), now(value), sign_up(value), both_set(name), empty_file(path, name),
    messages_unreadable(path), messages_tag(tag), messages_file(path, problems), messages_incomplete(path, problems),
    more_problems(count), collector(name),
} }

// Those without a full stop are followed by their cause.
crate::texts! { Command = "error-command" {
    stdout_unwritable, threads, password_unreadable, signals, unfinished_copy, backups_off, copy_target_missing, copy_address,
    copy_source, copy_target, copy_interrupted, nothing_copied, mapping, skip_line_of_one, list_imports, list_tokens, list_formats, name_slug,
    no_histories, few_payers, rule_of_stock;
    unreadable(path), unwritable(path), folder_not_created(path), restore_of_server(path), no_backup(folder), drill_folder(folder),
    delete_portfolio(name), delete_account(email), listen(address), metrics(address), no_data(symbol), folder(path), no_file(path),
    no_histories_in(path),
} }

crate::texts! { Progress = "progress" {
    reading, identifying, checking, storing, storing_stocks, storing_dividends, storing_prices, storing_rates, backup, restore,
    restored, fetching, measuring;
    copy_preparing(table), copy_copying(table), copy_verifying(table),
} }

crate::texts! { Import = "command-import" {
    opening_hint, skip_hint;
    added(new, rows), would_add(new, rows), merged(n), duplicates(n), repeated(n), skipped(n), announced(n), errors(n, rows),
    undone(file, email, n), matched(matches, n), opening(line, shares, symbol, date), opening_needed(shares, symbol, date), openings_back(n),
} }

crate::texts! { MarketStatus = "command-market_status" {;
    requests(n, day), rejected(n), work(stocks, never, due, failing, newest), refreshed(newest), due(newest), failing(newest),
} }

pub fn stage(language: &'static Language, stage: Stage) -> &'static str {
    let texts = Progress::load(language);
    match stage {
        Stage::Reading => texts.reading,
        Stage::Identifying => texts.identifying,
        Stage::Checking => texts.checking,
        Stage::Storing => texts.storing,
        Stage::StoringStocks => texts.storing_stocks,
        Stage::StoringDividends => texts.storing_dividends,
        Stage::StoringPrices => texts.storing_prices,
        Stage::StoringRates => texts.storing_rates,
    }
}
