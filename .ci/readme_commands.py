"""Print the two set-up commands of the README, one a line, for `.ci/run` to carry out as they stand."""

import re
from pathlib import Path

text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
section = re.search(r"^## Set-up\n(.*?)^## ", text, re.DOTALL | re.MULTILINE)
commands = re.findall(r"^```sh\n(.*?)\n```$", section[1], re.DOTALL | re.MULTILINE) if section else []
if len(commands) != 2 or any("\n" in command for command in commands):
    raise SystemExit(f"the section Set-up of README.md must hold exactly two commands, each on one line: {commands}")
print("\n".join(commands))
