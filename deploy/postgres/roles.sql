-- Creates the roles and the database. Run once, on the primary, as a superuser. Passwords come from files:
--   DRIPLINE_PASSWORD_FILE=… READER_PASSWORD_FILE=… REPLICATION_PASSWORD_FILE=… psql -X -f roles.sql postgres
\set ON_ERROR_STOP on
\set application `cat "$DRIPLINE_PASSWORD_FILE"`
\set reader `cat "$READER_PASSWORD_FILE"`
\set replication `cat "$REPLICATION_PASSWORD_FILE"`

-- Owns the database and its contents, because nodes migrate the schema before they serve.
CREATE ROLE dripline LOGIN PASSWORD :'application' CONNECTION LIMIT 280;
-- For the read replica.
CREATE ROLE dripline_reader LOGIN PASSWORD :'reader' CONNECTION LIMIT 280;
ALTER ROLE dripline_reader SET default_transaction_read_only = on;
GRANT pg_read_all_data TO dripline_reader;
CREATE ROLE dripline_replication LOGIN REPLICATION PASSWORD :'replication' CONNECTION LIMIT 10;

-- Text is sorted by bytes, as in the embedded database.
CREATE DATABASE dripline OWNER dripline TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C';
REVOKE ALL ON DATABASE dripline FROM PUBLIC;
GRANT CONNECT ON DATABASE dripline TO dripline_reader;

\connect dripline
ALTER SCHEMA public OWNER TO dripline;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
