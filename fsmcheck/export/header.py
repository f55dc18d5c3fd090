"""What a model says of itself before it begins, as lines for a comment."""

from __future__ import annotations

from fsmcheck.export.model import Model
from fsmcheck.report import sanitise


def plain(text: str) -> str:
    """Text that can stand in a comment of any of the languages: printable ASCII that ends no comment."""
    escaped = sanitise.line(text).encode("ascii", "backslashreplace").decode()
    return escaped.replace("*/", "* /").replace("/*", "/ *").replace("(*", "( *").replace("*)", "* )").rstrip("\\ ")


def lines(model: Model, how: tuple[str, ...]) -> list[str]:
    """The comment at the top; ``how`` says how a tool is run on the model."""
    title = f'"{model.title}"' if model.title else "a spec without a name"
    found = [f"The machine of {title}, profile {model.profile}, written by fsmcheck export.", "", *how, ""]
    found += _faith(model)
    for question in model.questions:
        case = f" ({question.asked.case})" if question.asked.case else ""
        found.append(f"  {question.identifier}: {question.asked.place}{case} {question.asked.told}")
    for reason, places in model.unasked.items():
        found.append(f"  Not asked, since each {reason}: {', '.join(places)}")
    if model.meanings:
        found += ["", "Names:"]
        found += [f"  {identifier}: {meaning}" for identifier, meaning in sorted(model.meanings.items())]
    return [plain(line) for line in found]


def _faith(model: Model) -> list[str]:
    """In which direction an answer of the tool carries over to the spec."""
    found = [
        "Every run of the spec is a run of this model. Texts are kept apart as far as the spec compares them.",
        "Caps of the policy are not part of it. That the tool finds nothing of what should be possible is a violation.",
    ]
    if model.bound is not None:
        found = [
            f"BOUNDED: whole numbers and sizes stay within -{model.bound} to {model.bound}; steps that would leave",
            "that range are left out. What the tool finds is a run of the transition system; that it finds nothing is",
            "said of that range only (an under-approximation). Caps of the policy are not part of it.",
        ]
    if model.guesses:
        found += [
            "Where a value is not known (guess...), any is chosen: what the tool finds may be no run of the spec then;",
            "fsmcheck check replays what it finds.",
        ]
    return [*found, ""]
