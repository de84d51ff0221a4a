-- Who owns an address, what may not come back, and what is kept out of a copy's reader's hands.

-- Apps that the operator removed: a visit does not bring them back.
CREATE TABLE oauth_blocked_clients (
    client_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    blocked_at BIGINT NOT NULL
);
-- Consent forms that were sent, by the SHA-256 of their token: each counts once.
CREATE TABLE oauth_consents (
    hash BYTEA NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    expires_at BIGINT NOT NULL
);
-- A refresh token has one successor, derived from the token and this salt, which is kept for as long as the token works again.
ALTER TABLE oauth_refresh_tokens ADD COLUMN salt BYTEA CHECK (length(salt) = 32);
ALTER TABLE oauth_refresh_tokens DROP COLUMN successors;
-- The id of the key that encrypts what is secret, such as totp.secret; the key itself is kept elsewhere. No row: nothing is
-- encrypted yet.
CREATE TABLE encryption_keys (
    id BYTEA NOT NULL PRIMARY KEY,
    since BIGINT NOT NULL
);
-- Uploads go after a day, whosever they are.
CREATE INDEX uploads_by_age ON uploads (created_at);
-- When somebody opened a link that was mailed to the account's address. Accounts that their owner did not make in the web app count as
-- verified, as the operator knows whose they are.
ALTER TABLE users ADD COLUMN email_verified_at BIGINT;
UPDATE users SET email_verified_at = created_at
    WHERE id IN (SELECT user_id FROM audit WHERE event = 'account_made' AND detail <> 'sign-up');
-- Whether the link went to the account's address, rather than through the operator's hands.
ALTER TABLE resets ADD COLUMN mailed BOOLEAN NOT NULL DEFAULT FALSE;
-- Links that are mailed to an address: to make an account, to verify the address, to end the wait after wrong passwords.
CREATE TABLE mail_links (
    hash BYTEA NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    purpose TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    email_key TEXT COLLATE "C" NOT NULL,
    user_id UUID REFERENCES users (id),
    invitation BYTEA,
    expires_at BIGINT NOT NULL
);
CREATE INDEX mail_links_by_email ON mail_links (email_key, purpose);
CREATE INDEX mail_links_by_user ON mail_links (user_id);
