"""The process that a solver runs in. Reads the checks on standard input as JSON, answers on standard output.

It is started by its path and imports nothing of the package, so that a solver can neither hang, exhaust nor crash
more than this.
"""

import json
import sys
from collections.abc import Callable


def _z3() -> tuple[str, Callable[[str], str]]:
    import z3

    context = z3.Context()
    return z3.get_version_string(), lambda text: str(z3.Z3_eval_smtlib2_string(context.ref(), text))


def _cvc5() -> tuple[str, Callable[[str], str]]:
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("incremental", "true")
    parser = cvc5.InputParser(solver)

    def run(text: str) -> str:
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "certificate")
        said = []
        while not (command := parser.nextCommand()).isNull():
            said.append(command.invoke(solver, parser.getSymbolManager()))
        return "".join(map(str, said))

    return str(cvc5.__version__), run


def main() -> None:
    """Answer the checks one by one; whatever a solver says that is no answer is passed on as it is."""
    request = json.load(sys.stdin)
    try:
        import resource

        limit = request["megabytes"] << 20
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    except (ImportError, ValueError, OSError):
        pass  # not every system can; the time is limited all the same
    version, run = {"z3": _z3, "cvc5": _cvc5}[sys.argv[1]]()
    said = run(request["definitions"]).strip()
    answers = [said] if said else [run(check).strip() for check in request["checks"]]
    sys.stdout.write(json.dumps({"version": version, "answers": answers}))


if __name__ == "__main__":
    main()
