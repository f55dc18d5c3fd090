"""The manual page of each command. A test runs every example, in this order, in a folder with ``specs`` in it."""

from __future__ import annotations

from collections.abc import Mapping

from fsmcheck.cli.manual import Example, Page

START = (
    Example("Check all specs below a folder", "fsmcheck check specs"),
    Example("Explain what a finding means, with a spec that has it and one that has not", "fsmcheck explain FSM403"),
    Example("Run a spec by hand", "fsmcheck simulate specs/loop.yaml"),
    Example("Say more about a command", "fsmcheck help check"),
)
"""For the help of the program itself."""

_CI = "docs/ci.md"
_CONFIGURATION = "docs/configuration.md"
_CONFORMANCE = "docs/conformance.md"
_EDITORS = "docs/editors.md"
_FORMATS = "docs/formats.md"
_SCALE = "docs/scale.md"

PAGES: Mapping[str, Page] = {
    "check": Page(
        (
            Example("Check all specs below a folder", "fsmcheck check specs"),
            Example("Fail on warnings as well", "fsmcheck check specs --fail-on warning"),
            Example("Ask only whether stale answers are acted on", "fsmcheck check specs/loop.yaml --select FSM4"),
            Example("Check again on every save", "fsmcheck check specs --watch"),
            Example("Show only what is new since a branch was made", "fsmcheck check specs --diff main..."),
            Example("Write down what is found today", "fsmcheck check specs --baseline known.json --write-baseline"),
            Example("Look at new findings only from then on", "fsmcheck check specs --baseline known.json"),
            Example("Keep each counterexample as a file", "fsmcheck check specs --trace-dir traces"),
            Example("Use two processes, of 1,000 MB at most", "fsmcheck check specs --jobs 2 --memory 1000"),
            Example("Write reports for programs", "fsmcheck check specs --report sarif=a.sarif --report junit=a.xml"),
        ),
        fine="nothing was found at or above --fail-on",
        found="something was found",
        see=("fsmcheck explain", "fsmcheck config", _CONFIGURATION, _CI, _SCALE, _FORMATS),
    ),
    "cache": Page(
        (
            Example("Tell where the cache is, and how large", "fsmcheck cache info"),
            Example("Forget what was decided", "fsmcheck cache clear"),
        ),
        fine="the cache is described or emptied, or there is none",
        see=("fsmcheck check --no-cache",),
    ),
    "certify": Page(
        (
            Example("Write what the proofs rest on", "fsmcheck check specs/loop.yaml --certificates proofs"),
            Example("Have Z3 and cvc5 check that, of this spec", "fsmcheck certify proofs --spec specs/loop.yaml"),
        ),
        fine="all certificates are accepted",
        found="some are refused",
        see=("fsmcheck check", _FORMATS),
    ),
    "completion": Page(
        (
            Example("In bash, for this session (put it into ~/.bashrc for all)", 'eval "$(fsmcheck completion bash)"'),
            Example("In zsh, likewise (in ~/.zshrc after compinit)", 'eval "$(fsmcheck completion zsh)"'),
            Example("In fish, for good", "fsmcheck completion fish > ~/.config/fish/completions/fsmcheck.fish"),
        ),
        fine="the script is printed",
    ),
    "config": Page(
        (
            Example("Show what is in force here, and which line says so", "fsmcheck config"),
            Example("Show what holds without any file", "fsmcheck config --isolated"),
        ),
        fine="the configuration is shown",
        see=("fsmcheck check", _CONFIGURATION),
    ),
    "conform": Page(
        (
            Example("Probe a reducer that speaks the protocol", "fsmcheck conform -- fsmcheck reducer"),
            Example("Run it through a spec as well", "fsmcheck conform specs/loop.yaml -- fsmcheck reducer"),
        ),
        fine="the reducer does what the spec language says",
        found="it does not",
        see=("fsmcheck suite", "fsmcheck reducer", _CONFORMANCE),
    ),
    "explain": Page(
        (
            Example("By the ID that a finding has", "fsmcheck explain FSM403"),
            Example("By name", "fsmcheck explain re-fires"),
        ),
        fine="the rule is explained",
        see=("fsmcheck rules", "docs/rules/"),
    ),
    "export": Page(
        (
            Example(
                "Ask SPIN one question",
                "fsmcheck export specs/loop.yaml --to promela --property FSM403@execute/1 --output loop.pml",
            ),
            Example("Ask NuSMV everything", "fsmcheck export specs/loop.yaml --to smv --output loop.smv"),
            Example(
                "Write a module for TLC, and what it is to check",
                "fsmcheck export specs/loop.yaml --to tla --output loop.tla",
            ),
            Example("Look at whole numbers up to 5 only", "fsmcheck export specs/loop.yaml --to smv --integers 5"),
        ),
        fine="the model is written",
        see=("fsmcheck check", "docs/export.md"),
    ),
    "graph": Page(
        (
            Example("Print a diagram for Markdown", "fsmcheck graph specs/loop.yaml"),
            Example("Write a picture", "fsmcheck graph specs/loop.yaml --format svg --output loop.svg"),
        ),
        fine="the picture is made",
        see=("fsmcheck check --trace-dir", _FORMATS),
    ),
    "help": Page(
        (
            Example("Say more about a command", "fsmcheck help check"),
            Example("List the commands", "fsmcheck help"),
        ),
        fine="the help is shown",
    ),
    "lsp": Page(
        (Example("What an editor has to start", "fsmcheck lsp"),),
        fine="the editor asked it to end",
        found="the editor went away without asking",
        see=("fsmcheck schema", _EDITORS),
    ),
    "monitor": Page(
        (
            Example(
                "Find the runs that went wrong in a log, and keep them",
                "fsmcheck monitor specs/loop.yaml runs.jsonl --write-trace wrong",
            ),
            Example(
                "Listen to a service as it runs",
                "tail -n 100 runs.jsonl | fsmcheck monitor specs/loop.yaml - --format json",
            ),
            Example(
                "Draw what production has exercised",
                "fsmcheck monitor specs/loop.yaml runs.jsonl --coverage seen.json --html loop.html",
            ),
            Example("Read a log with other names", "fsmcheck monitor specs/loop.yaml runs.jsonl --map time=meta.at"),
        ),
        fine="every run does what the spec says, and breaks no rule",
        found="a run departs from the spec, or breaks a rule, or a line cannot be judged",
        see=("fsmcheck replay", "docs/monitor.md", _FORMATS),
    ),
    "reducer": Page(
        (Example("Ask it one thing", """echo '{"op": "close"}' | fsmcheck reducer"""),),
        fine="it was asked to close, or nothing more came",
        see=("fsmcheck conform", _FORMATS),
    ),
    "replay": Page(
        (
            Example("Keep the counterexamples of a spec", "fsmcheck check specs/loop.yaml --trace-dir traces"),
            Example(
                "Run one again, step by step",
                "fsmcheck replay traces/loop-gated-FSM403-execute-1-outcome.json --spec specs/loop.yaml",
            ),
        ),
        fine="the trace is what the reducer does",
        found="it is not; each difference is printed",
        see=("fsmcheck check --trace-dir", "fsmcheck simulate", _FORMATS),
    ),
    "rules": Page(
        (
            Example("List the rules", "fsmcheck rules"),
            Example("List them for a program", "fsmcheck rules --format json"),
        ),
        fine="the rules are listed",
        see=("fsmcheck explain", "docs/rules/"),
    ),
    "schema": Page(
        (
            Example("Write the schema for an editor", "fsmcheck schema --output fsmcheck.schema.json"),
            Example("Print it", "fsmcheck schema"),
        ),
        fine="the schema is printed or written",
        see=(_EDITORS,),
    ),
    "simulate": Page(
        (
            Example("Run a spec by hand; it asks for what it needs", "fsmcheck simulate specs/loop.yaml"),
            Example("From a script", "fsmcheck simulate specs/loop.yaml --script run.txt"),
        ),
        fine="the run ended, or you ended it",
        see=("fsmcheck replay", _FORMATS),
    ),
    "suite": Page(
        (
            Example("Print what few runs cover of a spec", "fsmcheck suite specs/loop.yaml"),
            Example("Write them for another reducer's tests", "fsmcheck suite specs/loop.yaml --output suites"),
        ),
        fine="the runs are found and written",
        see=("fsmcheck conform", _CONFORMANCE),
    ),
}
