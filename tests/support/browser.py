"""A real browser without a display or a network, for tests of pages. Needs Debian's chromium and chromium-driver."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MISSING = [tool for tool in ("chromium", "chromedriver") if shutil.which(tool) is None]

_OPTIONS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions"),
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no request leaves the machine
)


@contextmanager
def browser(profile: Path) -> Iterator[Any]:
    """A driver of Chromium with a profile of its own."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for word in (*_OPTIONS, f"--user-data-dir={profile}"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


def size(driver: Any, width: int, height: int) -> None:
    """Give the page this many pixels, as a phone has them."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


@contextmanager
def media(driver: Any, kind: str, *features: str) -> Iterator[None]:
    """What is shown as if on "print", or for a person whose system has such a wish, given as name and value in turn."""
    wishes = [{"name": name, "value": value} for name, value in zip(features[::2], features[1::2], strict=True)]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": wishes})
    try:
        yield
    finally:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def troubles(driver: Any) -> list[str]:
    """What the browser has complained about."""
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
