-- Opening positions that an import made smaller or deleted, as they were before it.
ALTER TABLE imports ADD COLUMN openings_before TEXT COLLATE "C" NOT NULL DEFAULT '';
-- The lines of the rows that became no entry, such as 2-5,9.
ALTER TABLE imports ADD COLUMN left_out TEXT COLLATE "C" NOT NULL DEFAULT '';
