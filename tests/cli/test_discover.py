from __future__ import annotations

import os
from pathlib import Path

import click
import pytest

from fsmcheck.cli.discover import discover
from fsmcheck.spec.recognise import has_top_level_fsm

SPEC = "fsm:\n  name: a\n"


@pytest.mark.parametrize(
    "text",
    [
        SPEC,
        "\ufefffsm:\n  a: 1\n",
        "# a comment\n\n  fsm:\n    a: 1\n",
        "properties:\n- a\nfsm:\n  a: 1\n",
        '"fsm":\n  a: 1\n',
        "a: 1\n---\nfsm:\n  a: 1\n",
        "%YAML 1.2\n---\nfsm: &broken [\n",
        "{fsm: {a: 1}}",
        '--- {"x": [1, {"fsm": 2}], "fsm": {}}',
        '{\n  "fsm": {\n  }\n}\n',
    ],
)
def test_a_spec_is_recognised(text: str) -> None:
    assert has_top_level_fsm(text)


@pytest.mark.parametrize(
    "text", ["", "a: 1\n", "x:\n  fsm:\n    a: 1\n", "# fsm:\na: 1\n", "fsms: 1\n", '{"x": {"fsm": 1}}', "- fsm: 1\n"]
)
def test_other_files_are_not(text: str) -> None:
    assert not has_top_level_fsm(text)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "latin-1"])
def test_a_spec_in_another_encoding_is_not_passed_over(tmp_path: Path, encoding: str) -> None:
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    (tmp_path / "a.yaml").write_bytes(mark + f"{SPEC}  description: caf\xe9\n".encode(encoding))
    (tmp_path / "b.yaml").write_bytes(b"\xff\xfe")
    assert discover([str(tmp_path)]) == [str(tmp_path / "a.yaml")]


def put(root: Path, name: str, text: str = SPEC) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_folder_is_searched_in_order_without_what_is_not_ours(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.yml", "sub/c.yaml", "sub/D.YAML"):
        put(tmp_path, name)
    for name in (".git/x.yaml", ".venv/x.yaml", "node_modules/x.yaml", "env/x.yaml", "x.txt"):
        put(tmp_path, name)
    put(tmp_path, "env/pyvenv.cfg")
    put(tmp_path, "other.yaml", "a: 1\n")
    found = [Path(path).relative_to(tmp_path).as_posix() for path in discover([str(tmp_path)])]
    assert found == ["a.yml", "b.yaml", "sub/D.YAML", "sub/c.yaml"]


def test_a_file_that_is_named_is_taken_whatever_it_holds(tmp_path: Path) -> None:
    named = put(tmp_path, "notes.txt", "nothing\n")
    assert discover([str(named), "-"]) == [str(named), "-"]


def test_each_file_comes_once_under_its_first_name(tmp_path: Path) -> None:
    path = put(tmp_path, "a.yaml")
    (tmp_path / "link.yaml").symlink_to(path)
    assert discover([str(path), str(tmp_path)]) == [str(path)]


def test_a_link_that_leads_in_a_circle_ends(tmp_path: Path) -> None:
    put(tmp_path, "a.yaml")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "self.yaml").symlink_to(tmp_path / "self.yaml")
    assert discover([str(tmp_path)]) == [str(tmp_path / "a.yaml")]


def test_a_path_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(click.UsageError, match="there is no file or folder"):
        discover([str(tmp_path / "missing.yaml")])


def test_silence_about_an_empty_folder_is_no_success(tmp_path: Path) -> None:
    with pytest.raises(click.UsageError, match="no YAML file with a top-level fsm"):
        discover([str(tmp_path)])


def test_files_that_are_no_specs_can_be_left_out(tmp_path: Path) -> None:
    spec, other = put(tmp_path, "a.yaml"), put(tmp_path, "b.yaml", "b: 1\n")
    assert discover([str(other), str(spec)], specs_only=True) == [str(spec)]
    assert discover([str(other)], specs_only=True) == []
    with pytest.raises(click.UsageError, match="missing"):
        discover([str(tmp_path / "missing.yaml")], specs_only=True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look everywhere")
def test_what_we_may_not_look_into_is_a_usage_error(tmp_path: Path) -> None:
    closed = tmp_path / "specs" / "closed"
    closed.mkdir(parents=True)
    (closed / "a.yaml").write_text(SPEC)
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "b.yaml").symlink_to(closed / "a.yaml")
    (tmp_path / "alone.yaml").symlink_to(closed / "a.yaml")
    closed.chmod(0)
    try:
        with pytest.raises(click.UsageError, match=r'the folder ".*closed" cannot be searched'):
            discover([str(tmp_path / "specs")])
        with pytest.raises(click.UsageError, match=r'the file ".*b.yaml" cannot be read'):
            discover([str(tmp_path / "linked")])
        assert discover([str(tmp_path / "alone.yaml")]) == [str(tmp_path / "alone.yaml")]
        with pytest.raises(click.UsageError, match=r'the file ".*alone.yaml" cannot be read'):
            discover([str(tmp_path / "alone.yaml")], specs_only=True)
    finally:
        closed.chmod(0o700)
