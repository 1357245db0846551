#!/usr/bin/env bash
# Makes roles and databases that are missing, and sets passwords and rights, as
# `cargo xtask up` does (tools/xtask/src/postgres.rs). A service has two roles: the owner
# makes its tables, the user only uses them (decision 20).
#
# Each pair of files `<name>` and `<name>_owner` in $PASSWORDS is a service.
set -euo pipefail

PGPASSWORD=$(cat "$PASSWORDS/postgres")
export PGPASSWORD

until pg_isready -q; do
    echo "waiting for $PGHOST"
    sleep 2
done

# Names are those of services and passwords base64url: nothing needs quoting. Passwords
# are read from standard input, so that no command line has one.
role() {
    cat <<SQL
SELECT 'CREATE ROLE $1 LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '$1') \gexec
ALTER ROLE $1 PASSWORD '$(cat "$PASSWORDS/$1")';
SQL
}

for file in "$PASSWORDS"/*_owner; do
    owner=${file##*/}
    name=${owner%_owner}
    {
        role "$name"
        role "$owner"
        cat <<SQL
SELECT 'CREATE DATABASE $name OWNER $owner' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '$name') \gexec
REVOKE ALL ON DATABASE $name FROM PUBLIC;
ALTER DATABASE $name OWNER TO $owner;
GRANT CONNECT ON DATABASE $name TO $name;
\connect $name
REASSIGN OWNED BY $name TO $owner;
ALTER SCHEMA public OWNER TO $owner;
GRANT USAGE ON SCHEMA public TO $name;
ALTER DEFAULT PRIVILEGES FOR ROLE $owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO $name;
ALTER DEFAULT PRIVILEGES FOR ROLE $owner GRANT USAGE ON SEQUENCES TO $name;
SELECT format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO $name', oid::regclass) FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND relacl IS NULL \gexec
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO $name;
SQL
    } | psql -X -q -v ON_ERROR_STOP=1
    echo "$name has its database and roles"
done
