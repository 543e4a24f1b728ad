"""browser_report.py CHROMIUM PAGE [OUT_DIR] - open a report in headless Chromium and judge it.
MIN_TABLES: how many tables it must have (default 5).

Talks to the browser over --remote-debugging-pipe (messages of JSON ended by NUL on two file
descriptors), so it needs neither a port nor anything outside the standard library.  Prints what is
wrong, a line each, and exits 1; with OUT_DIR also leaves light.png, dark.png, print.pdf there.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars", "--remote-debugging-pipe",
    "--proxy-server=127.0.0.1:9",  # nothing listens there: what wanted to leave would fail and be seen
]

PAPER = (703, 1017)  # A4 at 96 dpi less the margins of the style sheet

# Facts of the page, gathered in one evaluation.  Contrast: WCAG 2, every element with text of its own.
FACTS = r"""
(() => {
  const all = s => [...document.querySelectorAll(s)];
  const rgb = c => { const m = c.match(/[\d.]+/g); return m ? m.map(Number) : [0, 0, 0, 0]; };
  const lum = c => { const f = c.slice(0, 3).map(v => { v /= 255;
    return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
  const ratio = (a, b) => { const x = lum(a), y = lum(b);
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const ground = e => { for (; e; e = e.parentElement) {
    const c = rgb(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c; }
    return rgb(getComputedStyle(document.body).backgroundColor); };
  const own = e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
  const weak = [];
  for (const e of all('body *')) {
    if (!own(e) || ['title', 'desc', 'STYLE'].includes(e.tagName)) continue;
    const s = getComputedStyle(e), svg = e.namespaceURI.endsWith('svg');
    if (e.closest('.f9') || e.classList.contains('f9')) continue; // amounts on bars: checked by hand
    const c = rgb(svg ? s.fill : s.color), r = ratio(c, ground(e));
    if (r < 4.5) weak.push(e.tagName + ' "' + e.textContent.trim().slice(0, 30) + '" ' + r.toFixed(2));
  }
  const ids = all('[id]').map(e => e.id);
  const handlers = all('*').filter(e => [...e.attributes].some(a => /^on/i.test(a.name)));
  const outside = all('[src],[href],[srcset],[data],[action],[style*="url("]')
    .filter(e => !(e.getAttribute('href') || '').startsWith('#'));
  const first = document.querySelector('section.first');
  return JSON.stringify({
    title: document.title, lang: document.documentElement.lang,
    h1: all('h1').length, main: all('main').length, header: all('body > header').length,
    footer: all('body > footer').length, tables: all('table').length,
    captionless: all('table').filter(t => !t.caption || !t.caption.textContent.trim()).length,
    scopeless: all('th:not([scope])').length,
    scripts: document.scripts.length + all('svg script').length,
    embeds: all('iframe,object,embed,img,image,link,base,form,input,video,audio,use,foreignObject').length,
    handlers: handlers.length, outside: outside.map(e => e.outerHTML.slice(0, 80)),
    charts: all('svg').length,
    nameless: all('svg').filter(s => s.getAttribute('role') !== 'img' || !s.getAttribute('aria-labelledby')
      .split(' ').every(i => document.getElementById(i) && document.getElementById(i).textContent.trim())).length,
    figures: all('figure').length, tableless: all('figure').filter(f => !f.querySelector('table')).length,
    doubles: ids.filter((v, i) => ids.indexOf(v) !== i),
    dangling: all('a[href^="#"]').map(a => a.getAttribute('href').slice(1))
      .filter(i => !document.getElementById(i)),
    weak: weak.slice(0, 10), ground: getComputedStyle(document.body).backgroundColor,
    wide: document.scrollingElement.scrollWidth - innerWidth,
    spilt: all('table').filter(t => t.getBoundingClientRect().right > innerWidth + 1)
      .map(t => t.caption ? t.caption.textContent : '?'),
    first_bottom: first ? Math.round(first.getBoundingClientRect().bottom + scrollY) : -1,
    text: document.body.innerText,
  });
})()
"""


class Browser:
    def __init__(self, chromium, profile):
        to_child, self.write_fd = os.pipe()
        self.read_fd, from_child = os.pipe()

        def streams():  # the protocol wants 3 and 4
            os.dup2(to_child, 103)
            os.dup2(from_child, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            [chromium, *FLAGS, "--user-data-dir=" + profile, "about:blank"],
            preexec_fn=streams, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.buffer, self.next_id, self.events, self.session = b"", 1, [], None

    def message(self, until):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read_fd], [], [], max(0, until - time.monotonic()))
            if not ready:
                return None
            block = os.read(self.read_fd, 1 << 20)
            if not block:
                raise RuntimeError("the browser ended")
            self.buffer += block
        one, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **params):
        number, self.next_id = self.next_id, self.next_id + 1
        request = {"id": number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.write_fd, json.dumps(request).encode() + b"\0")
        until = time.monotonic() + 60
        while True:
            answer = self.message(until)
            if answer is None:
                raise RuntimeError(method + ": no answer in 60 s")
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]
            self.events.append(answer)

    def wait(self, method, seconds=30):
        until = time.monotonic() + seconds
        while not any(e.get("method") == method for e in self.events):
            event = self.message(until)
            if event is None:
                raise RuntimeError(f"{method} did not come in {seconds} s")
            self.events.append(event)

    def linger(self, seconds):
        until = time.monotonic() + seconds
        while (event := self.message(until)) is not None:
            self.events.append(event)

    def facts(self):
        return json.loads(self.call("Runtime.evaluate", expression=FACTS)["result"]["value"])

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.process.wait(10)
        except Exception:
            self.process.kill()
            self.process.wait()


def look(browser, width, height, scheme, media="screen"):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)
    browser.call("Emulation.setEmulatedMedia", media=media,
                 features=[{"name": "prefers-color-scheme", "value": scheme}])
    return browser.facts()


def judge_page(f):
    exact = {"h1": 1, "main": 1, "header": 1, "footer": 1, "captionless": 0, "scopeless": 0, "scripts": 0,
             "embeds": 0, "handlers": 0, "outside": [], "nameless": 0, "tableless": 0, "doubles": [],
             "dangling": [], "lang": "en"}
    wrong = [f"{k}: {f[k]!r}, expected {v!r}" for k, v in exact.items() if f[k] != v]
    if not f["title"].strip():
        wrong.append("the page has no title")
    if f["tables"] < int(os.environ.get("MIN_TABLES", "5")):
        wrong.append(f"{f['tables']} tables: that is no report")
    return wrong


def judge_events(events, url):
    wrong = []
    requests = [e["params"]["request"]["url"] for e in events
                if e.get("method") == "Network.requestWillBeSent"]
    if requests != [url]:
        wrong.append(f"requests: {requests}, expected the page alone")
    for e in events:
        if e.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            wrong.append("console: " + json.dumps(e["params"])[:300])
    return wrong


def judge(browser, page, out):
    url = "file://" + urllib.parse.quote(os.path.realpath(page))
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    browser.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ("Page", "Network", "Runtime", "Log"):
        browser.call(domain + ".enable")
    browser.linger(0.3)
    browser.events.clear()
    browser.call("Page.navigate", url=url)
    browser.wait("Page.loadEventFired")
    light = look(browser, 1280, 800, "light")
    wrong = judge_page(light)
    dark = look(browser, 1280, 800, "dark")
    printed = look(browser, *PAPER, "dark", "print")
    phone = look(browser, 390, 800, "light")
    for name, f in (("light", light), ("dark", dark), ("print", printed)):
        wrong += [f"{name}: contrast below 4.5: {w}" for w in f["weak"]]
    if dark["ground"] == light["ground"]:
        wrong.append("dark looks like light")
    if printed["ground"] != light["ground"]:
        wrong.append(f"print is not light: {printed['ground']}")
    if printed["spilt"]:
        wrong.append(f"tables wider than the paper: {printed['spilt']}")
    if printed["first_bottom"] > PAPER[1]:
        wrong.append(f"page one ends at {printed['first_bottom']} px of {PAPER[1]} on paper")
    for name, f in (("1280", light), ("390", phone)):
        if f["wide"] > 0:
            wrong.append(f"at {name} px the page is {f['wide']} px too wide")
    browser.linger(0.5)
    wrong += judge_events(browser.events, url)
    if out:
        save(browser, out)
    return wrong, light


def save(browser, out):
    os.makedirs(out, exist_ok=True)
    for scheme in ("light", "dark"):
        look(browser, 1280, 800, scheme)
        shot = browser.call("Page.captureScreenshot", captureBeyondViewport=True, clip={
            "x": 0, "y": 0, "width": 1280, "height": 800, "scale": 1})
        with open(os.path.join(out, scheme + ".png"), "wb") as f:
            f.write(base64.b64decode(shot["data"]))
    browser.call("Emulation.setEmulatedMedia", media="")
    pdf = browser.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True, paperWidth=8.27,
                       paperHeight=11.69)
    with open(os.path.join(out, "print.pdf"), "wb") as f:
        f.write(base64.b64decode(pdf["data"]))


def main():
    chromium, page = sys.argv[1:3]
    out = sys.argv[3] if len(sys.argv) > 3 else None
    profile = tempfile.mkdtemp(prefix="tierwise-browser-")
    browser = Browser(chromium, profile)
    try:
        wrong, facts = judge(browser, page, out)
    finally:
        browser.close()
        shutil.rmtree(profile, ignore_errors=True)
    for line in wrong:
        print("wrong:", line)
    print(f"{facts['tables']} tables, {facts['figures']} figures, {facts['charts']} charts, "
          f"page one ends at {facts['first_bottom']} px, title {facts['title']!r}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
