#!/usr/bin/env python3
"""Prints Geometry/GeometryValues.swift: rotations, cameras and slews by NumPy.

    python3 Tests/MoDSPTests/Outside/geometry.py > Tests/MoDSPTests/Geometry/GeometryValues.swift

Rotations by Rodrigues' formula, cameras by the matrices of the OpenGL 2.1 reference pages (gluPerspective, glOrtho,
gluLookAt), slews by integrating y' = r (g - y) in small steps with Runge and Kutta's method.
"""
import numpy as np

rng = np.random.default_rng(1)


def row(values):
    return "[" + ", ".join(f"{v:.9g}" for v in np.ravel(values)) + "]"


def table(name, what, rows):
    print(f"  /// {what}\n  static let {name}: [[Float]] = [")
    for r in rows:
        print("    " + row(np.concatenate([np.ravel(part) for part in r])) + ",")
    print("  ]")


def turned(axis, angle):
    x, y, z = axis / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def perspective(fovy, aspect, near, far):
    f = 1 / np.tan(fovy / 2)
    return np.array([[f / aspect, 0, 0, 0], [0, f, 0, 0],
                     [0, 0, (far + near) / (near - far), 2 * far * near / (near - far)], [0, 0, -1, 0]])


def orthographic(l, r, b, t, n, f):
    return np.array([[2 / (r - l), 0, 0, -(r + l) / (r - l)], [0, 2 / (t - b), 0, -(t + b) / (t - b)],
                     [0, 0, -2 / (f - n), -(f + n) / (f - n)], [0, 0, 0, 1]])


def look(eye, target, up):
    f = (target - eye) / np.linalg.norm(target - eye)
    s = np.cross(f, up / np.linalg.norm(up))
    u = np.cross(s / np.linalg.norm(s), f)
    m, t = np.eye(4), np.eye(4)
    m[:3, :3] = [s / np.linalg.norm(s), u, -f]
    t[:3, 3] = -eye
    return m @ t


def slewed(rate, goals, seconds, steps=20_000):
    """The goal goes through `goals` in straight lines, evenly spaced in time."""
    y, h = goals[0], seconds / steps
    goal = lambda t: np.interp(t, np.linspace(0, seconds, len(goals)), goals)
    for i in range(steps):
        t = i * h
        k1 = rate * (goal(t) - y)
        k2 = rate * (goal(t + h / 2) - y - h / 2 * k1)
        k3 = rate * (goal(t + h / 2) - y - h / 2 * k2)
        k4 = rate * (goal(t + h) - y - h * k3)
        y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


print("// Made by Outside/geometry.py; do not edit.\n\n/// Reference values by NumPy.\nenum GeometryValues {")
rows = []
for _ in range(8):
    axis, angle, v = rng.normal(size=3), rng.uniform(-3, 3), rng.normal(size=3) * 3
    rows.append((axis, [angle], v, turned(axis, angle) @ v))
table("rotations", "Axis, angle, a vector, the vector rotated.", rows)
rows = []
for _ in range(6):
    p, y, r = rng.uniform(-3, 3, size=3)
    m = turned(np.array([0, 1, 0]), y) @ turned(np.array([1, 0, 0]), p) @ turned(np.array([0, 0, 1]), r)
    v = rng.normal(size=3)
    rows.append(([p, y, r], v, m @ v))
table("attitudes", "Pitch, yaw, roll, a vector, the vector rotated.", rows)
rows = []
for _ in range(4):
    a = [rng.uniform(0.3, 2.5), rng.uniform(0.5, 2), rng.uniform(0.1, 1), rng.uniform(10, 1000)]
    rows.append((a, perspective(*a).T))
table("perspectives", "Field of view, aspect, near, far, and the matrix column by column.", rows)
rows = []
for _ in range(4):
    l, b, n = rng.uniform(-10, 0, size=3)
    r, t, f = rng.uniform(1, 10, size=3)
    rows.append(([l, r, b, t, n, f], orthographic(l, r, b, t, n, f).T))
table("orthographics", "Left, right, bottom, top, near, far, and the matrix column by column.", rows)
rows = []
for _ in range(4):
    e, c, u = rng.normal(size=3) * 5, rng.normal(size=3), rng.normal(size=3)
    rows.append((e, c, u, look(e, c, u).T))
table("looks", "Eye, target, up, and the matrix column by column.", rows)
rows = []
for _ in range(4):
    m = rng.normal(size=(4, 4))
    rows.append((m.T, np.linalg.inv(m).T))
table("inverses", "A matrix and its inverse, each column by column.", rows)
rows = []
for slew in (0.1, 0.5, 0.9, 0.999):
    goals = rng.uniform(-1, 1, size=4)
    rows.append(([slew], goals, [slewed(-np.log(1 - slew), goals, 3)]))
table("slews", "The slew, four goals a second apart joined by lines, and the value at the last.", rows)
print("}")
