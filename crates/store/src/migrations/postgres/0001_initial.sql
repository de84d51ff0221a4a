-- The tables of the SQLite file of this number, in PostgreSQL's types. Instants are microseconds since 1970.
-- Text is ordered by its bytes. What is a user's has the user first in its key, so that it can be distributed by user.
-- No ON DELETE CASCADE: a user's rows are deleted by name, so that a table forgotten there is an error and not a leak.

CREATE TABLE users (
    id UUID NOT NULL PRIMARY KEY,
    email TEXT COLLATE "C" NOT NULL,
    email_key TEXT COLLATE "C" NOT NULL UNIQUE,
    name TEXT COLLATE "C",
    preferred_currency TEXT COLLATE "C" NOT NULL,
    residence TEXT COLLATE "C",
    password_hash TEXT COLLATE "C",
    disabled BOOLEAN NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);

-- With room in its pages: when a token was last used is written often, and then no index has to be.
CREATE TABLE tokens (
    hash BYTEA NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id UUID NOT NULL UNIQUE,
    user_id UUID NOT NULL REFERENCES users (id),
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('personal')),
    name TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT,
    expires_at BIGINT,
    revoked_at BIGINT
) WITH (fillfactor = 70);
CREATE INDEX tokens_by_user ON tokens (user_id);

CREATE TABLE portfolios (
    user_id UUID NOT NULL REFERENCES users (id),
    id UUID NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    name_key TEXT COLLATE "C" NOT NULL,
    slug TEXT COLLATE "C",
    slug_key TEXT COLLATE "C" UNIQUE,
    is_default BOOLEAN NOT NULL,
    position BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, name_key),
    CHECK ((slug IS NULL) = (slug_key IS NULL))
);
CREATE UNIQUE INDEX portfolios_one_default ON portfolios (user_id) WHERE is_default;

CREATE TABLE imports (
    user_id UUID NOT NULL REFERENCES users (id),
    id UUID NOT NULL,
    format TEXT COLLATE "C" NOT NULL,
    file_name TEXT COLLATE "C" NOT NULL,
    file_hash BYTEA NOT NULL CHECK (length(file_hash) = 32),
    row_count BIGINT NOT NULL,
    added BIGINT NOT NULL,
    existing BIGINT NOT NULL,
    skipped BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX imports_by_id ON imports (id);

-- The composite references keep an entry from naming another user's portfolio or import.
CREATE TABLE entries (
    user_id UUID NOT NULL,
    sequence BIGINT NOT NULL,
    portfolio_id UUID NOT NULL,
    date DATE NOT NULL,
    type TEXT COLLATE "C" NOT NULL
        CHECK (type IN ('buy', 'sell', 'dividend', 'split', 'transfer_in', 'transfer_out', 'return_of_capital')),
    symbol TEXT COLLATE "C" NOT NULL,
    isin TEXT COLLATE "C",
    name TEXT COLLATE "C",
    shares NUMERIC,
    price NUMERIC,
    amount NUMERIC,
    fees NUMERIC,
    tax NUMERIC,
    net NUMERIC,
    currency TEXT COLLATE "C" NOT NULL,
    fx_rate NUMERIC,
    ratio TEXT COLLATE "C",
    ex_date DATE,
    source TEXT COLLATE "C" NOT NULL,
    source_id TEXT COLLATE "C",
    note TEXT COLLATE "C",
    identity TEXT COLLATE "C" NOT NULL,
    import_id UUID,
    gross_known BOOLEAN NOT NULL,
    PRIMARY KEY (user_id, sequence),
    UNIQUE (user_id, portfolio_id, identity),
    FOREIGN KEY (user_id, portfolio_id) REFERENCES portfolios (user_id, id),
    FOREIGN KEY (user_id, import_id) REFERENCES imports (user_id, id)
);

CREATE TABLE radar (
    user_id UUID NOT NULL REFERENCES users (id),
    symbol TEXT COLLATE "C" NOT NULL,
    added_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, symbol)
);

-- Who holds a stock or has it on the radar.
CREATE TABLE tracking (
    symbol TEXT COLLATE "C" NOT NULL,
    user_id UUID NOT NULL REFERENCES users (id),
    PRIMARY KEY (user_id, symbol)
);
CREATE INDEX tracking_by_symbol ON tracking (symbol, user_id);

CREATE TABLE stocks (
    symbol TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name TEXT COLLATE "C",
    currency TEXT COLLATE "C" NOT NULL,
    quote_unit TEXT COLLATE "C" NOT NULL,
    exchange TEXT COLLATE "C",
    type TEXT COLLATE "C",
    isin TEXT COLLATE "C",
    country TEXT COLLATE "C",
    sector TEXT COLLATE "C",
    industry TEXT COLLATE "C",
    instrument_type TEXT COLLATE "C",
    price NUMERIC,
    price_as_of BIGINT,
    forward_rate NUMERIC,
    payout_ratio NUMERIC,
    fcf_cover NUMERIC,
    pe NUMERIC,
    ma50 NUMERIC,
    ma200 NUMERIC,
    low52 NUMERIC,
    high52 NUMERIC,
    yield_avg_5y_pct NUMERIC,
    tracked BOOLEAN NOT NULL,
    placeholder BOOLEAN NOT NULL
);
CREATE INDEX stocks_by_isin ON stocks (isin) WHERE isin IS NOT NULL;

CREATE TABLE dividends (
    symbol TEXT COLLATE "C" NOT NULL,
    ex_date DATE NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('regular', 'special')),
    pay_date DATE,
    declared_date DATE,
    amount NUMERIC NOT NULL,
    PRIMARY KEY (symbol, ex_date, currency, kind)
);
CREATE INDEX dividends_by_ex_date ON dividends (ex_date);

CREATE TABLE splits (
    symbol TEXT COLLATE "C" NOT NULL,
    date DATE NOT NULL,
    new_shares NUMERIC NOT NULL,
    old_shares NUMERIC NOT NULL,
    PRIMARY KEY (symbol, date)
);

-- Adjusted for splits, not for dividends.
CREATE TABLE prices (
    symbol TEXT COLLATE "C" NOT NULL,
    date DATE NOT NULL,
    close NUMERIC NOT NULL,
    PRIMARY KEY (symbol, date)
);

-- Units per 1 EUR.
CREATE TABLE fx_rates (
    currency TEXT COLLATE "C" NOT NULL,
    date DATE NOT NULL,
    rate NUMERIC NOT NULL,
    PRIMARY KEY (currency, date)
);

CREATE TABLE versions (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO versions (name, value) VALUES ('market', 1), ('tracking', 1);
