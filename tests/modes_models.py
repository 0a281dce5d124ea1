"""Small models for the tests of the verb modes."""

# A mass on a spring along x: 10 rad/s.
MASS = """espalier: 1
name: mass on a spring
gravity: [0, 0, 0]
active: [x]
bodies:
  - {name: mass, mass: 2, inertia: [1, 1, 1]}
joints:
  - {name: spring, type: prismatic, between: [ground, mass], at: {axis: [1, 0, 0]}, stiffness: 200}
"""
# A clamped rod that bends.
ROD = """espalier: 1
gravity: [0, 0, 0]
active: [y, rz]
materials: {steel: {density: 7850, E: 2.1e+11, G: 8.1e+10}}
bodies:
  - {name: rod, kind: beam, from: [0, 0, 0], to: [1, 0, 0], section: {b: 0.01, h: 0.01}, material: steel}
joints:
  - {name: clamp, type: fixed, between: [ground, rod], at: {position: [0, 0, 0]}}
"""
