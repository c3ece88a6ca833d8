"""What the browser's tests share: psql, checks that are counted, and Chromium without a screen."""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

TOP = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 60  # seconds
checks = 0

# the name of a model, for whoever takes names for markup or SQL
HARM = """<script>window.ran = 1</script>"><img src=x onerror="window.ran = 1">' OR ?model --"""


def psql_text(statement, role=None):
    """What a statement returns, as psql writes it; libpq's variables say which server."""
    command = ["psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", statement]
    environment = dict(os.environ, **({"PGUSER": role} if role else {}))
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def psql(statement, role=None):
    """Rows of a statement, a list of strings each."""
    return [line.split("\t") for line in psql_text(statement, role).splitlines()]


def psql_file(path):
    subprocess.run(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", path], check=True, stdout=subprocess.DEVNULL)


def check(condition, what, detail=""):
    global checks
    if not condition:
        raise SystemExit(f"not ok: {what}" + (f"\n{detail}" if detail else ""))
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


def answers(url):
    try:
        return urllib.request.urlopen(url, timeout=2).status == 200
    except OSError:
        return False


@contextlib.contextmanager
def app(example, log, **environment):
    """A Shiny app of examples/; where it listens."""
    url = f"http://127.0.0.1:{(port := free_port())}/"
    process = subprocess.Popen(
        ["Rscript", "-e", f"shiny::runApp('{TOP}/examples/{example}', port = {port}, launch.browser = FALSE)"],
        env=dict(os.environ, **environment), stdout=log, stderr=log, start_new_session=True)
    try:
        eventually(lambda: answers(url), "the dashboard answers")
        yield url
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=10)


def start_browser():
    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--disable-gpu", "--window-size=1400,1150"]:
        options.add_argument(argument)
    if os.getuid() == 0:  # Chromium's sandbox does not go with root; the pages are our own
        options.add_argument("--no-sandbox")
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
