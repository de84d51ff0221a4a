-- What happens with payments that market data knows and nobody recorded: off, suggest or record.
ALTER TABLE portfolios ADD COLUMN automatic TEXT NOT NULL DEFAULT 'suggest';

-- What the user said about such a payment: these figures, or none if it is not to be recorded.
CREATE TABLE payment_decisions (
    user_id TEXT NOT NULL,
    portfolio_id TEXT NOT NULL,
    symbol TEXT NOT NULL,
    ex_date TEXT NOT NULL,
    currency TEXT NOT NULL,
    special INTEGER NOT NULL,
    pay_date TEXT,
    paid_in TEXT,
    shares TEXT,
    price TEXT,
    amount TEXT,
    fees TEXT,
    tax TEXT,
    net TEXT,
    note TEXT,
    PRIMARY KEY (user_id, portfolio_id, symbol, ex_date, currency, special),
    FOREIGN KEY (user_id, portfolio_id) REFERENCES portfolios (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
