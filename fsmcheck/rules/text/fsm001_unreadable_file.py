"""The file cannot be read as YAML.

A spec is a regular file of at most 1 MB in UTF-8. It holds plain YAML 1.2: no key twice in one map, no anchors,
aliases or merge keys, no tags, no control characters, nothing nested more than 50 deep.

## Why it matters
Most YAML libraries let the last of two equal keys win without a word, expand aliases, and build objects from tags.
Two reducers then read two different machines from one file.

## Example
```yaml
guards:
  - { backend: cel, expression: !context.ready }   # a tag named "context.ready"
```

## How to fix
Quote expressions: `expression: "!context.ready"`. Write out what an alias would repeat. Rename or remove one of two
equal keys.

## Limits
After a mistake that the YAML parser cannot get over, the rest of the file is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable

from fsmcheck.diagnostics import Finding, Severity
from fsmcheck.rules.rule import Rule
from fsmcheck.spec.load import LoadedDocument


def check(document: LoadedDocument) -> Iterable[Finding]:
    return RULE.from_faults(document)


RULE = Rule("FSM001", "unreadable-file", Severity.ERROR, check)
