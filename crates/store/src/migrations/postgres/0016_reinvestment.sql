-- Which dividend of the same symbol and portfolio a purchase reinvests.
ALTER TABLE entries ADD COLUMN reinvests TEXT COLLATE "C";
ALTER TABLE deleted_entries ADD COLUMN reinvests TEXT COLLATE "C";
CREATE INDEX entries_by_reinvestment ON entries (user_id, reinvests) WHERE reinvests IS NOT NULL;
