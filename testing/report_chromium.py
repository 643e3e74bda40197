#!/usr/bin/env python3
"""Pages of `mlirbc report` in a browser: Chromium, without a window, driven by its WebDriver (Debian's chromium and chromium-driver).

    testing/report_chromium.py MLIRBC [FILE...] [--screenshot OUT.png]

Of each file: the page is under 1 MB and loads nothing; clicks go three levels down, and at every level the numbers on the map add up to that of what
was clicked, at the top to the size of the file; the keyboard does the same, Escape and the browser's button go back; without scripts the numbers are
there, and lists open; letters stand out from what is behind them in light and dark. Without FILE it is fixtures, two of them together, and with $MLIRBC_SHARED an artifact
of StableHLO and a shader from there, and a module of 21 MB, whose page takes less than 2 seconds. --screenshot keeps a picture of the last one.
Last line: report_chromium: OK of TOTAL. Exit: 0 all, 1 some are not, 3 there is no browser, which is said.
"""

import argparse
import base64
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c"}

# What the map shows: of each tile its name and bytes and whether there is more in it; where it is, and what is said of that.
MAP = """
const file = document.querySelector(".file");
return {
  tiles: [...file.querySelectorAll(".map a")].map((tile) => ({
    tile, name: tile.querySelector("b").textContent, bytes: Number(tile.querySelector("span").textContent.replaceAll(",", "")),
    inside: tile.querySelectorAll(".in i").length,
  })),
  path: [...file.querySelectorAll("nav button")].map((step) => step.textContent),
  said: file.querySelector(".said").textContent,
};
"""

# The least contrast of any text with what is behind it, as WCAG counts it.
CONTRAST = """
const light = (color) => {
  const parts = color.match(/[\\d.]+/g).map(Number);
  const [r, g, b] = parts.slice(0, 3).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (part) => {
  for (let at = part; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor;
    if (!/, 0\\)$/.test(color)) return color;
  }
};
let worst = 21;
for (const part of document.querySelectorAll("h1, h2, p, b, i, span, data, th, td, caption, button")) {
  const [a, b] = [light(getComputedStyle(part).color), light(behind(part))].sort((a, b) => b - a);
  worst = Math.min(worst, (a + 0.05) / (b + 0.05));
}
return [worst, getComputedStyle(document.body).backgroundColor];
"""


class Wrong(Exception):
    """What is wrong with a page."""


def must(holds, what):
    if not holds:
        raise Wrong(what)


class Browser:
    """Chromium, as WebDriver shows it."""

    def __init__(self, chromium, driver):
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = next((found[1] for line in self.driver.stdout if (found := re.search(r"successfully on port (\d+)", line))), None)
        must(port, "chromedriver does not start")
        self.at = f"http://127.0.0.1:{port}/session"
        options = {
            "binary": chromium,
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1100,1040", "--hide-scrollbars"],
        }
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"}}
        self.at += "/" + self.call("", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def call(self, what, body=None, method=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.at + what, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise Wrong(json.load(error)["value"]["message"].splitlines()[0]) from None

    def run(self, script):
        return self.call("/execute/sync", {"script": script, "args": []})

    def devtools(self, command, **parameters):
        return self.call("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, page):
        self.call("/url", {"url": page.as_uri()})

    def click(self, element):
        self.call(f"/element/{element[ELEMENT]}/click", {})

    def find(self, selector):
        return self.call("/element", {"using": "css selector", "value": selector})

    def press(self, key):
        actions = [{"type": kind, "value": KEYS[key]} for kind in ("keyDown", "keyUp")]
        self.call("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def log(self, kind):
        return self.call("/se/log", {"type": kind})

    def close(self):
        try:
            self.call("", method="DELETE")
        finally:
            self.driver.terminate()


def check_map(browser, bytes_, what):
    shown = browser.run(MAP)
    sum_ = sum(tile["bytes"] for tile in shown["tiles"])
    must(sum_ == bytes_, f"{what}: the map has {sum_} bytes, not {bytes_}")
    must(f": {bytes_:,} bytes, " in shown["said"], f"{what}: it says {shown['said']}")
    return shown


def clicks(browser, size):
    """Goes down as long as there is something in the largest tile, three levels at least; gives the path."""
    shown = check_map(browser, size, "at the top")
    sizes = [size]
    while len(sizes) <= 3 or shown["tiles"][0]["inside"]:
        with_parts = [tile for tile in shown["tiles"] if tile["inside"]] or shown["tiles"]
        tile = max(with_parts, key=lambda tile: tile["bytes"])
        if shown["path"][-1] == tile["name"] and not tile["inside"]:
            break
        browser.click(tile["tile"])
        shown = check_map(browser, tile["bytes"], tile["name"])
        sizes.append(tile["bytes"])
        must(shown["path"][-1] == tile["name"] and len(shown["path"]) == len(sizes), f"{tile['name']} is not where it should be: {shown['path']}")
    must(len(sizes) > 3, f"it is only {len(sizes) - 1} levels deep")
    browser.call("/back", {})
    check_map(browser, sizes[-2], "after the browser went back")
    for bytes_ in reversed(sizes[:-2]):
        # What is shown has lost the focus by then: that is of the browser.
        browser.run("document.querySelector('.map a').focus()")
        browser.press("Escape")
        check_map(browser, bytes_, "after Escape")
    return shown["path"]


def keys(browser, size):
    for _ in range(20):
        browser.press("Tab")
        focused = browser.run("const at = document.activeElement; return at.closest('.map') && Number(at.querySelector('span').dataset.bytes)")
        if focused:
            break
    must(focused, "Tab does not get to the map")
    browser.press("Enter")
    check_map(browser, focused, "after Enter")
    must(browser.run("return !!document.activeElement.closest('.map')"), "the focus is lost")
    browser.press("Escape")
    check_map(browser, size, "after Escape")


def without_scripts(browser, page, size):
    browser.open(page)
    shown = browser.run(MAP)
    must(not shown["path"] and sum(tile["bytes"] for tile in shown["tiles"]) == size, "without scripts the map does not add up")
    first = ".tree > li > details > ul > li > details"
    is_shown = f"return document.querySelector('{first} li').checkVisibility()"
    must(not browser.run(is_shown), "lists are open")
    browser.click(browser.find(f"{first} > summary"))
    must(browser.run(is_shown), "without scripts lists do not open")
    browser.click(shown["tiles"][0]["tile"])
    must(browser.run("return document.querySelector('.tree li:target').id") == "n1", "without scripts tiles lead nowhere")


def colours(browser, page):
    browser.open(page)
    behind = []
    for scheme in ("light", "dark"):
        browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        worst, paper = browser.run(CONTRAST)
        must(worst >= 4.5, f"{scheme}: letters stand out by {worst:.2f} only")
        behind.append(paper)
    must(behind[0] != behind[1], "dark is as light")
    browser.devtools("Emulation.setEmulatedMedia", features=[])


def check(browser, mlirbc, file, page):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([mlirbc, "report", file, "-o", page], check=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    size = os.path.getsize(file)
    must(page.stat().st_size < 1_000_000, f"the page has {page.stat().st_size} bytes")
    must(size < 20_000_000 or seconds < 2, f"it took {seconds:.2f} s")
    browser.log("performance"), browser.log("browser")
    browser.open(page)
    path = clicks(browser, size)
    browser.open(page)
    keys(browser, size)
    browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
    try:
        without_scripts(browser, page, size)
    finally:
        browser.devtools("Emulation.setScriptExecutionDisabled", value=False)
    colours(browser, page)
    messages = [json.loads(entry["message"])["message"] for entry in browser.log("performance")]
    asked = {message["params"]["request"]["url"].split("#")[0] for message in messages if message["method"] == "Network.requestWillBeSent"}
    must(asked == {page.as_uri()}, f"it loads {asked}")
    said = [entry["message"] for entry in browser.log("browser") if "favicon" not in entry["message"]]
    must(not said, f"the browser says {said}")
    print(f"{file}: {size:,} bytes, page of {page.stat().st_size:,} in {seconds:.2f} s, clicked {' > '.join(path)}")


def check_two(browser, mlirbc, before, after, page):
    subprocess.run([mlirbc, "report", before, after, "-o", page], check=True)
    sizes = [os.path.getsize(file) for file in (before, after)]
    browser.open(page)
    row = browser.run("return [...document.querySelectorAll('.growth tbody tr:first-child td')].slice(0, 4).map((cell) => cell.textContent)")
    grown = sizes[1] - sizes[0]
    must(row == ["all of it", f"{sizes[0]:,}", f"{sizes[1]:,}", f"{'+' if grown > 0 else '−'}{abs(grown):,}"], f"it grew by {row}")
    # Each file has a map of its own.
    browser.click(browser.find(".file:nth-of-type(3) .map a"))
    shown = browser.run("return [...document.querySelectorAll('.file')].map((file) => file.querySelectorAll('nav button').length)")
    must(shown == [1, 2], f"a click changes {shown}")
    print(f"{before}, {after}: {row[3]}")


def inputs(mlirbc, folder):
    yield ROOT / "fixtures/arith.mlirbc"
    yield ROOT / "fixtures/resources.mlirbc"
    yield ROOT / "fixtures/stablehlo/dot.jax"
    yield ROOT / "fixtures/spirv/blur.spv"
    shared = os.environ.get("MLIRBC_SHARED")
    if not shared:
        print("SKIPPED files of other places: MLIRBC_SHARED is not set", file=sys.stderr)
        return
    for part, extension in [("spirv", "spv"), ("stablehlo_artifacts", "mlirbc")]:
        yield max(pathlib.Path(shared, "corpus", part).glob(f"*.{extension}"), key=lambda path: (path.stat().st_size, path.name))
    text = folder / "big.mlir"
    with open(text, "wb") as out:
        subprocess.run([sys.executable, pathlib.Path(shared, "peers/gen_module.py"), "10000", "100"], stdout=out, check=True)
    subprocess.run([mlirbc, "convert", text, "-o", folder / "big.mlirbc"], check=True)
    yield folder / "big.mlirbc"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mlirbc", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--screenshot", type=pathlib.Path)
    options = parser.parse_args()
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        print("SKIPPED: no chromium and chromedriver here (Debian: chromium, chromium-driver)", file=sys.stderr)
        return 3
    good = total = 0
    mlirbc = options.mlirbc.resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        browser = Browser(chromium, driver)
        try:
            cases = [(check, file) for file in options.files or inputs(mlirbc, folder)]
            if not options.files:
                cases.insert(0, (check_two, ROOT / "fixtures/arith.mlirbc", ROOT / "fixtures/quant.mlirbc"))
            for case, *files in cases:
                total += 1
                try:
                    case(browser, mlirbc, *files, folder / f"page{total}.html")
                    good += 1
                except (Wrong, subprocess.CalledProcessError) as error:
                    print(f"{files[-1]}: {error}")
            if options.screenshot:
                browser.open(folder / f"page{total}.html")
                time.sleep(0.2)
                options.screenshot.write_bytes(base64.b64decode(browser.call("/screenshot")))
        finally:
            browser.close()
    print(f"report_chromium: {good} of {total}")
    return int(good < total)


if __name__ == "__main__":
    sys.exit(main())
