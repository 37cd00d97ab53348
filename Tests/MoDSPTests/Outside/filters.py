#!/usr/bin/env python3
"""Writes ../Filter/FilterValues.swift: reference values of filters by SciPy. Needs SciPy 1.10 or later.

The cookbook's filters are got from the analogue ones that it starts from, by SciPy's bilinear transform.
"""
import os

import numpy as np
from scipy import signal

RATE = 48_000.0
FREQUENCIES = [20.0, 440.0, 1000.0, 7000.0, 18_000.0]


def numbers(values):
    return ", ".join(f"{float(value):.17g}" if value else "0" for value in values)


def cookbook(name, frequency, q, decibels):
    a, k = 10 ** (decibels / 40), 1 / q
    root = np.sqrt(a)
    top, bottom = {
        "lowPass": ([0, 0, 1], None), "highPass": ([1, 0, 0], None), "bandPass": ([0, k, 0], None),
        "resonantBandPass": ([0, 1, 0], None), "notch": ([1, 0, 1], None), "allPass": ([1, -k, 1], None),
        "peak": ([1, k * a, 1], [1, k / a, 1]),
        "lowShelf": ([a, a * root * k, a * a], [a, root * k, 1]),
        "highShelf": ([a * a, a * root * k, a], [1, root * k, a])}[name]
    warped = 2 * RATE * np.tan(np.pi * frequency / RATE)
    powers = warped ** np.arange(-2.0, 1.0)
    b, a = signal.bilinear(top * powers, (bottom or [1, k, 1]) * powers, RATE)
    return b / a[0], a / a[0]


def entry(name, frequency, q, decibels, b, a):
    _, response = signal.freqz(b, a, FREQUENCIES, fs=RATE)
    return (f'  OutsideFilter(\n    "{name}", frequency: {frequency:g}, q: {q:g}, decibels: {decibels:g},\n'
            f"    coefficients: [\n      {numbers([*b[:2]])},\n      {numbers([b[2], *a[1:]])},\n    ],\n"
            f"    real: [\n      {numbers(response.real[:3])},\n      {numbers(response.real[3:])},\n    ],\n"
            f"    imaginary: [\n      {numbers(response.imag[:3])},\n      {numbers(response.imag[3:])},\n    ]),\n")


def rows(values, per_line=4):
    lines = [numbers(values[start:start + per_line]) for start in range(0, len(values), per_line)]
    return "".join(f"  {line},\n" for line in lines)


text = "// Written by Outside/filters.py; do not edit.\n\n"
text += "/// The cookbook's filters at 48 kHz: b0, b1, b2, a1, a2, and their responses.\n"
text += "let outsideCookbook: [OutsideFilter] = [\n"
for name, decibels in [("lowPass", 0), ("highPass", 0), ("bandPass", 0), ("resonantBandPass", 0), ("notch", 0),
                       ("allPass", 0), ("peak", 9), ("lowShelf", -7), ("highShelf", 5)]:
    for frequency, q in [(30, 0.7), (1000, 4), (15_000, 0.5)]:
        text += entry(name, frequency, q, decibels, *cookbook(name, frequency, q, decibels))
text += "]\n\n/// Magnitudes of Butterworth filters at 48 kHz, cut off at 1 kHz, at 100, 500, 1000, 2000 and 8000 Hz.\n"
text += "let outsideButterworth: [(order: Int, low: [Double], high: [Double])] = [\n"
for order in [1, 2, 3, 4, 5, 8, 16]:
    both = [np.abs(signal.sosfreqz(signal.butter(order, 1000, kind, fs=RATE, output="sos"),
                                   [100, 500, 1000, 2000, 8000], fs=RATE)[1]) for kind in ("low", "high")]
    low, high = [f"[\n      {numbers(values[:3])},\n      {numbers(values[3:])},\n    ]" for values in both]
    text += f"  (\n    {order},\n    {low},\n    {high}\n  ),\n"
# The sines of an irrational step contain every frequency and need no generator.
noise = np.array([np.sin(0.1 + index * index * 0.7) for index in range(64)]).astype(np.float32).astype(float)
text += "]\n\n/// The response of y[n] = 0.3x[n] − 0.2x[n−1] + 0.1x[n−2] + 1.6y[n−1] − 0.9y[n−2] to sin(0.1 + 0.7n²).\n"
text += f"let outsideFiltered: [Double] = [\n{rows(signal.lfilter([0.3, -0.2, 0.1], [1, -1.6, 0.9], noise))}]\n"
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Filter/FilterValues.swift"), "w") as file:
    file.write(text)
