-- Who matched a security, and whether the user knows of it.
ALTER TABLE instruments ADD COLUMN origin TEXT NOT NULL DEFAULT 'user';
ALTER TABLE instruments ADD COLUMN seen INTEGER NOT NULL DEFAULT 1 CHECK (seen IN (0, 1));
CREATE INDEX instruments_by_key ON instruments (key);
