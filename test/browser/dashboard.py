#!/usr/bin/python3
"""The dashboard from end to end: a real server (libpq's variables say which, it may be empty), the
app, and Chromium without a screen.  What the page shows is compared with the views; after every grant
is revoked it shows nothing.  Run by `make bi`; the argument is where screenshots go."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
NOTHING = "No model was granted to this role."
PATIENCE = 30  # seconds
checks = 0


def psql(statement, role=None):
    """Rows of a statement, a list of strings each."""
    command = ["psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", statement]
    environment = dict(os.environ, **({"PGUSER": role} if role else {}))
    out = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    return [line.split("\t") for line in out.splitlines()]


def check(condition, what):
    global checks
    if not condition:
        raise SystemExit(f"not ok: {what}")
    checks += 1
    print(f"ok: {what}", flush=True)


def eventually(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.2)
    check(condition(), what)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def start_app(port, log):
    return subprocess.Popen(
        ["Rscript", "-e", f"shiny::runApp('{HERE}/app.R', port = {port}, launch.browser = FALSE)"],
        env=dict(os.environ, PGUSER="dashboard", DASHBOARD_REFRESH="0.5"), stdout=log, stderr=log, start_new_session=True)


def answers(url):
    try:
        return urllib.request.urlopen(url, timeout=2).status == 200
    except OSError:
        return False


def start_browser():
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--disable-gpu", "--window-size=1400,1150"]:
        options.add_argument(argument)
    if os.getuid() == 0:  # Chromium's sandbox does not go with root; the page is our own
        options.add_argument("--no-sandbox")
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


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
        """How many pictures there are with something in them."""
        return self.browser.execute_script(
            "return Array.from(document.querySelectorAll('.shiny-plot-output img')).filter(i => i.naturalWidth > 100 && i.offsetParent).length")

    def choose(self, model):
        self.browser.execute_script("$('#model')[0].selectize.setValue(arguments[0])", model)

    def keep(self, name):
        self.browser.save_screenshot(str(self.pictures / f"{name}.png"))


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
    ("illness", 1, "SELECT column_name, round(mean::numeric, 4), round(stddev::numeric, 4), round(exp(mean)::numeric, 4)"
                   " FROM dpem.logit_coefficients WHERE model = 'illness' ORDER BY 1"),
]


def prepare():
    subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", HERE / "models.sql"], check=True, stdout=subprocess.DEVNULL)
    others = psql("SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                  " WHERE n.nspname NOT IN ('dpem', 'pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v', 'm', 'p', 'f')"
                  " AND has_any_column_privilege('dashboard', c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')")
    check(others == [["0"]], "the dashboard's role may read no table")
    check(psql("SELECT count(*) FROM pg_auth_members WHERE member = 'dashboard'::regrole") == [["0"]], "... and is a member of no role")


def run(page):
    eventually(lambda: NOTHING in page.text(), "without a grant it shows no model")
    page.keep("nothing")
    for model, pictures, rows in MODELS:
        psql(f"SET ROLE analyst; SELECT dp_grant_model('{model}', 'dashboard')")
        expected = psql(rows, "dashboard")
        check(len(expected) >= 2, f"{model}: the role sees rows of it")
        eventually(lambda: page.browser.execute_script("return arguments[0] in $('#model')[0].selectize.options", model),
                   f"{model} can be chosen once it was granted")
        page.choose(model)
        eventually(lambda: same(page.numbers(), expected), f"{model}: the page has the rows of the view")
        eventually(lambda: page.drawn() == pictures, f"{model}: {pictures} drawn")
        page.keep(model)
    for model, _, _ in MODELS:
        psql(f"SET ROLE analyst; SELECT dp_revoke_model('{model}', 'dashboard')")
    eventually(lambda: NOTHING in page.text() and page.drawn() == 0 and not page.numbers(), "with all grants revoked it is empty")
    page.keep("revoked")
    check(not any(model in page.text() for model, _, _ in MODELS), "... and names no model")


def same(shown, expected):
    """Numbers may be rounded to either side in the last digit."""
    def equal(a, b):
        try:
            return abs(float(a) - float(b)) <= 1.01e-4
        except ValueError:
            return a == b
    return len(shown) == len(expected) and all(
        len(a) == len(b) and all(map(equal, a, b)) for a, b in zip(sorted(shown), sorted(expected)))


def main():
    pictures = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    pictures.mkdir(parents=True, exist_ok=True)
    prepare()
    url = f"http://127.0.0.1:{(port := free_port())}/"
    with open(pictures / "app.log", "w") as log:
        app = start_app(port, log)
        browser = None
        try:
            eventually(lambda: answers(url), "the app answers")
            browser = start_browser()
            browser.get(url)
            run(Page(browser, pictures))
        finally:
            if browser:
                browser.quit()
            os.killpg(app.pid, signal.SIGTERM)
            app.wait(timeout=10)
    print(f"{checks} ok; screenshots in {pictures}")


if __name__ == "__main__":
    main()
