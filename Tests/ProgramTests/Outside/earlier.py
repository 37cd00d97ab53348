#!/usr/bin/env python3
"""Compiles earlier names against this build: earlier.py BUILD SOURCES; each line must give one deprecation and no error."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

build, sources = sys.argv[1:]
here = os.path.dirname(os.path.abspath(__file__))
flags = ["-swift-version", "6", "-I", f"{build}/Modules"]
for library in ("CLiblo", "CALSA", "CEvdev"):
    flags += ["-I", f"{sources}/Sources/{library}"]
headers = subprocess.run(["pkg-config", "--cflags-only-I", "liblo", "alsa", "libevdev"], capture_output=True, text=True)
for word in headers.stdout.split():
    flags += ["-Xcc", word]
for module in ("CMoSystem", "CMoKernels"):
    flags += ["-Xcc", f"-fmodule-map-file={build}/{module}.build/module.modulemap"]
with tempfile.TemporaryDirectory() as folder:
    file = os.path.join(folder, "earlier.swift")
    shutil.copy(os.path.join(here, "earlier.swift.txt"), file)
    lines = open(file, encoding="utf-8").read().splitlines()
    said = subprocess.run(["swiftc", "-typecheck", *flags, file], capture_output=True, text=True).stderr
found = re.findall(r"^[^\n]*earlier\.swift:(\d+):\d+: (error|warning): (.*)$", said, re.M)
failed = [f"line {line}: {text}" for line, kind, text in found if kind == "error"]
for number, text in enumerate(lines, 1):
    if text.startswith("func "):
        warnings = [what for line, kind, what in found if int(line) == number and kind == "warning"]
        if len(warnings) != 1 or "is deprecated" not in warnings[0]:
            failed.append(f"line {number}, {text}: {warnings}")
print("\n".join(failed) or f"ok {sum(line.startswith('func ') for line in lines)} earlier names, one deprecation each")
sys.exit(bool(failed))
