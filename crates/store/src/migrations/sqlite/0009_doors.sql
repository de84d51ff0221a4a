-- Who owns an address, what may not come back, and what is kept out of a copy's reader's hands.

-- Apps that the operator removed: a visit does not bring them back.
CREATE TABLE oauth_blocked_clients (
    client_id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    blocked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Consent forms that were sent, by the SHA-256 of their token: each counts once.
CREATE TABLE oauth_consents (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- A refresh token has one successor, derived from the token and this salt, which is kept for as long as the token works again.
ALTER TABLE oauth_refresh_tokens ADD COLUMN salt BLOB CHECK (length(salt) = 32);
ALTER TABLE oauth_refresh_tokens DROP COLUMN successors;
-- The id of the key that encrypts what is secret, such as totp.secret; the key itself is kept elsewhere. No row: nothing is
-- encrypted yet.
CREATE TABLE encryption_keys (
    id BLOB NOT NULL PRIMARY KEY,
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Uploads go after a day, whosever they are.
CREATE INDEX uploads_by_age ON uploads (created_at);
