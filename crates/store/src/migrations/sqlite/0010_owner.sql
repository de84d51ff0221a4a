-- The owner of the service, and what the owner chose for everybody.

-- At most one account; here the oldest.
ALTER TABLE users ADD COLUMN owner INTEGER NOT NULL DEFAULT 0 CHECK (owner IN (0, 1));
UPDATE users SET owner = 1 WHERE id = (SELECT id FROM users ORDER BY disabled, created_at, id LIMIT 1);
CREATE UNIQUE INDEX users_by_owner ON users (owner) WHERE owner = 1;
-- Each row has a plain value or a secret that is encrypted.
CREATE TABLE service_settings (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT,
    secret BLOB
) STRICT, WITHOUT ROWID;
