"""JupyterLab in a real browser: start it in a folder, open a notebook in it, and wait for conditions."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]
OVERRIDES = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
}
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
PATIENCE = 60_000  # milliseconds; most waits take a few seconds


def chromium() -> str:
    """Return the path of the browser. Without a browser, skip the test, or fail it in CI."""
    found = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no Chromium here: apt-get install chromium")
        pytest.skip("no Chromium here")
    return found


@contextlib.contextmanager
def browser_page(width: int = 1500, height: int = 1100) -> Iterator[Any]:
    """Open a page that records errors and requests to other machines in `page.faults`."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(PATIENCE)
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(f"page error: {error.stack or error}"))
        page.on("request", lambda request: faults.extend(outside(request.url)))
        page.faults = faults  # type: ignore[attr-defined]
        try:
            yield page
        finally:
            browser.close()


def outside(url: str) -> list[str]:
    """Return a fault if a request leaves this machine."""
    near = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:", "file:", "about:")
    return [] if url.startswith(near) else [f"outside request: {url}"]


@contextlib.contextmanager
def lab_server(root: Path) -> Iterator[str]:
    """Run JupyterLab in a folder, and yield its address."""
    home = root / "home"
    config = home / "config" / "labconfig"
    config.mkdir(parents=True)
    (config / "default_setting_overrides.json").write_text(json.dumps(OVERRIDES))
    folders = {"HOME": home, "JUPYTER_CONFIG_DIR": home / "config", "JUPYTER_DATA_DIR": home / "data"}
    folders |= {"JUPYTER_RUNTIME_DIR": home / "runtime", "IPYTHONDIR": home / "ipython"}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"),
        *("--ServerApp.port_retries=0", "--IdentityProvider.token=", "--ServerApp.password="),
        *("--ServerApp.disable_check_xsrf=True", f"--ServerApp.root_dir={root}"),
        *("--LabApp.expose_app_in_browser=True", "--LabApp.extension_manager=readonly"),
    ]
    environment = os.environ | {name: str(path) for name, path in folders.items()}
    log = (root / "server.log").open("w")
    with log, subprocess.Popen(command, env=environment, stdout=log, stderr=log) as server:
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for_server(address, server, root / "server.log")
            yield address
        finally:
            server.terminate()


def wait_for_server(address: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until the server answers; fail if it ends before."""
    while True:
        try:
            with urllib.request.urlopen(f"{address}/api", timeout=10):
                return
        except (urllib.error.URLError, ConnectionError):
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = server.wait(0.1)
                pytest.fail(f"JupyterLab ended with {code}: {log.read_text()[-2000:]}")


def serious_faults(page: Any, **where: Any) -> list[tuple[str, list[str]]]:
    """Return the accessibility rules that a page breaks, with the elements, as axe finds them."""
    from axe_playwright_python.sync_playwright import Axe

    rules = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21aa"]}}
    found = Axe().run(page, context=where or None, options=rules).response["violations"]
    serious = [fault for fault in found if fault["impact"] in ("serious", "critical")]
    return [(fault["id"], [node["html"] for node in fault["nodes"][:3]]) for fault in serious]


def jupyter_environment(folder: Path) -> dict[str, str]:
    """Return environment variables for a Jupyter process that keeps all its files in a folder."""
    homes = {f"JUPYTER_{name}_DIR": str(folder / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    return {**os.environ, **homes, "IPYTHONDIR": str(folder / "ipython"), "HOME": str(folder)}


def write_notebook(path: Path, *cells: str) -> None:
    """Write a notebook of code cells for this Python."""
    code: dict[str, Any] = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {
        "cells": [{**code, "id": f"cell-{at}", "source": source} for at, source in enumerate(cells)],
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(notebook), encoding="utf-8")


class Notebook:
    """A notebook that is open in JupyterLab."""

    def __init__(self, page: Any, address: str, name: str, theme: str = "light") -> None:
        self.page = page
        page.goto(f"{address}/lab/tree/{name}?reset")
        page.wait_for_function("window.jupyterapp?.restored")
        self.theme(theme)
        # wait_for_function would take the promise of an async function for true, so evaluate it.
        page.wait_for_function(
            "name => window.jupyterapp.shell.currentWidget?.context?.path === name && "
            "window.jupyterapp.shell.currentWidget.sessionContext?.session?.kernel?.status === 'idle'",
            arg=name,
        )
        page.evaluate(
            """async () => {
                await window.jupyterapp.restored;
                const widget = window.jupyterapp.shell.currentWidget;
                await widget.context.ready;
                await widget.sessionContext.ready;
            }"""
        )

    def theme(self, theme: str) -> None:
        """Change to the light or the dark theme."""
        self.wait_for_splash()
        change = "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})"
        self.page.evaluate(change, THEMES[theme])
        self.page.wait_for_function(
            "light => document.body.dataset.jpThemeLight === light", arg=str(theme == "light").lower()
        )
        self.wait_for_splash()

    def wait_for_splash(self) -> None:
        """Wait until JupyterLab has removed its splash screen.

        It appears at the start and with each change of the theme. JupyterLab removes it 200 ms later without looking
        whether it is still there, so two of these in a row raise NotFoundError in removeChild.
        """
        self.page.locator("#jupyterlab-splash").wait_for(state="detached")

    def run_all(self) -> None:
        """Run all cells, until the kernel is done."""
        self.execute("notebook:run-all-cells")

    def run_cell(self, number: int) -> None:
        """Run one cell, until it is done."""
        self.page.evaluate("at => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = at; }", number)
        self.execute("notebook:run-cell")

    def execute(self, command: str) -> None:
        """Execute a command of JupyterLab."""
        self.page.evaluate("command => window.jupyterapp.commands.execute(command)", command)

    def output(self, number: int) -> Any:
        """Locate the output of a cell."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(number).locator(".jp-OutputArea")
