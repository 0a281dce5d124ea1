"""Chromium without a window, driven by selenium, for tests and pictures of pages. Debian's python3-selenium is needed."""

import shutil

# A graphics card made of software, no talk with others, less motion: the same page looks the same everywhere.
WORDS = (
    "--headless=new",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--no-sandbox",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--force-prefers-reduced-motion",
)


def why_not():
    """Why no page can be opened here, or nothing."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "python3-selenium is not installed"
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"{missing[0]} is not installed" if missing else ""


def start_browser(folder, width=1280, height=800, more=()):
    """`folder`: for its profile. Its logs of console and network are kept."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium")
    for word in (*WORDS, *more, f"--user-data-dir={folder}", f"--window-size={width},{height}"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
