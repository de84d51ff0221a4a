-- A user's entries by date, with what a list is filtered by, so that one part of it is found without reading the rest.
CREATE INDEX entries_by_date ON entries (user_id, date, sequence, type, portfolio_id);
