-- What happens with payments that market data knows and nobody recorded: off, suggest or record.
ALTER TABLE portfolios ADD COLUMN automatic TEXT COLLATE "C" NOT NULL DEFAULT 'suggest';

-- What the user said about such a payment: these figures, or none if it is not to be recorded.
CREATE TABLE payment_decisions (
    user_id UUID NOT NULL,
    portfolio_id UUID NOT NULL,
    symbol TEXT COLLATE "C" NOT NULL,
    ex_date DATE NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    special BOOLEAN NOT NULL,
    pay_date DATE,
    paid_in TEXT COLLATE "C",
    shares NUMERIC,
    price NUMERIC,
    amount NUMERIC,
    fees NUMERIC,
    tax NUMERIC,
    net NUMERIC,
    note TEXT COLLATE "C",
    PRIMARY KEY (user_id, portfolio_id, symbol, ex_date, currency, special),
    FOREIGN KEY (user_id, portfolio_id) REFERENCES portfolios (user_id, id) ON DELETE CASCADE
);
