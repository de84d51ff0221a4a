-- A user's entries by date, by security and by type, each with everything a list is filtered by, so that one part of it is found
-- without reading the rest.
DROP INDEX entries_by_date;
CREATE INDEX entries_by_date ON entries (user_id, date, sequence, type, portfolio_id, symbol);
CREATE INDEX entries_by_security ON entries (user_id, symbol, date, sequence, type, portfolio_id);
CREATE INDEX entries_by_type ON entries (user_id, type, date, sequence, symbol, portfolio_id);

-- The entries that each user deleted last. Without references to portfolios and imports, which may be gone before they expire.
CREATE TABLE deleted_entries (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    deletion_id TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    portfolio_id TEXT NOT NULL,
    date TEXT NOT NULL,
    type TEXT NOT NULL,
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
    PRIMARY KEY (user_id, sequence)
) STRICT, WITHOUT ROWID;
CREATE INDEX deleted_entries_by_time ON deleted_entries (deleted_at);
