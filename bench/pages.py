#!/usr/bin/env python3
"""Writes the pages of bench/: one per question, every figure taken from the CSV in bench/results.

    bench/pages.py            write bench/<question>.md and bench/README.md
    bench/pages.py --check    exit 1 where a page is not what this script writes
"""
import sys

from tables import BENCH, EPYC, XEON, listed, number, one, pick, rows, spearman, table_of, times, wrap


def read_models():
    found = times(rows(EPYC, "read_models"))
    sizes = sorted({size for _, size in found})

    def ratio(name, size):
        return float(found[name, size]["cpu_time"]) / float(found["reference", size]["cpu_time"])

    read = [ratio("read", size) for size in sizes]
    both = [ratio("compile", size) for size in sizes]
    lines = [(size, number(float(found["reference", size]["cpu_time"])), f"{a:.2f}", f"{b:.2f}")
             for size, a, b in zip(sizes, read, both)]
    return dict(
        title="What does reading a model cost?",
        question="What does a model file cost beyond the YAML it is written in? Ladders of N four-bar loops; the "
                 "reference "
                 "is `YAML::Load` of yaml-cpp on the same text.",
        answer=f"Less than nothing: reading takes {min(read):.2f} to {max(read):.2f} of the time of the reference, "
               f"reading and compiling {min(both):.2f} to {max(both):.2f}.",
        body=table_of(["N", "reference [ms]", "read [x]", "read and compile [x]"], lines) +
             "\n\nNearly all of the time is spent in yaml-cpp's scanner, which reads about 5 MB per second.",
        source=[(EPYC, "read_models")])


def plan_large():
    found = times(rows(EPYC, "plan_large"))

    def cell(name, size, column="gap"):
        row = found.get((name, size))
        return "-" if row is None else number(float(row[column]) * (1e-3 if column == "cpu_time" else 1))

    kinds = ["search", "a3", "reference", "beta_tenth", "beta_ten", "grid", "ladder", "multibody"]
    sizes = sorted({size for _, size in found if size <= 100000})
    words = {"search": "random graph, search", "a3": "random graph, A3", "reference": "random graph, lightest tree",
             "beta_tenth": "random graph, beta 0.1", "beta_ten": "random graph, beta 10"}
    lines = [(words.get(kind, kind + ", search"), size, cell(kind, size), cell(kind, size, "cpu_time"))
             for kind in kinds for size in sizes if (kind, size) in found]
    small = [float(found["search", size]["gap"]) for size in (1000, 2000, 3000, 4000)]
    a3 = [float(found["a3", size]["gap"]) for size in (1000, 4000)]
    large = found["search", 100000]
    return dict(
        title="How good and how fast is the search on large graphs?",
        question="How far above the proved lower bound is the plan of a large graph, and how long does it take? The "
                 "random "
                 "graphs are like those of [Liu99], Table 3.",
        answer=f"With 1000 to 4000 vertices the search is proved to be within {listed(small, 2)} % of the optimum; "
               f"A3 of "
               f"the paper ends {a3[0]:.1f} to {a3[1]:.1f} % above the same bound. With 100 000 vertices it is within "
               f"{float(large['gap']):.2g} % in {float(large['cpu_time']) / 1000:.2g} s.",
        body=table_of(["graph and method", "vertices", "gap [%]", "processor time [s]"], lines) +
             "\n\nThe paper gives 0.2, 1.7, 4.8 and 9.9 s of 1999 for A3 with 1000 to 4000 vertices. The processor "
             "time of "
             "the search grows about linearly with the size.",
        source=[(EPYC, "plan_large"), (XEON, "plan_large")])


def forward_dynamics():
    here, there = rows(EPYC, "forward_dynamics"), rows(XEON, "forward_dynamics")

    def ratios(table, what, model):
        base = one(table, "least_us", what=what, model=model, program="espalier")
        return {row["program"]: float(row["least_us"]) / base for row in pick(table, what=what, model=model)}

    models = list(dict.fromkeys(row["model"] for row in pick(here, what="forward")))

    def line(model, what):
        a, b = ratios(here, what, model), ratios(there, what, model) if pick(there, what=what, model=model) else {}
        return (model, number(one(here, "least_us", what=what, model=model, program="espalier")),
                *(number(r[p], 2) if p in r else "-" for p in ("mujoco", "simbody") for r in (a, b)))

    heads = ["model", "Espalier, EPYC [µs]", "MuJoCo, EPYC [x]", "MuJoCo, Xeon [x]", "Simbody, EPYC [x]",
             "Simbody, Xeon [x]"]
    inverse = list(dict.fromkeys(row["model"] for row in pick(here, what="inverse")))
    chain, large = ratios(here, "forward", "chain 32"), ratios(here, "forward", "chain 2048")
    humanoid = ratios(here, "forward", "humanoid 36")
    per_joint = one(here, "least_us", what="forward", model="chain 2048", program="espalier") / 2048
    gap = max(float(row["opening"]) for row in here if row["program"] == "mujoco" and "ladder" in row["model"])
    return dict(
        title="How long does one evaluation of the equations of motion take?",
        question="One evaluation, beside MuJoCo 2.2.2 and Simbody 3.7 on the same models in the same run: chains, "
                 "binary "
                 "trees, a humanoid, four-bar ladders, a Stewart platform. A multiple above 1 means that Espalier is "
                 "faster.",
        answer=f"On one core MuJoCo takes {chain['mujoco']:.1f} times as long on a chain of 32 joints, "
               f"{humanoid['mujoco']:.1f} times on the humanoid and {number(large['mujoco'], 2)} times on a chain of "
               f"2048 "
               f"(its time grows with the third power there). Espalier is linear, {per_joint:.2f} µs per joint, with "
               f"loops "
               f"exact; MuJoCo's loops stay open by {gap:.0e} m.",
        body="Forward dynamics:\n\n" + table_of(heads, [line(model, "forward") for model in models]) +
             "\n\nInverse dynamics:\n\n" + table_of(heads, [line(model, "inverse") for model in inverse]),
        source=[(EPYC, "forward_dynamics"), (XEON, "forward_dynamics")])


def plan_pays():
    table = rows(EPYC, "plan_pays")
    models = list(dict.fromkeys(row["model"] for row in table))
    lines = []
    for model in models:
        base = one(table, "least_us", model=model, tree="timed")
        cells = [number(one(table, "least_us", model=model, tree=tree) / base, 3) for tree in ("planned", "bfs", "dfs")]
        error = one(table, "predicted_us", model=model, tree="timed") / base
        lines.append((model, number(base), *cells, f"{error:.2f}"))
    worst = {model: one(table, "least_us", model=model, tree="dfs") /
             one(table, "least_us", model=model, tree="planned") for model in models}
    alike = [spearman(*([round(float(row[key]), 3) for row in pick(table, model=model)]
                        for key in ("predicted_us", "least_us"))) for model in models]
    planar, spatial = worst["planar ladder of 50 four-bars"], worst["spatial ladder of 20 four-bars"]
    return dict(
        title="Does the choice of the tree pay?",
        question="Time of one evaluation on the tree of least predicted time (`--objective time`), on the planned "
                 "tree (L + W), "
                 "on breadth-first and depth-first trees, and on 20 random ones, beside the prediction.",
        answer=f"Yes. A depth-first tree is {planar:.0f} times slower on a ladder of 50 planar four-bars and "
               f"{spatial:.0f} "
               f"times on one of 20 spatial ones. Predicted and measured times rank the trees alike: Spearman's "
               f"correlation is {min(alike):.2f} to {max(alike):.2f}.",
        body=table_of(["model", "timed tree [µs]", "planned [x]", "breadth first [x]", "depth first [x]",
                       "predicted / measured"], lines),
        source=[(EPYC, "plan_pays")])


def threads():
    lines, best = [], {}
    for count in (2, 4, 8, 16):
        for row in pick(rows(XEON, f"threads-{count}"), threads=count):
            best.setdefault(row["model"], {})[count] = (float(row["measured"]), float(row["predicted"]))
    for model, found in best.items():
        lines.append((model, *(f"{found[n][0]:.2f} ({found[n][1]:.1f})" for n in (2, 4, 8, 16))))
    two = rows(EPYC, "threads")
    pair = [one(two, "measured", model=model, threads=2) for model in ("tree 2047", "ladder 2000")]
    sixteen = [best[model][16][0] for model in ("tree 2047", "ladder 2000")]
    return dict(
        title="How much faster is one evaluation when threads share it?",
        question="One evaluation on 1 to 16 threads, and what the schedule of the plan predicts.",
        answer=f"On two cores of an AMD EPYC {listed(pair)} times faster on a tree of 2047 joints and on a ladder of "
               f"2000 "
               f"loops; on 16 cores of a Xeon {listed(sixteen)} times. Below 600 links nothing is gained and nothing "
               f"is "
               "shared. All thread counts give the same bits.",
        body="Measured speed-up on the Xeon, and the prediction in brackets:\n\n" +
             table_of(["model", "2 threads", "4 threads", "8 threads", "16 threads"], lines) +
             "\n\nThe prediction counts work and handing over, but no waiting for memory. It is far too optimistic "
             "beyond two "
             "threads.",
        source=[(EPYC, "threads"), *((XEON, f"threads-{n}") for n in (2, 4, 8, 16))])


def batch():
    here, there = rows(EPYC, "batch"), rows(XEON, "batch")

    def gain(table, what, model):
        found = pick(table, what=what, model=model)
        return f"{float(found[0]['single_us']) / float(found[0]['in_lanes_us']):.2f}" if found else "-"

    keys = list(dict.fromkeys((row["what"], row["model"]) for row in here))
    lines = [(f"{model}, {'one evaluation' if what == 'evaluation' else 'whole runs'}", gain(here, what, model),
              gain(there, what, model)) for what, model in keys]
    return dict(
        title="What do eight states at once gain on one core?",
        question="Eight states of one mechanism in the lanes of the machine's vectors, against one state after the "
                 "other.",
        answer=f"{gain(there, 'evaluation', 'humanoid 36')} times on the humanoid with AVX-512 of a Xeon, "
               f"{gain(there, 'evaluation', 'ladder 10')} times on a ladder of ten loops, and the same bits. Whole "
               f"runs gain "
               "less, since each closes its loops by itself.",
        body=table_of(["model", "EPYC [x]", "Xeon [x]"], lines) +
             "\n\nOn the largest models eight states no longer fit into the near caches.",
        source=[(EPYC, "batch"), (XEON, "batch")])


def ladder_run():
    table = rows(EPYC, "ladder_run")

    def first_within(program):
        good = [row for row in pick(table, program=program, done="1") if float(row["error_rad"]) <= 1e-4]
        return min((float(row["seconds"]) for row in good), default=None)

    ours, mujoco = first_within("espalier"), first_within("mujoco")
    lines = [(row["program"], row["step_s"] if row["step_s"] != "0" else "adaptive", row["accuracy"], row["steps"],
              number(float(row["seconds"])), row["error_rad"]) for row in table]
    return dict(
        title="How long does a whole run take to the same accuracy?",
        question="IFToMM's problem A02 with 40 loops, 10 s through its singular positions, until the end is within "
                 "1e-4 rad.",
        answer=f"Espalier takes {ours:.3f} s and MuJoCo {mujoco:.2f} s, {mujoco / ours:.0f} times as long. Simbody "
               f"with "
               "Runge-Kutta-Merson, the only one of its integrators that was tried, does not get there.",
        body=table_of(["program", "step [s]", "tolerance", "steps", "time [s]", "error at the end [rad]"], lines),
        source=[(EPYC, "ladder_run")])


def iftomm():
    lines = [(row["problem"], row["end_time"], row["integrator"], row["tolerance"], row["error"], row["energy_error"],
              number(float(row["seconds"])), row["asked"] or "-", row["published"]) for row in rows(EPYC, "iftomm")]
    return dict(
        title="How accurate and how fast are the IFToMM benchmark problems?",
        question="The five problems A01 to A05 with the rules of 2005 and 2015, by `build/bench/bin/iftomm`. The "
                 "times of "
                 "others are from their machines.",
        answer="All rules are met.",
        body=table_of(["problem", "end [s]", "integrator", "tolerance", "error", "energy error [J]", "time [s]",
                       "asked", "published time [s]"], lines),
        source=[(EPYC, "iftomm")], program="espalier/dynamics/test/iftomm.cpp")


def modes_cost():
    table = rows(EPYC, "modes_cost")
    lines = [(row["chain"], row["elements"], *(number(float(row[key])) if row[key] and float(row[key]) else "-"
              for key in ("count_us", "evaluate_us", "product_us", "ten_modes_ms"))) for row in table]

    def per_element(chain, column, elements=1000):
        return one(table, column, chain=chain, elements=elements) / elements

    return dict(
        title="What does one evaluation of a structure's determinant cost?",
        question="Beams end to end, 10 to 100 000 of them; the reference is the plain product of 4 x 4 transfer "
                 "matrices.",
        answer=f"It is linear in the number of elements: a count takes {per_element('plane', 'count_us'):.2f} µs per "
               f"element "
               f"in the plane and {per_element('space', 'count_us'):.2f} µs in space, a damped evaluation with its "
               f"derivative "
               f"{per_element('damped', 'evaluate_us'):.2f} µs.",
        body=table_of(["chain", "elements", "count [µs]", "with derivative [µs]", "plain product [µs]", "ten modes "
                                "[ms]"],
                      lines) +
             "\n\nThe plain product has no correct digits left from mode 10 on. For 10 000 undamped elements and "
             "more the table "
             "has no time for ten modes: what had been timed there had found nothing, and the program now ends with "
             "an error in "
             "such a case.",
        source=[(EPYC, "modes_cost")])


def modes_peers():
    table = rows(EPYC, "modes_peers")
    cases = [case for case in dict.fromkeys(row["case"] for row in table) if not case.startswith("determinant")]
    lines = []
    for case in cases:
        found = {row["program"]: row for row in pick(table, case=case)}
        base = float(found["espalier"]["milliseconds"])
        peers = [f"{float(found[p]['milliseconds']) / base:.2f}" if p in found else "-" for p in ("LAPACK", "SLEPc")]
        errors = [found[p]["error"] if p in found else "-" for p in ("espalier", "LAPACK", "SLEPc")]
        lines.append((case.replace("_", " "), number(base), *peers, *errors))
    determinants = [(int(row["case"].split("_")[1]), row["program"], float(row["milliseconds"])) for row in table
                    if row["case"].startswith("determinant")]
    sizes = sorted({size for size, _, _ in determinants})
    time = {(size, program): value for size, program, value in determinants}
    slow = [(size, *(number(1000 * time[size, program]) for program in ("separation", "product", "sweep")))
            for size in sizes]
    beam = {row["program"]: float(row["milliseconds"]) for row in pick(table, case="beam")}
    return dict(
        title="How long do modes take beside LAPACK and SLEPc?",
        question="LAPACK (dsygv, dggev) and SLEPc 3.18 (Krylov-Schur, TOAR) on finite elements of the same "
                 "structure, of the "
                 "least order that is within 1e-9. And one determinant beside the literature's separation of "
                 "variables.",
        answer=f"Espalier is not the fastest, but the most accurate, and it alone proves the number of modes. On the "
               f"plane beam "
               f"SLEPc takes {beam['SLEPc'] / beam['espalier']:.2f} and LAPACK "
               f"{beam['LAPACK'] / beam['espalier']:.1f} of "
               f"our {beam['espalier']:.2f} ms.",
        body=table_of(["case", "Espalier [ms]", "LAPACK [x]", "SLEPc [x]", "error, Espalier", "error, LAPACK",
                       "error, SLEPc"], lines) +
             "\n\nFrom 100 elements on neither of the two reaches 1e-9, since stiffness matrices of many short "
             "elements are badly "
             "conditioned.\n\nOne determinant:\n\n" +
             table_of(["segments", "separation of variables [µs]", "plain product [µs]", "with derivative, ours "
                                   "[µs]"], slow),
        source=[(EPYC, "modes_peers")])


def modes_ranks():
    table = rows(XEON, "modes_ranks")

    def efficiencies(experiment, distribution, transport="shared"):
        return [float(row["efficiency"]) for row in pick(table, experiment=experiment, distribution=distribution,
                                                         transport=transport) if row["ranks"] != "1"]

    words = {"table7": "beam of 100 segments", "table8": "launcher", "fig14": "beam of 3 segments",
             "copies": "copies that do not communicate"}
    keys = list(dict.fromkeys((row["experiment"], row["distribution"], row["transport"]) for row in table))
    lines = [(words.get(key[0], key[0]), key[1], key[2], *(f"{value:.2f}" for value in efficiencies(*key)))
             for key in keys]
    beam, copies = efficiencies("table7", "dynamic"), efficiencies("copies", "none", "none")
    return dict(
        title="How do ranks share the recursive search of the literature?",
        question="The literature's Tables 7 and 8 and Figs. 14 and 15 on 1 to 16 ranks: three distributions, shared "
                 "memory and "
                 "TCP.",
        answer=f"Efficiency of the beam with 2, 4, 8 and 16 ranks: {listed(beam, 2)}, distributed dynamically "
               f"(published: 0.98 "
               f"with 4 and 0.73 with 16). Copies that do not communicate have {listed(copies, 2)}: that much the "
               f"machine loses "
               "without any communication.",
        body=table_of(["structure", "distribution", "transport", "2 ranks", "4 ranks", "8 ranks", "16 ranks"], lines) +
             "\n\nDistributing the elements of one point only loses, as published. TCP goes through the loopback "
             "between the same "
             "ranks, since no second host was at hand.",
        source=[(XEON, "modes_ranks"), (EPYC, "modes_ranks")], program="bench/run_modes_ranks")


def tune_rate():
    table = rows(XEON, "tune_rate")
    here = rows(EPYC, "tune_rate")
    lines = [(row["ranks"], row["threads"], f"{float(row['designs_per_second']):.0f}", f"{float(row['ratio']):.2f}")
             for row in table]
    count = [float(row["designs_per_second"]) for row in pick(table, ranks=1)]
    return dict(
        title="How many designs per second does a design search judge?",
        question="The launcher, ten frequencies for each design, their number proved: `espalier tune models/mlrs.yaml "
                 "--generations 20 --threads N`.",
        answer=f"{listed([round(value) for value in count], 4)} designs per second with 1, 2, 4, 8 and 16 threads of "
               f"a Xeon; "
               f"{listed([round(float(row['designs_per_second'])) for row in here], 4)} with one and two threads of "
               f"an EPYC.",
        body=table_of(["ranks", "threads", "designs per second", "speed-up"], lines) +
             "\n\nThe literature gives 3.59 h on one process and 0.44 h on sixteen, for its own model and search.",
        source=[(XEON, "tune_rate"), (EPYC, "tune_rate")])


def piles():
    table = rows(XEON, "piles")
    strong = [row for row in pick(table, part="strong", bodies=100000)]
    lines = []
    for scene in ("spheres", "boxes"):
        base = one(table, "step_ms", part="strong", scene=scene, bodies=100000, ranks=1)
        for row in sorted(pick(strong, scene=scene), key=lambda row: int(row["ranks"])):
            step, ranks = float(row["step_ms"]), int(row["ranks"])
            lines.append((scene, ranks, number(step / 1000), f"{base / step / ranks:.2f}", number(float(row["sweeps"])),
                          number((float(row["neighbour_bytes"]) + float(row["collective_bytes"])) / 1e6),
                          number(float(row["heap_most"]) / 1e6)))

    def seconds(part, ranks, **more):
        return one(table, "step_ms", part=part, scene="spheres", bodies=100000, ranks=ranks, **more) / 1000

    first, last = seconds("strong", 1), seconds("strong", 16)
    return dict(
        title="What does a step of a pile cost, and on how many ranks?",
        question="Spheres, bricks and a mixed scene, 1000 to 100 000 bodies; storage, order of rows, weights of the "
                 "load "
                 "balance; copies that do not communicate show what the machine loses.",
        answer=f"100 000 spheres take {first:.2g} s per step on one rank and {last:.2f} s on 16 (efficiency "
               f"{first / last / 16:.2f}); with rows in the order of ranks {seconds('order', 1):.1f} and "
               f"{seconds('order', 16):.2f} s.",
        body="100 000 bodies:\n\n" +
             table_of(["scene", "ranks", "time per step [s]", "efficiency", "iterations per step", "sent per step "
                                "[MB]",
                       "held by the largest rank [MB]"], lines) +
             "\n\nThe theory of [contact](../docs/theory/contact.md) has more.",
        source=[(XEON, "piles"), (EPYC, "piles")], program="bench/run_piles, bench/piles.cpp")


def piles_converge():
    table = rows(EPYC, "piles_converge")
    lines = []
    for row in table:
        drift = number(float(row["drift_grains"]), 2) if row["phase"] == "settled" else "-"
        lines.append((row["scene"], row["phase"], row["contacts"], f"{row['unconverged']} of {row['steps']}",
                      number(float(row["sweeps"])), number(float(row["iterations"]), 2),
                      number(float(row["step_ms"])), number(float(row["slowest_ms"])), row["residual"],
                      row["overlap_m"], drift))
    failed, steps = (sum(int(row[key]) for row in table) for key in ("unconverged", "steps"))
    worst = max(float(row["residual"]) for row in table)
    return dict(
        title="Does every step of a scene with contact converge?",
        question="Scenes of `generate` with default settings, tolerance 1e-6, while they fall and in their last second. "
                 "The overlap is the deepest of the phase; the drift is the way of the body that goes farthest in the "
                 "last second, against the size of a grain: the chain of beads swings.",
        answer=f"{failed} of {steps} steps do not; the largest residual is {worst:.1e}.",
        body=table_of(["scene", "phase", "contacts", "unconverged", "Gauss-Seidel iterations per step",
                       "Newton iterations per step", "time per step [ms]", "slowest [ms]", "residual", "overlap [m]",
                       "drift [grains]"], lines),
        source=[(EPYC, "piles_converge")])


def friction():
    table = rows(EPYC, "friction")
    lines, ratios, ours = [], [], []
    for problem in dict.fromkeys(row["problem"] for row in table):
        for tolerance in ("0.0001", "1e-08"):
            found = {row["solver"]: row for row in pick(table, problem=problem, tolerance=tolerance)}
            peers = {name: float(found[name]["cpu_ms"]) for name in ("NSGS", "ADMM", "PROX")
                     if found[name]["reached"] == "1"}
            base, best = float(found["auto"]["cpu_ms"]), min(peers.values())
            ratios.append(base / best)
            ours.append(base)
            times_of = [number(peers[name]) if name in peers else "fails" for name in ("NSGS", "ADMM", "PROX")]
            lines.append((problem, tolerance, number(base), *times_of, f"{base / best:.2f}"))
    reached = sum(row["reached"] == "1" for row in pick(table, solver="auto"))
    return dict(
        title="How fast are friction problems solved beside Siconos?",
        question="Ten problems of FCLIB to 1e-4 and 1e-8, one measure for all, beside NSGS, ADMM and PROX of Siconos "
                 "4.4.",
        answer=f"`auto` reaches {reached} of {len(lines)} targets, in {number(min(ours), 2)} to "
               f"{number(max(ours), 2)} ms, and "
               f"takes {min(ratios):.2f} to {max(ratios):.2f} times as long as the fastest of the three that gets "
               f"there.",
        body=table_of(["problem", "tolerance", "auto [ms]", "NSGS [ms]", "ADMM [ms]", "PROX [ms]", "auto / "
                                  "fastest"], lines),
        source=[(EPYC, "friction")])


def collide():
    table = rows(EPYC, "collide")
    pairs = [(row["shapes"], row["pairs"], number(float(row["least_ns"])), row["points"],
              number(float(row["bullet_ns"])) if row["bullet_ns"] else "-", row["bullet_points"] or "-")
             for row in table if not row["shapes"].startswith("broad")]
    broad = [(row["shapes"].split()[2], row["pairs"], number(float(row["least_ns"]) / 1e6), row["points"])
             for row in table if row["shapes"].startswith("broad")]
    return dict(
        title="How long does it take to find where shapes touch?",
        question="Pairs of shapes beside Bullet in double precision, and which of 1000 to 100 000 boxes are near "
                 "each other. "
                 "*Touching* pairs overlap a little; of *near* pairs the boxes along the axes overlap and the shapes "
                 "do not.",
        answer=f"A pair of boxes that touch takes {one(table, 'least_ns', shapes='box', pairs='touching'):.0f} ns "
               f"(Bullet "
               f"{one(table, 'bullet_ns', shapes='box', pairs='touching'):.0f} ns), a pair of hulls "
               f"{one(table, 'least_ns', shapes='hull', pairs='touching'):.0f} ns.",
        body=table_of(["shapes", "pairs", "time per pair [ns]", "points per pair", "Bullet [ns]", "Bullet's "
                                 "points"], pairs) +
             "\n\nBroad phase:\n\n" + table_of(["boxes", "sizes", "time [ms]", "pairs found"], broad),
        source=[(EPYC, "collide")])


def view():
    table = rows(EPYC, "view")
    lines = [(row["case"], row["bodies"], row["frames"], number(float(row["processor_s"]), 2),
              number(float(row["page_mb"]), 2), row["result_mb"] or "-", row["paraview_mb"] or "-",
              row["position_error_m"]) for row in table]
    beast = next(row for row in table if row["case"].startswith("strandbeest"))
    piles = [row for row in table if row["case"].startswith("pile")]
    share = [float(row["page_mb"]) / float(row["result_mb"]) for row in table if row["result_mb"]]
    return dict(
        title="How large are the pages of view, and how long do they take?",
        question="One page each, beside the result.h5 that it shows: a strandbeest that walks for 10 s, a robot of the "
                 "literature, piles of spheres that fall, and the model of 100 000 spheres.",
        answer=f"The strandbeest takes {float(beast['page_mb']):.2g} MB and {float(beast['processor_s']):.2g} s, a pile "
               f"of {piles[-1]['bodies']} spheres with {piles[-1]['frames']} frames {float(piles[-1]['page_mb']):.2g} MB "
               f"and {float(piles[-1]['processor_s']):.2g} s. A page has {100 * min(share):.2g} to "
               f"{100 * max(share):.2g} % of the bytes of its result.",
        body=table_of(["case", "bodies", "frames", "processor time [s]", "page [MB]", "result.h5 [MB]",
                       "ParaView [MB]", "largest error of a position [m]"], lines) +
             "\n\nPages hold the libraries that draw them, deflated, in 0.35 MB. Piles that just began to fall deflate "
             "better than piles at rest. The robot is the kangaroo-like pair of legs of Gepetto, which does not come "
             "with the program.",
        source=[(EPYC, "view")], program="bench/run_view")


QUESTIONS = [read_models, plan_large, forward_dynamics, plan_pays, threads, batch, ladder_run, iftomm, modes_cost,
             modes_peers, modes_ranks, tune_rate, piles, piles_converge,
             friction, collide, view]

INDEX = """# Measurements

    make bench                            # build, then run every program here
    bench/run build/bench read_models     # one question

One program answers one question, and one page shows the answer. Each program measures a *reference* in the same run,
and what counts is the ratio to it: times differ from machine to machine and from moment to moment, ratios much less.
`bench/run` interleaves the repetitions at random and takes medians of five.

The numbers are in `results/<machine>/<question>.csv`, and the processor, compiler and commit in `machine.txt` beside
them. `bench/pages.py` writes the pages from these files, so that no figure can differ from its measurement.
`BENCH_MACHINE=name bench/run` chooses the name of the folder.

A new question is a file `<question>.cpp`, a line in `CMakeLists.txt` and a function in `pages.py`.
"""


def page(name, parts):
    """One question as a page."""
    program = parts.get("program", f"bench/{name}.cpp")
    sources = ", ".join(f"[{machine}/{csv_name}](results/{machine}/{csv_name}.csv)"
                        for machine, csv_name in parts["source"])
    text = (f"# {parts['title']}\n\n{parts['question']}\n\n**{parts['answer']}**\n\n{parts['body']}\n\n"
            f"Program: `{program}`. Numbers: {sources}.")
    return wrap(text) + "\n"


def pages():
    """{file name: text} of everything that this script writes."""
    written, index = {}, []
    for question in QUESTIONS:
        name = question.__name__
        parts = question()
        written[f"{name}.md"] = page(name, parts)
        index.append((f"[{parts['title']}]({name}.md)", parts["answer"]))
    written["README.md"] = INDEX + "\n" + table_of(["question", "answer"], index).replace("--:", "---") + "\n"
    return written


def main(arguments):
    """Writes the pages, or compares them."""
    stale = []
    for name, text in pages().items():
        path = BENCH / name
        if arguments == ["--check"]:
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                stale.append(name)
        else:
            path.write_text(text, encoding="utf-8")
    if stale:
        sys.exit(f"not what bench/pages.py writes: {', '.join(stale)}; run it")


if __name__ == "__main__":
    main(sys.argv[1:])
