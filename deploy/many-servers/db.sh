#!/bin/sh
# Starts PostgreSQL in the official image: on what there is, else as a copy of $FIRST, else empty
# where it is $FIRST itself. As the user postgres. What failed is tried again when the container is
# started again.
set -eu
name=$(hostname)
if [ ! -s "$PGDATA/PG_VERSION" ] && [ "$name" != "$FIRST" ]; then
  pg_basebackup --pgdata="$PGDATA" --checkpoint=fast --write-recovery-conf \
    --dbname="host=$FIRST user=replicator passfile=/run/secrets/roles.pgpass"
fi
# By its name it is known as a standby.
exec docker-entrypoint.sh postgres -c "cluster_name=$name"
