# What the steps of ./test need. Each function provides one thing, or says in `missing` what is missing and fails.
postgres_folder= missing= provided=' '

# provide NEED,…: calls the function of each need once.
provide() {
  local need
  for need in ${1//,/ }; do
    case $provided in *" $need "*) continue ;; esac
    missing=$(cat "$work/missing.$need" 2>/dev/null) && return 1
    "need_$need" || { echo "$missing" >"$work/missing.$need"; return 1; }
    provided="$provided$need "
  done
}

stop_services() {
  [ -n "$postgres_folder" ] || return
  $as_postgres "$postgres_bin/pg_ctl" -D "$postgres_folder/data" -m immediate stop >/dev/null 2>&1
  rm -rf "$postgres_folder"
}

need_rust() {
  command -v cargo >/dev/null || { missing="cargo not found: install a Rust toolchain (see rust-version in Cargo.toml)"; return 1; }
  command -v cc >/dev/null || { missing="cc not found: Rust needs a C compiler, such as the package build-essential"; return 1; }
  cargo fmt --version >/dev/null 2>&1 || { missing="rustfmt not found: rustup component add rustfmt"; return 1; }
  clippy=$(rustc --print sysroot)/bin/clippy-driver
  [ -x "$clippy" ] || { missing="clippy not found: rustup component add clippy"; return 1; }
}

# The workspace with all tests, and the binary for those that are not in Rust.
need_build() {
  provide rust || return
  [ -f "$work/built.json" ] || build || { missing="the build failed"; return 1; }
  local target; target=$(cargo metadata --format-version 1 --no-deps | sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')
  export DRIPLINE_BINARY=$target/debug/dripline MCP_FIXTURE=$target/debug/examples/mcp_fixture
}

# A PostgreSQL with its socket in a temporary folder. It does not run as root.
need_postgres() {
  postgres_bin=$(postgres_programs)
  [ -n "$postgres_bin" ] || { install_package postgresql || return; postgres_bin=$(postgres_programs); }
  postgres_folder=$(mktemp -d)
  as_postgres=; [ "$(id -u)" -eq 0 ] && { as_postgres="runuser -u postgres --"; chown postgres "$postgres_folder"; }
  $as_postgres "$postgres_bin/initdb" -D "$postgres_folder/data" -U dripline --auth=trust -E UTF8 --locale=C.UTF-8 --no-sync >"$work/initdb.log" 2>&1 || { cat "$work/initdb.log"; missing="initdb failed"; return 1; }
  local options="-k $postgres_folder -p 5432 -c listen_addresses= -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 -c max_connections=400 -c autovacuum=off"
  $as_postgres "$postgres_bin/pg_ctl" -D "$postgres_folder/data" -l "$postgres_folder/log" -w -o "$options" start >/dev/null || { cat "$postgres_folder/log"; missing="PostgreSQL did not start"; return 1; }
  export DRIPLINE_TEST_POSTGRES="postgres://dripline@${postgres_folder//\//%2F}/postgres"
}

postgres_programs() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; }

# Python with the packages of e2e/requirements.txt.
need_venv() {
  provide python || return
  cmp -s e2e/requirements.txt .cache/venv/requirements.txt && return
  python3 -c 'import venv, ensurepip' 2>/dev/null || install_package python3-venv || return
  printf '== installing the Python packages of e2e/requirements.txt\n'
  { python3 -m venv --clear .cache/venv && .cache/venv/bin/pip install -q -r e2e/requirements.txt && cp e2e/requirements.txt .cache/venv/; } || { missing="could not install the packages of e2e/requirements.txt"; return 1; }
}

# Unpacks only promtool: installing the whole package would start a service.
need_promtool() {
  local tools=$PWD/.cache/tools/prometheus
  command -v promtool >/dev/null && return
  [ -x "$tools/usr/bin/promtool" ] || {
    mkdir -p "$tools" && update_packages prometheus &&
      (cd "$work" && apt-get download -qq prometheus && dpkg-deb -x prometheus_*.deb "$tools") >"$work/apt.log" 2>&1
  } || { cat "$work/apt.log"; missing="could not unpack promtool of the package prometheus"; return 1; }
  PATH=$PATH:$tools/usr/bin
}

need_real_exports() {
  [ -d ../shared/data/broker-samples ] || { missing="no folder ../shared/data/broker-samples"; return 1; }
}

need_chromium() { need_program chromium chromium; }
need_curl() { need_program curl curl; }
need_ext4() { need_program mkfs.ext4 e2fsprogs; }
need_go() { need_program go golang-go; }
need_haproxy() { need_program haproxy haproxy; }
need_ip() { need_program ip iproute2; }
need_java() { need_program java default-jre-headless; }
need_jq() { need_program jq jq; }
need_nginx() { need_program nginx nginx-light; }
need_node() { need_program node nodejs && need_program npm npm; }
need_openssl() { need_program openssl openssl; }
need_pgbouncer() { need_program pgbouncer pgbouncer; }
need_python() { need_program python3 python3; }
need_redis() { need_program redis-server redis-server; }
need_slowhttptest() { need_program slowhttptest slowhttptest; }
need_strace() { need_program strace strace; }
need_systemd() { need_program systemd-analyze systemd; }
need_valgrind() { need_program valgrind valgrind; }
need_wrk() { need_program wrk wrk; }
need_yaml() { python3 -c 'import yaml' 2>/dev/null || install_package python3-yaml; }

# need_program COMMAND DEBIAN-PACKAGE: installs the package if the command is missing.
need_program() { command -v "$1" >/dev/null || install_package "$2"; }

install_package() {
  update_packages "$1" && $(sudo_if_needed) apt-get install -y -qq "$1" >"$work/apt.log" 2>&1 || { cat "$work/apt.log"; missing="could not install the package $1"; return 1; }
}

# update_packages PACKAGE: reads the lists of packages once.
update_packages() {
  printf '== installing %s\n' "$1"
  [ -f "$work/apt.log" ] && return
  : >"$work/apt.log"
  command -v apt-get >/dev/null || { echo "there is no apt-get" >"$work/apt.log"; return 1; }
  $(sudo_if_needed) apt-get update -qq >"$work/apt.log" 2>&1
}

sudo_if_needed() { [ "$(id -u)" -eq 0 ] || echo sudo; }
