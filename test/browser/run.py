#!/usr/bin/python3
"""Pictures and the example dashboard in Chromium without a screen, over a real server, which may be
empty (libpq's variables say which).  Run by `make browser`; the argument is where screenshots go."""
import pathlib
import sys

import dashboard
import pictures
import stage


def main():
    out = pathlib.Path(sys.argv[1]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    stage.psql_file(stage.TOP / "examples/bi/models.sql")
    browser = stage.start_browser()
    try:
        pictures.run(browser, out)
        dashboard.run(browser, out)
    finally:
        browser.quit()
    print(f"{stage.checks} ok; screenshots in {out}")


if __name__ == "__main__":
    main()
