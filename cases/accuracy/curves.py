"""Rows of study.py (precision, method, space, cfl, cells, error, seconds): orders, fronts and seconds to an error."""

import math


def order_between(coarse, fine):
    """Of two (cells, error)."""
    return math.log(coarse[1] / fine[1]) / math.log(fine[0] / coarse[0])


def front(rows):
    """Of the rows of a method and space those that no other beats in both error and time, from the slowest."""
    best = []
    for row in sorted(rows, key=lambda row: (row["error"], row["seconds"])):
        if not best or row["seconds"] < best[-1]["seconds"]:
            best.append(row)
    return best


def seconds_to(rows, error):
    """Least seconds to an error: on lines between successive meshes (by logarithms), all steps of one length, or of the
    coarsest mesh; inf where no mesh has it."""
    least = math.inf
    for cfl in {row["cfl"] for row in rows}:
        line = sorted((row for row in rows if row["cfl"] == cfl), key=lambda row: row["cells"])
        if line[0]["error"] <= error:
            least = min(least, line[0]["seconds"])
        for coarse, fine in zip(line, line[1:]):
            if coarse["error"] > error >= fine["error"]:
                part = math.log(coarse["error"] / error) / math.log(coarse["error"] / fine["error"])
                least = min(least, coarse["seconds"] ** (1 - part) * fine["seconds"] ** part)
    return least


def select(rows, precision, method, space):
    return [row for row in rows if (row["precision"], row["method"], row["space"]) == (precision, method, space)]
