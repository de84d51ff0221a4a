-- The web app: people who sign in, what they upload, and what they choose to show.

-- How figures are written for the user; NULL: as the browser says.
ALTER TABLE users ADD COLUMN number_format TEXT COLLATE "C";
-- A session that is not used for so long is over.
ALTER TABLE users ADD COLUMN session_idle_minutes BIGINT NOT NULL DEFAULT 10080;

-- Whether a shared portfolio shows amounts, or shares of the whole only.
ALTER TABLE portfolios ADD COLUMN show_amounts BOOLEAN NOT NULL DEFAULT FALSE;

-- What the user waits for.
ALTER TABLE radar ADD COLUMN target_yield_pct NUMERIC;
ALTER TABLE radar ADD COLUMN target_price NUMERIC;

-- Browsers that are signed in. 'code': the password was right, the second factor is still to come.
CREATE TABLE sessions (
    hash BYTEA NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id UUID NOT NULL UNIQUE,
    user_id UUID NOT NULL REFERENCES users (id),
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('code', 'open')),
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    -- When the password, and the code where there is one, was last given.
    confirmed_at BIGINT NOT NULL,
    agent TEXT COLLATE "C" NOT NULL,
    address TEXT COLLATE "C" NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id, id);

-- Browsers that have signed in before: their right password counts while strangers are held off.
CREATE TABLE devices (
    hash BYTEA NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    user_id UUID NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL
);
CREATE INDEX devices_by_user ON devices (user_id);

-- Wrong passwords, by a hash of the address that was typed: an account or not, it is counted the same.
CREATE TABLE sign_in_failures (
    account BYTEA NOT NULL PRIMARY KEY CHECK (length(account) = 32),
    window_start BIGINT NOT NULL,
    failures BIGINT NOT NULL CHECK (failures >= 0),
    consecutive BIGINT NOT NULL CHECK (consecutive >= 0),
    blocked_until BIGINT NOT NULL
);

-- Links to choose a new password.
CREATE TABLE resets (
    hash BYTEA NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    user_id UUID NOT NULL REFERENCES users (id),
    expires_at BIGINT NOT NULL
);
CREATE INDEX resets_by_user ON resets (user_id);

-- Links to make an account, where that takes an invitation.
CREATE TABLE invitations (
    hash BYTEA NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id UUID NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);

-- The second factor. Until confirmed_at is set it is being set up and asks nobody for a code.
CREATE TABLE totp (
    user_id UUID NOT NULL PRIMARY KEY REFERENCES users (id),
    secret BYTEA NOT NULL,
    confirmed_at BIGINT,
    -- Of the last code that was taken: each counts once.
    last_step BIGINT NOT NULL
);

CREATE TABLE recovery_codes (
    user_id UUID NOT NULL REFERENCES users (id),
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (user_id, hash)
);

-- What happened to an account, each row bound to the one before by its hash. Outlives the account, under its id alone.
CREATE TABLE audit (
    user_id UUID NOT NULL,
    position BIGINT NOT NULL,
    at BIGINT NOT NULL,
    event TEXT COLLATE "C" NOT NULL,
    detail TEXT COLLATE "C" NOT NULL,
    hash BYTEA NOT NULL CHECK (length(hash) = 32),
    PRIMARY KEY (user_id, position)
);

-- Calendar feeds, by the secret part of their address.
CREATE TABLE feeds (
    hash BYTEA NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id UUID NOT NULL UNIQUE,
    user_id UUID NOT NULL REFERENCES users (id),
    name TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    last_used_at BIGINT
);
CREATE INDEX feeds_by_user ON feeds (user_id);

-- Files whose plan is looked at, before they are imported.
CREATE TABLE uploads (
    user_id UUID NOT NULL REFERENCES users (id),
    id UUID NOT NULL,
    file_name TEXT COLLATE "C" NOT NULL,
    file BYTEA NOT NULL,
    portfolio TEXT COLLATE "C",
    -- What was said about it so far: columns of the table, and key=symbol by line.
    columns TEXT COLLATE "C",
    answers TEXT COLLATE "C" NOT NULL,
    keep_unresolved BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    -- Once it was applied: asked again, the same import is the answer.
    import_id UUID,
    PRIMARY KEY (user_id, id)
);
