"""What the program says of itself: help, versions, manual pages, completions, mistakes, and what it does next.

usage: help_test.py PROGRAM BUILD_FOLDER
"""

import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest

from folder import Folder

BUILD = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
VERBS = ("check", "plan", "simulate", "view", "modes", "tune", "convert", "generate", "demo", "help")
HIDDEN = ("completion", "man")
# What follows a verb's option and is neither a number nor a file: the shell offers the words.
FREE = {"--spherical", "--accept", "--weights"}


def run(*words, **environment):
    return subprocess.run(
        [PROGRAM, *words], capture_output=True, text=True, timeout=300, env={**os.environ, **environment}
    )


@functools.lru_cache(None)
def help_of(*words, columns=80):
    return run(*words, "--help", COLUMNS=str(columns)).stdout


def options_in(text):
    """Every option at the head of a line of help: {"--output": "FILE", ...}."""
    found = {}
    for line in text.splitlines():
        if match := re.match(r"  (-[\w-]+(?:, --[\w-]+)*)((?: [A-Z]+\b)*)", line):
            for name in match[1].split(", "):
                found[name] = match[2].strip()
    return found


def groups_in(text):
    """The headings of a help text, each with the lines below it."""
    groups, heading = {}, None
    for line in text.partition("\nUsage: ")[2].splitlines()[1:]:
        if re.match(r"[A-Z][\w ,]*$", line):
            heading = line
            groups[heading] = []
        elif heading and line.startswith("  "):
            groups[heading].append(line)
        else:
            heading = None
    return groups


class Help(Folder):
    program = PROGRAM

    def test_every_verb_has_groups_and_examples(self):
        for verb in VERBS:
            with self.subTest(verb):
                groups = groups_in(help_of(verb))
                self.assertIn("Help", groups)
                self.assertTrue("Example" in groups or "Examples" in groups, groups.keys())
                self.assertTrue(all(groups.values()), groups)
        for verb in ("check", "plan", "simulate", "modes", "tune"):
            self.assertGreater(len(groups_in(help_of(verb))), 4, verb)
            self.assertIn("--json", " ".join(groups_in(help_of(verb))["Output"]))
            self.assertIn("--base", " ".join(groups_in(help_of(verb))["Reading the model"]))
        self.assertEqual(list(groups_in(help_of("simulate")))[0], "Arguments")

    def test_help_fits_the_terminal(self):
        for columns in (40, 60, 80, 200):
            for verb in ((), *((verb,) for verb in VERBS)):
                for line in help_of(*verb, columns=columns).splitlines():
                    # A command and a word that is longer than a line are not broken.
                    whole = line.startswith("  espalier ") or len(line.split()) == 1 or line.startswith("  -")
                    self.assertTrue(whole and len(line) <= 90 or len(line) <= min(columns, 100), (verb, columns, line))
        for verb in VERBS:
            for line in help_of(verb).splitlines():
                self.assertTrue(line.startswith("  espalier ") or len(line) <= 80, line)

    def test_help_is_asked_for_in_three_ways(self):
        for verb in VERBS:
            self.assertEqual(run("help", verb).stdout, run(verb, "--help").stdout)
        self.assertEqual(run("help").stdout, run("--help").stdout)
        self.assertEqual(run("-h").stdout, run("--help").stdout)
        for verb in VERBS:
            self.assertRegex(run("help").stdout, rf"(?m)^  {verb}\b")
        for verb in HIDDEN:
            self.assertNotRegex(run("help").stdout, rf"(?m)^  {verb}\b")
            self.assertEqual(run("help", verb).returncode, 0)
        answer = run("help", "simulat")
        self.assertEqual(answer.returncode, 2)
        self.assertIn("did you mean 'simulate'?", answer.stderr)

    def test_the_version_tells_what_it_was_built_with(self):
        answer = run("-V")
        self.assertEqual((answer.returncode, answer.stdout), (0, run("--version").stdout))
        with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
            cache = file.read()
        kind = re.search(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", cache, re.MULTILINE)[1]
        self.assertRegex(answer.stdout, r"\Aespalier \d+\.\d+\.\d+\n")
        self.assertRegex(answer.stdout, rf"(?m)^build   {kind}, \w+ \d+\.\d+")
        self.assertRegex(answer.stdout, r"(?m)^HDF5    1\.\d+")
        with_mpi = "ESPALIER_MPI:BOOL=ON" in cache
        self.assertRegex(answer.stdout, r"(?m)^MPI     " + (r"\S.*\d+\.\d+" if with_mpi else "none"))
        self.assertRegex(answer.stdout, r"(?m)^Zoltan  " + (r"\d+\.\d+" if with_mpi else "none"))

    def test_examples_run(self):
        for verb in ((), *((verb,) for verb in VERBS + HIDDEN)):
            for command in re.findall(r"^  (espalier .*)$", help_of(*verb, columns=200), re.MULTILINE):
                with self.subTest(command):
                    words = shlex.split(command.partition(" > ")[0])[1:]
                    for word in words:
                        name = word.removesuffix(".yaml")
                        if word != name and words[0] != "generate" and not os.path.exists(self.path(word)):
                            self.run_verb("generate", name, "-o", word)
                    answer = self.run_verb(*words)
                    self.assertEqual(answer.returncode, 0, answer.stderr)
        for made in ("four_bar.svg", "plan.html", "run/result.csv", "masses/runs.csv", "y_frame.html", "tuned/best.yaml"):
            self.assertTrue(os.path.exists(self.path(made)), made)


class Mistakes(Folder):
    program = PROGRAM

    def test_a_misspelt_option_is_answered_with_the_nearest(self):
        for words, near in (
            (("check", "--pictrue", "x.svg"), "check has no option '--pictrue'; did you mean '--picture'?"),
            (("simulate", "m.yaml", "--outptu-step=3"), "did you mean '--output-step'?"),
            (("plan", "m.yaml", "--max_length", "3"), "did you mean '--max-length'?"),
            (("plan", "m.yaml", "-beta", "3"), "did you mean '--beta'?"),
            (("--verson",), "espalier has no option '--verson'; did you mean '--version'?"),
            (("check", "m.yaml", "--end", "3"), "it is an option of simulate"),
        ):
            answer = self.assert_refused(near, *words)
            self.assertIn("--help` lists them", answer.stderr)
        # Nothing is near, and no verb has it.
        answer = self.assert_refused("check has no option '--zzzzzz' (", "check", "m.yaml", "--zzzzzz")
        self.assertNotIn("mean", answer.stderr)

    def test_a_misspelt_verb_is_answered_with_the_nearest(self):
        self.assert_refused("did you mean 'check'?", "chek", "m.yaml")
        self.assert_refused("did you mean 'help'?", "hepl")
        self.assert_refused("no verb is given (there are check, plan,")


class Shells(Folder):
    program = PROGRAM

    def complete(self, *words):
        """What bash offers for the last of the words."""
        script = self.path("espalier.bash")
        if not os.path.exists(script):
            self.file("espalier.bash", run("completion", "bash").stdout)
        asked = (
            "source espalier.bash; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _espalier; "
            "printf '%s\\n' \"${COMPREPLY[@]}\""
        )
        answer = subprocess.run(
            ["bash", "--norc", "-c", asked, "bash", *words], capture_output=True, text=True, cwd=self.folder
        )
        self.assertEqual((answer.returncode, answer.stderr), (0, ""), words)
        return answer.stdout.split("\n")[:-1]

    def test_bash_completes_verbs_options_and_words(self):
        self.assertEqual(self.complete("espalier", ""), list(VERBS))
        self.assertEqual(self.complete("espalier", "si"), ["simulate"])
        self.assertEqual(self.complete("espalier", "--v"), ["--version"])
        self.assertEqual(self.complete("espalier", "plan", "--obj"), ["--objective"])
        self.assertEqual(self.complete("espalier", "plan", "--objective", "mc"), ["mccst"])
        self.assertEqual(self.complete("espalier", "plan", "--objective", "=", "mc"), ["mccst"])
        self.assertEqual(self.complete("espalier", "check", "--base", ""), ["floating", "fixed"])
        self.assertEqual(self.complete("espalier", "modes", "m.yaml", "--method", "b"), ["bisection"])
        self.assertEqual(self.complete("espalier", "generate", "gov"), ["governor"])
        self.assertEqual(self.complete("espalier", "help", "tu"), ["tune"])
        self.assertEqual(self.complete("espalier", "check", "--spherical", ""), [""])

    def test_bash_completes_files_and_folders(self):
        self.file("leg of a robot.urdf", "")
        os.mkdir(self.path("legs"))
        self.assertEqual(sorted(self.complete("espalier", "check", "le")), ["leg of a robot.urdf", "legs"])
        self.assertEqual(self.complete("espalier", "simulate", "--restart", "le"), ["legs"])
        self.assertIn("legs", self.complete("espalier", "plan", "-o", "le"))

    def test_every_option_is_completed_in_every_shell(self):
        zsh, fish = run("completion", "zsh").stdout, run("completion", "fish").stdout
        self.assertTrue(zsh.startswith("#compdef espalier\n"))
        for verb in VERBS:
            offered = self.complete("espalier", verb, "-")
            part = re.search(rf"(?ms)^    {verb}\)\n(.*?) ;;$", zsh)[1]
            for option in options_in(help_of(verb, columns=200)):
                self.assertIn(option, offered)
                self.assertIn(f"'*{option}[", part)
                way = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
                self.assertRegex(fish, rf"(?m)^complete .*__fish_seen_subcommand_from {verb}' .*{way} ")

    def test_words_of_options_are_offered(self):
        """An option of the type WORD has a list of words."""
        for verb in VERBS:
            for option, value in options_in(help_of(verb, columns=200)).items():
                if value in ("WORD", "FORMAT", "HOW") and option not in FREE and option != "--root":
                    self.assertGreater(len(self.complete("espalier", verb, option, "")), 1, (verb, option))

    def test_other_shells_take_their_scripts(self):
        for shell in ("zsh", "fish"):
            program = shutil.which(shell)
            if program is None:
                print(f"{shell} is not here: its completion is not read by it")
                continue
            script = self.file("script", run("completion", shell).stdout)
            answer = subprocess.run([program, "-n", script], capture_output=True, text=True)
            self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        self.assertIn("there is no completion for 'csh'", run("completion", "csh").stderr)
        self.assertEqual(run("completion", "csh").returncode, 2)


class Manual(Folder):
    program = PROGRAM

    def test_pages_have_every_option(self):
        for verb in VERBS:
            page = run("man", verb).stdout
            self.assertTrue(page.startswith(f".TH ESPALIER\\-{verb.upper()} 1 "), page[:40])
            for option in options_in(help_of(verb, columns=200)):
                self.assertIn(option.replace("-", "\\-") + "\\fR", page)
            self.assertIn("\n.SH EXAMPLES\n", page)
        # Hidden from the help, not from the manual.
        self.assertIn("\\-\\-bisection", run("man", "simulate").stdout)
        page = run("man").stdout
        for verb in VERBS:
            self.assertIn(f"espalier\\-{verb}\\fR(1)", page)

    def test_pages_render_without_warnings(self):
        program = shutil.which("groff")
        if program is None:
            self.skipTest("groff is not here")
        for verb in ((), *((verb,) for verb in VERBS + HIDDEN)):
            answer = subprocess.run(
                [program, "-man", "-Tutf8", "-ww", "-z"], input=run("man", *verb).stdout, capture_output=True, text=True
            )
            self.assertEqual((answer.returncode, answer.stderr), (0, ""), verb)

    def test_all_pages_go_into_a_folder(self):
        self.assertEqual(self.run_verb("man", "-o", ".").returncode, 0)
        pages = sorted(name for name in os.listdir(self.folder))
        self.assertEqual(pages, sorted(["espalier.1", *(f"espalier-{verb}.1" for verb in VERBS)]))
        self.assertEqual(self.read("espalier-plan.1"), run("man", "plan").stdout)

    def test_they_are_installed(self):
        """With the part `runtime`, below DESTDIR, and named in the manifest."""
        answer = subprocess.run(
            ["cmake", "-DCMAKE_INSTALL_COMPONENT=runtime", "-DCMAKE_INSTALL_PREFIX=/opt/e", "-P", "cmake_install.cmake"],
            cwd=BUILD,
            capture_output=True,
            text=True,
            env={**os.environ, "DESTDIR": self.folder},
        )
        self.assertEqual(answer.returncode, 0, answer.stderr)
        with open(os.path.join(BUILD, "install_manifest_runtime.txt"), encoding="utf-8") as file:
            manifest = file.read().split("\n")
        for name in (
            "man/man1/espalier.1",
            "man/man1/espalier-plan.1",
            "bash-completion/completions/espalier",
            "zsh/site-functions/_espalier",
            "fish/vendor_completions.d/espalier.fish",
        ):
            self.assertTrue(os.path.exists(self.path("opt/e/share/" + name)), name)
            self.assertIn("/opt/e/share/" + name, manifest)


class WhatIsSaid(Folder):
    """Of files that were written, and of what to do next."""

    program = PROGRAM

    def setUp(self):
        super().setUp()
        for name in ("four_bar", "y_frame", "mlrs"):
            self.run_verb("generate", name, "-o", name + ".yaml")

    def test_every_verb_says_what_it_wrote(self):
        for words, files in (
            (("generate", "ladder", "2", "-o", "l.yaml"), ["l.yaml"]),
            (("check", "four_bar.yaml", "--picture", "f.svg"), ["f.svg"]),
            (("plan", "four_bar.yaml", "-o", "p.json", "--picture", "p.svg"), ["p.json", "p.svg"]),
            (("convert", "four_bar.yaml", "-o", "f.urdf"), ["f.urdf"]),
            (("simulate", "four_bar.yaml", "-t", "0.01", "-o", "run"), ["run/"]),
            (("simulate", "four_bar.yaml", "-t", "0.01", "--vary", "bodies.rocker.mass=1,2", "-o", "s"), ["s/runs.csv"]),
            (("view", "four_bar.yaml", "-o", "v.html"), ["v.html"]),
            (("modes", "y_frame.yaml", "--count", "1", "-o", "m.json", "--plot", "m.svg"), ["m.json", "m.svg"]),
            (("modes", "y_frame.yaml", "--count", "1", "--vary", "bodies.tip.mass=1:2:2", "--csv", "v.csv"), ["v.csv"]),
            (("modes", "y_frame.yaml", "--response", "hub.y", "tip.y", "--to", "9", "--csv", "r.csv"), ["r.csv"]),
            (("tune", "mlrs.yaml", "--generations", "1", "--population", "4", "-o", "t"), ["t/index.html"]),
            (("plan", "--calibrate"), [self.path("espalier/machine.json")]),
        ):
            answer = self.run_verb(*words, env={**os.environ, "XDG_CONFIG_HOME": self.folder})
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertEqual(re.findall(r"(?m)^Wrote ([^\s:]+)", answer.stdout), files, answer.stdout)
            self.assertNotRegex(answer.stdout, r"(?m)^(written|wrote|Written|next)\b")

    def test_the_next_line_keeps_the_options_that_matter(self):
        self.run_verb("convert", "four_bar.yaml", "-o", "f.urdf")
        answer = self.run_verb("plan", "f.urdf", "--base", "floating", "--cut", "B")
        self.assertIn(
            "\nNext: espalier plan f.urdf --base floating --cut B --explain --page plan.html\n", answer.stdout
        )
        answer = self.run_verb("simulate", "f.urdf", "--base", "floating", "-t", "0.01", "-o", "run")
        self.assertIn("\nNext: espalier view run\n", answer.stdout)
        self.assertIn("\nNext: espalier check l.yaml\n", self.run_verb("generate", "ladder", "2", "-o", "l.yaml").stdout)
        answer = self.run_verb("tune", "mlrs.yaml", "--generations", "1", "--population", "4", "-o", "t")
        self.assertIn("\nNext: espalier modes t/best.yaml\n", answer.stdout)
        # The folder knows how its model is read.
        self.assertEqual(self.run_verb("simulate", "--restart", "run", "--end", "0.02").returncode, 0)

    def test_what_holds_something_else_is_refused(self):
        os.mkdir(self.path("kept"))
        self.file("kept/notes.txt", "mine")
        sweep = ("simulate", "four_bar.yaml", "-t", "0.01", "--vary", "bodies.rocker.mass=1,2", "-o")
        tune = ("tune", "mlrs.yaml", "--generations", "1", "--population", "4", "-o")
        for words in (sweep, tune):
            self.assert_refused(["kept: holds something else, 'notes.txt'", "name another folder"], *words, "kept")
            self.assertEqual(os.listdir(self.path("kept")), ["notes.txt"])
        os.mkdir(self.path("empty"))
        self.assertEqual(self.run_verb(*sweep, "empty").returncode, 0)
        # The same sweep again, and a search in its folder.
        self.assertEqual(self.run_verb(*sweep, "empty").returncode, 0)
        self.assert_refused("empty: holds something else", *tune, "empty")

    def test_modes_keep_what_others_wrote(self):
        modes = ("modes", "y_frame.yaml", "--count", "1", "-o")
        before = self.read("y_frame.yaml")
        self.assert_refused("y_frame.yaml: is the model itself; name another file", *modes, "y_frame.yaml")
        self.assert_refused("four_bar.yaml: holds something else than modes", *modes, "four_bar.yaml")
        self.assert_refused("is a folder", *modes, ".")
        self.assert_refused("is the model itself", *modes, "m.json", "--vary", "bodies.tip.mass=1,2", "--csv", "y_frame.yaml")
        self.assertEqual(self.read("y_frame.yaml"), before)
        for _ in range(2):
            self.assertEqual(self.run_verb(*modes, "m.json").returncode, 0)
        self.assertEqual(json.loads(self.read("m.json"))["certainty"], "proved")
        self.assertEqual(self.run_verb(*modes, "/dev/null").returncode, 0)


if __name__ == "__main__":
    unittest.main()
