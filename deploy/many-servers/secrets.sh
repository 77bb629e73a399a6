#!/bin/sh
# Makes the passwords of the roles in secrets/, once, as root: each file belongs to the user who
# reads it in its container, as libpq and PostgreSQL want it. 10001 is the server's user, 999 that
# of the image of PostgreSQL.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir secrets
random() { head -c 24 /dev/urandom | base64 | tr '+/' '-_'; }
goals=$(random)
random > secrets/superuser
echo "*:5432:goals:goals:$goals" > secrets/goals.pgpass
printf '%s\n' "*:5432:goals:goals:$goals" "*:5432:replication:replicator:$(random)" > secrets/roles.pgpass
chown 999:999 secrets/superuser secrets/roles.pgpass
chown 10001:10001 secrets/goals.pgpass
