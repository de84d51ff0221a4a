# Commands of ./test that take more than a line of its table. Each prints "N passed, N failed" last.

# check COMMAND…: counts a command as one test.
check() {
  if "$@"; then echo "1 passed, 0 failed"; else echo "0 passed, 1 failed"; return 1; fi
}

# length SHORT LONG: the second in the soak.
length() { [ -n "${DRIPLINE_SOAK-}" ] && echo "$2" || echo "$1"; }

# Runs cargo with clippy as the compiler, so that everything is built only once.
with_clippy() {
  RUSTC_WORKSPACE_WRAPPER=$clippy CLIPPY_ARGS="-Dwarnings__CLIPPY_HACKERY__" CARGO_PROFILE_DEV_DEBUG=none "$@"
}

# Saves cargo's messages for later steps, which then need neither cargo nor its lock.
build() {
  with_clippy cargo build --locked --workspace --all-targets --quiet --message-format=json-render-diagnostics >"$work/built" && mv "$work/built" "$work/built.json"
}

has_nextest() { cargo nextest --version >/dev/null 2>&1; }

# Threads of the tests: more than cores, because most tests wait for something.
threads() { echo "$(($(getconf _NPROCESSORS_ONLN) * 2))"; }

nextest() {
  with_clippy cargo nextest run --no-fail-fast --status-level slow --final-status-level fail --test-threads "$(threads)" "$@"
}

# cargo_test ARGUMENT…: for those without nextest.
cargo_test() { RUST_TEST_THREADS=$(threads) with_clippy cargo test --no-fail-fast "$@"; }

# rust_suite COMMAND…: sums the results that `cargo test` prints per binary; nextest prints one line.
rust_suite() {
  local log=$work/rust.$BASHPID status
  "$@" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  grep -E '^( +Summary|test result)' "$log" | awk '
    { for (i = 2; i <= NF; i++) { if ($i ~ /^passed/) passed += $(i - 1); if ($i ~ /^failed/) failed += $(i - 1) } }
    END { printf "%d passed, %d failed\n", passed, failed }'
  return "$status"
}

# The tests on the embedded database that need no service. A contributor's run has an eighth of the random cases.
rust() {
  case $layers in *" all "*) ;; *) export PROPTEST_CASES="${PROPTEST_CASES:-32}" ;; esac
  if has_nextest; then rust_suite nextest --workspace; else rust_suite cargo_test --workspace --lib --bins --tests; fi
}

# Those that are marked as ignored: they need PostgreSQL or Redis, or take long.
services() {
  if has_nextest; then rust_suite nextest --workspace --run-ignored only
  else rust_suite cargo_test --workspace --lib --bins --tests -- --ignored; fi
}

# The suites that also apply to PostgreSQL. Those of pages, imports and market data take as long again, so they run only in the soak.
on_postgres() {
  export DRIPLINE_TEST_ENGINE=postgres
  local suites="api oauth mcp nodes $(length '' 'web imports market')" suite filter='binary(contract)' tests='--test contract'
  for suite in $suites; do filter="$filter | (package(server) & binary($suite))" tests="$tests --test $suite"; done
  if has_nextest; then rust_suite nextest --workspace --run-ignored all -E "$filter"
  else rust_suite cargo_test --workspace $tests -- --include-ignored; fi
}

# Prints how real exports are read. Uses the whole workspace, because a single package would be rebuilt with other features.
exports() {
  if has_nextest; then rust_suite nextest --workspace --no-capture -E 'binary(imports) & test(/^real::/)'
  else rust_suite cargo_test --workspace --test imports real:: -- --nocapture; fi
}

# With the optional feature `otel`.
traces() {
  if has_nextest; then rust_suite nextest --package dripline --features otel -E 'binary(cli) & test(/^traces::/)'
  else rust_suite cargo_test --package dripline --features otel --test cli traces::; fi
}

# Licences, sources and banned crates (deny.toml). The tool takes minutes to build.
dependencies() {
  local tools=$PWD/.cache/tools
  if ! "$tools/bin/cargo-deny" --version >/dev/null 2>&1; then
    printf '== installing cargo-deny\n'
    cargo install --debug --quiet --locked --root "$tools" --version 0.20.2 cargo-deny || { echo "could not install cargo-deny"; return 1; }
  fi
  "$tools/bin/cargo-deny" --locked check bans licenses sources
}

# On both engines, which must respond alike.
schemathesis() {
  .cache/venv/bin/python e2e/schemathesis/run.py --binary "$DRIPLINE_BINARY" $(length "--examples 40" "--examples 750 --cases 20000")
}

# unittest FOLDER: runs Python's unittest.
unittest() {
  local log=$work/unittest.log status ran bad
  .cache/venv/bin/python -m unittest discover -s "$1" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  ran=$(grep -Eo '^Ran [0-9]+' "$log" | grep -Eo '[0-9]+')
  bad=$(grep -Eo '(failures|errors)=[0-9]+' "$log" | grep -Eo '[0-9]+' | awk '{n += $1} END {print n + 0}')
  printf '%s passed, %s failed\n' "$((${ran:-0} - bad))" "$bad"
  return "$status"
}

# Terminates nodes at 500 requests per second, which needs a release build on two cores.
nodes_at_full_rate() {
  cargo build --release --quiet --package dripline || return
  DRIPLINE_BINARY=$(dirname "$(dirname "$DRIPLINE_BINARY")")/release/dripline DRIPLINE_NODES_RATE=500 e2e/nodes/run rolling_restart_at_a_rate handed_over
}
