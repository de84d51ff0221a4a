-- How many users hold a stock or watch it, kept so that nobody has to count them all.
CREATE TABLE followers (
    symbol TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    people BIGINT NOT NULL
);
INSERT INTO followers (symbol, people) SELECT symbol, COUNT(*) FROM tracking GROUP BY symbol;

-- Whether anybody still names a symbol.
CREATE INDEX entries_by_symbol ON entries (symbol);
CREATE INDEX accruals_by_symbol ON accruals (symbol);
CREATE INDEX radar_by_symbol ON radar (symbol);
