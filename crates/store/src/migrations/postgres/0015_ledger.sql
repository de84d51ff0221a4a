-- A user's entries by date, by security and by type, each with everything a list is filtered by, so that one part of it is found
-- without reading the rest.
DROP INDEX entries_by_date;
CREATE INDEX entries_by_date ON entries (user_id, date, sequence, type, portfolio_id, symbol);
CREATE INDEX entries_by_security ON entries (user_id, symbol, date, sequence, type, portfolio_id);
CREATE INDEX entries_by_type ON entries (user_id, type, date, sequence, symbol, portfolio_id);

-- The entries that each user deleted last. Without references to portfolios and imports, which may be gone before they expire.
CREATE TABLE deleted_entries (
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    deletion_id UUID NOT NULL,
    deleted_at BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    portfolio_id UUID NOT NULL,
    date DATE NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
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
    PRIMARY KEY (user_id, sequence)
);
CREATE INDEX deleted_entries_by_time ON deleted_entries (deleted_at);
