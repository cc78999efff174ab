#!/usr/bin/env python3
"""Fails on files over 500 lines, functions over 80 lines, notes of unfinished work, and names that Catch2 3 lacks.

usage: tools/check_style.py [ROOT]      (ROOT: the project, default the folder above this script)
Prints one line `FILE:LINE: what` per fault; exit code 0 without faults, 1 with. The end of a C++ function is found
by matching braces, that of a Python function by the parser.
"""

import ast
import re
import sys
from pathlib import Path

LONGEST_FILE = 500
LONGEST_FUNCTION = 80
TOPS = ("src", "cuda", "tests", "tools", "scripts", "cases", "config")
CPP = {".hpp", ".cpp", ".h", ".cu", ".cuh"}
CODE = CPP | {".py", ".sh", ".cmake"}
TEXT = CODE | {".md", ".yaml", ".json", ".txt", ".geo"}
UNFINISHED = re.compile(r"\b(TO" + r"DO|FIX" + r"ME)\b")
APPROX = re.compile(r"(?<!:)\bApprox\(")
OUR_NAMES = re.compile(r"namespace tetrawave_tests\b|tetrawave_tests::Approx")
IGNORED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\''
    r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*",
    re.DOTALL | re.MULTILINE,
)
NOT_A_FUNCTION = re.compile(r"^\s*(template\s*<.*>\s*)?(inline\s+)?(namespace|class|struct|union|enum|extern)\b|=\s*$", re.DOTALL)


def without_texts(text):
    """C++ with comments, literals and preprocessor lines blanked, line numbers kept."""
    return IGNORED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def cpp_functions(text):
    """Yields (first line, number of lines) of each function body that lies in no other function."""
    text = without_texts(text)
    depth, inside, begin, head_start = 0, None, 0, 0
    for match in re.finditer(r"[{};]", text):
        at = match.start()
        if match[0] == "{":
            head = text[head_start:at]
            if inside is None and "(" in head and not NOT_A_FUNCTION.search(head):
                inside, begin = depth, head_start + len(head) - len(head.lstrip())
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if inside == depth:
                first = text.count("\n", 0, begin) + 1
                yield first, text.count("\n", 0, at) + 2 - first
                inside = None
        head_start = match.end()


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1


def is_python(path, text):
    return path.suffix == ".py" or (not path.suffix and re.match(r"#!.*python", text))


def check_file(root, path):
    """Yields (line number, fault) for one file, path relative to root."""
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    lines = text.splitlines()
    python = is_python(path, text)
    if (path.suffix in CODE or python) and len(lines) > LONGEST_FILE:
        yield 1, f"{len(lines)} lines, at most {LONGEST_FILE}"
    functions = python_functions(text) if python else cpp_functions(text) if path.suffix in CPP else ()
    for first, length in functions:
        if length > LONGEST_FUNCTION:
            yield first, f"function of {length} lines, at most {LONGEST_FUNCTION}"
    if path.suffix == ".cpp" and APPROX.search(text) and not OUR_NAMES.search(text):
        yield 1, "Approx is global in Catch2 2 alone: using tetrawave_tests::Approx"
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            yield number, "unfinished by its own words"


def text_files(root):
    for top in TOPS:
        for path in sorted((root / top).rglob("*")):
            hidden = any(part.startswith(".") or part == "__pycache__" for part in path.parts[len(root.parts):])
            if path.is_file() and not hidden and (path.suffix in TEXT or (top == "tools" and not path.suffix)):
                yield path.relative_to(root)


def check_tree(root):
    """All faults of a tree as texts `FILE:LINE: what`."""
    return [f"{path}:{line}: {fault}" for path in text_files(root) for line, fault in check_file(root, path)]


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    faults = check_tree(root)
    for fault in faults:
        print(fault)
    print(f"style: {sum(1 for _ in text_files(root))} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
