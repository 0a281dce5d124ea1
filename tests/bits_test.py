"""No result depends on the variant of libm that the processor gets, nor on the instructions of the kernels, threads or
ranks: three short runs keep the hashes that are stored here.

usage: bits_test.py PROGRAM SOURCE_FOLDER
"""

import hashlib
import json
import math
import os
import stat
import subprocess
import sys
import unittest

from folder import Folder

SOURCE = os.path.abspath(sys.argv.pop())
PROGRAM = os.path.abspath(sys.argv.pop())
# glibc then takes the variants without fused multiply-add.
OTHER = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4"}
# Laws that call elementary functions: friction, a formula, angles of a ball joint beyond the small ones.
LAWS = """espalier: 1
bodies:
  - {name: a, mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
  - {name: b, mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], pose: {position: [1, 0, 0], rpy: [0.3, 0.2, 0.1]}}
joints:
  - {name: hinge, type: revolute, between: [ground, a], at: {axis: [0, 1, 0]}, friction: 0.2, stiffness: 3}
  - {name: ball, type: spherical, between: [a, b], at: {position: [1, 0, 0]}, stiffness: [2, 2, 2], damping: [0.1, 0.1, 0.1]}
forces:
  - {torque: {joint: hinge, value: "2*sin(9*t) + exp(-t)*cos(3*t)^3 + log(1+t) + atan(t)"}}
"""
# Balls with three different inertias that spin fast: every step turns each by another angle.
SPIN = (
    "espalier: 1\nbodies:\n  - {name: ground, shapes: [{plane: {}}]}\n"
    + "".join(
        f"  - {{name: b{k}, mass: 1, inertia: [0.01, 0.02, 0.025], pose: {{position: [{k}, 0, 1]}}, "
        f"shapes: [{{sphere: {{radius: 0.1}}}}], velocity: {{angular: [{200 + 137 * k}, {90 + 31 * k}, 40]}}}}\n"
        for k in range(12)
    )
    + "contact: {friction: 0.5}\n"
)
# A beam that carries a mass, its section searched on a logarithmic scale.
DESIGN = """espalier: 1
gravity: [0, 0, 0]
active: [x, y, rz]
materials: {steel: {density: 7850, E: 2.1e+11, G: 8.1e+10}}
bodies:
  - {name: beam, kind: beam, from: [0, 0, 0], to: [2, 0, 0], material: steel, section: {b: 0.05, h: 0.03}}
  - {name: weight, mass: 3, inertia: [0.1, 0.1, 0.1], pose: {position: [2, 0, 0]}}
joints:
  - {name: foot, type: fixed, between: [ground, beam], at: {position: [0, 0, 0]}}
  - {name: tip, type: fixed, between: [beam, weight], at: {position: [2, 0, 0]}}
tune:
  vary:
    height: {path: bodies.beam.section.h, range: [0.01, 0.2], scale: log}
    mass: {path: bodies.weight.mass, range: [1, 50], scale: log}
  goals: [{near: [3, 40]}]
"""
# A block on a spring and a damper, which are searched for where it stands after 2 s.
MOTION = """espalier: 1
bodies: [{name: block, mass: 1, inertia: [1, 1, 1]}]
joints:
  - {name: slide, type: prismatic, between: [ground, block], at: {axis: [1, 0, 1]}, stiffness: 2, damping: 0.1,
     velocity: 1}
tune:
  vary:
    spring: {path: joints.slide.stiffness, range: [1, 8], scale: log}
    damper: {path: joints.slide.damping, range: [0, 2]}
  goals: [{end: slide.position, target: -0.5}, {maximum: slide.velocity, at_most: 1.5}]
  simulate: {end: 2}
"""
# What may differ from run to run.
TIMES = {"seconds", "setup_seconds", "real_time_factor", "folder", "file", "next", "files", "ranks", "imbalance"}
# Words for people and what was asked for, beside the numbers that came out; what pages draw are the shapes once more.
ASKED = {"message", "motion", "notes", "certificate", "reader_notes", "threads", "model", "distribution"}


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in TIMES and "seconds" not in k}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def hash_of(values):
    """Of all numbers in these documents, each under its name."""
    kept = [{k: v for k, v in without_times(value).items() if k not in ASKED} for value in values]
    return hashlib.sha256(json.dumps(kept).encode()).hexdigest()[:16]


class Program(Folder):
    program = PROGRAM

    def answer(self, words, more):
        run = self.run_verb(*words, env={**os.environ, **more})
        self.assertEqual(run.returncode, 0, f"{words}: {run.stderr}")
        return run.stdout

    def generated(self, words, more):
        if os.path.exists(self.path("generated.yaml")):
            os.remove(self.path("generated.yaml"))
        self.answer(["generate", *words, "-o", "generated.yaml"], more)
        return self.read("generated.yaml")


class Golden(Program):
    """Hashes of three short runs. Another hash is another result: it belongs into CHANGELOG.md."""

    KERNELS = [{"ESPALIER_INSTRUCTIONS": word} for word in ("plain", "avx2", "avx512")]
    EVERYWHERE = [*KERNELS, OTHER, {**KERNELS[0], **OTHER}]
    THREADS = [("--threads", count) for count in (1, 2, 4)]
    RANKS = [(), ("--ranks", 2), ("--ranks", 3)]

    def assert_hash(self, hash_kept, commands, more):
        found = hash_of([json.loads(self.answer([*words, "--json", "--quiet"], more)) for words in commands])
        self.assertEqual(found, hash_kept, (commands, more))

    def assert_hash_everywhere(self, hash_kept, commands, spread):
        """`commands`: what is run with these options of `spread`."""
        for more in self.EVERYWHERE:
            self.assert_hash(hash_kept, commands(()), more)
        for options in spread:
            self.assert_hash(hash_kept, commands(options), {})

    def test_mechanism(self):
        """Loops, and springs so stiff that Jacobians are computed in lanes."""
        models = [os.path.join(SOURCE, "models", name + ".yaml") for name in ("stewart", "stiff_governor")]
        self.assert_hash_everywhere(
            "3c6abb3dc3716723",
            lambda options: [("simulate", model, "-t", 0.2, "--no-files", *options) for model in models],
            self.THREADS,
        )

    def test_mechanisms_over_ranks(self):
        """A run of its own for each design: ranks share them out, lanes take several at once."""
        model = os.path.join(SOURCE, "models/four_bar.yaml")

        def designs(more, *options):
            out = f"designs{len(os.listdir(self.folder))}"
            words = ["simulate", model, "-t", 0.1, "--vary", "bodies.rocker.mass=1:2:9", "-o", out, "--quiet"]
            self.answer([*words, *options], more)
            return hashlib.sha256(self.read(out + "/runs.csv").encode()).hexdigest()[:16]

        for more in self.EVERYWHERE:
            self.assertEqual(designs(more), "3aae54d4afa3e1be", more)
        for options in [*self.THREADS, *self.RANKS]:
            self.assertEqual(designs({}, *options), "3aae54d4afa3e1be", options)

    def test_pile(self):
        pile = self.file("pile.yaml", self.generated(("pile", 24, "--grain", "mixed"), {}))
        self.assert_hash_everywhere(
            "62760589b2d85e98", lambda options: [("simulate", pile, "-t", 0.3, "--no-files", *options)], self.RANKS
        )

    def test_modes(self):
        model = os.path.join(SOURCE, "models/y_frame.yaml")
        self.assert_hash_everywhere(
            "396b6b6a5b7669a7", lambda options: [("modes", model, "--count", 4, *options)], self.RANKS
        )

    def test_modes_of_a_grid_search(self):
        model = os.path.join(SOURCE, "models/stepped_beam.yaml")
        self.assert_hash_everywhere(
            "a040a35de5935eeb",
            lambda options: [("modes", model, "--method", "recursive", "--max-frequency", 50, "--no-shapes", *options)],
            [*self.THREADS, *self.RANKS],
        )


class Bits(Program):
    def assert_same(self, *words):
        one, other = (without_times(json.loads(self.answer([*words, "--json"], more))) for more in [{}, OTHER])
        self.assertEqual(one, other, words)
        return one

    def test_the_variant_is_another_one(self):
        """Says whether the tests below can fail on this machine."""
        words = "import math; print([math.sin(k / 7).hex() + math.exp(k / 9).hex() for k in range(4000)])"
        one, other = (
            subprocess.run(
                [sys.executable, "-c", words], capture_output=True, text=True, check=True, env={**os.environ, **more}
            ).stdout
            for more in [{}, OTHER]
        )
        if one == other:
            self.skipTest("this machine has one variant of libm: nothing to compare")
        self.assertNotEqual(one, other)
        self.assertTrue(math.isfinite(len(one)))

    def test_generators(self):
        for words in [("pile", 24, "--grain", "mixed"), ("silo", 20), ("ladder", 5), ("tree", 4), ("strandbeest", 2)]:
            one, other = (self.generated(words, more) for more in [{}, OTHER])
            self.assertEqual(one, other, words)

    def test_recursive_engine(self):
        laws = self.file("laws.yaml", LAWS)
        for words in [(), ("--integrator", "implicit"), ("--integrator", "fixed")]:
            run = self.assert_same("simulate", laws, "-t", 1, "--no-files", "--quiet", *words)
            self.assertEqual(run["outcome"], "done")
        for model in ["stewart", "stiff_governor", "bricard"]:
            self.assert_same(
                "simulate", os.path.join(SOURCE, "models", model + ".yaml"), "-t", 0.3, "--no-files", "--quiet"
            )

    def test_contact_engine(self):
        pile = self.file("pile.yaml", self.generated(("pile", 24, "--grain", "mixed"), {}))
        for scene in [pile, self.file("spin.yaml", SPIN)]:
            run = self.assert_same("simulate", scene, "-t", 0.5, "--no-files", "--quiet")
            self.assertIn("state_hash", run)

    def test_modes(self):
        for model in ["y_frame", "mlrs", "stepped_beam"]:
            self.assert_same("modes", os.path.join(SOURCE, "models", model + ".yaml"), "--count", 4, "--no-shapes")

    def test_tune(self):
        model = self.file("design.yaml", DESIGN)
        for k, algorithm in enumerate(["genetic", "de", "cmaes", "pso", "aco"]):
            outs = []
            for name, more in [("one", {}), ("other", OTHER)]:
                out = os.path.join(self.folder, f"{name}{k}")
                self.answer(
                    [
                        "tune",
                        model,
                        "--algorithm",
                        algorithm,
                        "--generations",
                        4,
                        "--population",
                        8 if algorithm != "aco" else 16,
                        "--threads",
                        1,
                        "--quiet",
                        "-o",
                        out,
                    ],
                    more,
                )
                with open(os.path.join(out, "best.yaml"), encoding="utf-8") as file:
                    outs.append(file.read())
            self.assertEqual(outs[0], outs[1], algorithm)

    def test_tune_of_a_run(self):
        model = self.file("motion.yaml", MOTION)
        outs = []
        for name, more in [("one", {}), ("other", OTHER), ("plain", {"ESPALIER_INSTRUCTIONS": "plain"})]:
            out = os.path.join(self.folder, name)
            words = ["tune", model, "--generations", 4, "--population", 8, "--threads", 1, "--quiet", "-o", out]
            self.answer(words, more)
            with open(os.path.join(out, "history.csv"), encoding="utf-8") as file:
                outs.append(file.read())
        self.assertEqual(outs[1:], outs[:1] * 2)

    def test_plan(self):
        self.assert_same("plan", os.path.join(SOURCE, "models/stewart.yaml"), "--objective", "time")

    def test_the_check_of_objects_can_fail(self):
        fake = self.file(
            "nm", "#!/bin/sh\necho 'lib.a:body.cpp.o:                 U sin'\necho 'lib.a:chart_axis.cpp.o: U log'\n"
        )
        os.chmod(fake, os.stat(fake).st_mode | stat.S_IXUSR)
        tool = os.path.join(SOURCE, "tools/check_libm.py")
        run = subprocess.run([sys.executable, tool, "--nm", fake, "lib.a"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stdout, "body.cpp.o: calls sin of libm; use espalier/base/numbers.hpp\n")


if __name__ == "__main__":
    unittest.main()
