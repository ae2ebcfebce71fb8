"""What a command makes of the texts on its line: as typer would, and without what typer imports for it."""

from __future__ import annotations

import json
import subprocess
import sys

COMPARED = """
import json, sys, typer, typer.core, typer.main
theirs = getattr(typer.core, "build_runtime_param", None)
from bgtools.cli import app

TEXTS = ("", "a", "7", "-3", "0", "1.5", "1e3", " 7 ", "nan", "inf", "1_000", "0x10", "true", "no", "a,b", "path/to/x")

def parameters(command, name):
    context = command.make_context(name, [], resilient_parsing=True)
    for each in command.get_params(context):
        yield f"{name} {each.name}", each, context
    for inner, each in getattr(command, "commands", {}).items():
        yield from parameters(each, f"{name} {inner}")

def converted(conversion, parameter, context, text):
    several = parameter.multiple or parameter.nargs != 1
    try:
        value = conversion.coerce([text, text] if several else text, param=parameter, ctx=context)
    except typer.BadParameter:
        return "refused"
    return f"{type(value).__name__} {value!r}"

def texts(parameter):
    return (*TEXTS, *map(str, parameter.type_descriptor.choices or ()))

# A flag is given or not; nothing is converted.
known = [*parameters(typer.main.get_command(app), "bgtools")]
flags = [name for name, each, _ in known if getattr(each, "is_flag", False)]
known = [each for each in known if each[0] not in flags]
ours = {
    (name, text): converted(each.get_runtime_param(), each, context, text)
    for name, each, context in known for text in texts(each)
}
imported = sorted({name.partition(".")[0] for name in sys.modules} & {"pydantic", "pydantic_core"})
differing = [
    (*at, ours[at], other)
    for name, each, context in known for text in texts(each)
    if (at := (name, text)) and ours[at] != (other := converted(theirs(each.type_descriptor), each, context, text))
]
json.dump([len(ours), len(known) + len(flags), imported, differing], sys.stdout)
"""


def test_every_option_of_every_command_takes_what_typer_takes_and_nothing_imports_pydantic() -> None:
    done = subprocess.run([sys.executable, "-c", COMPARED], capture_output=True, text=True, check=False, timeout=100)
    assert not done.returncode, done.stderr
    compared, parameters, imported, differing = json.loads(done.stdout)
    assert parameters > 300
    assert compared > 8 * parameters
    assert imported == []
    assert differing == []
