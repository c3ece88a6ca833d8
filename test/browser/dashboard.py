"""The dashboard of examples/bi from end to end: the app, a role with no right but to connect, and the
page, whose rows are compared with the views; after every grant is revoked it shows nothing."""
from pictures import DARK, contrast, prefer
from stage import HARM, app, check, eventually, psql

NOTHING = "No model was granted to this role."
AWAY = "The database cannot be reached."

# model, pictures on its page, the rows that its table must show
MODELS = [
    ("groups", 2, "SELECT component, column_name, round(mean::numeric, 4), round(stddev::numeric, 4), round(noise_stddev::numeric, 4)"
                  " FROM dpem.gmm_means WHERE model = 'groups' ORDER BY 1, 2"),
    ("clusters", 2, "SELECT component, column_name, round(center::numeric, 4), round(noise_stddev::numeric, 4)"
                    " FROM dpem.kmeans_centers WHERE model = 'clusters' ORDER BY 1, 2"),
    ("health", 1, "SELECT factor, column_name, round(loading::numeric, 4), round(noise_stddev::numeric, 4)"
                  " FROM dpem.fa_loadings WHERE model = 'health' ORDER BY 1, 2"),
    ("axes", 1, "SELECT component, round(variance::numeric, 4), round(explained_ratio::numeric, 4), round(noise_stddev::numeric, 4)"
                " FROM dpem.pca_components WHERE model = 'axes' ORDER BY 1"),
    ("risk", 2, "SELECT column_name, coalesce(round(lower::numeric, 4)::text, ''), coalesce(round(upper::numeric, 4)::text, ''), coalesce(category, ''),"
                " round(contribution::numeric, 4), coalesce(round(noise_stddev::numeric, 4)::text, '') FROM dpem.gam_shapes WHERE model = 'risk' ORDER BY position, bin"),
    ("subjects", 2, "SELECT topic, rank, term, round(weight::numeric, 4) FROM dpem.lda_topics WHERE model = 'subjects' AND rank <= 8 ORDER BY 1, 2"),
    ("illness", 1, "SELECT column_name, round(mean::numeric, 4), round(stddev::numeric, 4), round(exp(mean)::numeric, 4)"
                   " FROM dpem.logit_coefficients WHERE model = 'illness' ORDER BY 1"),
]


# every word, its colour and that behind it
WORDS = """
    const rgb = s => { const v = s.match(/[0-9.]+/g).map(Number); return {c: v.slice(0, 3), a: v.length > 3 ? v[3] : 1}; };
    const under = e => { for (; e; e = e.parentElement) { const b = rgb(getComputedStyle(e).backgroundColor); if (b.a > 0.5) return b.c; } return [255, 255, 255]; };
    const texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let n = walker.nextNode(); n; n = walker.nextNode()) {
        const e = n.parentElement;
        if (n.textContent.trim() && !e.closest('script, style') && e.checkVisibility())
            texts.push({text: n.textContent.trim(), colour: rgb(getComputedStyle(e).color).c, under: under(e)});
    }
    return texts;
"""


class Page:
    def __init__(self, browser, pictures):
        self.browser = browser
        self.pictures = pictures

    def text(self):
        return self.browser.execute_script("return document.body.innerText")

    def numbers(self):
        """Rows of the table of numbers, as they are shown."""
        return self.browser.execute_script(
            "return Array.from(document.querySelectorAll('#numbers tbody tr')).map(r => Array.from(r.cells).map(c => c.innerText))")

    def drawn(self):
        """How many pictures there are with something in them, drawn for the room that they have."""
        return self.browser.execute_script(
            "return Array.from(document.querySelectorAll('.shiny-plot-output img')).filter(i => i.naturalWidth > 100 && i.offsetParent"
            " && Math.abs(i.clientWidth - i.parentElement.clientWidth) < 3).length")

    def offered(self):
        """Models that can be chosen."""
        return self.browser.execute_script("return window.$ && $('#model')[0]?.selectize ? Object.keys($('#model')[0].selectize.options) : []")

    def choose(self, model):
        self.browser.execute_script("$('#model')[0].selectize.setValue(arguments[0])", model)

    def keep(self, name):
        for scheme in DARK:
            prefer(self.browser, scheme)
            self.browser.save_screenshot(str(self.pictures / f"dashboard-{name}-{scheme}.png"))
            check(not self.faint(), f"{name}, {scheme}: contrasts", self.faint())
        prefer(self.browser, "light")

    def faint(self):
        """Words whose colour is less than 4.5 to 1 from what is behind them."""
        return [t["text"] for t in self.browser.execute_script(WORDS) if contrast(t["colour"], t["under"]) < 4.5]


def same(shown, expected):
    """Numbers may be rounded to either side in the last digit."""
    def equal(a, b):
        try:
            return abs(float(a) - float(b)) <= 1.01e-4
        except ValueError:
            return a == b
    return len(shown) == len(expected) and all(
        len(a) == len(b) and all(map(equal, a, b)) for a, b in zip(sorted(shown), sorted(expected)))


def check_role():
    others = psql("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                  " WHERE n.nspname NOT IN ('dpem', 'dpem_internal', 'pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v', 'm', 'p', 'f')"
                  " AND has_any_column_privilege('dashboard', c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')")
    check(others == [["0"]], "the dashboard's role may read no table")
    check(psql("SELECT count(*) FROM pg_auth_members WHERE member = 'dashboard'::regrole") == [["0"]], "... and is a member of no role")


def check_model(page, model, pictures, rows):
    psql(f"SET ROLE analyst; SELECT dp_grant_model('{model}', 'dashboard')")
    expected = psql(rows, "dashboard")
    check(len(expected) >= 2, f"{model}: the role sees rows of it")
    eventually(lambda: model in page.offered(), f"{model} can be chosen once it was granted")
    page.choose(model)
    eventually(lambda: same(page.numbers(), expected), f"{model}: the page has the rows of the view")
    eventually(lambda: page.drawn() == pictures, f"{model}: {pictures} drawn")
    page.keep(model)


def check_tabs(page):
    """The other two pages show what the views have, within the window."""
    for tab, shown in [("models", "mechanism"), ("spending", "This role has no budget.")]:
        page.browser.execute_script("document.querySelector(`a[data-value='${arguments[0]}']`).click()", tab)
        eventually(lambda: shown in page.text(), f"the page {tab} is there")
        wide = page.browser.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        check(wide <= 0, "... and no wider than the window")
        page.keep(f"page-{tab}")
    page.browser.execute_script("document.querySelector(`a[data-value='one']`).click()")


def check_harmless(page):
    """A name is text to the page and to its queries."""
    psql(f"SET ROLE analyst; SELECT dp_grant_model($${HARM}$$, 'dashboard')")
    expected = psql(f"SELECT component, column_name, round(mean::numeric, 4), round(stddev::numeric, 4), round(noise_stddev::numeric, 4)"
                    f" FROM dpem.gmm_means WHERE model = $${HARM}$$", "dashboard")
    eventually(lambda: HARM in page.offered(), "a model of a harmful name can be chosen")
    page.choose(HARM)
    eventually(lambda: len(expected) > 2 and same(page.numbers(), expected) and HARM in page.text(), "... and shows its rows and its name")
    check(page.browser.execute_script("return window.ran === undefined && !document.querySelector('img[src=x]')"), "... and nothing runs")
    psql(f"SET ROLE analyst; SELECT dp_revoke_model($${HARM}$$, 'dashboard')")
    eventually(lambda: HARM not in page.offered() and HARM not in page.text(), "... and is gone when it is revoked")


CUT = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'dashboard'"


def check_goes_on(page):
    """Connections are cut, as a restart of the server does."""
    first = MODELS[0][0]
    psql(f"SET ROLE analyst; SELECT dp_revoke_model('{first}', 'dashboard')")
    eventually(lambda: first not in page.offered(), "one model less")
    check(psql(CUT) != [["0"]], "its connection is cut")
    psql(f"SET ROLE analyst; SELECT dp_grant_model('{first}', 'dashboard')")
    eventually(lambda: first in page.offered(), "... and it goes on over another")
    psql("ALTER ROLE dashboard NOLOGIN")
    psql(CUT)
    eventually(lambda: AWAY in page.text() and not page.numbers() and not page.offered(), "without the database it says so and shows nothing")
    psql("ALTER ROLE dashboard LOGIN")
    eventually(lambda: first in page.offered() and page.numbers(), "... and goes on when it is back")


def check_revoked(page):
    """One grant less takes its model from the page that shows it; none, everything."""
    *others, last = [model for model, _, _ in MODELS]
    psql(f"SET ROLE analyst; SELECT dp_revoke_model('{last}', 'dashboard')")
    eventually(lambda: sorted(page.offered()) == sorted(others) and last not in page.text(), "a revoked model is gone, the others are not")
    for model in others:
        psql(f"SET ROLE analyst; SELECT dp_revoke_model('{model}', 'dashboard')")
    eventually(lambda: NOTHING in page.text() and page.drawn() == 0 and not page.numbers(), "with all grants revoked it is empty")
    eventually(lambda: not page.offered() and not any(model in page.text() for model, _, _ in MODELS), "... and names no model")
    page.keep("revoked")


def run(browser, out):
    check_role()
    with open(out / "dashboard.log", "w") as log, app("bi/app.R", log, PGUSER="dashboard", DASHBOARD_REFRESH="0.5") as url:
        browser.get(url)
        page = Page(browser, out)
        eventually(lambda: NOTHING in page.text(), "without a grant it shows no model")
        for model, pictures, rows in MODELS:
            check_model(page, model, pictures, rows)
        check_tabs(page)
        check_harmless(page)
        check_goes_on(page)
        check_revoked(page)
