-- Imports of brokers' files: what a user said about instruments and columns, and payments that a broker has on its books.

-- The import that made the portfolio; undone, it takes the portfolio with it when that is empty.
ALTER TABLE portfolios ADD COLUMN made_by TEXT;

-- The file itself, packed (zlib): what was read of it can be read again. Apart from its import, and with row ids: in a key of
-- that table SQLite would unpack the whole row for every entry that names it.
CREATE TABLE import_files (
    user_id TEXT NOT NULL,
    import_id TEXT NOT NULL,
    file BLOB NOT NULL,
    PRIMARY KEY (user_id, import_id),
    FOREIGN KEY (user_id, import_id) REFERENCES imports (user_id, id)
) STRICT;

-- What a file calls an instrument (its ISIN, else its ticker or name) and the symbol it is.
CREATE TABLE instruments (
    user_id TEXT NOT NULL REFERENCES users (id),
    key TEXT NOT NULL,
    symbol TEXT NOT NULL,
    PRIMARY KEY (user_id, key)
) STRICT, WITHOUT ROWID;

-- Which column is which in files of one header.
CREATE TABLE column_maps (
    user_id TEXT NOT NULL REFERENCES users (id),
    header TEXT NOT NULL,
    columns TEXT NOT NULL,
    PRIMARY KEY (user_id, header)
) STRICT, WITHOUT ROWID;

-- A broker's statement of all payments to come, as of a day; the latest one of a portfolio counts.
CREATE TABLE statements (
    user_id TEXT NOT NULL,
    import_id TEXT NOT NULL,
    portfolio_id TEXT NOT NULL,
    as_of TEXT NOT NULL,
    PRIMARY KEY (user_id, import_id),
    FOREIGN KEY (user_id, import_id) REFERENCES imports (user_id, id),
    FOREIGN KEY (user_id, portfolio_id) REFERENCES portfolios (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE accruals (
    user_id TEXT NOT NULL,
    import_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    symbol TEXT NOT NULL,
    name TEXT,
    currency TEXT NOT NULL,
    ex_date TEXT NOT NULL,
    pay_date TEXT,
    shares TEXT NOT NULL,
    per_share TEXT,
    gross TEXT NOT NULL,
    tax TEXT NOT NULL,
    net TEXT NOT NULL,
    PRIMARY KEY (user_id, import_id, position),
    FOREIGN KEY (user_id, import_id) REFERENCES statements (user_id, import_id)
) STRICT, WITHOUT ROWID;
