"""The wheel in an environment of its own, and the image's steps: a game is played from each."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion import VERSION
from tests.conftest import lacking
from tests.processes.proxied import snippet
from tests.processes.served import PROJECT, Browser, Scorer, start_program
from tests.support.patience import HANGS

pytestmark = pytest.mark.slow
TOPS = ("templates", "static", "migrations")
READ_ONLY = """
mount --make-rprivate /
mount --bind "$1" /mnt
mount -o remount,bind,ro /
shift
exec unshare --user --map-user=65534 --map-group=65534 "$@"
"""
"""What `docker run --read-only --user 65534` does to a program, without an engine."""


def run(*words: str | Path, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> str:
    done = subprocess.run(
        list(map(str, words)), capture_output=True, text=True, env=env, cwd=cwd, timeout=HANGS
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def wheel_of(project: Path, folder: Path) -> Path:
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, project)
    (wheel,) = folder.glob("*.whl")
    return wheel


@dataclass
class Environment:
    """A Python with the wheel and what it needs, and a home that has seen nothing."""

    folder: Path

    @property
    def program(self) -> Path:
        return self.folder / "venv" / "bin" / "card-table"

    @property
    def variables(self) -> dict[str, str]:
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        return {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONUNBUFFERED": "1"}

    @property
    def data(self) -> Path:
        return self.folder / "home" / ".local" / "share" / "card-table-companion"

    def pip(self, *words: str | Path) -> None:
        python = self.folder / "venv" / "bin" / "python"
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
        run(*pip, *words)


def install(wheel: Path, folder: Path) -> Environment:
    """Install a wheel; what it needs is lent by this Python, in which the program is not."""
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv")
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (site / "lent.pth").write_text(sysconfig.get_path("purelib"))
    there = Environment(folder)
    there.pip("install", "--no-deps", "--no-index", wheel)
    return there


def play(called: Sequence[str | Path], folder: Path, env: Mapping[str, str]) -> int:
    """Serve, play a deal, and stop; returns how many changes the game then has."""
    words = [*map(str, called), "serve", "--host", "127.0.0.1", "--port", "0"]
    server = start_program(words, folder, env)
    try:
        browser = Browser(server.port)
        style = re.search(r'href="(/static/[^"]+\.css[^"]*)"', browser.ask("/").text)
        assert style
        assert browser.ask(style[1]).status_code == 200
        return Scorer.start(browser).score(15)
    finally:
        server.stop()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_of(PROJECT, tmp_path_factory.mktemp("wheel"))


def test_the_wheel_holds_all_that_the_pages_need(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    for top in TOPS:
        files = [path for path in (PROJECT / top).rglob("*") if path.is_file()]
        wanted = {
            f"companion/{path.relative_to(PROJECT)}"
            for path in files
            if "__pycache__" not in path.parts
        }
        assert len(wanted) >= 4
        assert wanted <= inside
    games = {path.parent.name for path in (PROJECT / "companion").rglob("game.toml")}
    assert games == {name.split("/")[2] for name in inside if name.endswith("/game.toml")}
    assert not [name for name in inside if name.startswith(("tests", "bench", "tools", "instance"))]


def test_a_game_is_played_from_the_wheel_and_outlasts_it(wheel: Path, tmp_path: Path) -> None:
    there = install(wheel, tmp_path)
    said = run(there.program, "version", env=there.variables, cwd=tmp_path)
    assert said == f"Card Table Companion {VERSION}\n"
    assert play([there.program], tmp_path, there.variables) == 2
    assert there.data.stat().st_mode & 0o777 == 0o700
    missing = subprocess.run(
        [there.program, "restore", "nothing.sqlite"],
        env=there.variables,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert missing.returncode != 0
    assert "Traceback" not in missing.stderr
    there.pip("uninstall", "--yes", "card-table-companion")
    assert not there.program.exists()
    assert (there.data / "companion.sqlite").stat().st_size > 0
    assert (there.data / "secret_key").stat().st_size > 0


def test_a_checkout_keeps_its_own_folder_and_its_own_words() -> None:
    from companion.store import installation

    assert not installation.INSTALLED
    assert installation.instance_folder() == PROJECT / "instance"
    assert installation.COMMAND == "flask"


# The image


def steps() -> list[tuple[str, str]]:
    """The lines of the Dockerfile as what they do and with what."""
    lines = (PROJECT / "Dockerfile").read_text().splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines if line)]


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """What the image's first stage is given: the files that COPY names, as .dockerignore lets."""
    folder = tmp_path / "build"
    folder.mkdir()
    allowed = {
        line[1:] for line in (PROJECT / ".dockerignore").read_text().split() if line[0] == "!"
    }
    for word, rest in steps():
        if word == "COPY" and not rest.startswith("--from"):
            *names, to = rest.split()
            assert set(names) <= allowed
            for name in names:
                if (PROJECT / name).is_dir():
                    shutil.copytree(PROJECT / name, folder / to)
                else:
                    shutil.copy(PROJECT / name, folder)
    return folder


@pytest.fixture
def bare() -> Iterator[Path]:
    """A folder that anybody may enter."""
    folder = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    yield folder
    shutil.rmtree(folder)


@pytest.mark.long
def test_the_image_runs_as_nobody_on_a_disk_that_it_may_not_write(
    copied: Path, tmp_path: Path, bare: Path
) -> None:
    assert ("USER", "65534:65534") in steps()
    assert ("CMD", '["card-table", "serve"]') in steps()
    alone = ["unshare", "--mount", "sh", "-ec", READ_ONLY, "sh"]
    if subprocess.run([*alone, str(bare), "true"], capture_output=True).returncode:
        pytest.skip("only root may make a disk read-only for one program")
    (tmp_path / "image").mkdir()
    there = install(wheel_of(copied, tmp_path / "wheels"), tmp_path / "image")
    settings = dict(
        one.split("=") for word, rest in steps() if word == "ENV" for one in rest.split()
    )
    assert settings.pop("INSTANCE_PATH") == "/data"
    env = there.variables | settings | {"INSTANCE_PATH": "/mnt"}
    who = run(*alone, bare, "sh", "-c", "id -u; touch /tmp/x 2>&1 || true", env=env)
    assert who.split()[0] == "65534"
    assert "Read-only" in who
    assert play([*alone, str(bare), there.program], tmp_path, env) == 2
    assert (bare / "companion.sqlite").exists()


def test_compose_gives_the_image_a_place_for_the_scores() -> None:
    text = (PROJECT / "compose.yaml").read_text()
    (kept,) = [rest for word, rest in steps() if word == "VOLUME"]
    (port,) = [rest for word, rest in steps() if word == "EXPOSE"]
    assert f"scores:{kept}" in text
    assert f"{port}:{port}" in text
    assert "read_only: true" in text


# Services


@pytest.mark.parametrize(
    "name", ["system service", "gunicorn service", "backup service", "backup timer"]
)
def test_systemd_takes_the_units_of_the_page(name: str, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        lacking("there is no systemd-analyze")
    kind = "timer" if name.endswith("timer") else "service"
    text = snippet(f"ini {name}")
    for program in re.findall(r"^Exec(?:Start|StartPre)=(\S+)", text, re.MULTILINE):
        if not Path(program).exists():
            text = text.replace(program, "/bin/true")
    unit = tmp_path / f"card-table-backup.{kind}"
    unit.write_text(text)
    if kind == "timer":
        (tmp_path / "card-table-backup.service").write_text(snippet("ini backup service"))
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True
    )
    complaints = [line for line in checked.stderr.splitlines() if str(tmp_path) in line]
    assert checked.returncode == 0, checked.stderr
    assert complaints == []


def keys_of(name: str) -> dict[str, str]:
    lines = snippet(f"ini {name}").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def test_the_service_of_several_processes_comes_back_and_keeps_its_files_private() -> None:
    keys = keys_of("gunicorn service")
    assert (keys["Restart"], keys["UMask"]) == ("on-failure", "0077")
    assert keys["ExecReload"] == "kill -HUP $MAINPID"
    assert keys["ExecStartPre"].endswith("flask prepare")


def test_the_system_service_is_shut_in() -> None:
    keys = keys_of("system service")
    assert keys["DynamicUser"] == "yes"
    assert keys["ProtectSystem"] == "strict"
    assert keys["NoNewPrivileges"] == "yes"
    assert keys["StateDirectory"] == "card-table"
    assert keys["Environment"].endswith("/var/lib/card-table")


def test_the_quadlet_has_the_keys_that_podman_knows() -> None:
    known = {
        "Container": {"Image", "PublishPort", "Volume", "ReadOnly", "DropCapability",
                      "NoNewPrivileges", "PodmanArgs"},
        "Unit": {"Description"},
        "Service": {"Restart"},
        "Install": {"WantedBy"},
    }  # fmt: skip
    section = ""
    for line in filter(None, snippet("ini quadlet").splitlines()):
        if line.startswith("["):
            section = line.strip("[]")
        else:
            assert line.partition("=")[0] in known[section], line
