-- What the entries of a portfolio and symbol come to, kept so that nobody has to replay them all. Without a value where they have
-- changed since; every one of them has a row.
CREATE TABLE positions (
    user_id UUID NOT NULL,
    portfolio_id UUID NOT NULL,
    symbol TEXT COLLATE "C" NOT NULL,
    fold BYTEA,
    PRIMARY KEY (user_id, portfolio_id, symbol),
    FOREIGN KEY (user_id, portfolio_id) REFERENCES portfolios (user_id, id)
);
INSERT INTO positions (user_id, portfolio_id, symbol) SELECT DISTINCT user_id, portfolio_id, symbol FROM entries;

-- The entries of one user and symbol; the other engine's index has the user in it as it is.
DROP INDEX entries_by_symbol;
CREATE INDEX entries_by_symbol ON entries (symbol, user_id);
