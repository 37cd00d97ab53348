"""The code blocks of README.md, Docs and doc comments, with the comments that mark them, and what compilers need."""
import os
import re
import subprocess

top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MARK = re.compile(r"<!-- ([a-z ]+): (.*?) -->$")


class Block:
    def __init__(self, file, line, language, marks):
        self.file, self.line, self.language, self.marks, self.lines = file, line, language, marks, []
        self.is_drawing = False

    def mark(self, name):
        """The texts of the comments `<!-- NAME: TEXT -->` on the lines before the block."""
        return [text for key, text in self.marks if key == name]

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"

    @property
    def place(self):
        return f"{self.file}:{self.line}"


def listed(*patterns):
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--", *patterns], cwd=top, capture_output=True,
                         text=True, check=True).stdout
    return sorted(file for file in set(out.splitlines()) if os.path.exists(os.path.join(top, file)))


def blocks_of(file, lines):
    """The blocks among numbered lines of Markdown: fenced, or indented by four spaces outside lists."""
    fenced = indented = None
    marks, in_list = [], False
    for number, line in lines:
        if fenced:
            if line.strip().startswith("```"):
                yield fenced
                fenced = None
            else:
                fenced.lines.append(line[fenced.indent:] if not line[:fenced.indent].strip() else line)
            continue
        if indented:
            if line.startswith("    ") or not line.strip():
                indented.lines.append(line[4:])
                continue
            while not indented.lines[-1].strip():
                indented.lines.pop()
            yield indented
            indented = None
        if mark := MARK.match(line.strip()):
            marks.append((mark[1], mark[2]))
            continue
        if fence := re.match(r"( *)```(.*)$", line):
            fenced = Block(file, number + 1, fence[2].strip(), marks)
            fenced.indent, fenced.is_drawing, marks = len(fence[1]), not fence[2].strip(), []
        elif line.startswith("    ") and line.strip() and not in_list:
            indented = Block(file, number, "", marks)
            indented.lines.append(line[4:])
            marks = []
        elif line.strip():
            marks = []
            in_list = bool(re.match(r"\s*([-*]|\d+\.) ", line)) or in_list and line.startswith(" ")
    if indented:
        yield indented


def page_blocks():
    for file in listed("README.md", "Docs/*.md", "Docs/**/*.md", "Sources/**/*.md"):
        with open(os.path.join(top, file), encoding="utf-8") as page:
            yield from blocks_of(file, enumerate(page.read().splitlines(), 1))


def comment_blocks():
    """The fenced blocks of doc comments."""
    for file in listed("Sources/**/*.swift", "Examples/**/*.swift"):
        with open(os.path.join(top, file), encoding="utf-8") as source:
            text = source.read()
        if "/// ```" not in text and "///     " not in text:
            continue
        comment = []
        for number, line in enumerate(text.splitlines() + [""], 1):
            if match := re.match(r"\s*///( ?)(.*)$", line):
                comment.append((number, match[2]))
            elif comment:
                yield from blocks_of(file, comment)
                comment = []


def compiler_flags(build):
    """What a tool of the compiler needs to import the modules of a build."""
    words = ["-I", f"{build}/Modules"]
    for library in ("CLiblo", "CALSA", "CEvdev"):
        words += ["-I", f"{top}/Sources/{library}"]
    headers = subprocess.run(["pkg-config", "--cflags-only-I", "liblo", "alsa", "libevdev"], capture_output=True, text=True)
    for word in headers.stdout.split():
        words += ["-Xcc", word]
    for module in ("CMoSystem", "CMoKernels", "CMoSTK"):
        if os.path.exists(f"{build}/{module}.build/module.modulemap"):
            words += ["-Xcc", f"-fmodule-map-file={build}/{module}.build/module.modulemap"]
    return words
