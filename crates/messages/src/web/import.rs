//! Import: upload, review, undo.

crate::texts! { Import = "import" {
    title, lead, drop_title, drop_hint, files, read, by_default, formats, waiting_title, waiting_lead, go_on, discard,
    discard_all, discarded, past_title, past_empty, file, when, rows, added, existing, skipped, download, undo, undo_now, see_dividends, no_file,
    too_many, already, plan_title, detected, format_unknown, format_table, total, fate_new, fate_joined,
    fate_existing, fate_repeated, fate_skipped, fate_error, all_rows, rows_title, line, fate, becomes, no_rows,
    faults, quote, questions_title, questions_lead, other_symbol, symbol_of, answered_hint, said_title, keep_title,
    keep_hint, keep, kept, keep_not, currency_title, currency_hint, currency_unknown, pence, agorot, cents,
    use_currency, answer, columns_title, columns_lead, doubts, no_column, as_found, sample, more_settings, dates,
    day_first, month_first, decimals, decimal_point, decimal_comma, default_kind, by_shares, by_amount,
    default_currency, traded, costs, costs_positive, costs_negative, ignore, use_columns, forget_columns, time, isin,
    cusip, name, id, portfolio_title, portfolio_lead, the_default, choose, apply, ready, nothing_new, nothing_found,
    blocked, not_imported, skip_row, include_row, add_opening, opening_lead, opening_cost_hint, opening_shares_missing,
    remove_opening, rates_title, rates_lead, use_rate, done_title, see_income, see_ledger, another, added_count, pays, pays_later, reload, next_title,
    nothing_open, unknown_costs, left_out_title, again, positions_title, positions_lead, positions_paste, positions_hint,
    positions_read, positions_blank, positions_file, position_symbol, position_cost, position_incomplete, as_traded, recommended, recommended_hint, openings_title, openings_lead, openings_not, errors_title, errors_lead;
    undo_lead(n), undone(n), openings_back(n), discarded_all(n), waiting_now(n), repeats(line), rows_mean_it(n), more_questions(n), more_answered(n),
    currency_lead(symbols), word(word), will_add(n, rows, kinds), would_add(n, rows, kinds), kind_count(kind, n), opens(n), leaves_out(n), keeps(n),
    openings_all(n), openings_added(n), held_on(shares, date), skip_errors(n), payments(n), partly_new(existing, skipped), all_skipped(n),
    unmatched(n), imported(n), imported_existing(n), imported_repeated(n), imported_skipped(n),
    skip_all(n), include_all(n), opening_shares_hint(symbol), opening_cost(currency), sold_missing(n, shares),
    moved_missing(n, shares), share_count(n, shares), rate_of(from, to), pays_note(n), openings_count(n), left_out_lead(n),
    readable_now(n), more_left_out(n), loading(n),
} }
