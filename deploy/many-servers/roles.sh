#!/bin/sh
# Makes the roles and the database, once: the image of PostgreSQL runs it where it begins empty.
set -eu
password() { awk -F : -v role="$1" '$4 == role { print $5 }' /run/secrets/roles.pgpass; }
for_goals=$(password goals)
for_replicator=$(password replicator)
export for_goals for_replicator # psql takes them from here: what is on its command line is seen by all
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username=postgres << 'END'
\getenv for_goals for_goals
\getenv for_replicator for_replicator
CREATE ROLE goals LOGIN PASSWORD :'for_goals';
CREATE ROLE replicator LOGIN REPLICATION PASSWORD :'for_replicator';
CREATE DATABASE goals OWNER goals ENCODING 'UTF8' TEMPLATE template0;
-- They hold from the real start on: nothing could be committed here, where there is no standby yet.
ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (db1, db2)';
ALTER SYSTEM SET wal_keep_size = '1GB';
-- Each server has 12 at most, and 16 while a standby is missing.
ALTER SYSTEM SET max_connections = 200;
END
echo 'host replication replicator samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
