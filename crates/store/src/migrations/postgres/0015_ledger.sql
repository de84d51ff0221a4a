-- A user's entries by date, by security and by type, each with everything a list is filtered by, so that one part of it is found
-- without reading the rest.
DROP INDEX entries_by_date;
CREATE INDEX entries_by_date ON entries (user_id, date, sequence, type, portfolio_id, symbol);
CREATE INDEX entries_by_security ON entries (user_id, symbol, date, sequence, type, portfolio_id);
CREATE INDEX entries_by_type ON entries (user_id, type, date, sequence, symbol, portfolio_id);
