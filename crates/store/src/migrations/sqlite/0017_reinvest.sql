-- How dividends that are recorded automatically are reinvested: off, fractional or whole.
ALTER TABLE portfolios ADD COLUMN reinvest TEXT NOT NULL DEFAULT 'off';

-- The same for single stocks of a portfolio.
CREATE TABLE reinvest_rules (
    user_id TEXT NOT NULL,
    portfolio_id TEXT NOT NULL,
    symbol TEXT NOT NULL,
    reinvest TEXT NOT NULL,
    PRIMARY KEY (user_id, portfolio_id, symbol),
    FOREIGN KEY (user_id, portfolio_id) REFERENCES portfolios (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What such a payment bought.
ALTER TABLE payment_decisions ADD COLUMN bought_shares TEXT;
ALTER TABLE payment_decisions ADD COLUMN bought_price TEXT;
ALTER TABLE payment_decisions ADD COLUMN bought_amount TEXT;
