-- Other people's apps: who they are, what a user allowed them, and the tokens of it.

-- Access tokens of apps beside the personal ones; the check on the kind changes, so the table is made anew.
CREATE TABLE tokens_next (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id),
    kind TEXT NOT NULL CHECK (kind IN ('personal', 'access')),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    expires_at INTEGER,
    revoked_at INTEGER,
    -- Of an access token: what was allowed, and the one front door that it opens. A personal token opens all.
    grant_id TEXT,
    audience TEXT CHECK (audience IN ('api', 'mcp')),
    CHECK ((kind = 'access') = (grant_id IS NOT NULL)),
    CHECK ((kind = 'access') = (audience IS NOT NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO tokens_next (hash, id, user_id, kind, name, created_at, last_used_at, expires_at, revoked_at)
    SELECT hash, id, user_id, kind, name, created_at, last_used_at, expires_at, revoked_at FROM tokens;
DROP TABLE tokens;
ALTER TABLE tokens_next RENAME TO tokens;
CREATE INDEX tokens_by_user ON tokens (user_id);
CREATE INDEX tokens_by_grant ON tokens (user_id, grant_id);

-- Apps. A 'document' one is known by the address of its description, which is fetched again after fresh_until.
CREATE TABLE oauth_clients (
    id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('registered', 'document', 'operator', 'resource_server')),
    name TEXT NOT NULL,
    -- One a line.
    redirect_uris TEXT NOT NULL,
    auth_method TEXT NOT NULL CHECK (auth_method IN ('none', 'client_secret_basic', 'client_secret_post')),
    secret_hash BLOB CHECK (length(secret_hash) = 32),
    -- Whether it may use codes that people type elsewhere.
    device_grant INTEGER NOT NULL CHECK (device_grant IN (0, 1)),
    created_at INTEGER NOT NULL,
    -- When somebody last allowed it something; one that nobody ever did is forgotten after a day.
    used_at INTEGER,
    fresh_until INTEGER
) STRICT, WITHOUT ROWID;

-- What a user allowed an app, once for each time that was asked.
CREATE TABLE oauth_grants (
    user_id TEXT NOT NULL REFERENCES users (id),
    id TEXT NOT NULL UNIQUE,
    client_id TEXT NOT NULL,
    -- As it was shown when it was allowed.
    client_name TEXT NOT NULL,
    -- Where the answer went; '' for a device.
    redirect_host TEXT NOT NULL,
    -- Of all addresses that the app named then: with others it asks anew.
    redirects_hash BLOB NOT NULL CHECK (length(redirects_hash) = 32),
    audience TEXT NOT NULL CHECK (audience IN ('api', 'mcp')),
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER,
    PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE oauth_codes (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    user_id TEXT NOT NULL REFERENCES users (id),
    grant_id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    challenge TEXT NOT NULL,
    audience TEXT NOT NULL CHECK (audience IN ('api', 'mcp')),
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_codes_by_grant ON oauth_codes (user_id, grant_id);

CREATE TABLE oauth_refresh_tokens (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    user_id TEXT NOT NULL REFERENCES users (id),
    grant_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- When it was first used, and how many took its place.
    rotated_at INTEGER,
    successors INTEGER NOT NULL CHECK (successors >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_refresh_tokens_by_grant ON oauth_refresh_tokens (user_id, grant_id);

-- Devices that wait for somebody to type their code.
CREATE TABLE oauth_device_codes (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    user_code_hash BLOB NOT NULL UNIQUE CHECK (length(user_code_hash) = 32),
    client_id TEXT NOT NULL,
    audience TEXT NOT NULL CHECK (audience IN ('api', 'mcp')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    interval_seconds INTEGER NOT NULL,
    polled_at INTEGER,
    tries INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'used')),
    user_id TEXT REFERENCES users (id),
    grant_id TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_device_codes_by_user ON oauth_device_codes (user_id);
