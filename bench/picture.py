"""Draws the cost curves as an SVG: CPU per request by number of users, and by length of the ledger. Both axes are logarithmic."""
import html
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 340, 62, 275, 44, 46
LABEL_GAP = 15
TITLES = {"users": ("CPU of one /income request, by users in the database", "users, 20 entries each"),
          "entries": ("CPU of one /income request, by length of the user's ledger", "entries, 300 positions, SQLite")}
STYLE = """
    text { font: 12px system-ui, sans-serif; fill: #24292f } .title { font-size: 13px; font-weight: 600 } .axis { fill: #57606a }
    .grid { stroke: #d0d7de } path { fill: none; stroke-width: 2 } .dashed { stroke-dasharray: 5 4 }
    .c0 { stroke: #cf222e } .c1 { stroke: #0969da } .c2 { stroke: #1a7f37 } .d0 { fill: #cf222e } .d1 { fill: #0969da } .d2 { fill: #1a7f37 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .axis { fill: #9198a1 } .grid { stroke: #3d444d }
      .c0 { stroke: #ff7b72 } .c1 { stroke: #79c0ff } .c2 { stroke: #7ee787 } .d0 { fill: #ff7b72 } .d1 { fill: #79c0ff } .d2 { fill: #7ee787 } }"""


def render(curves):
    """`curves` has y by x, for each panel and line."""
    panels = "".join(panel(name, curves[name], at * HEIGHT) for at, name in enumerate(TITLES) if name in curves)
    height = HEIGHT * len(curves)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + RIGHT} {height}" width="{WIDTH + RIGHT}" height="{height}" role="img" '
            f'aria-label="{html.escape(description(curves))}"><style>{STYLE}</style>{panels}\n</svg>\n')


def description(curves):
    lines = [f"{line}: " + ", ".join(f"{y:,.0f} µs at {x:,}" for x, y in points.items()) for panel in curves.values() for line, points in panel.items()]
    return "CPU of one request. " + "; ".join(lines)


def panel(name, lines, offset):
    title, below = TITLES[name]
    x_of, y_of, low, high = scales(lines)
    parts = [f'\n<g transform="translate(0 {offset})"><text class="title" x="{LEFT}" y="22">{title}</text>']
    for power in range(low, high + 1):
        y = y_of(10 ** power)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>'
                     f'<text class="axis" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{format_micros(10 ** power)}</text>')
    for x in sorted({x for points in lines.values() for x in points}):
        parts.append(f'<text class="axis" x="{x_of(x):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{x:,}</text>')
    parts.append(f'<text class="axis" x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{below}</text>')
    labels = label_positions({line: y_of(list(points.values())[-1]) for line, points in lines.items()})
    for line, points in lines.items():
        parts += curve(line, points, colour(list(lines), line), x_of, y_of, labels[line])
    return "".join(parts) + "</g>"


def curve(line, points, colour, x_of, y_of, label):
    dashed = " dashed" if line.endswith("PostgreSQL") else ""
    path = "L".join(f"{x_of(x):.1f} {y_of(y):.1f}" for x, y in points.items())
    yield f'\n<path class="c{colour}{dashed}" d="M{path}"/>'
    for x, y in points.items():
        yield f'<circle class="d{colour}" cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="3"/>'
    yield f'<text x="{WIDTH + 8}" y="{label + 4:.1f}">{html.escape(line)}: {format_micros(list(points.values())[-1])}</text>'


def colour(lines, line):
    """Lines of the same work have the same colour on both databases."""
    works = list(dict.fromkeys(each.rsplit(", ", 1)[0] for each in lines))
    return works.index(line.rsplit(", ", 1)[0]) % 3


def scales(lines):
    xs = [x for points in lines.values() for x in points]
    ys = [y for points in lines.values() for y in points.values()]
    low, high = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))
    left, right = math.log10(min(xs)), math.log10(max(xs))
    x_of = lambda x: LEFT + 20 + (math.log10(x) - left) / max(right - left, 0.01) * (WIDTH - LEFT - 40)
    y_of = lambda y: HEIGHT - BOTTOM - (math.log10(y) - low) / max(high - low, 1) * (HEIGHT - BOTTOM - TOP)
    return x_of, y_of, low, high


def label_positions(wanted):
    """Heights of the labels, moved apart if they would overlap."""
    found, last = {}, -LABEL_GAP
    for line, y in sorted(wanted.items(), key=lambda item: item[1]):
        last = found[line] = max(y, last + LABEL_GAP)
    return found


def format_micros(micros):
    return f"{micros / 1000:,.{0 if micros >= 10_000 else 1}f} ms".replace(".0 ", " ") if micros >= 1000 else f"{micros:.0f} µs"
