-- Market data that comes from providers by and by, beside the operator's files.

INSERT INTO versions (name, value) VALUES ('listings', 1), ('rates', 1);

-- Rises with each change of the stock, its dividends, splits or prices.
ALTER TABLE stocks ADD COLUMN version BIGINT NOT NULL DEFAULT 0;

-- NULL: the operator's files.
ALTER TABLE dividends ADD COLUMN provider TEXT COLLATE "C";

-- What is to be fetched, when, and who is at it. The symbol of calendar, rates and files is empty. Nobody's lease ends at 0.
CREATE TABLE refreshes (
    topic TEXT COLLATE "C" NOT NULL CHECK (topic IN ('quote', 'history', 'profile', 'calendar', 'rates', 'files')),
    symbol TEXT COLLATE "C" NOT NULL,
    due_at BIGINT NOT NULL,
    leased_until BIGINT NOT NULL,
    holder TEXT COLLATE "C",
    done_at BIGINT,
    failures BIGINT NOT NULL CHECK (failures >= 0),
    failed_at BIGINT,
    last_error TEXT COLLATE "C",
    PRIMARY KEY (topic, symbol),
    CHECK ((symbol = '') = (topic IN ('calendar', 'rates', 'files'))),
    CHECK ((holder IS NULL) = (leased_until = 0))
);
CREATE INDEX refreshes_by_due ON refreshes (topic, due_at);

-- Figures that were not believed.
CREATE TABLE held_back (
    symbol TEXT COLLATE "C" NOT NULL,
    topic TEXT COLLATE "C" NOT NULL CHECK (topic IN ('quote', 'history', 'profile', 'calendar', 'rates', 'files')),
    provider TEXT COLLATE "C" NOT NULL,
    field TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (symbol, topic, provider, field)
);

-- Who said what is stored in a field of a stock.
CREATE TABLE provenance (
    symbol TEXT COLLATE "C" NOT NULL,
    field TEXT COLLATE "C" NOT NULL,
    provider TEXT COLLATE "C" NOT NULL,
    seen_at BIGINT NOT NULL,
    PRIMARY KEY (symbol, field)
);

-- Requests of the day, and whether the provider answers.
CREATE TABLE providers (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    day DATE NOT NULL,
    used BIGINT NOT NULL CHECK (used >= 0),
    ok_at BIGINT,
    failed_at BIGINT,
    last_error TEXT COLLATE "C",
    open_until BIGINT
);

-- Work that one process at a time does for all.
CREATE TABLE leases (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    holder TEXT COLLATE "C" NOT NULL,
    held_until BIGINT NOT NULL
);
