"""Pictures and films of fields/*.vtkhdf: plane cuts, over time or at frequencies."""

import shutil
from pathlib import Path

import h5py
import matplotlib.animation as animation
import matplotlib.pyplot as plt
import matplotlib.tri as mtri
import numpy as np

from plotting.base import (BAD_DATA, CANNOT_WRITE, NO_FILE, STYLE, USAGE, Failure, add_scale_options, case_lengths, check_scale_options,
                           field_scale, number, open_results, scaled)

TETRAHEDRON, CURVED_TETRAHEDRON, TRIANGLE = 10, 24, 5
NODES = {TETRAHEDRON: 4, CURVED_TETRAHEDRON: 10, TRIANGLE: 3}
# Straight tetrahedra between the nodes of a curved one: those at its corners, and the octahedron that is left in four.
PARTS = ((0, 4, 6, 7), (4, 1, 5, 8), (6, 5, 2, 9), (7, 8, 9, 3), (4, 5, 6, 9), (4, 5, 9, 8), (4, 6, 7, 9), (4, 7, 8, 9))
FILMS = (".gif", ".mp4")
FRAMES_PER_SECOND = 12
PHASES = 24  # frames of one period
MOST_FRAMES = 400
HEIGHT, MARGIN = 6.4, 2.2  # inches; beside the image are its scale and numbers


class Series:
    """A file of fields. `steps`: times [s] or frequencies [Hz]."""

    def __init__(self, file):
        self.file = file
        root = file.get("VTKHDF")
        names = ("Points", "Connectivity", "Types", "Steps/Values", "PointData")
        if not isinstance(root, h5py.Group) or any(name not in root for name in names):
            raise Failure(BAD_DATA, f"{file.filename}: not a file of fields (VTKHDF with steps)")
        self.root, self.points = root, root["Points"][()].astype(float)
        types = np.unique(root["Types"][()])
        if len(types) != 1 or types[0] not in NODES:
            raise Failure(BAD_DATA, f"{file.filename}: its cells are neither all tetrahedra nor all triangles")
        self.is_cut = types[0] == TRIANGLE
        self.cells = root["Connectivity"][()].reshape(-1, NODES[types[0]])
        if types[0] == CURVED_TETRAHEDRON:
            self.cells = self.cells[:, PARTS].reshape(-1, 4)
        self.steps = root["Steps/Values"][()]
        unit = root["Steps/Values"].attrs.get("units", "s")
        self.unit = unit.decode() if isinstance(unit, bytes) else str(unit)
        self.is_spectrum = "E_re" in root["PointData"]

    def units_of(self, field):
        unit = self.root[f"PointData/{field}_re" if self.is_spectrum else f"PointData/{field}"].attrs.get("units", "")
        return unit.decode() if isinstance(unit, bytes) else str(unit)

    def values(self, field, step):
        """Vectors at the points, complex at a frequency."""
        rows = slice(step * len(self.points), (step + 1) * len(self.points))
        data = self.root["PointData"]
        if self.is_spectrum:
            return data[f"{field}_re"][rows] + 1j * data[f"{field}_im"][rows]
        return data[field][rows]


class Plane:
    """Triangles in a plane: points of a cut as they are, or where the plane meets tetrahedra.

    weights: the value at a drawn point is a mean of two points of the file."""

    def __init__(self, points, first, second, share, normal, origin):
        self.first, self.second, self.share = first, second, share
        place = points[first] * (1 - share)[:, None] + points[second] * share[:, None] - origin
        axes = self.axes_of(normal)
        self.names = [self.name_of(axis) for axis in axes]
        self.x, self.y = (place + origin) @ axes[0], (place + origin) @ axes[1]
        self.normal = normal
        self.offset = float(origin @ normal)

    @staticmethod
    def axes_of(normal):
        """Two axes in the plane, those of the coordinates where the plane is across one."""
        across = np.argmax(np.abs(normal))
        if np.abs(normal[across]) > 1 - 1e-6:
            return {0: np.eye(3)[[1, 2]], 1: np.eye(3)[[0, 2]], 2: np.eye(3)[[0, 1]]}[across]
        up = np.eye(3)[2] - normal[2] * normal
        if np.linalg.norm(up) < 0.1:
            up = np.eye(3)[1] - normal[1] * normal
        up /= np.linalg.norm(up)
        return np.array([np.cross(up, normal), up])

    @staticmethod
    def name_of(axis):
        along = np.flatnonzero(np.abs(axis) > 1 - 1e-6)
        return "xyz"[along[0]] if along.size else "along (" + ", ".join(f"{x:.2g}" for x in axis) + ")"

    def take(self, values):
        share = self.share[:, None]
        return values[self.first] * (1 - share) + values[self.second] * share


def plane_of_cut(series):
    corner = series.points[series.cells]
    normals = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    normal = normals.sum(axis=0)
    if np.linalg.norm(normal) == 0:
        raise Failure(BAD_DATA, f"{series.file.filename}: its triangles have no area")
    normal /= np.linalg.norm(normal)
    every = series.cells.ravel()
    return Plane(series.points, every, every, np.zeros(every.size), normal, series.points.mean(axis=0))


def plane_through(series, axis, at):
    """Where the plane `axis` = at [m] meets the tetrahedra."""
    normal, index = np.eye(3)[axis], series.cells
    distance = series.points[index][:, :, axis] - at
    slack = 1e-6 * np.ptp(series.points[:, axis])
    ahead = distance >= -slack
    if not (ahead.any(axis=1) & ~ahead.all(axis=1)).any():
        ahead = distance > slack  # in an outer face
    first, second, share = [], [], []
    for code in range(1, 15):
        side = np.array([bool(code >> v & 1) for v in range(4)])
        chosen = (ahead == side).all(axis=1)
        if not chosen.any():
            continue
        front, back = np.flatnonzero(side), np.flatnonzero(~side)
        pairs = [(a, b) for a in front for b in back]
        triangles = (0, 1, 2) if len(pairs) == 3 else (0, 1, 3, 0, 3, 2)
        for k in triangles:
            a, b = pairs[k]
            t = distance[chosen, a] / (distance[chosen, a] - distance[chosen, b])
            first.append(index[chosen, a])
            second.append(index[chosen, b])
            share.append(np.clip(t, 0, 1))
    if not first:
        low, high = series.points[:, axis].min(), series.points[:, axis].max()
        raise Failure(BAD_DATA, f"{series.file.filename}: the plane {'xyz'[axis]} = {at:g} m meets nothing; "
                                f"{'xyz'[axis]} goes from {low:g} to {high:g} m")
    # Corner k of all triangles of one code lie together; bring the three corners of each triangle together.
    blocks = [np.stack(part, axis=1).ravel() for values in (first, second, share)
              for part in (values[k:k + 3] for k in range(0, len(values), 3))]
    third = len(blocks) // 3
    joined = [np.concatenate(blocks[k * third:(k + 1) * third]) for k in range(3)]
    return Plane(series.points, *joined, normal, at * normal)


def component(values, wanted):
    """Numbers to draw from vectors: a component, or the magnitude (of complex vectors the length of the phasor)."""
    if wanted == "magnitude":
        return np.sqrt((np.abs(values) ** 2).sum(axis=1))
    return values[:, "xyz".index(wanted)].real


class Frames:
    """What the frames of a picture or film show."""

    def __init__(self, series, plane, options):
        self.series, self.plane, self.options = series, plane, options
        count = len(series.steps)
        if series.is_spectrum:
            step = options.step if options.step is not None else 0
            self.all = [(step, phase) for phase in np.arange(PHASES) / PHASES] if options.is_film else [(step, 0.0)]
        elif options.is_film and options.step is None:
            stride = -(-count // MOST_FRAMES)
            self.all = [(step, 0.0) for step in range(0, count, stride)]
        else:
            self.all = [(options.step if options.step is not None else self.strongest(), 0.0)]
        for step, _ in self.all[:1]:
            if not -count <= step < count:
                raise Failure(USAGE, f"--step {step}: the file has the steps 0 to {count - 1}")
        self.all = [(step % count, phase) for step, phase in self.all]
        self.is_wave = series.is_spectrum and options.is_film
        self.top = max(max(np.percentile(np.abs(self.numbers(k)), 99.5) for k in range(len(self.all))), 1e-300)

    def strongest(self):
        """The step with the largest field: the first is often silent."""
        sizes = [np.abs(self.plane.take(self.series.values(self.options.field, k))).max() for k in range(len(self.series.steps))]
        return int(np.argmax(sizes))

    def numbers(self, frame):
        step, phase = self.all[frame]
        values = self.plane.take(self.series.values(self.options.field, step))
        if self.is_wave:
            values = (values * np.exp(2j * np.pi * phase)).real
        return component(values, self.options.component)

    def text(self, frame):
        step, phase = self.all[frame]
        value = self.series.steps[step]
        factor, unit = scaled(max(abs(value), 1e-300), self.series.unit)
        text = f"{'f' if self.series.is_spectrum else 't'} = {value * factor:.4g} {unit}"
        return text + (f", phase {360 * phase:.0f}°" if self.is_wave else "")


def draw_first(figure, frames, axes=None):
    """Axes, image and title of frame 0."""
    plane, options = frames.plane, frames.options
    factor, unit = case_lengths(case_of(Path(frames.series.file.filename)), max(np.ptp(plane.x), np.ptp(plane.y), 1e-300))
    signed = options.component != "magnitude"
    shown_as, low, high, field_unit = field_scale(frames.top, frames.series.units_of(options.field), options, signed)
    axes = axes or figure.subplots()
    mesh = mtri.Triangulation(plane.x * factor, plane.y * factor, np.arange(plane.x.size).reshape(-1, 3))
    image = axes.tripcolor(mesh, shown_as(frames.numbers(0)), shading="gouraud",
                           cmap="RdBu_r" if signed and not options.db else "inferno", vmin=low, vmax=high, rasterized=True)
    name = f"{options.field}_{options.component}"
    label = (f"$|{name}|$" if options.db else f"${name}$") if signed else f"|{options.field}|"
    figure.colorbar(image, ax=axes, label=f"{label} ({field_unit})")
    axes.set(aspect="equal", xlabel=f"{plane.names[0]} ({unit})", ylabel=f"{plane.names[1]} ({unit})")
    axes.grid(False)
    if np.ptp(plane.x) < 0.3 * np.ptp(plane.y):  # room for few numbers below the axis
        axes.locator_params(axis="x", nbins=2)
        axes.tick_params(axis="x", labelsize=7)
    across = Plane.name_of(np.abs(plane.normal) if np.abs(plane.normal).max() > 1 - 1e-6 else plane.normal)
    sign = np.sign(plane.normal[np.argmax(np.abs(plane.normal))]) if len(across) == 1 else 1
    offset = sign * plane.offset if abs(plane.offset) > 1e-6 * max(np.ptp(plane.x), np.ptp(plane.y)) else 0.0  # points are in single precision
    place = f"{across} = {number(offset * factor)} {unit}" if len(across) == 1 else Path(frames.series.file.filename).stem
    title = axes.set_title(f"{place},  {frames.text(0)}")
    return image, title, shown_as, place


def save_film(figure, frames, output):
    image, title, shown_as, place = draw_first(figure, frames)

    def show(frame):
        image.set_array(shown_as(frames.numbers(frame)))
        title.set_text(f"{place},  {frames.text(frame)}")
        return image, title

    if output.suffix == ".mp4" and shutil.which("ffmpeg") is None:
        output = output.with_suffix(".gif")
        print(f"no ffmpeg here: {output} instead of an mp4")
    writer = animation.FFMpegWriter(fps=FRAMES_PER_SECOND) if output.suffix == ".mp4" else animation.PillowWriter(fps=FRAMES_PER_SECOND)
    film = animation.FuncAnimation(figure, show, frames=len(frames.all), blit=False)
    film.save(output, writer=writer, dpi=100)
    return output


def draw_beside(figure, frames, other, names):
    """Frame 0 of two runs on one scale: upright planes side by side, others one below the other."""
    frames.top = other.top = max(frames.top, other.top)
    upright = np.ptp(frames.plane.y) > np.ptp(frames.plane.x)
    for axes, shown, name in zip(figure.subplots(*((1, 2) if upright else (2, 1))), (frames, other), names):
        title = draw_first(figure, shown, axes)[1]
        title.set_text(f"{name}\n{title.get_text()}")


def save_pair(figure, path, frames, output):
    options, beside = frames.options, find_file(frames.options.beside)
    options.step = frames.all[0][0]
    with open_results(beside) as file:
        series = Series(file)
        other = Frames(series, choose_plane(series, options.plane), options)
        width, height = figure.get_size_inches()
        upright = np.ptp(frames.plane.y) > np.ptp(frames.plane.x)
        figure.set_size_inches(min(2 * width, 13) if upright else width, height)
        draw_beside(figure, frames, other, (name_of_run(path), name_of_run(beside)))
    figure.savefig(output)


def case_of(path):
    """The case of the run whose fields they are, as text, or ""."""
    try:
        return (path.resolve().parents[1] / "case.yaml").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, IndexError):
        return ""


def name_of_run(path):
    folder = path.resolve().parent
    return folder.parent.name if folder.name == "fields" else path.stem


def make_parser(base):
    parser = base(prog="tetrawave-plot fields", allow_abbrev=False,
                  description="Draws a plane cut of fields: a picture, or a film (.gif, .mp4) over time or over a period.",
                  usage="%(prog)s FIELDS.vtkhdf-or-RUN-DIR [-o FILE.png|.gif|.mp4] [--field E|H] [--component x|y|z|magnitude] "
                        "[--step N] [--plane x|y|z=METRES] [--db] [--limits MIN MAX] [--beside FIELDS.vtkhdf-or-RUN-DIR]")
    parser.add_argument("file", metavar="FIELDS.vtkhdf-or-RUN-DIR", help="a file in the folder `fields` of a run, or the folder of a run with one such file")
    parser.add_argument("-o", "--output", metavar="FILE", help="output file (default: NAME.png beside the input); .gif and .mp4 are animations")
    parser.add_argument("--field", choices=("E", "H"), default="E", help="field to draw (default: E)")
    parser.add_argument("--component", choices=("x", "y", "z", "magnitude"), default="magnitude", help="component to draw (default: magnitude)")
    parser.add_argument("--step", type=int, help="index of the snapshot or frequency, from 0 or from the end (-1); "
                                                  "default: the strongest snapshot, the first frequency, in films all snapshots")
    parser.add_argument("--plane", metavar="x|y|z=METRES", help="cut through a file of regions (default: z through the middle)")
    add_scale_options(parser)
    parser.add_argument("--beside", metavar="FIELDS.vtkhdf-or-RUN-DIR", help="draw the same view of another run beside it, on the same scale; not in animations")
    return parser


def find_file(name):
    path = Path(name)
    if path.is_dir():
        folder = path / "fields" if (path / "fields").is_dir() else path
        found = sorted(folder.rglob("*.vtkhdf"))
        if not found:
            raise Failure(NO_FILE, f"{folder}: no *.vtkhdf in it; outputs.fields of a case writes them")
        chosen = [entry for entry in found if entry.stem != "regions" and not entry.stem.endswith("-frequencies")] or found
        return chosen[0]
    if not path.is_file():
        raise Failure(NO_FILE, f"{path}: no such file; outputs.fields of a case writes it")
    return path


def choose_plane(series, text):
    if series.is_cut:
        if text:
            raise Failure(USAGE, f"--plane goes with regions; {series.file.filename} is a cut already")
        return plane_of_cut(series)
    if not text:
        return plane_through(series, 2, float(series.points[:, 2].min() + series.points[:, 2].max()) / 2)
    axis, _, at = text.partition("=")
    try:
        place = float(at)
    except ValueError:
        axis = ""
    if axis not in ("x", "y", "z"):
        raise Failure(USAGE, f"--plane {text}: expected x=METRES, y=METRES or z=METRES")
    return plane_through(series, "xyz".index(axis), place)


def run(arguments, base):
    parser = make_parser(base)
    options = parser.parse_args(arguments)
    check_scale_options(parser, options)
    path = find_file(options.file)
    output = Path(options.output) if options.output else path.with_suffix(".png")
    options.is_film = output.suffix.lower() in FILMS
    if options.is_film and options.beside:
        raise Failure(USAGE, f"--beside makes pictures; {output} is a film")
    formats = plt.figure().canvas.get_supported_filetypes()
    plt.close("all")
    if not options.is_film and output.suffix[1:].lower() not in formats:
        raise Failure(USAGE, f"{output}: the ending must be one of {', '.join(sorted(formats))}, gif, mp4")
    with open_results(path) as file, plt.rc_context(STYLE):
        series = Series(file)
        frames = Frames(series, choose_plane(series, options.plane), options)
        ratio = np.ptp(frames.plane.x) / max(np.ptp(frames.plane.y), 1e-300)
        figure = plt.figure(figsize=(min(max(HEIGHT * ratio + MARGIN, 4.8), 13), HEIGHT), layout="constrained")
        try:
            if options.is_film:
                output = save_film(figure, frames, output)
            elif options.beside:
                save_pair(figure, path, frames, output)
            else:
                draw_first(figure, frames)
                figure.savefig(output)
        except OSError as error:
            raise Failure(CANNOT_WRITE, f"{output}: {error.strerror or error}") from None
        finally:
            plt.close(figure)
    print(output)
