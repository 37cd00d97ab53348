"""What a terminal shows of the bytes of a program, by pyte, a terminal emulator."""
import os
import re
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../.build-python"))
import pyte

CODES = re.compile(r"\x1b[\[?0-9;]*[A-Za-z]")
# Programs mark where a picture is complete (synchronized output): what stands between is shown by no such terminal.
END = b"\x1b[?2026l"


class Screen:
    """A terminal of so many columns and rows, and each picture that it has shown."""

    def __init__(self, columns=80, rows=24):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.pictures, self.bytes, self.lock = [], b"", threading.Lock()

    def feed(self, data):
        """Takes in bytes, and keeps a picture at each complete update."""
        with self.lock:
            self.take(data)

    def resize(self, columns, rows):
        """Changes the size, also while another thread feeds."""
        with self.lock:
            self.screen.resize(rows, columns)

    def take(self, data):
        self.bytes += data
        # An update may end in two pieces of bytes.
        *whole, rest = (getattr(self, "rest", b"") + data).split(END)
        for piece in whole:
            self.stream.feed(piece + END)
            self.keep()
        # What follows the last end may be half of one.
        cut = max(rest.rfind(b"\x1b"), 0) if b"\x1b" in rest[-len(END):] else len(rest)
        self.stream.feed(rest[:cut])
        self.rest = rest[cut:]

    def keep(self):
        self.pictures.append("\n".join(row.rstrip() for row in self.screen.display))

    @property
    def said(self):
        """All that was written, in a row: messages are broken between words.

        A colour may change within a word; a move of the cursor separates words.
        """
        text = CODES.sub(lambda code: "" if code[0][-1] in "mhl" else " ", self.bytes.decode(errors="replace"))
        return re.sub(r"\s+", " ", text)
