"""Write the JSON Schemas that are made from the code: `python docs/make_schemas.py`."""

from __future__ import annotations

import json
from pathlib import Path

from bgtools.formats.json.match import schema

if __name__ == "__main__":
    text = json.dumps(schema(), indent=2, ensure_ascii=False)
    Path(__file__).with_name("match.schema.json").write_text(text + "\n", encoding="utf-8")
