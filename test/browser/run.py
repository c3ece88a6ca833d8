#!/usr/bin/python3
"""Pictures and the example dashboards in Chromium without a screen, over a real server, which may be
empty (libpq's variables say which).  Run by `make browser`; the first argument is where screenshots
go, others are which parts to run: models (pictures, and the dashboard of their models), private."""
import pathlib
import sys

import dashboard
import pictures
import private
import stage

# part -> what it needs to find, what it runs
PARTS = {
    "models": ("examples/bi/models.sql", [pictures.run, dashboard.run]),
    "private": ("examples/private/stays.sql", [private.run]),
}


def main():
    out = pathlib.Path(sys.argv[1]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    parts = [PARTS[name] for name in sys.argv[2:] or PARTS]
    for file, _ in parts:
        stage.psql_file(stage.TOP / file)
    browser = stage.start_browser()
    try:
        for run in (run for _, runs in parts for run in runs):
            run(browser, out)
    finally:
        browser.quit()
    print(f"{stage.checks} ok; screenshots in {out}")


if __name__ == "__main__":
    main()
