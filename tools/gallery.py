#!/usr/bin/env python3
"""The gallery of docs/gallery: runs its entries, takes its pictures, writes its page.

    tools/gallery.py build PROGRAM FOLDER [NAME ...]   runs all entries, or these, in FOLDER and writes FOLDER/index.html
    tools/gallery.py keep PROGRAM FOLDER [NAME ...]    the same, and keeps pictures and README.md in docs/gallery
    tools/gallery.py check                             README.md is that of the table, pictures are there and small

`build` needs python3-yaml and python3-vtk9, `keep` Chromium and python3-selenium too. Exit 1 and a line per mistake.
"""

import base64
import html
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import xml.etree.ElementTree as tree

import yaml

from browser import start_browser

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLACE = os.path.join(ROOT, "docs", "gallery")
LARGEST = 200_000  # bytes of a picture
SIZE = (1200, 760)  # of the window


def entries(names=()):
    with open(os.path.join(PLACE, "gallery.yaml"), encoding="utf-8") as file:
        table = yaml.safe_load(file)
    unknown = set(names) - {entry["name"] for entry in table}
    if unknown:
        raise SystemExit(f"no entry is called {', '.join(sorted(unknown))}")
    return [entry for entry in table if not names or entry["name"] in names]


def readme():
    """The page of the gallery in the documents."""
    lines = [
        "# Gallery",
        "",
        "Each entry: a picture of its page, what it shows, and what to type. `make gallery` makes the pages in",
        "`build/gallery`, to turn and to play. The models of our own that are not shipped are in [models](models).",
        "",
    ]
    for entry in entries():
        lines += [f"## {entry['title']}", "", f"![{entry['title']}]({entry['name']}.jpg)", ""]
        lines += [*wrapped(entry["text"]), "", "```sh", *entry["run"], "```", ""]
    return "\n".join(lines)


def wrapped(text, width=120):
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += " " * bool(lines[-1]) + word
    return lines


def check():
    mistakes = []
    path = os.path.join(PLACE, "README.md")
    with open(path, encoding="utf-8") as file:
        if file.read() != readme():
            mistakes.append("docs/gallery/README.md is not that of gallery.yaml: tools/gallery.py keep")
    names = {entry["name"] for entry in entries()}
    for name in sorted(names):
        picture = os.path.join(PLACE, name + ".jpg")
        if not os.path.exists(picture):
            mistakes.append(f"docs/gallery/{name}.jpg is missing")
        elif os.path.getsize(picture) > LARGEST:
            mistakes.append(f"docs/gallery/{name}.jpg has more than {LARGEST} bytes")
    for file in sorted(os.listdir(PLACE)):
        if file.endswith(".jpg") and file[:-4] not in names:
            mistakes.append(f"docs/gallery/{file} belongs to no entry")
    if len(names) < 16:
        mistakes.append(f"{len(names)} entries, at least 16 are wanted")
    return mistakes


def run(entry, program, folder):
    """Types the commands of an entry in a folder of its own."""
    place = os.path.join(folder, entry["name"])
    shutil.rmtree(place, ignore_errors=True)
    os.makedirs(place)
    for model in entry.get("models", ()):
        shutil.copy(os.path.join(PLACE, "models", model), place)
    path = os.pathsep.join([os.path.dirname(os.path.abspath(program)), os.environ["PATH"]])
    for command in entry["run"]:
        answer = subprocess.run(
            command, shell=True, cwd=place, env={**os.environ, "PATH": path}, capture_output=True, text=True
        )
        if answer.returncode != 0:
            return [f"{entry['name']}: {command}: exit {answer.returncode}\n{answer.stdout}{answer.stderr}"]
    if not os.path.exists(os.path.join(place, entry["page"])):
        return [f"{entry['name']}: there is no {entry['page']}"]
    paraview = os.path.join(place, "paraview", "run.pvd")
    return read_by_vtk(paraview) if os.path.exists(paraview) else []


def read_by_vtk(collection):
    """Every frame of a ParaView collection, by VTK itself."""
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

    for entry in tree.parse(collection).getroot().findall("Collection/DataSet"):
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(os.path.join(os.path.dirname(collection), entry.get("file")))
        reader.Update()
        data = reader.GetOutput()
        names = {data.GetPointData().GetArrayName(k) for k in range(data.GetPointData().GetNumberOfArrays())}
        if reader.GetErrorCode() or data.GetNumberOfPoints() == 0 or names != {"velocity", "force", "radius"}:
            return [f"{entry.get('file')}: VTK reads {data.GetNumberOfPoints()} points with {sorted(names)}"]
    return []


def picture(browser, entry, folder):
    """A picture of the page at its moment, as JPEG."""
    page = urllib.parse.quote(os.path.abspath(os.path.join(folder, entry["name"], entry["page"])))
    browser.get("about:blank")
    browser.get(f"file://{page}#{entry.get('at', 't=0')}&play=0")
    ready = "return document.body.classList.contains('plain') || (window.espalier && espalier.frames > 0)"
    end = time.monotonic() + 60
    while not browser.execute_script(ready):
        if time.monotonic() > end:
            raise SystemExit(f"{entry['name']}: the page does not open")
        time.sleep(0.1)
    if "script" in entry:
        browser.execute_script(entry["script"])
    time.sleep(1)
    for quality in (85, 75, 60, 45):
        shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "jpeg", "quality": quality})
        data = base64.b64decode(shot["data"])
        if len(data) <= LARGEST:
            break
    return data


def keep_pictures(chosen, folder):
    with tempfile.TemporaryDirectory() as profile:
        browser = start_browser(profile, *SIZE, ["--hide-scrollbars"])
        try:
            for entry in chosen:
                with open(os.path.join(PLACE, entry["name"] + ".jpg"), "wb") as file:
                    file.write(picture(browser, entry, folder))
        finally:
            browser.quit()
    with open(os.path.join(PLACE, "README.md"), "w", encoding="utf-8") as file:
        file.write(readme())


STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:24px;background:#f4f6f8;color:#16202b}
main{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:18px}
a{color:inherit;text-decoration:none;background:#fff;border-radius:10px;overflow:hidden;box-shadow:0 1px 6px rgba(0,0,0,.12)}
img{width:100%;display:block}h2{font-size:16px;margin:10px 14px 2px}p{margin:0 14px 12px;color:#5a6877}
@media (prefers-color-scheme:dark){body{background:#0e141a;color:#e6edf3}a{background:#161e26}p{color:#93a2b1}}"""


def write_index(folder):
    cards = []
    for entry in entries():
        picture_file = os.path.join(PLACE, entry["name"] + ".jpg")
        page = os.path.join(folder, entry["name"], entry["page"])
        if not os.path.exists(page):
            continue
        image = ""
        if os.path.exists(picture_file):
            shutil.copy(picture_file, os.path.join(folder, entry["name"], "picture.jpg"))
            image = f'<img src="{entry["name"]}/picture.jpg" alt="">'
        cards.append(
            f'<a href="{entry["name"]}/{entry["page"]}">{image}<h2>{html.escape(entry["title"])}</h2>'
            f'<p>{html.escape(entry["text"])}</p></a>'
        )
    with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
        file.write(
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
            f'content="width=device-width, initial-scale=1"><title>Espalier: gallery</title><style>{STYLE}</style></head>\n'
            f'<body><h1>Gallery</h1><main>{"".join(cards)}</main></body></html>\n'
        )


def main(words):
    if words[:1] == ["check"]:
        mistakes = check()
    elif words[:1] in (["build"], ["keep"]) and len(words) >= 3:
        chosen, mistakes = entries(words[3:]), []
        for entry in chosen:
            begin = time.monotonic()
            mistakes += run(entry, words[1], words[2])
            print(f"{entry['name']}: {time.monotonic() - begin:.1f} s", flush=True)
        if words[0] == "keep" and not mistakes:
            keep_pictures(chosen, words[2])
        write_index(words[2])
        print(os.path.join(words[2], "index.html"))
    else:
        raise SystemExit(__doc__)
    for mistake in mistakes:
        print(mistake, file=sys.stderr)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
