"""The dashboard of examples/private from end to end: a role that may read one private foreign table, the
numbers and whiskers on the page beside what the role is given by psql, and the ledger: the second load spends
nothing.  Light and dark, wide and narrow, every word is whole."""
import json

from pictures import DARK, contrast, overlap, prefer
from stage import app, check, eventually, psql

ROLE = "ward_dashboard"
KEPT = "SET dpem.fresh = off; "

# chart -> the query behind it, as the ledger of kept answers knows it
QUERIES = {
    "regions": "SELECT region, count(*) FROM private.stays GROUP BY region",
    "days": "SELECT region, avg(days) FROM private.stays GROUP BY region",
    "ages": "SELECT floor(age / 10.0) * 10, count(*) FROM private.stays GROUP BY 1",
    "months": "SELECT to_char(admitted, 'YYYY-MM'), count(*) FROM private.stays GROUP BY 1",
}
CHARTS = len(QUERIES) + 1  # and the percentiles

# of the page as it is: the ground, and every text with its box, colours and the boxes of what must have room for it
MEASURE = """
    const rgb = s => { const v = s.match(/[0-9.]+/g).map(Number); return {c: v.slice(0, 3), a: v.length > 3 ? v[3] : 1}; };
    const under = e => { for (; e; e = e.parentElement) { const b = rgb(getComputedStyle(e).backgroundColor); if (b.a > 0) return b.c; } return [255, 255, 255]; };
    const box = r => [r.left, r.top, r.right, r.bottom];
    const texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let n = walker.nextNode(); n; n = walker.nextNode()) {
        const e = n.parentElement;
        if (!n.textContent.trim() || e.closest('script, style, caption, select, title') || !e.checkVisibility()) continue;
        const range = document.createRange(), style = getComputedStyle(e), svg = e.closest('svg');
        const broken = [...n.textContent.matchAll(/\\S+/g)].some(w => { range.setStart(n, w.index); range.setEnd(n, w.index + w[0].length); return range.getClientRects().length > 1; });
        range.selectNodeContents(n);
        texts.push({text: n.textContent.trim(), box: box(svg ? e.getBoundingClientRect() : range.getBoundingClientRect()), frame: box((svg || e.closest('section, header, footer')).getBoundingClientRect()),
            cut: broken || e.scrollWidth > e.clientWidth + 1 && style.overflowX !== 'visible', under: under(e), colour: rgb(svg ? style.fill : style.color).c});
    }
    const marks = [...document.querySelectorAll('section .bar, section .point, section .whisker')].filter(e => e.checkVisibility());
    return {ground: under(document.body), wide: document.documentElement.scrollWidth - document.documentElement.clientWidth, texts,
        marks: marks.map(e => ({colour: rgb(e.closest('svg') ? (e.tagName === 'line' ? getComputedStyle(e).stroke : getComputedStyle(e).fill) : getComputedStyle(e).backgroundColor).c, under: under(e.closest('section'))})),
        whiskers: [...document.querySelectorAll('.whisker')].map(e => { const b = e.getBoundingClientRect(); return Math.max(b.width, b.height); })};
"""

ROWS = """return Array.from(document.querySelectorAll(`#${arguments[0]} tbody tr`)).map(r => [r.cells[0].innerText, r.cells[2].innerText])"""
TITLES = """return Array.from(document.querySelectorAll(`#${arguments[0]} svg title`)).map(t => t.textContent)"""


def charges():
    return int(psql(f"SELECT count(DISTINCT charge) FROM dpem.ledger WHERE role = '{ROLE}'")[0][0])


def expected(query):
    """label -> value and interval of what the role is given, again."""
    rows = psql(f"{KEPT} DO $$BEGIN PERFORM * FROM ({query}) AS q; END$$; SELECT key, value, ci_lower, ci_upper FROM dpem.last_answer", ROLE)
    return {key: tuple(map(float, numbers)) for key, *numbers in rows}


def number(shown):
    return float(shown.replace(",", ""))


def near(chart, shown, value):
    """Averages are shown with one digit; counts are whole numbers."""
    return abs(number(shown) - value) <= (0.051 if chart == "days" else 0.51)


class Page:
    def __init__(self, browser):
        self.browser = browser

    def text(self, element="body"):
        return self.browser.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", element)

    def costs(self):
        return self.browser.execute_script("return Array.from(document.querySelectorAll('section:not(#budget) .cost')).map(e => e.innerText)")

    def settled(self):
        return self.browser.execute_script("return !!document.querySelector('#budget') && !document.querySelector('html.shiny-busy, .recalculating')")

    def load(self, url):
        self.browser.get(url)
        eventually(self.settled, "the page is there")

    def choose(self, which):
        self.browser.execute_script("const s = document.querySelector('#filter'); s.value = arguments[0]; s.dispatchEvent(new Event('change', {bubbles: true}))", which)

    def rows(self, chart):
        """label -> value and half of the interval, as they are shown in a table."""
        return {label: tuple(shown.replace("\u00b1", "").split()) for label, shown in self.browser.execute_script(ROWS, chart)}

    def titles(self, chart):
        """label -> value and ends of the interval, as a picture's marks say."""
        said = [t.rsplit(": ", 1) for t in self.browser.execute_script(TITLES, chart)]
        return {label: tuple(rest.replace("(", "").replace(")", "").replace(" to ", " ").split()) for label, rest in said}

    def everything(self):
        return json.dumps([self.rows("regions"), self.rows("days"), self.titles("ages"), self.titles("months"), self.text("#long .sentences")])


def check_role():
    readable = psql("SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                    " WHERE n.nspname NOT IN ('dpem', 'pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v', 'm', 'p', 'f')"
                    f" AND has_any_column_privilege('{ROLE}', c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')")
    check(readable == [["private.stays"]], "the role may read the private table and no other", readable)


def check_numbers(page):
    for chart in ("regions", "days"):
        shown, given = page.rows(chart), expected(QUERIES[chart])
        check(shown.keys() == given.keys() and all(near(chart, shown[k][0], v) and near(chart, shown[k][1], (high - low) / 2) for k, (v, low, high) in given.items()),
              f"{chart}: the numbers and intervals that the role was given", f"{shown}\n{given}")
    for chart in ("ages", "months"):
        shown, given = page.titles(chart), expected(QUERIES[chart])
        check(len(shown) >= 11 and shown.keys() == given.keys() and all(near(chart, *pair) for k in given for pair in zip(shown[k], given[k])),
              f"{chart}: the numbers and intervals that the role was given", f"{shown}\n{given}")
    check("Half of the stays" in page.text("#long") and "Nine in ten" in page.text("#long"), "percentiles", page.text("#long"))
    left = psql(f"SELECT round(remaining_percent::numeric, 1) FROM dpem.budgets WHERE role = '{ROLE}'")[0][0]
    check(f"{float(left):.1f} %" in page.text("#budget"), f"{left} % of the budget are left", page.text("#budget"))


def check_costs(page, url):
    """What the page spends is what the ledger says."""
    check(charges() == 0, "nothing was spent yet")
    page.load(url)
    check(charges() == CHARTS and all("Spent now" in c for c in page.costs()), "the first load is one charge for each chart", page.text())
    first = page.everything()
    page.load(url)
    check(charges() == CHARTS and len(page.costs()) == CHARTS and all("nothing spent now" in c for c in page.costs()), "the second spends nothing", page.costs())
    check(page.everything() == first, "... and shows the same numbers")
    page.choose("urgent stays")
    eventually(lambda: page.settled() and all("Spent now" in c for c in page.costs()), "another filter is other questions")
    check(charges() == 2 * CHARTS and page.everything() != first, "... which are paid for")
    page.choose("all stays")
    eventually(lambda: page.settled() and page.everything() == first, "the first ones are there")
    check(charges() == 2 * CHARTS, "... and cost nothing")


def check_looks(page, out, name, width):
    browser = page.browser
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 1150, "deviceScaleFactor": 1, "mobile": False})
    for scheme, ground in DARK.items():
        prefer(browser, scheme)
        m = browser.execute_script(MEASURE)
        browser.save_screenshot(str(out / f"private-{name}-{scheme}.png"))
        where = f"{name}, {scheme}"
        check(tuple(m["ground"]) == ground and len(m["texts"]) > 30 and len(m["marks"]) > 30, f"{where}: drawn", json.dumps(m)[:1000])
        check(m["wide"] <= 0, f"{where}: no wider than the window")
        cut = [t["text"] for t in m["texts"] if t["cut"] or t["box"][0] < t["frame"][0] - 0.5 or t["box"][1] < t["frame"][1] - 0.5
               or t["box"][2] > t["frame"][2] + 0.5 or t["box"][3] > t["frame"][3] + 0.5]
        check(not cut, f"{where}: every word is whole", cut)
        on = [(a["text"], b["text"]) for i, a in enumerate(m["texts"]) for b in m["texts"][:i] if overlap(a["box"], b["box"]) > 2]
        check(not on, f"{where}: no text on another", on)
        faint = [t["text"] for t in m["texts"] if contrast(t["colour"], t["under"]) < 4.5] + [k for k in m["marks"] if contrast(k["colour"], k["under"]) < 3]
        check(not faint, f"{where}: contrasts", faint)
        check(len(m["whiskers"]) > 15 and min(m["whiskers"]) > 0.5, f"{where}: error bars can be seen", m["whiskers"])
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def check_refused(page):
    """Without budget a chart says why, what was paid for is shown all the same, and nothing is charged."""
    before = charges()
    psql(f"SET ROLE ward_owner; SELECT dp_grant_budget('{ROLE}', 'stays', 0.01, 5e-6)")
    page.choose("planned stays")
    eventually(lambda: page.settled() and page.text("#regions .error") != "", "new questions are refused")
    refusals = [page.text(f"#{chart} .error") for chart in [*QUERIES, "long"]]
    check(all("budget" in r for r in refusals), "... and each chart says why", refusals)
    page.choose("urgent stays")
    eventually(lambda: page.settled() and len(page.costs()) == CHARTS, "what was paid for is shown again")
    psql(f"SET ROLE ward_owner; SELECT dp_grant_budget('{ROLE}', 'stays', 5, 5e-6)")
    check(charges() == before, "none of it is a charge")


def check_goes_on(page, url):
    check(psql(f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = '{ROLE}'") != [["0"]], "its connection is cut")
    page.load(url)
    eventually(lambda: len(page.costs()) == CHARTS, "... and it goes on over another")


def run(browser, out):
    check_role()
    with open(out / "private.log", "w") as log, app("private", log, PGUSER=ROLE, PGOPTIONS="-c dpem.fresh=off") as url:
        page = Page(browser)
        check_costs(page, url)
        check_numbers(page)
        check_looks(page, out, "wide", 1400)
        check_looks(page, out, "narrow", 420)
        check_refused(page)
        check_goes_on(page, url)
