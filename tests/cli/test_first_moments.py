"""From the command's first lines to its last: an interrupt, or too little memory, is one line and exit code 3."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPECS = ("specs/planner_executor.yaml", "specs/faulty/outcome_not_consumed.yaml")
SAYS = "fsmcheck: interrupted, nothing may be concluded\n"

COMMAND = """
import os, signal, sys

class Interrupts:
    left = {after}

    def find_spec(self, *_):
        if "fsmcheck.first_moments" in sys.modules:
            Interrupts.left -= 1
            if Interrupts.left == 0:
                os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupts())
sys.argv = [{started!r}, *{arguments!r}]
from fsmcheck.cli.entry import run
{before}
run()
"""


def interrupted(
    after: int, *arguments: str, started: str = "/usr/bin/fsmcheck", before: str = ""
) -> tuple[int, str, str]:
    code = COMMAND.format(after=after, started=started, arguments=arguments, before=before)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("after", [1, 2, 3, 4, 5, 8, 20, 60, 120])
def test_an_interrupt_while_modules_are_loaded_is_one_line(after: int) -> None:
    code, out, err = interrupted(after, "check", "--no-cache", "specs/planner_executor.yaml")
    assert (code, out, err.lstrip()) == (3, "", SAYS)


@pytest.mark.parametrize("started", ["-m", "/lib/fsmcheck/__main__.py"])
def test_so_it_is_as_a_module(started: str) -> None:
    before = "" if started != "-m" else "sys.orig_argv[:] = ['python', '-m', 'fsmcheck']"
    code = COMMAND.format(after=1, started=started, arguments=("rules",), before="").replace(
        "from fsmcheck.cli", f"{before}\nfrom fsmcheck.cli"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "", SAYS)


def test_an_interrupt_when_all_is_said_changes_nothing() -> None:
    before = "import atexit; atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))"
    code, out, err = interrupted(0, "--version", before=before)
    assert (code, err) == (0, "")
    assert out.startswith("fsmcheck ")


def test_another_program_keeps_its_interrupts() -> None:
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); import fsmcheck, "
        "fsmcheck.cli.entry; sys.exit(signal.getsignal(signal.SIGINT) is not signal.default_int_handler)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=60, check=False).returncode == 0


def test_no_memory_for_the_command_itself_is_one_line() -> None:
    before = "sys.modules['fsmcheck.cli.main'] = type('Refusing', (), {'__getattr__': lambda *_: 1 / 0})()"
    code, out, err = interrupted(0, "rules", before=before)
    assert (code, out) == (3, "")
    assert err == "fsmcheck: internal error: ZeroDivisionError: division by zero; nothing may be concluded\n"


@pytest.mark.skipif(sys.platform != "linux", reason="it is Linux that can be told")
@pytest.mark.parametrize("megabytes", [24, 28, 32, 36, 40, 48, 56, 64, 80, 100])
@pytest.mark.parametrize("arguments", [("check", "--no-cache", "--jobs", "2", *SPECS), ("graph", SPECS[0])])
def test_too_little_memory_is_told(megabytes: int, arguments: tuple[str, ...]) -> None:
    """However little it is: either everything is decided, or what is not is open, or one line says why not."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({megabytes} << 20, {megabytes} << 20))"
    code, out, err = interrupted(0, *arguments, before=limit)
    assert "Traceback" not in out + err
    assert "libz3" not in out + err
    assert code in (0, 1, 3)
    if code == 3:
        assert out == ""
        # Close to a limit, Python itself says other things where parts of it are refused memory.
        assert re.fullmatch(r"fsmcheck: [^\n]*; nothing may be concluded\n", err)


def test_a_library_in_the_current_folder_is_not_taken_for_the_solver(tmp_path: Path) -> None:
    import _ctypes

    (tmp_path / "libz3.so.5.4").write_bytes(Path(_ctypes.__file__).read_bytes())
    (tmp_path / "libz3.so").write_bytes(Path(_ctypes.__file__).read_bytes())
    (tmp_path / "spec.yaml").write_bytes((ROOT / SPECS[0]).read_bytes())
    command = [sys.executable, "-m", "fsmcheck", "check", "--no-cache", "--jobs", "1", "spec.yaml"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "68 proved, 2 violated, 0 unknown" in done.stdout


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_no_file_is_opened_in_the_place_of_a_closed_stream(closed: tuple[int, ...]) -> None:
    code = (
        "import os, sys, types; sys.argv = ['fsmcheck']; module = types.ModuleType('fsmcheck.cli.main');"
        "module.main = lambda **_: os.open(os.devnull, os.O_RDONLY); sys.modules['fsmcheck.cli.main'] = module;"
        "from fsmcheck.cli.entry import run; run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, timeout=60, check=False, preexec_fn=lambda: [*map(os.close, closed)]
    )
    assert done.returncode > 2
