"""Broken files: each must end with exit code 2 and a message that names file, line, value and way out.

usage: bad_input_test.py PROGRAM

A case is a file name, its text, the line the message must name (0: the file alone) and words it must hold.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)

HEAD = "espalier: 1\n"
BODY = "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
TWO = "bodies: [{name: crank, mass: 1, inertia: [1, 1, 1]}, {name: rocker, mass: 1, inertia: [1, 1, 1]}]\n"
PIN = "{name: p, type: revolute, between: [ground, a], at: {position: [0, 0, 0]}}"
JOINT = f"joints: [{PIN}]\n"


def native(name, text, line, *words):
    return (name + ".yaml", HEAD + text, line, words)


def joint(name, fields, *words):
    return native(
        name, BODY + "joints:\n  - {name: p, type: revolute, between: [ground, a], " + fields + "}\n", 4, *words
    )


NATIVE = [
    ("empty.yaml", "", 1, ["empty"]),
    ("comments_only.yaml", "# nothing\n# here\n", 1, ["nothing but comments"]),
    ("binary.yaml", "\x00\x01\x02", 1, ["not a text file"]),
    ("no_version.yaml", BODY + JOINT, 1, ["espalier: 1"]),
    ("a_list.yaml", "- 1\n- 2\n", 1, ["not a format I read"]),
    ("foreign.yaml", "apiVersion: v1\nkind: Pod\n", 1, ["not a format I read"]),
    ("chrono.yaml", "chrono-version: 10.0\nmodel: {}\n", 1, ["Chrono", "not a format I read"]),
    ("newer.yaml", "espalier: 2\n" + BODY, 1, ["version '2'", "version 1"]),
    ("two_documents.yaml", HEAD + BODY + JOINT + "---\nespalier: 1\n", 5, ["second YAML document"]),
    ("truncated.yaml", HEAD + "bodies: [{name: a, mass: 1, inertia: [1, 1", 0, ["broken YAML", "brackets"]),
    ("bad_indent.yaml", HEAD + "bodies:\n  - name: a\n mass: 1\n", 4, ["broken YAML"]),
    ("tab.yaml", HEAD + "bodies:\n\t- {name: a}\n", 3, ["broken YAML"]),
    ("open_quote.yaml", HEAD + 'name: "never closed\n', 0, ["broken YAML"]),
    ("deep_flow.yaml", HEAD + "name: " + "[" * 1000000, 2, ["64 levels"]),
    ("deep_block.yaml", HEAD + "name:\n" + "- " * 1000000, 3, ["64 levels"]),
    ("deep_json.json", '{"espalier": 1, "name": ' + '{"a":' * 1000000, 1, ["64 levels"]),
    native("no_bodies", "name: nothing\n", 1, "no body"),
    native("unknown_key", "bodeis: []\n", 2, "'bodeis'", "did you mean 'bodies'?"),
    native("duplicate_key", "name: a\nname: b\n", 3, "'name'", "twice", "keep one"),
    native("duplicate_inner_key", "bodies: [{name: a, mass: 1, mass: 2}]\n", 2, "'mass'", "twice"),
    native("bodies_not_a_list", "bodies: 7\n", 2, "`bodies` must be a list", "'7'"),
    native("body_not_a_map", "bodies: [a]\n", 2, "must be a map"),
    native("body_without_name", "bodies: [{mass: 1}]\n", 2, "needs `name`"),
    native("unknown_unit", "units: {length: furlong}\n" + BODY, 2, "'furlong'", "m, cm, mm"),
    native("unknown_kind", "bodies: [{name: a, kind: jelly}]\n", 2, "'jelly'", "rigid"),
    native(
        "mass_is_text",
        "bodies: [{name: a, mass: heavy, inertia: [1, 1, 1]}]\n",
        2,
        "`mass` must be a number",
        "'heavy'",
    ),
    native("mass_is_quoted", 'bodies: [{name: a, mass: "1", inertia: [1, 1, 1]}]\n', 2, "must be a number"),
    native("mass_nan", "bodies: [{name: a, mass: .nan, inertia: [1, 1, 1]}]\n", 2, "'.nan'", "finite"),
    native("mass_infinite", "bodies: [{name: a, mass: .inf, inertia: [1, 1, 1]}]\n", 2, "'.inf'", "finite"),
    native("mass_overflow", "bodies: [{name: a, mass: 1e999, inertia: [1, 1, 1]}]\n", 2, "'1e999'"),
    native("mass_negative", "bodies: [{name: a, mass: -1, inertia: [1, 1, 1]}]\n" + JOINT, 2, "negative mass"),
    native("no_mass", "bodies: [{name: a}]\n" + JOINT, 2, "no mass", "give `mass`"),
    native("no_inertia", "bodies: [{name: a, mass: 1}]\n" + JOINT, 2, "no inertia", "kind: point"),
    native(
        "inertia_triangle",
        "bodies: [{name: a, mass: 1, inertia: [1, 1, 3]}]\n" + JOINT,
        2,
        "1, 1, 3",
        "sum of the other two",
    ),
    native("inertia_negative", "bodies: [{name: a, mass: 1, inertia: [1, 1, 1, 2, 0, 0]}]\n" + JOINT, 2, "positive"),
    native("inertia_count", "bodies: [{name: a, mass: 1, inertia: [1, 1]}]\n", 2, "[ixx, iyy, izz]"),
    native("inertia_without_mass", "bodies: [{name: a, inertia: [1, 1, 1]}]\n" + JOINT, 2, "no mass"),
    native("com_count", "bodies: [{name: a, mass: 1, com: [0, 0], inertia: [1, 1, 1]}]\n", 2, "three numbers", "2"),
    native(
        "duplicate_bodies",
        "bodies:\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\n  - {name: a, mass: 1, inertia: [1, 1, 1]}\n",
        4,
        "named 'a'",
        "line 3",
        "rename",
    ),
    native("heavy_ground", "bodies: [{name: ground, mass: 1}]\n", 2, "'ground'"),
    native(
        "rotation_not_unit",
        "bodies: [{name: a, mass: 1, inertia: [1, 1, 1], pose: {rotation: [1, 1, 0, 0]}}]\n",
        2,
        "length 1.414",
        "length 1",
    ),
    native(
        "rotation_count",
        "bodies: [{name: a, mass: 1, inertia: [1, 1, 1], pose: {rotation: [1, 0, 0]}}]\n",
        2,
        "[w, x, y, z]",
    ),
    native(
        "unknown_material",
        "bodies: [{name: a, material: stele, mass: 1, inertia: [1, 1, 1]}]\nmaterials: {steel: {density: 1}}\n",
        2,
        "'stele'",
        "did you mean 'steel'?",
    ),
    native("restitution", "materials: {m: {restitution: 2}}\n" + BODY, 2, "restitution", "between 0 and 1"),
    native(
        "shape_radius",
        "bodies: [{name: a, mass: 1, shapes: [{sphere: {radius: -1}}]}]\n" + JOINT,
        2,
        "radius must be positive",
    ),
    native(
        "shape_two_kinds",
        "bodies: [{name: a, mass: 1, shapes: [{sphere: {radius: 1}, box: {size: [1, 1, 1]}}]}]\n",
        2,
        "exactly one of",
    ),
    native(
        "hull_three_points",
        "bodies: [{name: a, mass: 1, shapes: [{hull: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}]}]\n" + JOINT,
        2,
        "four points",
    ),
    native("no_density", "bodies: [{name: a, shapes: [{sphere: {radius: 1}}]}]\n" + JOINT, 2, "density"),
    native(
        "beam_without_section",
        "bodies: [{name: a, kind: beam, from: [0, 0, 0], to: [1, 0, 0]}]\n",
        2,
        "needs `section`",
    ),
    native(
        "beam_no_length",
        "materials: {m: {density: 1, E: 1}}\nbodies: [{name: a, kind: beam, from: [0, 0, 0], to: [0, 0, 0], section: {b: 1, h: 1}, material: m}]\n",
        3,
        "no length",
    ),
    native(
        "beam_no_modulus",
        "materials: {m: {density: 1}}\nbodies: [{name: a, kind: beam, from: [0, 0, 0], to: [1, 0, 0], section: {b: 1, h: 1}, material: m}]\n"
        + "joints: [{name: p, type: fixed, between: [ground, a], at: {}}]\n",
        3,
        "`E`",
    ),
    native(
        "beam_section_mixed",
        "bodies: [{name: a, kind: beam, from: [0, 0, 0], to: [1, 0, 0], section: {b: 1, radius: 1}}]\n",
        2,
        "{b, h}",
    ),
    native(
        "beam_held_beside_its_axis",
        "materials: {m: {density: 1, E: 1}}\nbodies: [{name: a, kind: beam, from: [0, 0, 0], to: [1, 0, 0], section: {b: 1, h: 1}, material: m}]\njoints:\n  - {name: p, type: fixed, between: [ground, a], at: {position: [0.5, 0.25, 0]}}\n",
        5,
        "0.25 m",
        "weld a rigid body",
    ),
    native(
        "unknown_body",
        TWO + "joints:\n  - {name: C, type: revolute, between: [crank, rockr], at: {}}\n",
        4,
        "joint 'C'",
        "'rockr'",
        "did you mean 'rocker'?",
    ),
    native(
        "self_joint", BODY + "joints:\n  - {name: p, type: revolute, between: [a, a], at: {}}\n", 4, "'a' to itself"
    ),
    native("one_body", BODY + "joints:\n  - {name: p, type: revolute, between: [a], at: {}}\n", 4, "two bodies"),
    native("duplicate_joints", BODY + f"joints:\n  - {PIN}\n  - {PIN}\n", 5, "named 'p'", "line 4"),
    native(
        "unknown_joint_type",
        BODY + "joints:\n  - {name: p, type: revolut, between: [ground, a], at: {}}\n",
        4,
        "'revolut'",
        "did you mean 'revolute'?",
    ),
    native("no_place", BODY + "joints:\n  - {name: p, type: revolute, between: [ground, a]}\n", 4, "`at`", "`in`"),
    native(
        "wrong_frame_owner",
        BODY + "joints:\n  - {name: p, type: revolute, between: [ground, a], in: {ground: {}, b: {}}}\n",
        4,
        "needs `a`",
    ),
    joint("zero_axis", "at: {axis: [0, 0, 0]}", "`axis` must not be zero"),
    joint("limits_swapped", "at: {}, limits: [1, -1]", "[1, -1]", "lower one first"),
    joint("limits_count", "at: {}, limits: [1]", "[low, high]"),
    joint("stiffness_count", "at: {}, stiffness: [1, 2]", "takes 1 number"),
    joint("damping_negative", "at: {}, damping: -1", "`damping` = -1", "zero or more"),
    joint("pitch_on_hinge", "at: {}, pitch: 1", "`type: screw`"),
    joint("reaction_word", "at: {}, reaction: yes", "`wanted`"),
    native(
        "screw_without_pitch",
        BODY + "joints:\n  - {name: p, type: screw, between: [ground, a], at: {}}\n",
        4,
        "`pitch`",
    ),
    native(
        "universal_one_axis",
        BODY + "joints:\n  - {name: p, type: universal, between: [ground, a], at: {axis: [1, 0, 0]}}\n",
        4,
        "`axis2`",
    ),
    native(
        "elastic_weld",
        BODY + "joints:\n  - {name: p, type: fixed, between: [ground, a], at: {}, stiffness: 5}\n",
        4,
        "type: free",
    ),
    native(
        "disconnected",
        TWO + "joints:\n  - {name: C, type: revolute, between: [ground, crank], at: {}}\n",
        2,
        "2 pieces",
        "'rocker'",
        "type: free",
    ),
    native(
        "coupling_unknown", BODY + JOINT + "couplings:\n  - {joints: [p, q], ratio: [1, 1]}\n", 5, "unknown joint 'q'"
    ),
    native(
        "coupling_ratio",
        BODY + JOINT + "couplings:\n  - {joints: [p], ratio: [1, 1]}\n",
        5,
        "one number for each joint",
    ),
    native(
        "spring_no_ends", BODY + JOINT + "forces:\n  - {spring: {between: [ground, a], stiffness: 1}}\n", 5, "`at: [["
    ),
    native("force_no_law", BODY + JOINT + "forces:\n  - {name: f}\n", 5, "exactly one of"),
    native("expression", BODY + JOINT + 'forces:\n  - {torque: {joint: p, value: "2*sin(t"}}\n', 5, "column 8", "')'"),
    native("expression_name", BODY + JOINT + 'forces:\n  - {torque: {joint: p, value: "2*x"}}\n', 5, "column 3", "'x'"),
    native(
        "expression_deep",
        BODY + JOINT + 'forces:\n  - {torque: {joint: p, value: "' + "(" * 100000 + '"}}\n',
        5,
        "fewer nested",
    ),
    native("force_on_hinge", BODY + JOINT + "forces:\n  - {force: {joint: p, value: 1}}\n", 5, "turns", "`torque`"),
    native(
        "moved_twice",
        BODY + JOINT + "forces:\n  - {motion: {joint: p, position: t}}\n  - {motion: {joint: p, position: t}}\n",
        6,
        "moved twice",
    ),
    native("contact_exclude", BODY + JOINT + "contact: {pairs: {exclude: [[a, b]]}}\n", 4, "'b'"),
    native("keyframe_size", BODY + JOINT + "keyframes:\n  - {name: k, positions: {p: [1, 2]}}\n", 5, "takes 1 number"),
    native(
        "keyframe_quaternion",
        BODY
        + "joints: [{name: p, type: spherical, between: [ground, a], at: {}}]\nkeyframes:\n  - {name: k, positions: {p: [0, 0, 0, 0]}}\n",
        5,
        "quaternion",
        "length 1",
    ),
    native(
        "com_without_inertia",
        "bodies: [{name: a, mass: 1, com: [0, 0, 1], shapes: [{sphere: {radius: 1}}]}]\n" + JOINT,
        2,
        "`com`",
        "`inertia`",
    ),
    native(
        "coupling_offset",
        BODY + JOINT + "couplings:\n  - {joints: [p], polynomial: [1], offset: 3}\n",
        5,
        "`offset`",
        "c0",
    ),
    native("long_name", "bodies: [{name: " + "x" * 600 + ", mass: 1, inertia: [1, 1, 1]}]\n" + JOINT, 2, "500 bytes"),
    native("keyframe_joint", BODY + JOINT + "keyframes:\n  - {name: k, positions: {q: 1}}\n", 5, "unknown joint 'q'"),
    native(
        "alias_bomb",
        "".join(f"k{i}: &a{i} [{', '.join(['*a%d' % (i - 1) if i else 'x'] * 10)}]\n" for i in range(12)),
        7,
        "more than 100 MiB",
    ),
]

URDF_LINKS = '<robot name="r">\n<link name="a"/>\n<link name="b"/>\n'
URDF_JOINT = '<joint name="j" type="revolute"><parent link="a"/><child link="b"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>\n'


def urdf(name, text, line, *words):
    return (name + ".urdf", text, line, words)


URDF = [
    urdf("truncated", URDF_LINKS + '<joint name="j" type="fix', 0, "XML"),
    urdf("not_closed", '<robot name="r">\n<link name="a">\n</robot>\n', 0, "closed"),
    urdf("no_links", '<robot name="r">\n</robot>\n', 1, "link"),
    urdf(
        "unknown_child",
        URDF_LINKS + '<joint name="j" type="fixed"><parent link="a"/><child link="bb"/></joint>\n</robot>\n',
        4,
        "'bb'",
        "did you mean 'b'?",
    ),
    urdf("no_parent", URDF_LINKS + '<joint name="j" type="fixed"><child link="b"/></joint>\n</robot>\n', 4, "parent"),
    urdf("duplicate_links", '<robot name="r">\n<link name="a"/>\n<link name="a"/>\n</robot>\n', 3, "'a'", "2"),
    urdf(
        "duplicate_joints",
        URDF_LINKS + '<link name="c"/>\n' + URDF_JOINT + URDF_JOINT.replace('"b"', '"c"') + "</robot>\n",
        6,
        "'j'",
        "5",
    ),
    urdf(
        "unknown_type",
        URDF_LINKS + URDF_JOINT.replace("revolute", "revolut") + "</robot>\n",
        4,
        "'revolut'",
        "did you mean 'revolute'?",
    ),
    urdf("zero_axis", URDF_LINKS + URDF_JOINT.replace("<limit", '<axis xyz="0 0 0"/><limit') + "</robot>\n", 4, "zero"),
    urdf(
        "nan_mass",
        '<robot name="r">\n<link name="a"><inertial>\n<mass value="nan"/></inertial></link>\n</robot>\n',
        3,
        "'nan'",
        "finite",
    ),
    urdf(
        "self_joint",
        URDF_LINKS + '<joint name="j" type="fixed"><parent link="a"/><child link="a"/></joint>\n</robot>\n',
        4,
        "itself",
    ),
    urdf("two_roots", URDF_LINKS + "</robot>\n", 0, "root"),
    urdf(
        "no_root",
        URDF_LINKS
        + URDF_JOINT
        + URDF_JOINT.replace('"j"', '"k"').replace(
            'parent link="a"/><child link="b"', 'parent link="b"/><child link="a"'
        )
        + "</robot>\n",
        0,
        "root",
    ),
    urdf(
        "wrong_count",
        URDF_LINKS + URDF_JOINT.replace("<limit", '<origin xyz="0 0"/><limit') + "</robot>\n",
        4,
        "three numbers",
    ),
    urdf("deep", '<robot name="r">\n' + "<a>" * 1000000, 0, "nested too deeply"),
    ("other.xml", '<?xml version="1.0"?>\n<svg></svg>\n', 1, ["<svg>", "not a format I read"]),
]


def sdf(name, text, line, *words):
    return (name + ".sdf", '<sdf version="1.9">\n<model name="m">\n' + text, line, words)


LINKS = '<link name="a"><inertial><mass>1</mass></inertial></link>\n<link name="b"><inertial><mass>1</mass></inertial></link>\n'
END = "</model>\n</sdf>\n"
SDF = [
    sdf("truncated", LINKS + '<joint name="j" ty', 0, "XML"),
    sdf("no_child", LINKS + '<joint name="j" type="fixed"><parent>a</parent></joint>\n' + END, 5, "child"),
    sdf(
        "unknown_link",
        LINKS + '<joint name="j" type="fixed"><parent>a</parent><child>bb</child></joint>\n' + END,
        5,
        "'bb'",
        "did you mean 'b'?",
    ),
    sdf(
        "unknown_type",
        LINKS + '<joint name="j" type="revolut"><parent>a</parent><child>b</child></joint>\n' + END,
        5,
        "'revolut'",
        "did you mean 'revolute'?",
    ),
    sdf("pose_count", '<link name="a">\n<pose>1 2 3</pose></link>\n' + END, 4, "6 numbers"),
    sdf("nan", '<link name="a">\n<pose>nan 0 0 0 0 0</pose></link>\n' + END, 4, "'nan'"),
    sdf(
        "frame_cycle", LINKS + '<frame name="f" attached_to="g"/>\n<frame name="g" attached_to="f"/>\n' + END, 0, "'f'"
    ),
    sdf("include", "<include><uri>model://x</uri></include>\n" + END, 3, "include"),
    sdf("duplicate", LINKS + '<link name="a"/>\n' + END, 5, "'a'", "3"),
]


def mjcf(name, text, line, *words):
    return (name + ".xml", "<mujoco>\n" + text, line, words)


MJCF = [
    mjcf("truncated", '<worldbody>\n<body name="a"', 0, "XML"),
    mjcf("no_world", "</mujoco>\n", 0, "bod"),
    mjcf(
        "unknown_class",
        '<worldbody>\n<body name="a"><joint class="x"/><geom size="1"/></body>\n</worldbody>\n</mujoco>\n',
        3,
        "'x'",
    ),
    mjcf(
        "connect_unknown",
        '<worldbody>\n<body name="arm"><freejoint/><geom size="1"/></body>\n</worldbody>\n<equality>\n<connect body1="amr" anchor="0 0 0"/>\n</equality>\n</mujoco>\n',
        6,
        "'amr'",
        "did you mean 'arm'?",
    ),
    mjcf(
        "zero_axis",
        '<worldbody>\n<body name="a"><joint axis="0 0 0"/><geom size="1"/></body>\n</worldbody>\n</mujoco>\n',
        3,
        "zero",
    ),
    mjcf(
        "nan",
        '<worldbody>\n<body name="a" pos="nan 0 0"><freejoint/><geom size="1"/></body>\n</worldbody>\n</mujoco>\n',
        3,
        "'nan'",
    ),
    mjcf("include_missing", '<include file="nowhere.xml"/>\n<worldbody/>\n</mujoco>\n', 2, "nowhere.xml"),
    mjcf("include_cycle", '<include file="include_cycle.xml"/>\n<worldbody/>\n</mujoco>\n', 2, "include"),
    mjcf(
        "duplicate",
        '<worldbody>\n<body name="a"><freejoint/><geom size="1"/></body>\n<body name="a"><freejoint/><geom size="1"/></body>\n</worldbody>\n</mujoco>\n',
        4,
        "'a'",
        "3",
    ),
]


USD_ARM = (
    'def Xform "arm" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {\n'
    "float physics:mass = 1\nfloat3 physics:diagonalInertia = (1, 1, 1)\n}\n"
)


def usd(name, text, line, *words):
    return (name + ".usda", '#usda 1.0\n(metersPerUnit = 1\nupAxis = "Z")\n' + text, line, words)


def usd_joint(name, inside, line, *words):
    return usd(name, USD_ARM + 'def PhysicsRevoluteJoint "p" {\n' + inside + "\n}\n", line, *words)


USD = [
    ("nothing.usda", "#usda 1.0\n", 0, ["no body"]),
    ("binary.usdc", "PXR-USDC\x00\x00", 1, ["binary USD", "usdcat"]),
    ("units.usda", "#usda 1.0\n(\nmetersPerUnit = 0\n)\n", 3, ["metersPerUnit", "above 0"]),
    ("up.usda", '#usda 1.0\n(\nupAxis = "X"\n)\n', 3, ["'X'", '"Y" or "Z"']),
    ("layers.usda", "#usda 1.0\n(subLayers = [@a.usda@])\n", 2, ["subLayers", "'a.usda'", "--flatten"]),
    usd("open_prim", 'def Xform "a" {\n', 5, "the end of the file"),
    usd("open_string", 'def Xform "a {\n}\n', 4, "not closed"),
    usd("open_dictionary", 'def Xform "a" (customData = {\n', 4, "not closed"),
    usd("sign", "def Xform 'a' { float x = $ }\n", 4, "'$'"),
    usd("no_value", 'def Xform "a" {\nfloat x =\n}\n', 6, "a value is expected"),
    usd("number", 'def Xform "a" {\nfloat x = 1e999\n}\n', 5, "'1e999'"),
    usd("twice", 'def Xform "a" {\nfloat x = 1\nfloat x = 2\n}\n', 6, "'x'", "twice"),
    usd("same_name", USD_ARM + USD_ARM, 8, "'arm'", "line 4", "rename"),
    usd("deep", 'def "a" {' * 100000, 4, "200 levels"),
    usd("deep_list", 'def "a" { float x = ' + "[" * 100000, 4, "200 levels"),
    usd("reference", 'def Xform "a" (\nprepend references = @b.usd@</b>\n) {}\n', 5, "references", "'b.usd'"),
    usd("variants", 'def Xform "a" {\nvariantSet "size" = {\n"big" {}\n}\n}\n', 5, "'size'", "--flatten"),
    usd(
        "operation",
        'def Xform "a" {\nfloat xformOp:rotateX = 1\nuniform token[] xformOpOrder = ["xformOp:rotatX"]\n}\n',
        6,
        "did you mean 'xformOp:rotateX'?",
    ),
    usd_joint("no_prim", "rel physics:body1 = </amr>", 8, "'/amr'", "did you mean 'arm'?"),
    usd_joint("to_itself", "rel physics:body0 = </arm>\nrel physics:body1 = </arm>", 8, "joins 'arm' to itself"),
    usd_joint("axis", 'rel physics:body1 = </arm>\nuniform token physics:axis = "W"', 10, "'W'"),
    usd_joint("count", "rel physics:body1 = </arm>\npoint3f physics:localPos1 = (1, 2)", 10, "3 numbers"),
    usd_joint("nan", "rel physics:body1 = </arm>\nfloat physics:lowerLimit = nan", 10, "not a number"),
    usd("type", USD_ARM + 'def PhysicsRevoluteJiont "p" {}\ndef PhysicsFixdJoint "q" {}\n', 9, "PhysicsFixedJoint"),
    usd("moment", USD_ARM.replace("(1, 1, 1)", "(1, -1, 1)"), 4, "'arm'", "positive"),
]


class BadInput(unittest.TestCase):
    def run_check(self, path, *options):
        return subprocess.run([PROGRAM, "check", path, *options], capture_output=True, text=True, timeout=60)

    def assert_refused(self, folder, name, text, line, words):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        answer = self.run_check(path)
        self.assertEqual(answer.returncode, 2, f"{name}: {answer.stdout} {answer.stderr}")
        self.assertEqual(answer.stdout, "", name)
        place = f"{path}:{line}: " if line else path
        self.assertTrue(answer.stderr.startswith(f"espalier: {place}"), f"{name}: {place} is not in: {answer.stderr}")
        self.assertEqual(answer.stderr.count("\n"), 1, f"{name}: one line, please: {answer.stderr}")
        self.assertLess(len(answer.stderr), 600 + len(path), name)
        for word in words:
            self.assertIn(word, answer.stderr, name)

    def test_each_broken_file_is_refused_with_place_and_way_out(self):
        cases = NATIVE + URDF + SDF + MJCF + USD
        self.assertGreaterEqual(len(cases), 40)
        names = [name for name, *_ in cases]
        self.assertEqual(len(names), len(set(names)), "two cases share a file name")
        with tempfile.TemporaryDirectory() as folder:
            for name, text, line, words in cases:
                with self.subTest(name):
                    self.assert_refused(folder, name, text, line, words)

    def test_paths_that_are_no_file(self):
        for path, words in (("/nowhere/x.yaml", "no such file"), ("/", "folder"), ("/dev/zero", "device")):
            answer = self.run_check(path)
            self.assertEqual(answer.returncode, 2)
            self.assertIn(words, answer.stderr)

    def test_json_carries_the_error(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.yaml")
            with open(path, "w") as file:
                file.write("espalier: 1\nbodeis: []\n")
            answer = self.run_check(path, "--json")
            self.assertEqual(answer.returncode, 2)
            error = json.loads(answer.stdout)["error"]
            self.assertEqual((error["code"], error["file"], error["line"]), ("name", path, 2))

    def test_full_disk_leaves_no_half_file(self):
        answer = subprocess.run([PROGRAM, "generate", "four_bar", "-o", "/dev/full"], capture_output=True, text=True)
        self.assertEqual(answer.returncode, 2)
        self.assertIn("No space left", answer.stderr)

    def test_full_standard_output_is_said(self):
        with open("/dev/full", "w") as full:
            answer = subprocess.run([PROGRAM, "generate", "four_bar"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(answer.returncode, 1)
        self.assertIn("standard output", answer.stderr)

    def test_bad_options(self):
        for arguments, words in (
            ([], "no verb is given"),
            (["chek", "x"], "did you mean 'check'?"),
            (["check"], "model"),
            (["check", "x", "--bogus"], "--bogus"),
            (["generate", "lader"], "did you mean 'ladder'?"),
            (["generate", "ladder", "0"], "loops"),
            (["generate", "ladder", "x"], "x"),
            (["generate", "ladder", "2", "3"], "1 size"),
            (["generate", "four_bar", "--to", "dae"], "native, urdf, sdf, mjcf and usda"),
            (["generate", "chain", "--spatial"], "--spatial belongs to ladder; chain has no such choice"),
            (
                ["generate", "four_bar", "--seed", "3"],
                "--seed belongs to random, pile, silo, 3sat and liu99_table3; four_bar has no such choice",
            ),
            (["generate", "lader", "--seed", "3"], "did you mean 'ladder'?"),
        ):
            answer = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
            self.assertEqual(answer.returncode, 2, arguments)
            self.assertIn(words, answer.stderr, arguments)

    def test_base_is_refused_where_the_file_says_how_it_stands(self):
        for name, text, word in (
            ("a.yaml", HEAD + BODY + JOINT, "native"),
            ("a.json", '{"vertices": 2, "edges": [[1, 2, 3]]}', "graph"),
        ):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, name)
                with open(path, "w") as file:
                    file.write(text)
                for verb in ("check", "convert", "plan") if word != "graph" else ("plan",):
                    answer = subprocess.run([PROGRAM, verb, path, "--base", "fixed"], capture_output=True, text=True)
                    self.assertEqual(answer.returncode, 2, name)
                    self.assertIn(f"{path}: --base is for URDF", answer.stderr)
                    self.assertIn(word, answer.stderr)


if __name__ == "__main__":
    unittest.main()
