-- How dividends that are recorded automatically are reinvested: off, fractional or whole.
ALTER TABLE portfolios ADD COLUMN reinvest TEXT COLLATE "C" NOT NULL DEFAULT 'off';

-- The same for single stocks of a portfolio.
CREATE TABLE reinvest_rules (
    user_id UUID NOT NULL,
    portfolio_id UUID NOT NULL,
    symbol TEXT COLLATE "C" NOT NULL,
    reinvest TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, portfolio_id, symbol),
    FOREIGN KEY (user_id, portfolio_id) REFERENCES portfolios (user_id, id) ON DELETE CASCADE
);

-- What such a payment bought.
ALTER TABLE payment_decisions ADD COLUMN bought_shares NUMERIC;
ALTER TABLE payment_decisions ADD COLUMN bought_price NUMERIC;
ALTER TABLE payment_decisions ADD COLUMN bought_amount NUMERIC;
