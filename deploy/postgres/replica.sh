#!/bin/sh
# Makes a streaming replica: a copy of the primary that follows it from there on. Run as the database's user.
#   PGPASSFILE=/etc/dripline/secrets/replication.pgpass replica.sh DATA-FOLDER "host=10.0.0.21 port=5432 user=dripline_replication sslmode=verify-full" SLOT
# The folder must be empty or missing. The slot is made here; one replica, one slot. Configuration files that lie in the
# primary's data folder come with the copy; those elsewhere (Debian: /etc/postgresql) do not.
set -eu
if [ $# -ne 3 ]; then
  echo "usage: replica.sh DATA-FOLDER CONNECTION-STRING SLOT" >&2
  exit 2
fi
folder=$1 primary=$2 slot=$3

case $slot in
  *[!a-z0-9_]*|'') echo "the slot's name has small letters, digits and _ only: $slot" >&2; exit 2 ;;
esac
if [ -e "$folder/PG_VERSION" ]; then
  echo "$folder is a database already; to copy anew, move it away first" >&2
  exit 1
fi
command -v pg_basebackup >/dev/null || { echo "pg_basebackup is missing: install the package postgresql-client-15" >&2; exit 1; }

# -R writes standby.signal and how to reach the primary, with the slot; -X stream takes along the WAL written meanwhile.
umask 077
if ! pg_basebackup -D "$folder" -d "$primary" -R -X stream -c fast -C -S "$slot"; then
  echo "the copy failed. If the slot is left from an earlier try, drop it on the primary:" >&2
  echo "  SELECT pg_drop_replication_slot('$slot');" >&2
  exit 1
fi
echo "$folder is a copy; start PostgreSQL on it, then on the primary: SELECT state, replay_lag FROM pg_stat_replication;"
