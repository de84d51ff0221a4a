//! Every table with all its columns, parents before children; the statements that copy them are generated from this list.

use crate::statement::Statement;

/// A table that both engines have.
#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    /// Key columns first; their types are those of the parameters of `insert`.
    pub columns: &'static [&'static str],
    /// How many of the columns are the key.
    pub keys: usize,
    /// The first page of rows by key, and the page after a given key.
    pub first: &'static Statement,
    pub after: &'static Statement,
    pub insert: &'static Statement,
    pub delete: &'static Statement,
    pub count: &'static Statement,
    statements: &'static [&'static Statement],
}

impl Table {
    /// The column with the row's user.
    pub fn owner(&self) -> Option<usize> {
        let owner = if self.name == "users" { "id" } else { "user_id" };
        self.columns.iter().position(|column| *column == owner)
    }

    /// Whether rows of other tables refer to rows of this one, always of the same user.
    pub fn is_parent(&self) -> bool {
        ["users", "portfolios", "imports", "statements"].contains(&self.name)
    }
}

pub(crate) fn statements() -> impl Iterator<Item = &'static Statement> {
    TABLES.iter().flat_map(|table| table.statements).copied()
}

/// `table (rows of a page) [key: Type, …] column: Type, …;`
macro_rules! tables {
    ($($table:ident ($page:literal) [$($key:ident: $key_kind:ident),*] $($column:ident: $kind:ident),*;)*) => {
        $(mod $table {
            $crate::statement::statements! {
                FIRST = concat!(
                    "SELECT ", listed!($($key)* $($column)*), " FROM ", stringify!($table),
                    " ORDER BY ", listed!($($key)*), " LIMIT ", $page
                ), [] => [$($key_kind),* $(, $kind)*];
                AFTER = concat!(
                    "SELECT ", listed!($($key)* $($column)*), " FROM ", stringify!($table),
                    " WHERE (", listed!($($key)*), ") > (", numbered!($($key)*), ")",
                    " ORDER BY ", listed!($($key)*), " LIMIT ", $page
                ), [$($key_kind),*] => [$($key_kind),* $(, $kind)*];
                INSERT = concat!(
                    "INSERT INTO ", stringify!($table), " (", listed!($($key)* $($column)*), ")",
                    " VALUES (", numbered!($($key)* $($column)*), ")"
                ), [$($key_kind),* $(, $kind)*] => [];
                DELETE = concat!(
                    "DELETE FROM ", stringify!($table), " WHERE (", listed!($($key)*), ") = (", numbered!($($key)*), ")"
                ), [$($key_kind),*] => [];
                COUNT = concat!("SELECT COUNT(*) FROM ", stringify!($table)), [] => [Integer];
            }
        })*
        pub static TABLES: &[Table] = &[$(Table {
            name: stringify!($table),
            columns: &[$(stringify!($key)),* $(, stringify!($column))*],
            keys: [$(stringify!($key)),*].len(),
            first: &$table::FIRST,
            after: &$table::AFTER,
            insert: &$table::INSERT,
            delete: &$table::DELETE,
            count: &$table::COUNT,
            statements: $table::STATEMENTS,
        }),*];
    };
}

macro_rules! listed {
    ($first:ident $($next:ident)*) => { concat!(stringify!($first) $(, ", ", stringify!($next))*) };
}

/// As many of `$1, $2, …` as there are columns.
macro_rules! numbered {
    ($first:ident $($next:ident)*) => {
        concat!("$1", numbered!([$($next)*] "$2" "$3" "$4" "$5" "$6" "$7" "$8" "$9" "$10" "$11" "$12" "$13" "$14" "$15" "$16" "$17"
            "$18" "$19" "$20" "$21" "$22" "$23" "$24" "$25" "$26" "$27" "$28" "$29" "$30" "$31" "$32"))
    };
    ([] $($left:literal)*) => { "" };
    ([$first:ident $($next:ident)*] $number:literal $($left:literal)*) => {
        concat!(", ", $number, numbered!([$($next)*] $($left)*))
    };
}

// Tables with megabytes per row have one row per page.
tables! {
    users (1000) [id: Uuid] email: Text, email_key: Text, name: Text, preferred_currency: Text, residence: Text,
        password_hash: Text, disabled: Boolean, version: Integer, created_at: Integer, number_format: Text,
        session_idle_minutes: Integer, email_verified_at: Integer;
    portfolios (1000) [user_id: Uuid, id: Uuid] name: Text, name_key: Text, slug: Text, slug_key: Text, is_default: Boolean,
        position: Integer, created_at: Integer, made_by: Uuid, show_amounts: Boolean;
    imports (1000) [user_id: Uuid, id: Uuid] format: Text, file_name: Text, file_hash: Bytes, row_count: Integer,
        added: Integer, existing: Integer, skipped: Integer, created_at: Integer;
    statements (1000) [user_id: Uuid, import_id: Uuid] portfolio_id: Uuid, as_of: Date;
    tokens (1000) [hash: Bytes] id: Uuid, user_id: Uuid, kind: Text, name: Text, created_at: Integer, last_used_at: Integer,
        expires_at: Integer, revoked_at: Integer, grant_id: Uuid, audience: Text;
    entries (1000) [user_id: Uuid, sequence: Integer] portfolio_id: Uuid, date: Date, type: Text, symbol: Text, isin: Text,
        name: Text, shares: Decimal, price: Decimal, amount: Decimal, fees: Decimal, tax: Decimal, net: Decimal,
        currency: Text, fx_rate: Decimal, ratio: Text, ex_date: Date, source: Text, source_id: Text, note: Text,
        identity: Text, import_id: Uuid, gross_known: Boolean;
    positions (1000) [user_id: Uuid, portfolio_id: Uuid, symbol: Text] fold: Bytes;
    import_files (1) [user_id: Uuid, import_id: Uuid] file: Bytes;
    accruals (1000) [user_id: Uuid, import_id: Uuid, position: Integer] symbol: Text, name: Text, currency: Text,
        ex_date: Date, pay_date: Date, shares: Decimal, per_share: Decimal, gross: Decimal, tax: Decimal, net: Decimal;
    instruments (1000) [user_id: Uuid, key: Text] symbol: Text;
    column_maps (1000) [user_id: Uuid, header: Text] columns: Text;
    uploads (1) [user_id: Uuid, id: Uuid] file_name: Text, file: Bytes, portfolio: Text, columns: Text, answers: Text,
        keep_unresolved: Boolean, created_at: Integer, import_id: Uuid;
    radar (1000) [user_id: Uuid, symbol: Text] added_at: Integer, target_yield_pct: Decimal, target_price: Decimal;
    tracking (1000) [user_id: Uuid, symbol: Text];
    followers (1000) [symbol: Text] people: Integer;
    sessions (1000) [hash: Bytes] id: Uuid, user_id: Uuid, state: Text, created_at: Integer, seen_at: Integer,
        confirmed_at: Integer, agent: Text, address: Text;
    devices (1000) [hash: Bytes] user_id: Uuid, created_at: Integer, seen_at: Integer;
    resets (1000) [hash: Bytes] user_id: Uuid, expires_at: Integer, mailed: Boolean;
    mail_links (1000) [hash: Bytes] purpose: Text, email: Text, email_key: Text, user_id: Uuid, invitation: Bytes,
        expires_at: Integer;
    email_changes (1000) [hash: Bytes] user_id: Uuid, email: Text, expires_at: Integer;
    totp (1000) [user_id: Uuid] secret: Bytes, confirmed_at: Integer, last_step: Integer;
    encryption_keys (1000) [id: Bytes] since: Integer;
    recovery_codes (1000) [user_id: Uuid, hash: Bytes];
    audit (1000) [user_id: Uuid, position: Integer] at: Integer, event: Text, detail: Text, hash: Bytes, digest: Bytes,
        salt: Bytes;
    feeds (1000) [hash: Bytes] id: Uuid, user_id: Uuid, name: Text, created_at: Integer, last_used_at: Integer;
    oauth_clients (1000) [id: Text] kind: Text, name: Text, redirect_uris: Text, auth_method: Text, secret_hash: Bytes,
        device_grant: Boolean, created_at: Integer, used_at: Integer, fresh_until: Integer;
    oauth_blocked_clients (1000) [client_id: Text] name: Text, blocked_at: Integer;
    oauth_consents (1000) [hash: Bytes] expires_at: Integer;
    oauth_grants (1000) [user_id: Uuid, id: Uuid] client_id: Text, client_name: Text, redirect_host: Text,
        redirects_hash: Bytes, audience: Text, created_at: Integer, used_at: Integer, expires_at: Integer,
        revoked_at: Integer;
    oauth_codes (1000) [hash: Bytes] user_id: Uuid, grant_id: Uuid, client_id: Text, redirect_uri: Text, challenge: Text,
        audience: Text, expires_at: Integer, used_at: Integer;
    oauth_refresh_tokens (1000) [hash: Bytes] user_id: Uuid, grant_id: Uuid, created_at: Integer, expires_at: Integer,
        rotated_at: Integer, salt: Bytes;
    oauth_device_codes (1000) [hash: Bytes] user_code_hash: Bytes, client_id: Text, audience: Text, created_at: Integer,
        expires_at: Integer, interval_seconds: Integer, polled_at: Integer, tries: Integer, state: Text, user_id: Uuid,
        grant_id: Uuid;
    sign_in_failures (1000) [account: Bytes] window_start: Integer, failures: Integer, consecutive: Integer,
        blocked_until: Integer;
    invitations (1000) [hash: Bytes] id: Uuid, created_at: Integer, expires_at: Integer, used_at: Integer;
    stocks (1000) [symbol: Text] name: Text, currency: Text, quote_unit: Text, exchange: Text, type: Text, isin: Text,
        country: Text, sector: Text, industry: Text, instrument_type: Text, price: Decimal, price_as_of: Integer,
        forward_rate: Decimal, payout_ratio: Decimal, fcf_cover: Decimal, pe: Decimal, ma50: Decimal, ma200: Decimal,
        low52: Decimal, high52: Decimal, yield_avg_5y_pct: Decimal, tracked: Boolean, placeholder: Boolean, version: Integer;
    dividends (1000) [symbol: Text, ex_date: Date, currency: Text, kind: Text] pay_date: Date, declared_date: Date,
        amount: Decimal, provider: Text;
    splits (1000) [symbol: Text, date: Date] new_shares: Decimal, old_shares: Decimal;
    prices (1000) [symbol: Text, date: Date] close: Decimal;
    fx_rates (1000) [currency: Text, date: Date] rate: Decimal;
    refreshes (1000) [topic: Text, symbol: Text] due_at: Integer, leased_until: Integer, holder: Text, done_at: Integer,
        failures: Integer, failed_at: Integer, last_error: Text;
    held_back (1000) [symbol: Text, topic: Text, provider: Text, field: Text] value: Text, reason: Text, seen_at: Integer;
    provenance (1000) [symbol: Text, field: Text] provider: Text, seen_at: Integer;
    providers (1000) [name: Text] day: Date, used: Integer, ok_at: Integer, failed_at: Integer, last_error: Text,
        open_until: Integer;
    leases (1000) [name: Text] holder: Text, held_until: Integer;
    versions (1000) [name: Text] value: Integer;
}
