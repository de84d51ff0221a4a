-- The web app: people who sign in, what they upload, and what they choose to show.

-- How figures are written for the user; NULL: as the browser says.
ALTER TABLE users ADD COLUMN number_format TEXT;
-- A session that is not used for so long is over.
ALTER TABLE users ADD COLUMN session_idle_minutes INTEGER NOT NULL DEFAULT 10080;

-- Whether a shared portfolio shows amounts, or shares of the whole only.
ALTER TABLE portfolios ADD COLUMN show_amounts INTEGER NOT NULL DEFAULT 0 CHECK (show_amounts IN (0, 1));

-- What the user waits for.
ALTER TABLE radar ADD COLUMN target_yield_pct TEXT;
ALTER TABLE radar ADD COLUMN target_price TEXT;

-- Browsers that are signed in. 'code': the password was right, the second factor is still to come.
CREATE TABLE sessions (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id),
    state TEXT NOT NULL CHECK (state IN ('code', 'open')),
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    -- When the password, and the code where there is one, was last given.
    confirmed_at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    address TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_user ON sessions (user_id, id);

-- Browsers that have signed in before: their right password counts while strangers are held off.
CREATE TABLE devices (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    user_id TEXT NOT NULL REFERENCES users (id),
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_by_user ON devices (user_id);

-- Wrong passwords, by a hash of the address that was typed: an account or not, it is counted the same.
CREATE TABLE sign_in_failures (
    account BLOB NOT NULL PRIMARY KEY CHECK (length(account) = 32),
    window_start INTEGER NOT NULL,
    failures INTEGER NOT NULL CHECK (failures >= 0),
    consecutive INTEGER NOT NULL CHECK (consecutive >= 0),
    blocked_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Links to choose a new password.
CREATE TABLE resets (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    user_id TEXT NOT NULL REFERENCES users (id),
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX resets_by_user ON resets (user_id);

-- Links to make an account, where that takes an invitation.
CREATE TABLE invitations (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT, WITHOUT ROWID;

-- The second factor. Until confirmed_at is set it is being set up and asks nobody for a code.
CREATE TABLE totp (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id),
    secret BLOB NOT NULL,
    confirmed_at INTEGER,
    -- Of the last code that was taken: each counts once.
    last_step INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE recovery_codes (
    user_id TEXT NOT NULL REFERENCES users (id),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

-- What happened to an account, each row bound to the one before by its hash. Outlives the account, under its id alone.
CREATE TABLE audit (
    user_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    at INTEGER NOT NULL,
    event TEXT NOT NULL,
    detail TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (user_id, position)
) STRICT, WITHOUT ROWID;

-- Calendar feeds, by the secret part of their address.
CREATE TABLE feeds (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX feeds_by_user ON feeds (user_id);

-- Files whose plan is looked at, before they are imported. With row ids: see import_files.
CREATE TABLE uploads (
    user_id TEXT NOT NULL REFERENCES users (id),
    id TEXT NOT NULL,
    file_name TEXT NOT NULL,
    file BLOB NOT NULL,
    portfolio TEXT,
    -- What was said about it so far: columns of the table, and key=symbol by line.
    columns TEXT,
    answers TEXT NOT NULL,
    keep_unresolved INTEGER NOT NULL CHECK (keep_unresolved IN (0, 1)),
    created_at INTEGER NOT NULL,
    -- Once it was applied: asked again, the same import is the answer.
    import_id TEXT,
    PRIMARY KEY (user_id, id)
) STRICT;
