#!/usr/bin/env python3
"""Writes ../FFT/SciPyValues.swift: spectra by NumPy and windows by SciPy, in double precision."""
import os

import numpy
import scipy.signal

WINDOWS = {"rectangular": "boxcar", "hann": "hann", "hamming": "hamming", "blackman": "blackman",
           "blackmanHarris": "blackmanharris"}


def noise(count):
    """Numbers that are easy to repeat in any language, and exact in a float."""
    state, numbers = 1, []
    for _ in range(count):
        state = (1664525 * state + 1013904223) % 2**32
        numbers.append((state >> 16) / 32768 - 1)
    return numpy.array(numbers)


def rows(numbers, indent):
    """Numbers in rows of a hundred characters."""
    lines, line = [], ""
    for number in numbers:
        word = f"{number:.9g}, "
        if len(line) + len(word) > 100 - indent:
            lines.append(line)
            line = ""
        line += word
    if len(numbers) == 1:
        line = line.rstrip(", ")
    return "\n".join(" " * indent + line.rstrip() for line in lines + [line])


def spectrum(values, size):
    last = len(values) - 1
    bins = sorted({k for k in (0, 1, 2, 3, size // 8 + 1, size // 4, size // 3, size // 2, size // 2 + 1, last - 1, last)
                   if k <= last})
    parts = [part for k in bins for part in (values[k].real, values[k].imag)]
    return (f"    Spectrum(\n      size: {size}, bins: {bins},\n      parts: [\n{rows(parts, 8)}\n      ]),")


def windows():
    for name, theirs in WINDOWS.items():
        for count in (1, 2, 15, 16):
            for symmetric in (False, True):
                values = scipy.signal.get_window(theirs, count, fftbins=not symmetric)
                yield (f"    Window(\n      shape: .{name}, isSymmetric: {str(symmetric).lower()},\n"
                       f"      samples: [\n{rows(values, 8)}\n      ]),")


real = [spectrum(numpy.fft.rfft(noise(size)), size) for size in (4, 8, 16, 64, 256, 2048, 65536)]
both = [spectrum(numpy.fft.fft(noise(2 * size).view(complex)), size) for size in (4, 8, 16, 64, 256, 2048, 65536)]
here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "../FFT/SciPyValues.swift"), "w") as file:
    print(f"""// Written by ../Outside/fft.py with NumPy {numpy.__version__} and SciPy {scipy.__version__}.
import MoDSP

/// Reference values by NumPy and SciPy, in double precision.
enum SciPy {{
  /// Some bins of the spectrum of `noise`: alternating real and imaginary parts.
  struct Spectrum {{
    let size: Int
    let bins: [Int]
    let parts: [Double]
  }}

  struct Window {{
    let shape: FFTWindow
    let isSymmetric: Bool
    let samples: [Double]
  }}

  /// Spectra of real samples.
  static let real: [Spectrum] = [""", *real, """  ]

  /// Spectra of complex values: the noise has alternating real and imaginary parts.
  static let complex: [Spectrum] = [""", *both, """  ]

  static let windows: [Window] = [""", *windows(), """  ]
}""", sep="\n", file=file)
