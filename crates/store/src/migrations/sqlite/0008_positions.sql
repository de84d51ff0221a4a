-- What the entries of a portfolio and symbol come to, kept so that nobody has to replay them all. Without a value where they have
-- changed since; every one of them has a row.
CREATE TABLE positions (
    user_id TEXT NOT NULL,
    portfolio_id TEXT NOT NULL,
    symbol TEXT NOT NULL,
    fold BLOB,
    PRIMARY KEY (user_id, portfolio_id, symbol),
    FOREIGN KEY (user_id, portfolio_id) REFERENCES portfolios (user_id, id)
) STRICT, WITHOUT ROWID;
INSERT INTO positions (user_id, portfolio_id, symbol) SELECT DISTINCT user_id, portfolio_id, symbol FROM entries;
