-- Opening positions that an import made smaller or deleted, as they were before it.
ALTER TABLE imports ADD COLUMN openings_before TEXT COLLATE "C" NOT NULL DEFAULT '';
