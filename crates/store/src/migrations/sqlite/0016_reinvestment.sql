-- Which dividend of the same symbol and portfolio a purchase reinvests.
ALTER TABLE entries ADD COLUMN reinvests TEXT;
ALTER TABLE deleted_entries ADD COLUMN reinvests TEXT;
CREATE INDEX entries_by_reinvestment ON entries (user_id, reinvests) WHERE reinvests IS NOT NULL;
