"""SQL statements as the number of users grows, independent of other load: how many, how many pages they touch, and full scans."""
import statistics
import subprocess
import time

from node import api, bearer, page, public, radar

# Users whose first requests load the stocks into memory.
WARM_UP = 80
# Users with a symbol that nobody else has and that is not in market data; they are deleted at the end.
OWN = 5
# Longer than PostgreSQL delays its statistics (10 s).
STATISTICS_DELAY_SECONDS = 11
UNKNOWN_SYMBOLS = f"""
    INSERT INTO stocks (symbol, currency, quote_unit, tracked, placeholder)
        SELECT 'OWN' || n, 'USD', 'USD', FALSE, TRUE FROM generate_series(1, {OWN}) n;
    INSERT INTO tracking (symbol, user_id) SELECT 'OWN' || n, id FROM users, generate_series(1, {OWN}) n WHERE email = 'u' || n || '@example.com';
    INSERT INTO followers (symbol, people) SELECT 'OWN' || n, 1 FROM generate_series(1, {OWN}) n;
    UPDATE entries SET symbol = 'OWN' || n FROM users, generate_series(1, {OWN}) n
        WHERE user_id = id AND email = 'u' || n || '@example.com' AND sequence = (SELECT min(sequence) FROM entries e WHERE e.user_id = id);
    DO $$ BEGIN
        IF to_regclass('positions') IS NOT NULL THEN
            UPDATE positions SET fold = NULL WHERE user_id IN (SELECT user_id FROM entries WHERE symbol LIKE 'OWN%');
            INSERT INTO positions (user_id, portfolio_id, symbol) SELECT user_id, portfolio_id, symbol FROM entries WHERE symbol LIKE 'OWN%';
        END IF;
    END $$;
    UPDATE stocks SET tracked = FALSE WHERE symbol < 'S290'"""


class Statements:
    """Nodes on databases with growing numbers of users, by size; `people` has numbers and tokens of users."""

    def __init__(self, nodes, postgres, people, asking, bump_version):
        self.nodes, self.postgres, self.people, self.asking, self.bump_version = nodes, postgres, people, asking, bump_version
        self.sizes = list(nodes)

    def count(self):
        """Counts statements and the pages they touch."""
        kinds = {
            "`/income`, first": (None, lambda number, token: api("income", token)),
            "`/income`, in memory or unchanged": (None, lambda number, token: api("income", token)),
            "`/dividends`, first": (None, lambda number, token: api("dividends", token)),
            "`/portfolios`, first": (None, lambda number, token: api("portfolios", token)),
            "page `/`": (None, lambda number, token: page("/", number)),
            "page `/holdings`": (None, lambda number, token: page("/holdings", number)),
            "`/sign-in`": (None, lambda number, token: ("/sign-in", {})),
            "`/radar/add`": (None, lambda number, token: radar(number))}
        for path, _ in public(""):
            kinds[f"`{path}`, after any user's change"] = ("tracking", lambda number, token, path=path: (path, bearer(token)))
        kinds["`/income`, after a batch of prices"] = ("market", lambda number, token: api("income", token))
        found, before = {}, {}
        for size, node in self.nodes.items():
            for _, token in self.asking[size][:WARM_UP]:
                node.ask(*api("income", token))
        time.sleep(STATISTICS_DELAY_SECONDS)
        for size in self.sizes:
            before[size] = self.scans(size)
        for kind, (changed, request) in kinds.items():
            for size, node in self.nodes.items():
                self.postgres.count_statements(True)
                people = self.people[size][:5] if changed else self.people[size]
                for number, token in people:
                    if changed:
                        self.bump_version(size, changed)
                    node.ask(*request(number, token))
                time.sleep(0.02)
                found[kind, size] = self.statements(size, len(people))
        time.sleep(STATISTICS_DELAY_SECONDS)
        after = {size: self.scans(size) for size in self.sizes}
        times = self.count_commands(found)
        self.postgres.count_statements(False)
        self.print_counts(found)
        self.print_commands(times)
        self.print_scans(before, after)

    def count_commands(self, found):
        """Background work: the list of all stocks that somebody holds, and the deletion of an account with a symbol only it has."""
        commands = {"`dripline market status`": lambda number: ("market", "status"),
                    "`dripline user delete`": lambda number: ("user", "delete", f"u{number}@example.com", "--yes")}
        times = {}
        for kind, error in commands.items():
            for size, node in self.nodes.items():
                self.postgres.count_statements(True)
                for number in range(1, OWN + 1):
                    start = time.perf_counter()
                    done = subprocess.run([node.binary, *error(number)], env=node.environment, capture_output=True, text=True)
                    times.setdefault((kind, size), []).append((time.perf_counter() - start, done.stderr.strip() if done.returncode else ""))
                found[kind, size] = self.statements(size, OWN)
        return times

    def print_commands(self, times):
        for kind in dict.fromkeys(kind for kind, _ in times):
            cells = []
            for size in self.sizes:
                failed = [error for _, error in times[kind, size] if error]
                cells.append(f"{statistics.median(seconds for seconds, _ in times[kind, size]):.2f} s" + (f" ({len(failed)} of {OWN} failed: {failed[0][:150]})" if failed else ""))
            print(f"- {kind}: " + "; ".join(cells))
        print()

    def statements(self, size, requests):
        text = f"""SELECT query, calls, rows, shared_blks_hit + shared_blks_read AS pages, total_exec_time * 1000 AS time, {requests} AS requests
            FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = 'users_{size}'
            AND query NOT LIKE 'UPDATE versions SET value = value + 1 WHERE name = ''%' ORDER BY pages DESC"""
        return self.postgres.rows(text)

    def scans(self, size):
        text = "SELECT relname, seq_scan, seq_tup_read FROM pg_stat_user_tables WHERE seq_scan > 0"
        return {row["relname"]: (row["seq_scan"], row["seq_tup_read"]) for row in self.postgres.rows(text, f"users_{size}")}

    def print_counts(self, found):
        print("| request | " + " | ".join(f"{size:,} users" for size in self.sizes) + " |\n|---|" + "---:|" * len(self.sizes))
        growing = {}
        for kind in dict.fromkeys(kind for kind, _ in found):
            cells = []
            for size in self.sizes:
                rows = found[kind, size]
                total = lambda column: sum(row[column] for row in rows) / max(rows[0]["requests"], 1) if rows else 0
                cells.append(f"{total('calls'):.1f} statements, {total('rows'):.1f} rows, {total('pages'):,.0f} pages")
                for row in rows:
                    growing.setdefault((kind, " ".join(row["query"].split())), {})[size] = row
            print(f"| {kind} | " + " | ".join(cells) + " |")
        print("\nStatements that touch more pages with more users (pages per execution; PostgreSQL's µs per execution):\n")
        for (kind, query), by_size in growing.items():
            if len(by_size) < len(self.sizes):
                continue
            pages = [by_size[size]["pages"] / by_size[size]["calls"] for size in self.sizes]
            if pages[-1] > max(2 * pages[0], pages[0] + 10):
                times = [by_size[size]["time"] / by_size[size]["calls"] for size in self.sizes]
                print(f"- {kind}: `{query[:300]}`: " + "; ".join(f"{page:,.0f} pages, {spent:,.0f} µs" for page, spent in zip(pages, times)))
        print()

    def print_scans(self, before, after):
        print("Full table scans by these requests (scans, rows per scan):\n")
        for size in self.sizes:
            cells = []
            for name, (scans, rows) in sorted(after[size].items()):
                scans, rows = scans - before[size].get(name, (0, 0))[0], rows - before[size].get(name, (0, 0))[1]
                cells += [f"`{name}` {scans:,} × {rows / scans:,.0f}"] if scans else []
            print(f"- {size:,} users: " + ", ".join(cells))
        print()
