"""The plug-in in an environment of its own, and one that is broken in every way.

Needs nothing but bgtools and the plug-in: ``python -m unittest discover samples/plugin/tests``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SAMPLES = Path(__file__).parents[2]
RECORD = SAMPLES / "seven-point.mat"

BROKEN = """
from dataclasses import replace
from bgtools.extend import Code, Format, Rule, Severity

def fail(*given, **more):
    raise RuntimeError("it was made so")

TAKEN = Format(name="mat", title="", extensions=(".mat",), sniff=fail, reader=fail)
SNIFFS = replace(TAKEN, name="sniffs", extensions=(".sniffs",))
RULE = Rule(codes=(Code("XY001", "fails-always", Severity.ERROR, "Nothing."),), in_game=fail)
OURS = Rule(codes=(Code("BG999", "one-of-ours", Severity.ERROR, "Nothing."),), in_game=fail)
NOTHING = None
"""
GROUPS = {
    "formats": {
        "gone": "no_such_module:IT",
        "taken": "broken:TAKEN",
        "sniffs": "broken:SNIFFS",
        "nothing": "broken:NOTHING",
    },
    "rules": {"fails": "broken:RULE", "ours": "broken:OURS", "exits": "exits:IT"},
    "engines": {"engine": "broken:NOTHING"},
    "ratings": {"rating": "broken:NO_SUCH_NAME"},
}


def bgtools(*arguments: object, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """What a command does, with packages from one more folder."""
    folders = os.pathsep.join(filter(None, (str(path or ""), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": folders}
    command = [sys.executable, "-m", "bgtools", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tempfile.gettempdir())


class ThePlugin(unittest.TestCase):
    """What the package adds is there wherever ours is."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def told(self, *arguments: object, status: int = 0) -> str:
        """The standard output of a command that says nothing about plug-ins."""
        done = bgtools(*arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertNotIn("left out", done.stderr)
        return done.stdout

    def test_its_format_is_listed_written_recognised_and_read(self) -> None:
        self.assertIn("example     read, write example lines (.lines)", self.told("formats"))
        self.assertIn("example", [each["name"] for each in json.loads(self.told("formats", "--format", "json"))])
        for target in ("match.lines", "without-its-ending"):
            self.told("convert", RECORD, self.folder / target, "--to", "example", "--quiet")
            back = self.folder / f"{target}.mat"
            self.told("convert", self.folder / target, back, "--quiet")
            self.assertEqual(
                self.told("convert", back, "-", "--to", "example"), (self.folder / target).read_text("utf-8")
            )
        self.assertIn("in 3 files", bgtools("check", self.folder).stderr)  # two of match text, one by its ending

    def test_its_finding_is_reported_chosen_and_explained(self) -> None:
        self.assertIn(": hint EX001 ", self.told("check", RECORD, "--format", "concise"))
        self.assertIn(
            ": error EX001 ", self.told("check", RECORD, "--severity", "EX001=error", "--format", "concise", status=1)
        )
        self.assertIn("EX001", self.told("check", RECORD, "--select", "third-double"))
        self.assertIn("EX001", self.told("check", RECORD, "--select", "all"))
        self.assertEqual(self.told("check", RECORD, "--ignore", "EX"), "")
        self.assertIn("EX001 third-double (hint)", self.told("check", RECORD, "--statistics"))
        self.assertIn("Why it matters\n  Of 216 times", self.told("rule", "third-double"))
        self.assertIn("EX001", self.told("rule", "--all"))
        (run,) = json.loads(self.told("check", RECORD, "--format", "sarif"))["runs"]
        rules = run["tool"]["driver"]["rules"]
        self.assertEqual({rules[each["ruleIndex"]]["id"] for each in run["results"]}, {"EX001"})

    def test_its_engine_and_its_rating_are_in_a_report(self) -> None:
        self.told("report", RECORD, "--engine", "example", "--output", self.folder / "report")
        report = json.loads((self.folder / "report" / "report.json").read_text("utf-8"))
        for player in report["players"]:
            self.assertGreater(player["ratings"]["example"]["value"], 0)


class ABrokenOne(unittest.TestCase):
    """Every part of it is named in a warning, and no command does anything else than without it."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        metadata = self.folder / "broken-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
        groups = (
            f"[bgtools.{group}]\n" + "\n".join(f"{a} = {b}" for a, b in points.items())
            for group, points in GROUPS.items()
        )
        (metadata / "entry_points.txt").write_text("\n".join(groups))
        (self.folder / "broken.py").write_text(BROKEN)
        (self.folder / "exits.py").write_text("raise SystemExit('it ends at once')")

    def test_commands_do_what_they_do_without_it_and_name_it_once(self) -> None:
        text = self.folder / "match.txt"
        text.write_bytes(RECORD.read_bytes().replace(b" 7 point match", b"; no length"))
        commands: dict[tuple[object, ...], str] = {
            ("--version",): "",
            ("formats",): "gone taken nothing",
            ("formats", "mat"): "",
            ("check", RECORD): "ours exits fails",
            ("check", text, "--format", "json"): "gone taken nothing sniffs ours exits fails",
            ("convert", RECORD, "-", "--to", "sgf"): "",
            ("rule", "BG204"): "ours exits",
            (
                "report",
                RECORD,
                "--engine",
                "none",
                "--output",
                self.folder / "report",
                "--force",
            ): "engine ours exits fails rating",
            ("table", RECORD, "--engine", "none"): "",
            ("met", "--at", "5,3"): "",
            ("show", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"): "",
        }
        for command, named in commands.items():
            with self.subTest(command=command):
                with ThreadPoolExecutor(2) as pool:
                    usual, done = pool.map(lambda path: bgtools(*command, path=path), (None, self.folder))  # noqa: B023
                self.assertEqual(done.returncode, usual.returncode, done.stderr)
                listed = "sniffs      read         (.sniffs)\n"  # which nobody has asked for anything yet
                self.assertEqual(done.stdout.replace(listed, ""), usual.stdout)
                told = [line for line in done.stderr.splitlines() if line not in usual.stderr.splitlines()]
                self.assertTrue(all("is left out" in line for line in told), told)
                self.assertEqual({line.split()[1] for line in told}, set(named.split()), told)
                self.assertEqual(len(told), len(named.split()), told)


if __name__ == "__main__":
    unittest.main()
