-- The owner of the service, and what the owner chose for everybody.

-- At most one account; here the oldest.
ALTER TABLE users ADD COLUMN owner BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE users SET owner = TRUE WHERE id = (SELECT id FROM users ORDER BY disabled, created_at, id LIMIT 1);
CREATE UNIQUE INDEX users_by_owner ON users (owner) WHERE owner;
-- Each row has a plain value or a secret that is encrypted.
CREATE TABLE service_settings (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    value TEXT COLLATE "C",
    secret BYTEA
);
