"""The picture of a mesh with its groups and regions, and tables and histograms of its quality."""

import json

import numpy as np

from plotting.base import case_lengths
from reporting import chart
from reporting.chart import Axis
from reporting.mesh import LARGEST_QUALITY, Mesh, parts_of, viewer_data
from reporting.run import roles_of
from reporting.text import Markup, Table, engineering, escape, grouped, short


def empty_regions(case):
    """Names of regions that are like vacuum, so that the picture looks through them; none where all are."""
    materials, regions = case.get("materials") or {}, case.get("regions") or {}

    def is_empty(name):
        material = materials.get(name) or {}
        return (
            material.get("eps_r", 1) == 1
            and material.get("mu_r", 1) == 1
            and not any(
                material.get(key) for key in ("sigma", "electric_dispersion", "magnetic_dispersion", "loss_tangent", "eps_complex", "laminate")
            )
        )

    return {str(region) for region, material in regions.items() if isinstance(material, str) and is_empty(material)}


def material_text(case, region):
    """laminate: ε 2.2, tan δ 0.001"""
    name = (case.get("regions") or {}).get(region)
    if not isinstance(name, str):
        return "–"
    material, parts = (case.get("materials") or {}).get(name) or {}, []
    for key, symbol, usual in (
        ("eps_r", "ε", 1),
        ("eps_complex", "ε", None),
        ("mu_r", "μ", 1),
        ("loss_tangent", "tan δ", None),
        ("sigma", "σ", 0),
        ("sigma_m", "σ_m", 0),
    ):
        value = material.get(key, usual)
        if value != usual:
            parts.append(f"{symbol} {value}" + (" S/m" if key == "sigma" and isinstance(value, (int, float)) else ""))
    for kind, symbol in (("electric_dispersion", "ε"), ("magnetic_dispersion", "μ")):
        if terms := material.get(kind):
            parts.append(f"{symbol}(ω): " + ", ".join(str(term.get("model", "")) for term in terms))
    if (material.get("kerr") or {}).get("chi3"):
        parts.append(f"χ³ {material['kerr']['chi3']}")
    return f"{name}: {', '.join(parts)}" if parts else name


def viewer(data, unit_text, identity):
    """The canvas and its lists; page.js draws it."""
    rows = "".join(
        f'<label class="part"><input type="checkbox" data-part="{k}"{" checked" if part["shown"] else ""}><i class="look {part["look"]}"></i>'
        f"<span>{escape(part['name'])}</span></label>"
        for k, part in enumerate(data["parts"])
    )
    rims = (
        '<label class="part"><input type="checkbox" data-rims checked><i class="look rim"></i><span>edges of metal sheets</span></label>'
        if data["rims"]
        else ""
    )
    views = (
        ""
        if data["plane"]
        else "".join(
            f'<button type="button" data-look="{key}">{text}</button>' for key, text in (("iso", "3D"), ("z", "+z"), ("x", "+x"), ("y", "−y"))
        )
    )
    return (
        f'<div class="viewer" id="{identity}"><div class="stage"><canvas role="img" aria-label="geometry and mesh"></canvas>'
        f'<div class="tools">{views}<button type="button" data-zoom="1.25" aria-label="larger">+</button>'
        f'<button type="button" data-zoom="0.8" aria-label="smaller">−</button><label><input type="checkbox" data-mesh>mesh</label></div>'
        f'<p class="size">{unit_text}</p></div><div class="parts">{rows}{rims}</div>'
        f'<script type="application/json">{json.dumps(data, separators=(",", ":"))}</script></div>'
    )


def area_of(nodes, triangles):
    if triangles.shape[1] != 3:
        return float(np.linalg.norm(nodes[triangles[:, 1]] - nodes[triangles[:, 0]], axis=1).sum())
    return float(
        np.linalg.norm(np.cross(nodes[triangles[:, 1]] - nodes[triangles[:, 0]], nodes[triangles[:, 2]] - nodes[triangles[:, 0]]), axis=1).sum() / 2
    )


def group_table(mesh, case, outer):
    roles, default = roles_of(case)
    length = 1 if mesh.plane else 2
    table = Table("group", "boundary", "position", "faces" if length == 2 else "edges", "area" if length == 2 else "length", texts=(0, 1, 2))
    walls = mesh.keys(outer) if outer is not None and len(outer) else None
    factor, unit = case_lengths_of(case, mesh)
    for g, name in enumerate(mesh.group_names):
        faces = mesh.faces[mesh.group == g]
        inside = float(np.mean(~np.isin(mesh.keys(faces), walls))) if walls is not None and len(faces) else 0.0
        place = "outside" if inside == 0 else "inside: a sheet" if inside == 1 else "partly inside"
        text = f"{short(area_of(mesh.nodes, faces) * factor**length, 4)} {unit}{'²' if length == 2 else ''}"
        table.add(
            name,
            roles.get(name) or (f"default: {default}" if inside == 0 and default else "none: transparent"),
            "–" if mesh.plane else place,
            grouped(len(faces)),
            text,
            kind="" if roles.get(name) or inside == 1 or default else "warn",
        )
    return table.html()


def case_lengths_of(case, mesh):
    return case_lengths(f"units: {case.get('units', 'm')}", np.ptp(mesh.nodes, axis=0).max())


def region_table(mesh, case, forecast, longest):
    """Elements per wavelength come from the forecast of `check`."""
    known = ((forecast or {}).get("mesh") or {}).get("regions") or {}
    needed = (forecast or {}).get("needed_elements_per_wavelength")
    factor, unit = case_lengths_of(case, mesh)
    waves = bool(needed) and any("elements_per_wavelength" in entry for entry in known.values())
    table = Table(
        "region",
        "material",
        "elements",
        f"edge, median ({unit})",
        f"edge, largest ({unit})",
        *((f"elements per wavelength ({needed:g} needed)", "minimum") if waves else ()),
        texts=(0, 1),
    )
    for r, name in enumerate(mesh.region_names):
        of = longest[mesh.region == r] * factor
        row = [
            name,
            material_text(case, name),
            grouped(of.size),
            short(float(np.median(of)), 3) if of.size else "–",
            short(float(of.max()), 3) if of.size else "–",
        ]
        few = False
        if waves:
            counts = (known.get(name) or {}).get("elements_per_wavelength") or {}
            few = counts.get("median", needed) < needed
            row += [short(counts.get("median"), 3), short(counts.get("min"), 3)]
        table.add(*row, kind="warn" if few else "")
    return table.html()


def quality_charts(mesh):
    """(histograms, longest edges [m], least radius ratio)"""
    ratio, angle, longest = mesh.quality()
    scale, unit = case_lengths("", longest.max())
    low, high = np.log10(max(longest.min(), 1e-300) * scale), np.log10(longest.max() * scale)
    edges = np.linspace(low - 1e-9, max(high, low + 0.05) + 1e-9, 25)
    charts = [
        chart.histogram(
            *np.histogram(np.clip(ratio, 0, 1), np.linspace(0, 1, 26)),
            Axis("radius ratio (1: regular)", ""),
            "Shape",
            marks=((float(ratio.min()), "minimum"),),
        )
    ]
    if angle is not None:
        charts.append(
            chart.histogram(
                *np.histogram(angle, np.linspace(0, 75, 26)), Axis("smallest dihedral angle", "°"), "Angles", marks=((float(angle.min()), "minimum"),)
            )
        )
    charts.append(chart.histogram(*np.histogram(np.log10(longest * scale), edges), Axis("longest edge", unit, log=True), "Sizes"))
    return f'<div class="triple">{"".join(charts)}</div>', longest, float(ratio.min())


def mesh_section(path, case, forecast, identity):
    """(html, facts for other sections)"""
    mesh = Mesh(path)
    roles, default = roles_of(case)
    empty = empty_regions(case)
    parts, outer = parts_of(mesh, roles, default, empty if empty != set(mesh.region_names) or not mesh.plane else set())
    made = viewer_data(mesh, parts, outer)
    factor, unit = case_lengths_of(case, mesh)
    size = " × ".join(short(float(x) * factor, 4) for x in np.ptp(mesh.nodes, axis=0)[: 2 if mesh.plane else 3])
    html, rims = "", np.zeros((0, 2))
    if made:
        data, is_coarse, rims = made
        note = "; drawn with fewer triangles" if is_coarse else ""
        html += viewer(data, f"{size} {unit}{note}", identity)
    about = [
        f"{grouped(len(mesh.cells))} {'triangles' if mesh.plane else 'tetrahedra'} of order {mesh.order}, {grouped(len(mesh.nodes))} nodes, {size} {unit}."
    ]
    if len(rims):
        length = np.linalg.norm(mesh.nodes[rims[:, 1]] - mesh.nodes[rims[:, 0]], axis=1)
        about.append(
            f"Edges of metal sheets: {grouped(len(rims))} edges of {engineering(float(np.median(length)), 'm', 3)} (median), {engineering(float(length.sum()), 'm', 3)} in all."
        )
    html += f'<p class="note">{escape(" ".join(about))}</p>'
    longest, least = np.zeros(0), float("nan")
    pictures = ""
    if len(mesh.cells) <= LARGEST_QUALITY:
        pictures, longest, least = quality_charts(mesh)
        html += "<h3>Regions</h3>" + region_table(mesh, case, forecast, longest)
    html += "<h3>Groups</h3>" + group_table(mesh, case, outer) + ("<h3>Quality of the elements</h3>" if pictures else "") + pictures
    return Markup(html), {"least_ratio": least, "elements": len(mesh.cells), "nodes": len(mesh.nodes)}


def classes_html(forecast, logged=None):
    """Local time stepping: elements by class, and what the sizes of the elements would allow."""
    classes = (forecast or {}).get("step_classes") or {}
    counts = [int(n) for n in classes.get("elements", [])]
    if not counts and logged:
        counts = [int(n) for n in logged[1].split(", ")]
    html = ""
    if len(counts) > 1:
        total = sum(counts)
        html += chart.bars([(f"{3**k} × smallest step", n, f"{grouped(n)} · {100 * n / total:.1f} %") for k, n in enumerate(counts)], total)
        gains = [
            f"{classes[key]:.2f} {text}"
            for key, text in (("ideal_gain", "times fewer updates"), ("predicted_gain", "times as fast, predicted"))
            if key in classes
        ]
        html += f'<p class="note">{escape(", ".join(gains))}</p>' if gains else ""
    local = ((forecast or {}).get("local_steps") or {}).get("elements_at_1_3_9_27")
    if local and sum(1 for n in local if n) > 1:
        html += "<h4>Steps that the elements allow</h4>" + chart.bars(
            [(f"{3**k} × smallest", n, f"{grouped(n)} · {100 * n / sum(local):.1f} %") for k, n in enumerate(local)], sum(local)
        )
    return html
