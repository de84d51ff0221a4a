#!/bin/sh
# Creates a streaming replica: a copy of the primary that then follows it. Run as the database's user.
#   PGPASSFILE=/etc/dripline/secrets/replication.pgpass replica.sh DATA-FOLDER "host=10.0.0.21 port=5432 user=dripline_replication sslmode=verify-full" SLOT
# The folder must be empty or missing. The script creates the slot; every replica needs its own. Configuration files in the
# primary's data folder are copied; those elsewhere (Debian: /etc/postgresql) are not.
set -eu
if [ $# -ne 3 ]; then
  echo "usage: replica.sh DATA-FOLDER CONNECTION-STRING SLOT" >&2
  exit 2
fi
folder=$1 primary=$2 slot=$3

case $slot in
  *[!a-z0-9_]*|'') echo "a slot's name can only have lowercase letters, digits and _: $slot" >&2; exit 2 ;;
esac
if [ -e "$folder/PG_VERSION" ]; then
  echo "$folder already contains a database; to replace it, move it away first" >&2
  exit 1
fi
command -v pg_basebackup >/dev/null || { echo "pg_basebackup not found: install the package postgresql-client-15" >&2; exit 1; }

# -R writes standby.signal and the connection to the primary, with the slot; -X stream includes the WAL written meanwhile.
umask 077
if ! pg_basebackup -D "$folder" -d "$primary" -R -X stream -c fast -C -S "$slot"; then
  echo "the copy failed. If the slot is left over from an earlier attempt, drop it on the primary:" >&2
  echo "  SELECT pg_drop_replication_slot('$slot');" >&2
  exit 1
fi
echo "$folder is a copy of the primary. Start PostgreSQL on it, then check on the primary: SELECT state, replay_lag FROM pg_stat_replication;"
