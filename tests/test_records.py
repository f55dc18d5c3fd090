"""The dataclasses made here are those of the standard library, method by method."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, replace
from typing import Any, ClassVar

import pytest

from fsmcheck import records

Decorator = Callable[..., Any]


def kinds(dataclass: Decorator) -> dict[str, Any]:
    """The same classes by one decorator."""

    @dataclass(frozen=True, slots=True)
    class Point:
        x: int
        y: int = 2
        seen: list[int] = field(default_factory=list, compare=False)
        told: str = field(default="", hash=False, repr=False)

    @dataclass(frozen=True, slots=True, order=True)
    class Ranked:
        rank: int

    @dataclass
    class Open:
        x: int
        more: tuple[int, ...] = ()

        def __post_init__(self) -> None:
            self.more = (*self.more, self.x)

    @dataclass(frozen=True, slots=True, eq=False)
    class Single:
        x: int

    @dataclass(frozen=True)
    class Shown(Point):
        z: int = 3

        def __repr__(self) -> str:
            return "shown"

    @dataclass(frozen=True, slots=True)
    class Longer(Point):
        w: int = 4
        kind: ClassVar[str] = "longer"
        more: dict[str, int] = field(default_factory=dict, hash=False)

    @dataclass(slots=True)
    class Slotted:
        x: int
        y: list[int] = field(default_factory=list)

    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    return {kind.__name__: kind for kind in (Point, Ranked, Open, Single, Shown, Longer, Slotted, Empty)}


OURS, THEIRS = kinds(records.dataclass), kinds(dataclasses.dataclass)


@records.dataclass(frozen=True, slots=True)
class Kept:
    x: int
    y: tuple[int, ...] = ()


@records.dataclass(frozen=True)
class Wider(Kept):
    z: str = ""


@pytest.mark.parametrize("name", OURS)
def test_the_methods_are_the_same(name: str) -> None:
    ours, theirs = OURS[name], THEIRS[name]
    given = () if name == "Empty" else (1,)
    one, other = ours(*given), theirs(*given)
    assert repr(one) == repr(other)
    told = [[(f.name, f.type, f.default, f.hash, f.compare) for f in dataclasses.fields(each)] for each in (one, other)]
    assert told[0] == told[1]
    assert getattr(ours, "__slots__", None) == getattr(theirs, "__slots__", None)
    assert (one == ours(*given)) == (other == theirs(*given))
    assert one != other
    assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)
    assert ours.__match_args__ == theirs.__match_args__
    assert hasattr(one, "__dict__") == hasattr(other, "__dict__")
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)
    if theirs.__hash__ is not None and name != "Single":
        assert hash(one) == hash(other)
    for wrong in ({"q": 1}, {"x": 1, "rank": 1}):
        for kind in (ours, theirs):
            with pytest.raises(TypeError):
                kind(**wrong)


def test_fields_that_do_not_count() -> None:
    point = OURS["Point"]
    assert point(1, seen=[1]) == point(1, seen=[2])
    assert point(1) != point(1, told="a")
    assert hash(point(1)) == hash(point(1, told="a")) == hash(THEIRS["Point"](1))
    assert point(1).seen is not point(1).seen
    assert replace(point(1), y=5) == point(1, 5)


def test_order_is_within_a_class() -> None:
    ranked = OURS["Ranked"]
    assert sorted([ranked(2), ranked(1)]) == [ranked(1), ranked(2)]
    assert ranked(1) <= ranked(1) < ranked(2) >= ranked(2) > ranked(1)
    with pytest.raises(TypeError):
        _ = ranked(1) < OURS["Point"](1)


@pytest.mark.parametrize("name", ["Point", "Ranked", "Single", "Shown", "Longer"])
def test_what_is_frozen_stays(name: str) -> None:
    one = OURS[name](1)
    attribute = dataclasses.fields(one)[0].name
    with pytest.raises(FrozenInstanceError):
        setattr(one, attribute, 2)
    with pytest.raises(FrozenInstanceError):
        delattr(one, attribute)
    assert getattr(one, attribute) == 1


def test_copies_and_pickles() -> None:
    for kept in (Kept(1, (2,)), Wider(1, (2,), "z")):
        assert pickle.loads(pickle.dumps(kept)) == kept == copy.deepcopy(kept) == copy.copy(kept)


def test_an_instance_inside_itself_is_shown() -> None:
    one = OURS["Point"](1)
    one.seen.append(one)
    assert repr(one).endswith(".Point(x=1, y=2, seen=[...])")


def test_a_default_that_can_be_changed_is_refused() -> None:
    with pytest.raises(ValueError, match="default_factory"):

        @records.dataclass
        class Wrong:
            x: list[int] = []  # noqa: RUF012


def test_a_constructor_is_told_by_its_own_names() -> None:
    point = OURS["Point"]
    with pytest.raises(TypeError, match=r"Point\.__init__\(\) missing 1 required positional argument: 'x'"):
        point()
    assert point.__init__.__annotations__ == THEIRS["Point"].__init__.__annotations__
    assert point(told="a", x=3).x == 3
    assert (OURS["Longer"](1).more, OURS["Longer"].kind, OURS["Longer"](1, w=2).w) == ({}, "longer", 2)


@pytest.mark.parametrize("first", ["base", "derived"])
@pytest.mark.parametrize("kind", [records.dataclass, dataclasses.dataclass])
def test_fields_are_those_of_bases_too_whichever_is_asked_first(first: str, kind: Callable[..., Any]) -> None:
    @kind
    class Base:
        a: int
        b: int = field(default=2, repr=False)

    @records.dataclass
    class Derived(Base):
        b: str = "three"  # type: ignore[assignment]
        c: list[int] = field(default_factory=list)

    asked = (Base, Derived) if first == "base" else (Derived, Base)
    for each in asked:
        assert dataclasses.is_dataclass(each)
        dataclasses.fields(each)
    assert [(f.name, f.type, f.repr) for f in dataclasses.fields(Base)] == [("a", "int", True), ("b", "int", False)]
    assert [(f.name, f.type, f.default) for f in dataclasses.fields(Derived)] == [
        ("a", "int", dataclasses.MISSING), ("b", "str", "three"), ("c", "list[int]", dataclasses.MISSING),
    ]  # fmt: skip
    assert repr(Derived(1)).endswith("Derived(a=1, b='three', c=[])")
    assert repr(Base(1)).endswith("Base(a=1)")
    assert replace(Derived(1), c=[1]) == Derived(1, "three", [1]) != Derived(1)
    assert not isinstance(Base.__dict__["__dataclass_fields__"], records._LateFields)
