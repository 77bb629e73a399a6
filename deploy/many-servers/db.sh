#!/bin/sh
# Starts PostgreSQL in the official image: on what there is, else as a copy of $FIRST, else empty
# where it is $FIRST itself. As the user postgres. What failed is tried again when the container is
# started again.
set -eu
name=$(hostname)
copy=$PGDATA/copy
if [ ! -s "$PGDATA/PG_VERSION" ] && [ "$name" != "$FIRST" ]; then
  # Of a copy that was cut off nothing is used. PG_VERSION comes last: where it is, the copy is whole.
  [ ! -e "$copy" ] || find "$PGDATA" -mindepth 1 -delete
  mkdir "$copy"
  pg_basebackup --pgdata="$copy" --checkpoint=fast --write-recovery-conf \
    --dbname="host=$FIRST user=replicator passfile=/run/secrets/roles.pgpass"
  find "$copy" -mindepth 1 -maxdepth 1 ! -name PG_VERSION -exec mv -t "$PGDATA" {} +
  sync -f "$PGDATA"
  mv "$copy/PG_VERSION" "$PGDATA"
fi
[ ! -d "$copy" ] || rmdir "$copy"
# By its name it is known as a standby.
exec docker-entrypoint.sh postgres -c "cluster_name=$name"
