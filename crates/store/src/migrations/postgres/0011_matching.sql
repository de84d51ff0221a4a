-- Who matched a security, and whether the user knows of it.
ALTER TABLE instruments ADD COLUMN origin TEXT COLLATE "C" NOT NULL DEFAULT 'user';
ALTER TABLE instruments ADD COLUMN seen BOOLEAN NOT NULL DEFAULT TRUE;
CREATE INDEX instruments_by_key ON instruments (key);
