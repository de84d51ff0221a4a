-- What outlives an account says nothing about its owner.

-- A row's hash covers a salted digest of its detail, so that the words can go with the account and the chain still holds.
-- NULL in rows of before: their hash covers the words themselves.
ALTER TABLE audit ADD COLUMN digest BYTEA CHECK (length(digest) = 32);
-- Goes with the words: without it nobody can try which words the digest is of.
ALTER TABLE audit ADD COLUMN salt BYTEA CHECK (length(salt) = 32);

-- Symbols that only ledgers name.
CREATE INDEX stocks_placeholders ON stocks (symbol) WHERE placeholder = TRUE;

CREATE INDEX sign_in_failures_by_window ON sign_in_failures (window_start);

-- Addresses that users want to sign in with, until the link that was mailed there is opened.
CREATE TABLE email_changes (
    hash BYTEA NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    user_id UUID NOT NULL REFERENCES users (id),
    email TEXT COLLATE "C" NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX email_changes_by_user ON email_changes (user_id);
