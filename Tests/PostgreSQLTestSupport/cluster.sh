#!/bin/sh
# cluster.sh start SETTINGS   makes a cluster in a new folder, starts it, prints "ready FOLDER"
# cluster.sh standby PRIMARY  makes a standby of the cluster in this folder, starts it, prints "ready FOLDER"
# cluster.sh promote FOLDER   lets a standby take over
# cluster.sh restart FOLDER   starts it again, after it was killed
# cluster.sh certify FOLDER NAME   makes a certificate for NAME, prints the file that has it and its key
# cluster.sh watch FOLDER     ends it, and removes the folder, once its input ends
#
# PostgreSQL refuses to run as root: then it runs as the user that Debian's package makes for it.
set -eu
# A sanitizer's library is for the tests, not for what they start.
unset LD_PRELOAD

bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -t / -k 5 -n | tail -n 1)
if [ ! -x "$bin/initdb" ]; then
  echo "there is no initdb under /usr/lib/postgresql: run scripts/setup test"
  exit 1
fi

as_server() {
  if [ "$(id -u)" -eq 0 ]; then
    runuser -u postgres -- env HOME="$folder" "$@"
  else
    env HOME="$folder" "$@"
  fi
}

start() {
  cd "$folder" # where it may not look at where we are, it says so
  as_server "$bin/pg_ctl" start --wait --silent -D "$folder/data" -l "$folder/server.log" > /dev/null
}

new_folder() {
  folder=$(mktemp -d "${TMPDIR:-/tmp}/goals-postgresql.XXXXXX")
  if [ "$(id -u)" -eq 0 ]; then chown postgres "$folder"; fi
  cd "$folder"
}

# Starts what was made, and says where it is.
start_new() {
  if ! start; then
    cat "$folder/server.log"
    rm -r "$folder"
    exit 1
  fi
  echo "ready $folder"
}

case $1 in
  start)
    new_folder
    if ! as_server "$bin/initdb" -D "$folder/data" --username=postgres --auth=trust --no-sync \
      --encoding=UTF8 --locale=C --wal-segsize=1 > "$folder/log"; then
      cat "$folder/log"
      rm -r "$folder"
      exit 1
    fi
    # The role "guarded" has to know its password.
    printf '%s\n' 'local all guarded scram-sha-256' 'host all guarded all scram-sha-256' \
      'local all,replication all trust' 'host all all all trust' | tee "$folder/data/pg_hba.conf" > /dev/null
    printf '%s\n' "unix_socket_directories = '$folder'" "max_wal_size = 32MB" "min_wal_size = 2MB" \
      "$2" >> "$folder/data/postgresql.conf"
    start_new
    ;;
  standby)
    new_folder
    # With a slot it would count as a standby while it copies, and commits would not wait.
    if ! as_server "$bin/pg_basebackup" -D "$folder/data" -h "$2" -p "$(sed -n 4p "$2/data/postmaster.pid")" \
      -U postgres --checkpoint=fast --no-sync --no-slot --write-recovery-conf > "$folder/log" 2>&1; then
      cat "$folder/log"
      rm -r "$folder"
      exit 1
    fi
    echo "unix_socket_directories = '$folder'" >> "$folder/data/postgresql.conf"
    start_new
    ;;
  promote)
    folder=$2
    cd "$folder"
    as_server "$bin/pg_ctl" promote --wait --silent -D "$folder/data"
    ;;
  restart)
    folder=$2
    # What was killed may not be reaped yet, or have children left that use its shared memory.
    until start 2> /dev/null; do
      if ! grep -qE "still in use|already exists" "$folder/server.log"; then
        cat "$folder/server.log"
        exit 1
      fi
      : > "$folder/server.log"
    done
    ;;
  certify)
    folder=$2
    as_server openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
      -subj "/CN=$3" -keyout "$folder/key" -out "$folder/certificate" 2> /dev/null
    # shellcheck disable=SC2016 # expanded by the server's user
    as_server sh -c 'umask 077; cat "$1/key" "$1/certificate" > "$1/server.pem"' _ "$folder"
    printf %s "$folder/server.pem"
    ;;
  watch)
    folder=$2
    # A terminal's interrupt is for the tests, whose end ends the input.
    trap '' INT TERM HUP
    cd "$folder"
    cat > /dev/null
    as_server "$bin/pg_ctl" stop --mode=immediate --silent -D "$folder/data" 2> /dev/null || true
    rm -rf "$folder"
    ;;
esac
