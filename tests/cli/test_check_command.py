"""The check command as a user meets it: exit status, what goes where, nonsense as input."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from bgtools.cli import app
from program import SOUND, WRONG_DIE, bgtools, was_interrupted

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "findings.schema.json").read_text(encoding="utf-8"))
SARIF = json.loads((ROOT / "tests" / "reports" / "sarif_subset.json").read_text(encoding="utf-8"))
STAR = SOUND.replace("13/8 24/22", "13/8* 24/22")  # one warning


def check(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """The command without a process of its own, where only its answer is of interest."""
    done = CliRunner().invoke(app, ["check", *arguments], input=stdin)
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)


def test_a_sound_record_prints_nothing_and_exits_with_0(tmp_path: Path) -> None:
    file = tmp_path / "sound.mat"
    file.write_text(SOUND)
    done = bgtools("check", str(file))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "no findings in 1 file\n"


def test_an_error_shows_its_place_its_row_a_caret_and_the_proof(tmp_path: Path) -> None:
    file = tmp_path / "wrong.mat"
    file.write_text(WRONG_DIE)
    done = bgtools("check", str(file))
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{file}:6:37: error BG205 Bob cannot play 13/9 with 52")
    assert lines[2] == "6 |   1) 31: 8/5 6/5                52: 13/9 24/22"
    assert lines[3] == "  |                                     ^^^^"
    assert "  = the dice show 5 and 2" in lines
    assert "Traceback" not in done.stderr


def test_concise_prints_one_line_a_finding(tmp_path: Path) -> None:
    file = tmp_path / "wrong.mat"
    file.write_text(WRONG_DIE)
    done = bgtools("check", "--format", "concise", str(file))
    assert done.stdout.count("\n") == 1
    assert done.stdout.endswith("[number-not-rolled]\n")


def test_a_blocked_point_names_who_holds_it(tmp_path: Path) -> None:
    file = tmp_path / "blocked.mat"
    file.write_text(SOUND.replace("31: 8/5 6/5 ", "61: 13/7 8/7").replace("52: 13/8 24/22", "66: 24/18(2) 13/7(2)"))
    done = bgtools("check", str(file))
    assert done.returncode == 1
    assert "error BG203 Bob cannot play 24/18(2): the 18-point is blocked" in done.stdout
    assert "Ann holds it with 2 checkers, as the 7-point of Ann" in done.stdout


def test_standard_input_is_read_for_a_dash() -> None:
    done = bgtools("check", "-", stdin=WRONG_DIE.encode())
    assert done.returncode == 1
    assert done.stdout.startswith("<stdin>:6:37: error BG205")


def test_several_files_are_all_checked_and_one_that_cannot_be_read_makes_it_2(tmp_path: Path) -> None:
    good, bad, missing = tmp_path / "good.mat", tmp_path / "bad.mat", tmp_path / "missing.mat"
    good.write_text(SOUND)
    bad.write_text(WRONG_DIE)
    done = bgtools("check", str(missing), str(good), str(bad))
    assert done.returncode == 2
    assert f"{missing}: cannot be read: No such file or directory" in done.stderr
    assert "BG205" in done.stdout
    assert done.stderr.endswith("1 error in 2 files; 1 file could not be checked\n")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"PK\x03\x04abc", "ZIP archive cannot be read"),
        (b"%PDF-1.7", "a PDF document"),
        (b"\x00\x01\x02\xff\xfe", "a binary file"),
        (b"Dear Ann, see you at the club.\n", "this is not match text"),
    ],
)
def test_what_is_no_match_text_is_named_and_exits_with_2(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "strange.mat"
    file.write_bytes(content)
    done = bgtools("check", str(file))
    assert done.returncode == 2
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_escapes_in_names_never_reach_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "escape.mat"
    file.write_text(WRONG_DIE.replace("Bob", "\x1b[31mBob\x07"))
    done = bgtools("check", str(file))
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout
    assert "[31mBob" in done.stdout


def test_the_version_is_printed() -> None:
    done = bgtools("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("bgtools ")


def test_without_a_command_the_help_is_shown() -> None:
    done = bgtools("--help")
    assert done.returncode == 0
    for command in ("check", "report", "rule", "show"):
        assert command in done.stdout


# --- formats --------------------------------------------------------------------------------


def test_json_is_an_array_by_its_schema(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(WRONG_DIE.replace("Bob", "B\x1bb"))
    (tmp_path / "b.mat").write_text(STAR)
    (tmp_path / "c.mat").write_text(SOUND)
    done = check("--format", "json", str(tmp_path))
    found = json.loads(done.stdout)
    jsonschema.validate(found, SCHEMA)
    assert [(Path(each["file"]).name, each["code"], each["severity"]) for each in found] == [
        ("a.mat", "BG205", "error"),
        ("b.mat", "BG220", "warning"),
    ]
    assert (found[0]["player"], found[0]["game"], found[0]["turn"]) == ("B\x1bb", 1, 2)
    assert "\x1b" not in done.stdout
    assert done.returncode == 1


def test_json_without_findings_is_an_empty_array(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(SOUND)
    assert check("--format", "json", str(tmp_path)).stdout == "[]\n"


def test_sarif_is_valid_and_names_what_could_not_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(WRONG_DIE)
    (tmp_path / "b.mat").write_text(STAR)
    (tmp_path / "c.mat").write_bytes(b"")
    done = check("--format", "sarif", str(tmp_path))
    log = json.loads(done.stdout)
    jsonschema.validate(log, SARIF)
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["BG205", "BG220", "BG007"]
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == "the file is empty"
    assert done.returncode == 2


def test_github_gets_a_command_a_finding(tmp_path: Path) -> None:
    (tmp_path / "a,b.mat").write_text(WRONG_DIE)
    (tmp_path / "b.mat").write_bytes(b"")
    lines = check("--format", "github", str(tmp_path)).stdout.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(f"::error file={tmp_path}/a%2Cb.mat,line=6,endLine=6,col=37,endColumn=40,title=BG205 ")
    assert "%0Athe dice show 5 and 2" in lines[0]
    assert lines[1] == (
        f"::error file={tmp_path}/b.mat,line=1,endLine=1,col=1,endColumn=1,title=BG007 unreadable-file::"
        "the file is empty"
    )


@pytest.mark.parametrize("content", [None, b"", b"RGMH"], ids=["missing", "empty", "another format"])
def test_a_file_that_cannot_be_read_is_a_finding_wherever_programs_read_findings(
    tmp_path: Path, content: bytes | None
) -> None:
    (tmp_path / "a.mat").write_text(WRONG_DIE)
    strange = tmp_path / "b.mat"
    if content is not None:
        strange.write_bytes(content)
    arguments = (str(tmp_path / "a.mat"), str(strange))
    reason = check(*arguments).stderr.splitlines()[0].removeprefix(f"bgtools: {strange}: ")
    shown = {layout: check("--format", layout, *arguments) for layout in ("full", "concise", "json", "sarif", "github")}
    assert {done.returncode for done in shown.values()} == {2}
    assert all(reason in done.stderr for done in shown.values())
    assert "BG007" not in shown["full"].stdout
    assert shown["concise"].stdout.splitlines()[1] == f"{strange}:1:1: error BG007 {reason} [unreadable-file]"
    finding = json.loads(shown["json"].stdout)[1]
    jsonschema.validate([finding], SCHEMA)
    assert (finding["file"], finding["code"], finding["message"]) == (str(strange), "BG007", reason)
    log = json.loads(shown["sarif"].stdout)
    jsonschema.validate(log, SARIF)
    result = log["runs"][0]["results"][1]
    assert (result["ruleId"], result["message"]["text"]) == ("BG007", reason)
    assert "title=BG007 unreadable-file" in shown["github"].stdout.splitlines()[1]


def test_quiet_prints_errors_only(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(STAR)
    done = check("-q", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "1 warning in 1 file\n")


def test_statistics_count_codes_over_all_files(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.mat").write_text(STAR)
    (tmp_path / "d.mat").write_text(WRONG_DIE)
    done = check("--statistics", str(tmp_path))
    assert done.stdout == "3  BG220 no-hit (warning) in 3 files\n1  BG205 number-not-rolled (error) in 1 file\n"
    assert done.returncode == 1
    counted = json.loads(check("--statistics", "--format", "json", str(tmp_path)).stdout)
    assert counted[0] == {"code": "BG220", "name": "no-hit", "severity": "warning", "findings": 3, "files": 3}
    refused = check("--statistics", "--format", "sarif", str(tmp_path))
    assert (refused.returncode, refused.stdout) == (2, "")


# --- settings -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "status", "severity"),
    [
        ((), 0, "warning"),
        (("--fail-on", "warning"), 1, "warning"),
        (("--profile", "strict"), 1, "error"),
        (("--profile", "lenient", "--fail-on", "warning"), 0, "hint"),
        (("--severity", "BG220=error"), 1, "error"),
        (("--severity", "no-hit=off"), 0, None),
        (("--ignore", "BG2"), 0, None),
        (("--select", "BG3,BG4"), 0, None),
        (("--select", "BG3", "--select", "no-hit"), 0, "warning"),
    ],
)
def test_options_choose_what_is_reported_and_what_fails(
    tmp_path: Path, options: tuple[str, ...], status: int, severity: str | None
) -> None:
    (tmp_path / "a.mat").write_text(STAR)
    done = check("--format", "json", *options, str(tmp_path))
    assert done.returncode == status
    assert [each["severity"] for each in json.loads(done.stdout)] == ([severity] if severity else [])


def test_settings_are_found_upwards_from_each_file_and_options_come_before_them(tmp_path: Path) -> None:
    strict, lax = tmp_path / "strict" / "deep", tmp_path / "lax"
    for folder in (strict, lax):
        folder.mkdir(parents=True)
        (folder / "a.mat").write_text(STAR)
    (strict.parent / "bgtools.toml").write_text('profile = "strict"\n')
    (lax / "pyproject.toml").write_text("[tool.bgtools.severity]\nBG220 = 'hint'\n")
    done = check("--format", "concise", str(tmp_path))
    assert [line.split(": ")[1].split()[0] for line in done.stdout.splitlines()] == ["hint", "error"]
    assert done.returncode == 1
    done = check("--format", "concise", "--severity", "BG220=warning", str(tmp_path))
    assert [line.split(": ")[1].split()[0] for line in done.stdout.splitlines()] == ["warning", "warning"]
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--select", "BG777"), 'there is no code "BG777"'),
        (("--ignore", "bar-frist"), "did you mean BG204 (bar-first)"),
        (("--severity", "BG204"), "write CODE=LEVEL"),
        (("--severity", "BG204=bad"), 'there is no severity "bad"'),
        (("--profile", "nice"), "nice"),
        (("--jobs", "0"), "--jobs"),
    ],
)
def test_options_that_cannot_be_followed_are_named(options: tuple[str, ...], message: str) -> None:
    done = check(*options, "-", stdin=SOUND.encode())
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_settings_file_that_cannot_be_followed_is_named_and_other_files_are_checked(tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "a.mat").write_text(SOUND)
    (tmp_path / "bad" / "bgtools.toml").write_text("sevrity = 1\n")
    (tmp_path / "b.mat").write_text(WRONG_DIE)
    done = check(str(tmp_path))
    assert done.returncode == 2
    assert 'bgtools.toml: there is no key "sevrity"; did you mean "severity"?' in done.stderr
    assert "BG205" in done.stdout


def test_rules_of_the_game_can_be_given_and_are_told(tmp_path: Path) -> None:
    crawford = ROOT / "tests" / "checks" / "data" / "BG303.bad.mat"
    assert "BG303" in check("--format", "concise", str(crawford)).stdout
    done = check("--rules", "no-crawford", "--show-rules", "--format", "concise", str(crawford))
    assert "BG303" not in done.stdout
    assert f"{crawford}: no-crawford,no-jacoby," in done.stderr
    (tmp_path / "bgtools.toml").write_text('rules = ["no-crawford"]\n')
    (tmp_path / "a.mat").write_bytes(crawford.read_bytes())
    assert "BG303" not in check("--format", "concise", str(tmp_path)).stdout
    refused = check("--rules", "crawfrd", str(crawford))
    assert refused.returncode == 2
    assert "is not a rule; there are: crawford" in refused.stderr


def test_the_excerpt_in_the_readme_is_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = readme.partition("$ bgtools check samples/five-slips.mat\n")[2].partition("…\n```")[0]
    assert shown.count("\n") > 3
    assert shown in check("samples/five-slips.mat").stdout


# --- folders --------------------------------------------------------------------------------


def test_a_folder_is_searched_for_records_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name in ("b.mat", "a/z.TXT", "a/y/x.mat", "c.md", ".hidden/h.mat", ".h.mat", "d.mat/e.mat"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(WRONG_DIE)
    (tmp_path / "loop").symlink_to(tmp_path)
    done = check("--format", "concise", str(tmp_path))
    names = [line.partition(":")[0].removeprefix(f"{tmp_path}/") for line in done.stdout.splitlines()]
    assert names == ["a/y/x.mat", "a/z.TXT", "b.mat", "d.mat/e.mat"]
    assert done.stderr == "4 errors in 4 files\n"


def test_text_in_a_folder_that_is_no_record_is_passed_over_but_not_when_named(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Dear Ann, see you at the club.\n")
    (tmp_path / "package.json").write_text("{}")
    (tmp_path / "a.mat").write_text(SOUND)
    done = check(str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == (
        f"no findings in 1 file; 2 files skipped that are not records: {tmp_path}/notes.txt, {tmp_path}/package.json\n"
    )
    done = check(str(tmp_path / "notes.txt"))
    assert done.returncode == 2
    assert "notes.txt: this is not match text" in done.stderr


def test_what_calls_itself_match_text_in_a_folder_and_is_none_makes_it_2(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(WRONG_DIE)
    (tmp_path / "b.mat").write_bytes(b"PK\x03\x04")
    done = check(str(tmp_path))
    assert done.returncode == 2
    assert "b.mat: this ZIP archive cannot be read" in done.stderr
    assert "BG205" in done.stdout


def test_a_folder_without_records_is_not_sound(tmp_path: Path) -> None:
    for name in ("empty", "d.mat"):
        folder = tmp_path / name
        folder.mkdir()
        done = check(str(folder))
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{name}: this folder holds no file whose name ends as that of a record" in done.stderr
        assert done.stderr.endswith("no record was checked; 1 file could not be checked\n")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty records, good, bad and none, enough for other processes to be started."""
    folder = tmp_path_factory.mktemp("many")
    contents = (SOUND, WRONG_DIE, STAR, "", "no record")
    for number in range(40):
        place = folder / f"{number % 4}"
        place.mkdir(exist_ok=True)
        (place / f"{number:03}{'.txt' if number % 3 else '.mat'}").write_text(contents[number % len(contents)])
    return folder


@pytest.mark.quick(one_in=2)
@pytest.mark.parametrize("layout", ["full", "sarif"])
def test_the_number_of_processes_changes_nothing(many: Path, layout: str) -> None:
    runs = [bgtools("check", "--format", layout, "--jobs", jobs, str(many)) for jobs in ("1", "2", "5")]
    assert {run.stdout for run in runs} == {runs[0].stdout}
    assert {run.stderr for run in runs} == {runs[0].stderr}
    assert {run.returncode for run in runs} == {2}
    told, _, names = runs[0].stderr.splitlines()[-1].partition(": ")
    assert (
        told == "8 errors, 8 warnings in 24 files; 6 files could not be checked; 10 files skipped that are not records"
    )
    assert names == ", ".join(f"{many}/0/{number:03}.txt" for number in (4, 8, 28)) + " and 7 more"


def test_standard_input_among_many_files_is_read_by_the_first_process(many: Path) -> None:
    done = bgtools("check", "--format", "concise", "--jobs", "2", str(many), "-", stdin=WRONG_DIE.encode())
    assert done.stdout.splitlines()[-1].startswith("<stdin>:6:37: error BG205")


def run_in_terminal(*arguments: str) -> tuple[int, str]:
    """Run the command with a terminal for its output; exit status and what the terminal got."""
    first, second = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "bgtools", *arguments],
        stdin=subprocess.DEVNULL, stdout=second, stderr=second, cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "TERM": "xterm", "COLUMNS": "120"},
    ) as process:  # fmt: skip
        os.close(second)
        shown = b""
        try:
            while part := os.read(first, 1 << 16):
                shown += part
        except OSError:
            pass  # the other end is closed
        os.close(first)
    return process.returncode, shown.decode()


def test_a_terminal_sees_a_progress_bar_with_a_rate_and_every_finding(tmp_path: Path) -> None:
    for number in range(150):
        (tmp_path / f"{number}.mat").write_text(WRONG_DIE if number in (20, 140) else SOUND * 3)
    status, shown = run_in_terminal("check", "--jobs", "1", str(tmp_path))
    assert status == 1
    assert "files/s" in shown
    assert "/150" in shown
    assert shown.count("BG205") == 2
    assert "2 errors, 148 hints in 150 files" in shown


@pytest.mark.quick(one_in=2)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_it_with_130_and_without_a_traceback(tmp_path: Path, jobs: str) -> None:
    (tmp_path / "000.mat").write_text(WRONG_DIE)
    for number in range(1, 60):
        (tmp_path / f"{number:03}.mat").write_text(SOUND * 400)
    command = [sys.executable, "-m", "bgtools", "check", "--format", "concise", "-q", "--jobs", jobs, str(tmp_path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "PYTHONUNBUFFERED": "1"},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert "BG205" in process.stdout.readline()  # it is at work
        time.sleep(0.3)
        begun = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
        output, errors = process.communicate(timeout=20)
    assert was_interrupted(process), errors
    assert time.monotonic() - begun < 5
    assert errors.startswith("bgtools: interrupted after ")
    assert "Traceback" not in errors + output
