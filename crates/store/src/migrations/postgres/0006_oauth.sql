-- Other people's apps: who they are, what a user allowed them, and the tokens of it.

-- Access tokens of apps beside the personal ones. Of an access token: what was allowed, and the one front door that it opens.
-- A personal token opens all.
ALTER TABLE tokens DROP CONSTRAINT tokens_kind_check;
ALTER TABLE tokens ADD COLUMN grant_id UUID;
ALTER TABLE tokens ADD COLUMN audience TEXT COLLATE "C" CHECK (audience IN ('api', 'mcp'));
ALTER TABLE tokens ADD CHECK (kind IN ('personal', 'access'));
ALTER TABLE tokens ADD CHECK ((kind = 'access') = (grant_id IS NOT NULL));
ALTER TABLE tokens ADD CHECK ((kind = 'access') = (audience IS NOT NULL));
CREATE INDEX tokens_by_grant ON tokens (user_id, grant_id);

-- Apps. A 'document' one is known by the address of its description, which is fetched again after fresh_until.
CREATE TABLE oauth_clients (
    id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('registered', 'document', 'operator', 'resource_server')),
    name TEXT COLLATE "C" NOT NULL,
    -- One a line.
    redirect_uris TEXT COLLATE "C" NOT NULL,
    auth_method TEXT COLLATE "C" NOT NULL CHECK (auth_method IN ('none', 'client_secret_basic', 'client_secret_post')),
    secret_hash BYTEA CHECK (length(secret_hash) = 32),
    -- Whether it may use codes that people type elsewhere.
    device_grant BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    -- When somebody last allowed it something; one that nobody ever did is forgotten after a day.
    used_at BIGINT,
    fresh_until BIGINT
);

-- What a user allowed an app, once for each time that was asked.
CREATE TABLE oauth_grants (
    user_id UUID NOT NULL REFERENCES users (id),
    id UUID NOT NULL,
    client_id TEXT COLLATE "C" NOT NULL,
    -- As it was shown when it was allowed.
    client_name TEXT COLLATE "C" NOT NULL,
    -- Where the answer went; '' for a device.
    redirect_host TEXT COLLATE "C" NOT NULL,
    -- Of all addresses that the app named then: with others it asks anew.
    redirects_hash BYTEA NOT NULL CHECK (length(redirects_hash) = 32),
    audience TEXT COLLATE "C" NOT NULL CHECK (audience IN ('api', 'mcp')),
    created_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT,
    PRIMARY KEY (user_id, id)
);

CREATE TABLE oauth_codes (
    hash BYTEA NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    user_id UUID NOT NULL REFERENCES users (id),
    grant_id UUID NOT NULL,
    client_id TEXT COLLATE "C" NOT NULL,
    redirect_uri TEXT COLLATE "C" NOT NULL,
    challenge TEXT COLLATE "C" NOT NULL,
    audience TEXT COLLATE "C" NOT NULL CHECK (audience IN ('api', 'mcp')),
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);
CREATE INDEX oauth_codes_by_grant ON oauth_codes (user_id, grant_id);

CREATE TABLE oauth_refresh_tokens (
    hash BYTEA NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    user_id UUID NOT NULL REFERENCES users (id),
    grant_id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    -- When it was first used, and how many took its place.
    rotated_at BIGINT,
    successors BIGINT NOT NULL CHECK (successors >= 0)
);
CREATE INDEX oauth_refresh_tokens_by_grant ON oauth_refresh_tokens (user_id, grant_id);

-- Devices that wait for somebody to type their code.
CREATE TABLE oauth_device_codes (
    hash BYTEA NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    user_code_hash BYTEA NOT NULL UNIQUE CHECK (length(user_code_hash) = 32),
    client_id TEXT COLLATE "C" NOT NULL,
    audience TEXT COLLATE "C" NOT NULL CHECK (audience IN ('api', 'mcp')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    interval_seconds BIGINT NOT NULL,
    polled_at BIGINT,
    tries BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'approved', 'denied', 'used')),
    user_id UUID REFERENCES users (id),
    grant_id UUID
);
CREATE INDEX oauth_device_codes_by_user ON oauth_device_codes (user_id);
