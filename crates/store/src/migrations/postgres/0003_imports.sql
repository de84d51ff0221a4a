-- Imports of brokers' files: what a user said about instruments and columns, and payments that a broker has on its books.

-- The import that made the portfolio; undone, it takes the portfolio with it when that is empty.
ALTER TABLE portfolios ADD COLUMN made_by UUID;

-- The file itself, packed (zlib): what was read of it can be read again.
CREATE TABLE import_files (
    user_id UUID NOT NULL,
    import_id UUID NOT NULL,
    file BYTEA NOT NULL,
    PRIMARY KEY (user_id, import_id),
    FOREIGN KEY (user_id, import_id) REFERENCES imports (user_id, id)
);

-- What a file calls an instrument (its ISIN, else its ticker or name) and the symbol it is.
CREATE TABLE instruments (
    user_id UUID NOT NULL REFERENCES users (id),
    key TEXT COLLATE "C" NOT NULL,
    symbol TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, key)
);

-- Which column is which in files of one header.
CREATE TABLE column_maps (
    user_id UUID NOT NULL REFERENCES users (id),
    header TEXT COLLATE "C" NOT NULL,
    columns TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (user_id, header)
);

-- A broker's statement of all payments to come, as of a day; the latest one of a portfolio counts.
CREATE TABLE statements (
    user_id UUID NOT NULL,
    import_id UUID NOT NULL,
    portfolio_id UUID NOT NULL,
    as_of DATE NOT NULL,
    PRIMARY KEY (user_id, import_id),
    FOREIGN KEY (user_id, import_id) REFERENCES imports (user_id, id),
    FOREIGN KEY (user_id, portfolio_id) REFERENCES portfolios (user_id, id)
);

CREATE TABLE accruals (
    user_id UUID NOT NULL,
    import_id UUID NOT NULL,
    position BIGINT NOT NULL,
    symbol TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C",
    currency TEXT COLLATE "C" NOT NULL,
    ex_date DATE NOT NULL,
    pay_date DATE,
    shares NUMERIC NOT NULL,
    per_share NUMERIC,
    gross NUMERIC NOT NULL,
    tax NUMERIC NOT NULL,
    net NUMERIC NOT NULL,
    PRIMARY KEY (user_id, import_id, position),
    FOREIGN KEY (user_id, import_id) REFERENCES statements (user_id, import_id)
);
