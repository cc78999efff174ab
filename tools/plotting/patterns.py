"""Far fields and radar cross-sections: polar cuts, patterns in space, curves over the angle."""

import matplotlib
import numpy as np

from plotting.base import BAD_DATA, COLOURS, Failure, number, read, scaled

RANGE_DB = 40.0  # what a pattern shows below its maximum
DRAWN_CUTS = 6


def frequencies(file, group):
    """Names of the groups (whole hertz) by ascending frequency."""
    return sorted(file[group], key=float)


def on_directions(file, path, theta, phi, values):
    """values as [theta, phi(, more)] with the axes, from that shape or from a list of directions."""
    values = np.asarray(values)
    if values.shape[:2] == (theta.size, phi.size):
        return theta, phi, values
    if values.shape[0] == theta.size == phi.size:
        rows, columns = np.unique(np.round(theta, 9)), np.unique(np.round(phi, 9))
        if rows.size * columns.size == theta.size:
            at = (np.searchsorted(rows, np.round(theta, 9)), np.searchsorted(columns, np.round(phi, 9)))
            grid = np.full((rows.size, columns.size, *values.shape[1:]), np.nan)
            grid[at] = values
            return rows, columns, grid
    raise Failure(BAD_DATA, f"{file.filename}: /{path} is not one value for each of {theta.size} theta and {phi.size} phi")


def read_pattern(file, name):
    """(theta, phi [degrees], directivity [dBi] as [theta, phi])"""
    group = f"far_field/{name}"
    theta, phi = read(file, f"{group}/theta"), read(file, f"{group}/phi")
    return on_directions(file, f"{group}/directivity", theta, phi, read(file, f"{group}/directivity"))


def cuts_of(theta, phi, values):
    """(what varies, its angles, [(label, values)]): over theta for a few phi, or over phi when theta is one or few."""
    if theta.size >= phi.size or theta.size > 8:
        chosen = np.unique(np.linspace(0, phi.size - 1, min(phi.size, DRAWN_CUTS)).round().astype(int))
        return "theta", theta, [(f"phi {phi[k]:g}°", values[:, k]) for k in chosen]
    chosen = np.unique(np.linspace(0, theta.size - 1, min(theta.size, DRAWN_CUTS)).round().astype(int))
    return "phi", phi, [(f"theta {theta[k]:g}°", values[k]) for k in chosen]


def full_circles(file, name, theta, phi, values):
    """[(plane, angles [degrees], values)]: xz and yz over theta from z, half a turn at phi and back at phi + 180 as 360 - theta; xy
    over phi from x. Only planes whose directions are all there."""
    rows = np.flatnonzero((theta > -1e-5) & (theta < 180 + 1e-5))
    rows = rows[np.argsort(theta[rows])]
    theta, values = theta[rows], values[rows]
    turned = np.mod(np.round(phi, 6), 360)

    def column(at):
        found = np.flatnonzero(np.isclose(turned, at, atol=1e-5))
        return values[:, found[0]] if found.size else None

    circles = []
    for plane, at in (("xz", 0), ("yz", 90)) if theta.size > 1 else ():
        ahead, behind = column(at), column(at + 180)
        if ahead is not None and behind is not None:
            gap = [] if theta[-1] > 180 - 1e-5 else [np.nan]  # no line through directions that are not there
            circles.append((plane, np.r_[theta, [180.0] * len(gap), 360 - theta[::-1]], np.r_[ahead, gap, behind[::-1]]))
    row = np.flatnonzero(np.isclose(theta, 90, atol=1e-5))
    angles, first = np.unique(turned, return_index=True)
    if row.size and angles.size >= 12:  # fewer make no circle
        around = np.r_[angles, angles[0] + 360]
        if np.diff(around).max() < 1.5 * np.diff(around).min():
            circles.append(("xy", around, np.r_[values[row[0], first], values[row[0], first[0]]]))
    if not circles:
        raise Failure(BAD_DATA, f"{file.filename}: a full circle needs phi 0 and 180 (plane xz), 90 and 270 (yz), or theta 90 and phi all "
                                f"around in equal steps (xy); /far_field/{name} has none of them")
    return circles


def frequency_text(name):
    factor, unit = scaled(float(name), "Hz")
    return f"{float(name) * factor:.6g} {unit}"


def power_text(file, name):
    attributes = file[f"far_field/{name}"].attrs
    parts = [f"{label} {number(float(attributes[key]))} W" for key, label in (("radiated_power", "radiated"), ("accepted_power", "accepted"))
             if key in attributes and np.isfinite(float(attributes[key]))]
    return ", ".join(parts)


def draw_pattern(figure, file, options):
    """A polar diagram of the directivity for every frequency; with options.full_circle of the principal planes."""
    names = frequencies(file, "far_field")
    columns = min(2, len(names))
    panels = figure.subplots(-(-len(names) // columns), columns, squeeze=False, subplot_kw={"projection": "polar"}).ravel()
    for axes in panels[len(names):]:
        axes.set_visible(False)
    for axes, name in zip(panels, names):
        theta, phi, directivity = read_pattern(file, name)
        if options is not None and options.full_circle:
            over, curves = "planes", [(f"{plane}: {'phi' if plane == 'xy' else 'theta'}", at, values)
                                      for plane, at, values in full_circles(file, name, theta, phi, directivity)]
        else:
            over, angles, cuts = cuts_of(theta, phi, directivity)
            curves = [(label, angles, values) for label, values in cuts]
        top = np.nanmax(directivity)
        if not np.isfinite(top):
            raise Failure(BAD_DATA, f"{file.filename}: /far_field/{name}/directivity holds no finite number")
        high = 5 * np.ceil(top / 5 + 1e-9)
        for label, at, values in curves:
            axes.plot(np.radians(at), np.maximum(values, high - RANGE_DB), label=label, linewidth=1.5)
        if over != "phi":
            axes.set_theta_zero_location("N")
            axes.set_theta_direction(-1)
            if over == "theta" and angles.max() <= 180.0001:
                axes.set_thetamin(angles.min())
                axes.set_thetamax(angles.max())
        where = "in the principal planes" if over == "planes" else f"over {over}"
        axes.set_ylim(high - RANGE_DB, high)
        axes.set_yticks(np.arange(high - RANGE_DB + 10, high + 1, 10))
        axes.set_title(f"{frequency_text(name)}: directivity {where}, at most {top:.2f} dBi\n{power_text(file, name)}", fontsize=10)
        axes.legend(loc="lower left", fontsize=8)


def draw_pattern_3d(figure, file, _):
    """The directivity as distance from the origin, for every frequency."""
    names = frequencies(file, "far_field")
    # In places of their own: a constrained layout leaves no room for axes in space.
    share = 1 / len(names)
    panels = [figure.add_axes((0.1, 1 - (k + 0.98) * share, 0.8, 0.86 * share), projection="3d") for k in range(len(names))]
    for axes, name in zip(panels, names):
        theta, phi, directivity = read_pattern(file, name)
        if theta.size < 3 or phi.size < 3:
            raise Failure(BAD_DATA, f"{file.filename}: a pattern in space needs three theta and three phi or more, /far_field/{name} "
                                    f"has {theta.size} and {phi.size}")
        if 350 > phi[-1] - phi[0] or phi[-1] - phi[0] > 359.999:
            around, values = phi, directivity
        else:  # close the surface
            around, values = np.r_[phi, phi[0] + 360], np.concatenate((directivity, directivity[:, :1]), axis=1)
        top = np.nanmax(values)
        radius = np.clip(values - top + RANGE_DB, 0, None)
        t, p = np.meshgrid(np.radians(theta), np.radians(around), indexing="ij")
        axes.plot_surface(radius * np.sin(t) * np.cos(p), radius * np.sin(t) * np.sin(p), radius * np.cos(t),
                          facecolors=matplotlib.colormaps["viridis"](radius / RANGE_DB), rcount=91, ccount=91, linewidth=0,
                          antialiased=False, shade=True)
        axes.set(xlim=(-RANGE_DB, RANGE_DB), ylim=(-RANGE_DB, RANGE_DB), zlim=(-RANGE_DB, RANGE_DB), xlabel="x", ylabel="y", zlabel="z",
                 xticklabels=[], yticklabels=[], zticklabels=[])
        axes.set_box_aspect((1, 1, 1))
        axes.set_title(f"{frequency_text(name)}: at most {top:.2f} dBi, {RANGE_DB:g} dB shown", fontsize=10)


def draw_monostatic(figure, file, _):
    """Monostatic cross-section in dB of a square metre over the direction of arrival, for every frequency: a curve for each polarisation
    and each value of the angle that has fewer values."""
    names = frequencies(file, "monostatic")
    panels = figure.subplots(len(names), 1, squeeze=False)[:, 0]
    for axes, name in zip(panels, names):
        theta, phi, polarization, sigma = (read(file, f"monostatic/{name}/{key}") for key in ("theta", "phi", "polarization", "sigma"))
        over, along, other, across = "theta", theta, "phi", phi
        if np.unique(phi).size > np.unique(theta).size:
            over, along, other, across = other, across, over, along
        level = 10 * np.log10(np.maximum(sigma, 1e-30))
        for k, (kind, at) in enumerate((kind, at) for kind in np.unique(polarization) for at in np.unique(across)):
            chosen = np.flatnonzero((polarization == kind) & (across == at))
            chosen = chosen[np.argsort(along[chosen], kind="stable")]
            if chosen.size:
                axes.plot(along[chosen], level[chosen], ("-", "--")[int(kind)], color=COLOURS[k % len(COLOURS)], linewidth=1.4,
                          marker="." if chosen.size < 40 else "", label=f"E along {('theta', 'phi')[int(kind)]}, {other} {at:g}°")
        top = np.nanmax(level)
        axes.set(xlabel=f"{over} of arrival (degrees)", ylabel="monostatic RCS (dBsm)", title=frequency_text(name),
                 ylim=(max(np.nanmin(level), top - 60) - 2, top + 3))
        axes.legend(loc="best", fontsize=8)


def near_fields(file):
    """(name, number of the frequency) of all cuts."""
    return [(name, f) for name in file["near_field"] for f in range(len(file[f"near_field/{name}/frequency"]))]


def draw_near_field(figure, file, _):
    """|E| of every cut: over the distance from its first point, in a plane as a map of dB below its maximum."""
    cuts = near_fields(file)
    panels = figure.subplots(len(cuts), 1, squeeze=False)[:, 0]
    for axes, (name, f) in zip(panels, cuts):
        group = f"near_field/{name}"
        place, field = read(file, f"{group}/position"), np.linalg.norm(read(file, f"{group}/E")[f], axis=1)
        if not np.isfinite(field).any():
            raise Failure(BAD_DATA, f"{file.filename}: /{group}/E holds no finite number")
        shape = [int(n) for n in np.atleast_1d(file[group].attrs["shape"])]
        factor, unit = scaled(np.ptp(place, axis=0).max() or 1.0, "m")
        axes.set_title(f"{name}, {frequency_text(read(file, f'{group}/frequency')[f])}: |E|, at most {number(float(np.nanmax(field)))} V/m", fontsize=10)
        if len(shape) == 2:
            first, second = place.reshape(*shape, 3)[-1, 0] - place[0], place.reshape(*shape, 3)[0, -1] - place[0]
            level = 20 * np.log10(np.maximum(field, 1e-30) / np.nanmax(field)).reshape(shape)
            u, v = (np.linspace(0, np.linalg.norm(side) * factor, n) for side, n in zip((first, second), shape))
            image = axes.pcolormesh(u, v, level.T, vmin=-RANGE_DB, vmax=0, shading="gouraud" if np.isfinite(level).all() else "nearest")
            figure.colorbar(image, ax=axes, label="dB")
            axes.set(xlabel=f"from ({', '.join(f'{c * factor:.4g}' for c in place[0])}) {unit} along the first side ({unit})",
                     ylabel=f"second side ({unit})", aspect="equal")
        else:
            axes.plot(np.linalg.norm(place - place[0], axis=1) * factor, field, linewidth=1.4, marker="." if len(field) < 40 else "")
            axes.set(xlabel=f"distance from the first point ({unit})", ylabel="|E| (V/m)")


SECTIONS = {"rcs": ("RCS", "dBsm"), "scattering_width": ("scattering width", "dB of 1 m")}  # of bodies; of plane problems


def read_sections(file, kind, name):
    """(theta, phi [degrees], 10 log10 of the cross-section as [theta, phi, waves]); plane problems have theta 90 degrees alone."""
    group = f"{kind}/{name}"
    phi, sigma = read(file, f"{group}/phi"), read(file, f"{group}/sigma")
    theta, sigma = (np.array([90.0]), sigma[None]) if kind == "scattering_width" else (read(file, f"{group}/theta"), sigma)
    theta, phi, sigma = on_directions(file, f"{group}/sigma", theta, phi, sigma)
    return theta, phi, 10 * np.log10(np.maximum(sigma[..., None] if sigma.ndim == 2 else sigma, 1e-30))


def draw_rcs(figure, file, kind="rcs"):
    """Bistatic cross-section in dB of a square metre, or scattering width in dB of a metre, over the angle, for every frequency and wave."""
    names = frequencies(file, kind)
    panels = figure.subplots(len(names), 1, squeeze=False)[:, 0]
    for axes, name in zip(panels, names):
        theta, phi, level = read_sections(file, kind, name)
        for wave in range(level.shape[2]):
            over, angles, cuts = cuts_of(theta, phi, level[..., wave])
            for k, (label, values) in enumerate(cuts):
                axes.plot(angles, values, ("-", "--", ":", "-.")[wave % 4], color=COLOURS[k % len(COLOURS)],
                          label=label + (f", wave {wave + 1}" if level.shape[2] > 1 else ""), linewidth=1.4)
        top = np.nanmax(level)
        axes.set(xlabel=f"{over} (degrees)", ylabel="{} ({})".format(*SECTIONS[kind]), ylim=(max(np.nanmin(level), top - 60) - 2, top + 3),
                 title=frequency_text(name))
        axes.legend(loc="best", fontsize=8)
