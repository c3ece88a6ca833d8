"""The SVG of dp_plot and its companions as a browser shows it, light and dark, alone, in <img> and
inside a page: everything within its frame, no text on another, contrasts as WCAG 2.1 wants them
(1.4.3: 4.5 to 1 for text; 1.4.11: 3 to 1 for shapes), a name for screen readers, nothing that runs."""
import base64
import json
import pathlib

from stage import HARM, check, psql, psql_text

ODD = "<b>&amp;" + "x" * 50
WIDE = "\u5e74\u9f62" * 10
CAPITALS = "WMWM" * 15
WORDS = ["no", "& so on", WIDE, CAPITALS, "nine hundred and ninety-nine thousand", "i" * 40, "a", "b", "c", "d", "e", "f"]
NURSE = "<i>nurse & co</i>"
DARK = {"light": (255, 255, 255), "dark": (13, 17, 23)}

PREPARE = [
    f"""CREATE ROLE "{NURSE}"; SET ROLE steward; SELECT dp_grant_budget('"{NURSE}"', 'patients', 1, 1e-5)""",
    f"""SET ROLE "{NURSE}"; SELECT count(*) FROM dp_gmm_fit('patients', 2, 0.7, columns => '{{age}}')""",
    f"""SET ROLE analyst; SELECT count(*) FROM dp_gmm_fit('patients', 2, 1, columns => '{{age,bmi,systolic_bp}}', model => $${HARM}$$)""",
    f"""SET ROLE steward; CREATE TABLE odd_names AS SELECT age AS "{ODD}", bmi AS "{WIDE}", systolic_bp AS "{CAPITALS}", ill AS "{CAPITALS[::-1]}" FROM patients; ANALYZE odd_names;
        SELECT dp_register_dataset('odd names', 'odd_names', 10, 1e-5), dp_register_column('odd names', '{ODD}', 0, 110), dp_register_column('odd names', '{WIDE}', 10e9, 60e9),
            dp_register_column('odd names', '{CAPITALS}', 60e-9, 240e-9), dp_register_column('odd names', '{CAPITALS[::-1]}', '{{no,yes}}'::text[]),
            dp_grant_budget('analyst', 'odd names', 8, 1e-5)""",
    """SET ROLE analyst; SELECT count(*) FROM dp_fa_fit('odd names', 2, 1, model => 'odd factors')""",
    f"""SET ROLE analyst; SELECT count(*) FROM dp_logit_fit('odd names', '{CAPITALS[::-1]}', 1, model => 'odd coefficients')""",
    """SET ROLE analyst; SELECT count(*) FROM dp_sbn_fit('patients', 2, 0.5, columns => '{age,bmi,systolic_bp}', model => 'units')""",
    """SET ROLE analyst; SELECT count(*) FROM dp_fa_fit('patients', 2, 1, columns => '{age,bmi,systolic_bp}', model => 'two factors')""",
    """SET ROLE analyst; SELECT count(*) FROM dp_linreg_fit('patients', 'systolic_bp', 1, model => 'pressure')""",
    """SET ROLE analyst; SELECT count(*) FROM dp_gam_fit('patients', 'ill', 1, columns => '{age,bmi,systolic_bp}', pairs => 'age:bmi', bins => 8, model => 'pairs')""",
    """SET ROLE analyst; SELECT count(*) FROM dp_bayes_fit('patients', 'ill', 1, model => 'naive')""",
    """SET ROLE analyst; SELECT count(*) FROM dp_evaluate('illness', 'patients', 1); SELECT count(*) FROM dp_evaluate('pressure', 'patients', 1)""",
    f"""SET ROLE steward; CREATE TABLE odd_words AS SELECT age AS "{CAPITALS}", CASE WHEN i % 9 = 0 THEN NULL ELSE bmi END AS "{WIDE}", (ARRAY[{', '.join(f"'{w}'" for w in WORDS)}])[1 + i % {len(WORDS)}] AS "{ODD}",
            (ARRAY['{CAPITALS}', '{WIDE}', 'no'])[1 + (age + 7 * i)::int % 3] AS kind FROM (SELECT row_number() OVER () AS i, age, bmi FROM patients) AS p; ANALYZE odd_words;
        SELECT dp_register_dataset('odd words', 'odd_words', 10, 1e-5), dp_register_column('odd words', '{CAPITALS}', 0, 110), dp_register_column('odd words', '{WIDE}', 10, 60),
            dp_register_column('odd words', '{ODD}', ARRAY[{', '.join(f"'{w}'" for w in WORDS)}]), dp_register_column('odd words', 'kind', ARRAY['{CAPITALS}', '{WIDE}', 'no']), dp_grant_budget('analyst', 'odd words', 8, 1e-5)""",
    """SET ROLE analyst; SELECT count(*) FROM dp_gam_fit('odd words', 'kind', 1, model => 'odd shapes')""",
    """SET ROLE analyst; SELECT count(*) FROM dp_bayes_fit('odd words', 'kind', 1, model => 'odd classes')""",
    """SET ROLE analyst; SELECT count(*) FROM dp_svm_fit('odd words', 'kind', 1, model => 'odd margins')""",
    """SET ROLE analyst; SELECT count(*) FROM dp_mixture_fit('odd words', 3, 1, model => 'odd kinds')""",
    """SET ROLE analyst; SELECT count(*) FROM dp_synth_fit('odd words', 1, model => 'odd tables')""",
    """SET ROLE analyst; SELECT count(*) FROM dp_evaluate('naive', 'patients', 1)""",
]

# name, title that it must have, statement
PICTURES = [
    ("mixture", "groups", "SET ROLE analyst; SELECT dp_plot('groups')"),
    ("density", "groups", "SET ROLE analyst; SELECT dp_plot('groups', 'age')"),
    ("harm", HARM[:59] + "\u2026", f"SET ROLE analyst; SELECT dp_plot($${HARM}$$, 'systolic_bp', 'bmi')"),
    ("clusters", "clusters", "SET ROLE analyst; SELECT dp_plot('clusters')"),
    ("centers", "clusters", "SET ROLE analyst; SELECT dp_plot('clusters', 'bmi')"),
    ("odd-mixture", "odd factors", f"SET ROLE analyst; SELECT dp_plot('odd factors', '{WIDE}', '{CAPITALS}')"),
    ("odd-loadings", "odd factors", "SET ROLE analyst; SELECT dp_plot_loadings('odd factors')"),
    ("odd-coefficients", "odd coefficients", "SET ROLE analyst; SELECT dp_plot_coefficients('odd coefficients')"),
    ("factors", "two factors", "SET ROLE analyst; SELECT dp_plot('two factors', 'systolic_bp', 'age')"),
    ("components", "axes", "SET ROLE analyst; SELECT dp_plot('axes')"),
    ("factor-loadings", "two factors", "SET ROLE analyst; SELECT dp_plot_loadings('two factors')"),
    ("directions", "axes", "SET ROLE analyst; SELECT dp_plot_loadings('axes')"),
    ("units", "units", "SET ROLE analyst; SELECT dp_plot_loadings('units')"),
    ("coefficients", "illness", "SET ROLE analyst; SELECT dp_plot_coefficients('illness')"),
    ("slopes", "pressure", "SET ROLE analyst; SELECT dp_plot('pressure')"),
    ("shapes", "pairs", "SET ROLE analyst; SELECT dp_plot('pairs')"),
    ("shape", "age", "SET ROLE analyst; SELECT dp_plot('pairs', 'age')"),
    ("shape-of-a-pair", "age:bmi", "SET ROLE analyst; SELECT dp_plot('pairs', 'age', 'bmi')"),
    ("contributions", "pairs", "SET ROLE analyst; SELECT dp_plot_coefficients('pairs')"),
    ("naive", "naive", "SET ROLE analyst; SELECT dp_plot('naive')"),
    ("curves", "illness", "SET ROLE analyst; SELECT dp_plot_evaluation('illness')"),
    ("residuals", "pressure", "SET ROLE analyst; SELECT dp_plot_evaluation('pressure')"),
    ("odd-shapes", "odd shapes", "SET ROLE analyst; SELECT dp_plot('odd shapes')"),
    ("odd-words", ODD, f"SET ROLE analyst; SELECT dp_plot('odd shapes', '{ODD}')"),
    ("odd-shape", WIDE, f"SET ROLE analyst; SELECT dp_plot('odd shapes', '{WIDE}')"),
    ("odd-contributions", "odd shapes", "SET ROLE analyst; SELECT dp_plot_coefficients('odd shapes')"),
    ("odd-classes", "odd classes", "SET ROLE analyst; SELECT dp_plot('odd classes')"),
    ("more-curves", "naive", "SET ROLE analyst; SELECT dp_plot_evaluation('naive')"),
    ("odd-margins", "odd margins", "SET ROLE analyst; SELECT dp_plot('odd margins')"),
    ("odd-kinds", "odd kinds", "SET ROLE analyst; SELECT dp_plot('odd kinds')"),
    ("odd-tables", "odd tables", "SET ROLE analyst; SELECT dp_plot('odd tables')"),
    ("topics", "subjects", "SET ROLE analyst; SELECT dp_plot_topics('subjects')"),
    ("budget", "patients", "SET ROLE steward; SELECT dp_plot_budget('patients')"),
]

# of an <svg> element: its frame, the texts and the colours in it
MEASURE = """
    const svg = document.querySelector('svg.dpem') || document.documentElement;
    const opaque = (over, a, under) => over.map((v, i) => a * v + (1 - a) * under[i]);
    const rgb = s => { const v = s.match(/[0-9.]+/g).map(Number); return {c: v.slice(0, 3), a: v.length > 3 ? v[3] : 1}; };
    const background = rgb(getComputedStyle(svg).backgroundColor);
    const ground = background.a > 0 ? background.c : rgb(getComputedStyle(document.body).backgroundColor).c;
    const opacity = e => e && e !== svg ? Number(getComputedStyle(e).opacity) * opacity(e.parentNode) : 1;
    const box = e => { const b = e.getBoundingClientRect(), s = svg.getBoundingClientRect();
        return [b.left - s.left, b.top - s.top, b.right - s.left, b.bottom - s.top]; };
    const under = t => { const r = t.previousElementSibling;
        if (!r || !r.classList.contains('cell')) return ground;
        return opaque(rgb(getComputedStyle(r).fill).c, Number(getComputedStyle(r).fillOpacity), ground); };
    const texts = [...svg.querySelectorAll('text')].map(t => ({text: t.textContent, box: box(t), under: under(t),
        colour: opaque(rgb(getComputedStyle(t).fill).c, opacity(t), under(t))}));
    const painted = [...svg.querySelectorAll('[fill^="#"],[stroke^="#"]')].flatMap(e => [e.getAttribute('fill'), e.getAttribute('stroke')]);
    const colours = [...new Set(painted.filter(c => c && c[0] === '#'))];
    return {frame: box(svg), size: [svg.width.baseVal.value, svg.height.baseVal.value], ground, transparent: background.a === 0, texts,
        shapes: svg.querySelectorAll('path,circle,ellipse,rect,polygon').length,
        colours: colours.map(c => [1, 3, 5].map(i => parseInt(c.substr(i, 2), 16))), ran: window.ran === undefined ? 0 : 1};
"""

# an <img> painted on a canvas: the colour of its corner, how many of its points have another
PIXELS = """
    const image = document.querySelector('img'), canvas = document.createElement('canvas'), done = arguments[0];
    image.decode().then(() => {
        canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        const d = context.getImageData(0, 0, canvas.width, canvas.height).data;
        let other = 0;
        for (let i = 0; i < d.length; i += 4) other += d[i] !== d[0] || d[i + 1] !== d[1] || d[i + 2] !== d[2];
        done({corner: [d[0], d[1], d[2]], other, width: canvas.width});
    });
"""


def luminance(colour):
    """WCAG 2.1, relative luminance."""
    linear = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def overlap(a, b):
    """How far two boxes reach into each other."""
    return min(min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1]))


def prefer(browser, scheme):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


def outside(m):
    return [t["text"] for t in m["texts"] if t["box"][0] < -0.5 or t["box"][1] < -0.5
            or t["box"][2] > m["frame"][2] + 0.5 or t["box"][3] > m["frame"][3] + 0.5]


def on_each_other(m):
    texts = m["texts"]
    return [(a["text"], b["text"]) for i, a in enumerate(texts) for b in texts[:i] if overlap(a["box"], b["box"]) > 2]


def faint(m):
    texts = [(t["text"], contrast(t["colour"], t["under"])) for t in m["texts"]]
    shapes = [(str(c), contrast(c, m["ground"])) for c in m["colours"]]
    return [t for t in texts if t[1] < 4.5] + [s for s in shapes if s[1] < 3]


def names_for_readers(browser):
    nodes = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [n.get("name", {}).get("value") for n in nodes if n.get("role", {}).get("value") in ("image", "img")]


def check_alone(browser, out, name, title, file):
    for scheme, ground in DARK.items():
        prefer(browser, scheme)
        browser.get(file.as_uri())
        m = browser.execute_script(MEASURE)
        browser.save_screenshot(str(out / f"{name}-{scheme}.png"))
        check(tuple(m["ground"]) == ground and m["frame"][2] == 640 and len(m["texts"]) > 4 and m["shapes"] > 4, f"{name}, {scheme}: drawn", json.dumps(m))
        check(not outside(m), f"{name}, {scheme}: within its frame", outside(m))
        check(not on_each_other(m), f"{name}, {scheme}: no text on another", on_each_other(m))
        check(not faint(m), f"{name}, {scheme}: contrasts", faint(m))
        check(not m["ran"], f"{name}, {scheme}: nothing runs")
    check(title in names_for_readers(browser), f"{name}: named for screen readers", names_for_readers(browser))


def check_in_img(browser, name, picture):
    source = base64.b64encode(picture.encode()).decode()
    for scheme, ground in DARK.items():
        prefer(browser, scheme)
        browser.get(f"data:text/html,<meta name=color-scheme content='light dark'><img src='data:image/svg+xml;base64,{source}'>")
        p = browser.execute_async_script(PIXELS)
        check(tuple(p["corner"]) == ground and p["other"] > 2000 and p["width"] == 640, f"{name}, {scheme}: in <img>", json.dumps(p))


def check_inside_page(browser, out, name, picture):
    page = out / f"{name}.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><body style='color:#f2e8cf;background:#132a13'>{picture}<p>after</p>")
    browser.get(page.as_uri())
    m = browser.execute_script(MEASURE)
    page.unlink()
    check(m["transparent"] and m["texts"][0]["colour"] == [0xf2, 0xe8, 0xcf], f"{name}: takes a page's colours", json.dumps(m))
    check(not m["ran"] and browser.execute_script("return document.scripts.length + document.images.length") == 0, f"{name}: nothing runs in a page")


def run(browser, out):
    for statement in PREPARE:
        psql(statement)
    for name, title, statement in PICTURES:
        picture = psql_text(statement)
        file = pathlib.Path(out / f"{name}.svg")
        file.write_text(picture)
        check_alone(browser, out, name, title, file)
        check_in_img(browser, name, picture)
        check_inside_page(browser, out, name, picture)
