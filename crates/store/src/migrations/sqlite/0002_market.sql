-- Market data that comes from providers by and by, beside the operator's files.

INSERT INTO versions (name, value) VALUES ('listings', 1), ('rates', 1);

-- Rises with each change of the stock, its dividends, splits or prices.
ALTER TABLE stocks ADD COLUMN version INTEGER NOT NULL DEFAULT 0;

-- NULL: the operator's files.
ALTER TABLE dividends ADD COLUMN provider TEXT;

-- What is to be fetched, when, and who is at it. The symbol of calendar, rates and files is empty. Nobody's lease ends at 0.
CREATE TABLE refreshes (
    topic TEXT NOT NULL CHECK (topic IN ('quote', 'history', 'profile', 'calendar', 'rates', 'files')),
    symbol TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    leased_until INTEGER NOT NULL,
    holder TEXT,
    done_at INTEGER,
    failures INTEGER NOT NULL CHECK (failures >= 0),
    failed_at INTEGER,
    last_error TEXT,
    PRIMARY KEY (topic, symbol),
    CHECK ((symbol = '') = (topic IN ('calendar', 'rates', 'files'))),
    CHECK ((holder IS NULL) = (leased_until = 0))
) STRICT, WITHOUT ROWID;
CREATE INDEX refreshes_by_due ON refreshes (topic, due_at);

-- Figures that were not believed.
CREATE TABLE held_back (
    symbol TEXT NOT NULL,
    topic TEXT NOT NULL CHECK (topic IN ('quote', 'history', 'profile', 'calendar', 'rates', 'files')),
    provider TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    reason TEXT NOT NULL,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (symbol, topic, provider, field)
) STRICT, WITHOUT ROWID;

-- Who said what is stored in a field of a stock.
CREATE TABLE provenance (
    symbol TEXT NOT NULL,
    field TEXT NOT NULL,
    provider TEXT NOT NULL,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (symbol, field)
) STRICT, WITHOUT ROWID;

-- Requests of the day, and whether the provider answers.
CREATE TABLE providers (
    name TEXT NOT NULL PRIMARY KEY,
    day TEXT NOT NULL,
    used INTEGER NOT NULL CHECK (used >= 0),
    ok_at INTEGER,
    failed_at INTEGER,
    last_error TEXT,
    open_until INTEGER
) STRICT, WITHOUT ROWID;

-- Work that one process at a time does for all.
CREATE TABLE leases (
    name TEXT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    held_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
