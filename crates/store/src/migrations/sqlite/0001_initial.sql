-- Decimals and dates are TEXT (ISO 8601), instants INTEGER microseconds since 1970, ids TEXT (UUIDv7), booleans 0 or 1.
-- A *_key column is the Unicode-folded form of its neighbour, made by the program.
-- No ON DELETE CASCADE: a user's rows are deleted by name, so that a table forgotten there is an error and not a leak.

CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    name TEXT,
    preferred_currency TEXT NOT NULL,
    residence TEXT,
    password_hash TEXT,
    disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id),
    kind TEXT NOT NULL CHECK (kind IN ('personal')),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    expires_at INTEGER,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_by_user ON tokens (user_id);

CREATE TABLE portfolios (
    user_id TEXT NOT NULL REFERENCES users (id),
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    slug TEXT,
    slug_key TEXT UNIQUE,
    is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
    position INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, name_key),
    CHECK ((slug IS NULL) = (slug_key IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX portfolios_one_default ON portfolios (user_id) WHERE is_default = 1;

CREATE TABLE imports (
    user_id TEXT NOT NULL REFERENCES users (id),
    id TEXT NOT NULL UNIQUE,
    format TEXT NOT NULL,
    file_name TEXT NOT NULL,
    file_hash BLOB NOT NULL CHECK (length(file_hash) = 32),
    row_count INTEGER NOT NULL,
    added INTEGER NOT NULL,
    existing INTEGER NOT NULL,
    skipped INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

-- The composite references keep an entry from naming another user's portfolio or import.
CREATE TABLE entries (
    user_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    portfolio_id TEXT NOT NULL,
    date TEXT NOT NULL,
    type TEXT NOT NULL
        CHECK (type IN ('buy', 'sell', 'dividend', 'split', 'transfer_in', 'transfer_out', 'return_of_capital')),
    symbol TEXT NOT NULL,
    isin TEXT,
    name TEXT,
    shares TEXT,
    price TEXT,
    amount TEXT,
    fees TEXT,
    tax TEXT,
    net TEXT,
    currency TEXT NOT NULL,
    fx_rate TEXT,
    ratio TEXT,
    ex_date TEXT,
    source TEXT NOT NULL,
    source_id TEXT,
    note TEXT,
    identity TEXT NOT NULL,
    import_id TEXT,
    gross_known INTEGER NOT NULL CHECK (gross_known IN (0, 1)),
    PRIMARY KEY (user_id, sequence),
    UNIQUE (user_id, portfolio_id, identity),
    FOREIGN KEY (user_id, portfolio_id) REFERENCES portfolios (user_id, id),
    FOREIGN KEY (user_id, import_id) REFERENCES imports (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE radar (
    user_id TEXT NOT NULL REFERENCES users (id),
    symbol TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, symbol)
) STRICT, WITHOUT ROWID;

-- Who holds a stock or has it on the radar.
CREATE TABLE tracking (
    symbol TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id),
    PRIMARY KEY (symbol, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tracking_by_user ON tracking (user_id, symbol);

CREATE TABLE stocks (
    symbol TEXT NOT NULL PRIMARY KEY,
    name TEXT,
    currency TEXT NOT NULL,
    quote_unit TEXT NOT NULL,
    exchange TEXT,
    type TEXT,
    isin TEXT,
    country TEXT,
    sector TEXT,
    industry TEXT,
    instrument_type TEXT,
    price TEXT,
    price_as_of INTEGER,
    forward_rate TEXT,
    payout_ratio TEXT,
    fcf_cover TEXT,
    pe TEXT,
    ma50 TEXT,
    ma200 TEXT,
    low52 TEXT,
    high52 TEXT,
    yield_avg_5y_pct TEXT,
    tracked INTEGER NOT NULL CHECK (tracked IN (0, 1)),
    placeholder INTEGER NOT NULL CHECK (placeholder IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX stocks_by_isin ON stocks (isin) WHERE isin IS NOT NULL;

CREATE TABLE dividends (
    symbol TEXT NOT NULL,
    ex_date TEXT NOT NULL,
    currency TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('regular', 'special')),
    pay_date TEXT,
    declared_date TEXT,
    amount TEXT NOT NULL,
    PRIMARY KEY (symbol, ex_date, currency, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX dividends_by_ex_date ON dividends (ex_date);

CREATE TABLE splits (
    symbol TEXT NOT NULL,
    date TEXT NOT NULL,
    new_shares TEXT NOT NULL,
    old_shares TEXT NOT NULL,
    PRIMARY KEY (symbol, date)
) STRICT, WITHOUT ROWID;

-- Adjusted for splits, not for dividends.
CREATE TABLE prices (
    symbol TEXT NOT NULL,
    date TEXT NOT NULL,
    close TEXT NOT NULL,
    PRIMARY KEY (symbol, date)
) STRICT, WITHOUT ROWID;

-- Units per 1 EUR.
CREATE TABLE fx_rates (
    currency TEXT NOT NULL,
    date TEXT NOT NULL,
    rate TEXT NOT NULL,
    PRIMARY KEY (currency, date)
) STRICT, WITHOUT ROWID;

CREATE TABLE versions (
    name TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO versions (name, value) VALUES ('market', 1), ('tracking', 1);
