"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const text = (v, digits = 4) => {
    if (v === null || v === undefined || !isFinite(v)) return "–";
    const a = Math.abs(v);
    return (a && (a < 1e-3 || a >= 1e5) ? v.toExponential(digits - 2) : String(+v.toPrecision(digits))).replace(/-/g, "−");
  };
  const element = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  // ---- views of one section: dB, phase, Smith ..
  for (const views of all(".views")) {
    const buttons = all(":scope > .tabs > button", views), panels = all(":scope > .view", views);
    const show = (key) => {
      for (const b of buttons) { b.classList.toggle("on", b.dataset.view === key); b.setAttribute("aria-pressed", b.dataset.view === key); }
      for (const p of panels) p.classList.toggle("hidden", p.dataset.view !== key);
    };
    for (const b of buttons) b.addEventListener("click", () => show(b.dataset.view));
    show(buttons[0].dataset.view);
  }

  // ---- values under the cursor
  const nearest = (xs, x) => {
    let best = 0, least = Infinity;
    for (let k = 0; k < xs.length; ++k) {
      const off = xs[k] === null ? Infinity : Math.abs(xs[k] - x);
      if (off < least) { least = off; best = k; }
    }
    return best;
  };
  const charts = [];
  class Chart {
    constructor(figure, data) {
      this.figure = figure; this.data = data; this.k = 0;
      this.plots = all("svg.plot", figure); this.items = all(".legend > li", figure); this.at = figure.querySelector(".at");
      this.hidden = new Set();
      for (const plot of this.plots) {
        plot.addEventListener("pointermove", (e) => this.point(plot, e));
        plot.addEventListener("pointerdown", (e) => this.point(plot, e));
        plot.addEventListener("pointerleave", () => this.clear());
      }
      this.items.forEach((item, s) => item.addEventListener("click", () => this.toggle(item, s)));
      figure.addEventListener("keydown", (e) => this.key(e));
    }
    xs(s) { return this.data.s[s].x || this.data.x; }
    finest() { return this.data.s.map((_, n) => this.xs(n)).reduce((best, xs) => (xs.length > best.length ? xs : best)); }
    toggle(item, s) {
      this.hidden[this.hidden.has(s) ? "delete" : "add"](s);
      item.classList.toggle("hidden", this.hidden.has(s));
      for (const line of all(`path.line[data-s="${s}"]`, this.figure)) line.classList.toggle("off", this.hidden.has(s) && !line.closest(".legend"));
    }
    key(e) {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (!step || !this.data.s.length) return;
      e.preventDefault();
      const xs = this.finest();
      this.k = Math.min(Math.max(this.k + step, 0), xs.length - 1);
      this.show(xs[this.k]);
    }
    point(plot, e) {
      const matrix = plot.getScreenCTM();
      if (!matrix) return;
      const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(matrix.inverse());
      const box = plot.dataset.box.split(",").map(Number);
      if (this.data.kind === "xy") {
        const [l, r, , , x0, x1] = box;
        this.show(x0 + (Math.min(Math.max(p.x, l), r) - l) / (r - l) * (x1 - x0));
      } else if (this.data.kind === "polar") {
        let angle = Math.atan2(p.x - box[0], box[0] - p.y) * 180 / Math.PI;
        if (angle < 0 && Math.min(...this.xs(0)) >= 0) angle = Math.max(...this.xs(0)) > 180 ? angle + 360 : -angle;
        this.show(angle);
      } else {
        const re = (p.x - box[0]) / box[1], im = (box[0] - p.y) / box[1];
        let best = null, least = Infinity;
        this.data.s.forEach((s, n) => s.y.forEach((y, k) => {
          if (y === null || this.hidden.has(n)) return;
          const off = (y - re) ** 2 + (s.im[k] - im) ** 2;
          if (off < least) { least = off; best = this.xs(n)[k]; }
        }));
        if (best !== null) this.show(best);
      }
    }
    // A series' numbers at x, by the lines that are drawn; null beyond them and in gaps.
    value(n, key, x) {
      const xs = this.xs(n), ys = this.data.s[n][key], k = nearest(xs, x), slack = 1e-6 * Math.abs(xs[xs.length - 1] - xs[0]);
      if (Math.abs(xs[k] - x) <= slack) return ys[k];
      const m = k + ((x > xs[k]) === (xs[xs.length - 1] > xs[0]) ? 1 : -1);
      if (m < 0 || m >= xs.length || ys[k] === null || ys[m] === null) return null;
      return ys[k] + (ys[m] - ys[k]) * (x - xs[k]) / (xs[m] - xs[k]);
    }
    reflection(n, x) {
      const re = this.value(n, "y", x), im = this.value(n, "im", x);
      if (re === null || im === null) return "–";
      const over = (1 - re) ** 2 + im ** 2, z0 = this.data.s[n].z0[0], r = z0 * (1 - re * re - im * im) / over, q = z0 * 2 * im / over;
      return `${text(20 * Math.log10(Math.hypot(re, im)), 3)} dB ∠ ${text(Math.atan2(im, re) * 180 / Math.PI, 3)}° · ${text(r, 3)} ${q < 0 ? "−" : "+"} j${text(Math.abs(q), 3)} Ω`;
    }
    show(x, from = true) {
      const d = this.data;
      if (!d.s.length) return;
      if (from) {  // the nearest of the series with most points
        const xs = this.finest();
        this.k = nearest(xs, x);
        x = xs[this.k];
      }
      this.at.textContent = `${text(x, 6)} ${d.xu}`;
      d.s.forEach((s, n) => {
        const y = d.kind === "smith" ? null : this.value(n, "y", x);
        this.items[n].querySelector("output").textContent = d.kind === "smith" ? this.reflection(n, x) : y === null ? "–" : `${text(d.log ? 10 ** y : y)} ${d.yu}`;
      });
      for (const plot of this.plots) this.mark(plot, x);
      if (from && d.sync) for (const other of charts) if (other !== this && other.data.sync === d.sync && other.data.xu === d.xu) other.show(x, false);
    }
    mark(plot, x) {
      const box = plot.dataset.box.split(",").map(Number), d = this.data;
      plot.querySelector("g.at-cursor")?.remove();
      const g = element("g", { class: "at-cursor", "pointer-events": "none" });
      const dots = (place) => d.s.forEach((_, n) => {
        const line = plot.querySelector(`path.line[data-s="${n}"]`), y = this.value(n, "y", x), at = y === null || !line || this.hidden.has(n) ? null : place(y, n);
        if (at) g.append(element("circle", { cx: at[0], cy: at[1], r: 3.4, class: line.getAttribute("class").replace("line", "dot").replace(/ d\d/, "") }));
      });
      if (d.kind === "xy") {
        const [l, r, t, b, x0, x1, y0, y1] = box, px = l + (x - x0) / (x1 - x0) * (r - l);
        if (x < x0 || x > x1) return;
        g.append(element("path", { class: "cursor", d: `M${px} ${t}V${b}` }));
        dots((y) => { const py = b - (y - y0) / (y1 - y0) * (b - t); return py >= t - 1 && py <= b + 1 ? [px, py] : null; });
      } else if (d.kind === "polar") {
        const [c, radius, low, high] = box, a = x * Math.PI / 180;
        dots((y) => { const r = radius * Math.max((y - low) / (high - low), 0); return [c + r * Math.sin(a), c - r * Math.cos(a)]; });
      } else dots((y, n) => [box[0] + box[1] * y, box[0] - box[1] * this.value(n, "im", x)]);
      plot.append(g);
    }
    clear() {
      const group = this.data.sync ? charts.filter((c) => c.data.sync === this.data.sync) : [this];
      for (const c of group) {
        for (const plot of c.plots) plot.querySelector("g.at-cursor")?.remove();
        for (const item of c.items) item.querySelector("output").textContent = "";
        c.at.textContent = "";
      }
    }
  }
  for (const figure of all("figure.chart")) {
    const script = figure.querySelector("script");
    if (script) charts.push(new Chart(figure, JSON.parse(script.textContent)));
  }

  // ---- geometry: surfaces sorted by depth on a canvas
  const bytes = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;
  class Viewer {
    constructor(box) {
      const data = JSON.parse(box.querySelector("script").textContent);
      this.box = box; this.canvas = box.querySelector("canvas"); this.data = data;
      this.v = new Int16Array(bytes(data.v)); this.l = new Int16Array(bytes(data.l));
      this.parts = data.parts.map((p) => ({ ...p, t: new Uint32Array(bytes(p.t)) }));
      this.rims = data.rims > 0; this.mesh = this.parts.reduce((n, p) => n + p.t.length / 3, 0) < 12000;
      this.zoom = 1; this.shift = [0, 0]; this.look("iso");
      for (const input of all("input[data-part]", box)) input.addEventListener("change", () => { this.parts[+input.dataset.part].shown = input.checked; this.draw(); });
      box.querySelector("input[data-rims]")?.addEventListener("change", (e) => { this.rims = e.target.checked; this.draw(); });
      const meshBox = box.querySelector("input[data-mesh]");
      meshBox.checked = this.mesh;
      meshBox.addEventListener("change", () => { this.mesh = meshBox.checked; this.draw(); });
      for (const b of all("button[data-look]", box)) b.addEventListener("click", () => { this.look(b.dataset.look); this.draw(); });
      for (const b of all("button[data-zoom]", box)) b.addEventListener("click", () => { this.zoom *= +b.dataset.zoom; this.draw(); });
      this.drag();
      new ResizeObserver(() => this.paint()).observe(this.canvas);
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    }
    look(key) {
      const views = { iso: [-0.62, 0.5], z: [0, Math.PI / 2], x: [Math.PI / 2, 0], y: [0, 0] };
      [this.azimuth, this.height] = this.data.plane ? views.z : views[key];
      this.shift = [0, 0];
    }
    drag() {
      let last = null;
      this.canvas.addEventListener("pointerdown", (e) => { last = [e.clientX, e.clientY]; this.canvas.setPointerCapture(e.pointerId); });
      this.canvas.addEventListener("pointerup", () => { last = null; });
      this.canvas.addEventListener("pointercancel", () => { last = null; });
      this.canvas.addEventListener("pointermove", (e) => {
        if (!last) return;
        const dx = e.clientX - last[0], dy = e.clientY - last[1];
        last = [e.clientX, e.clientY];
        if (e.shiftKey || this.data.plane) { this.shift[0] += dx; this.shift[1] += dy; } else {
          this.azimuth += dx * 0.008; this.height = Math.min(Math.max(this.height + dy * 0.008, -Math.PI / 2), Math.PI / 2);
        }
        this.draw();
      });
      this.canvas.addEventListener("wheel", (e) => {
        if (!e.ctrlKey && document.activeElement !== this.canvas) return;
        e.preventDefault();
        this.zoom *= Math.exp(-e.deltaY * 0.002);
        this.draw();
      }, { passive: false });
    }
    draw() { if (!this.waiting) { this.waiting = true; requestAnimationFrame(() => { this.waiting = false; this.paint(); }); } }
    project(points) {
      const [ca, sa, ch, sh] = [Math.cos(this.azimuth), Math.sin(this.azimuth), Math.cos(this.height), Math.sin(this.height)];
      const out = new Float32Array(points.length);
      for (let k = 0; k < points.length; k += 3) {
        const x = points[k] * ca - points[k + 1] * sa, y = points[k] * sa + points[k + 1] * ca, z = points[k + 2];
        out[k] = x; out[k + 1] = y * sh + z * ch; out[k + 2] = y * ch - z * sh;  // right, up, away
      }
      return out;
    }
    place(w, h) {
      // What is filled at first fills the picture; outlines may go beyond.
      let chosen = this.data.parts.filter((part) => part.shown && part.l[1] > part.l[0]).map((part) => this.l.subarray(3 * part.l[0], 3 * part.l[1]));
      if (!chosen.length) chosen = [this.l.length ? this.l : this.v];
      const p = chosen.length === 1 ? this.project(chosen[0]) : this.project(Int16Array.from(chosen.flatMap((part) => [...part])));
      let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
      for (let k = 0; k < p.length; k += 3) { x0 = Math.min(x0, p[k]); x1 = Math.max(x1, p[k]); y0 = Math.min(y0, p[k + 1]); y1 = Math.max(y1, p[k + 1]); }
      const s = this.zoom * Math.min((w - 50) / Math.max(x1 - x0, 1), (h - 90) / Math.max(y1 - y0, 1));
      return [s, w / 2 - s * (x0 + x1) / 2 + this.shift[0], h / 2 + 8 + s * (y0 + y1) / 2 + this.shift[1]];
    }
    colour(look) {
      const name = look.startsWith("medium") ? "--m" + look.slice(6) : "--" + look;
      const hex = getComputedStyle(root).getPropertyValue(name).trim();
      return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
    }
    paint() {
      const ratio = devicePixelRatio || 1, w = this.canvas.clientWidth, h = this.canvas.clientHeight;
      if (!w) return;
      this.canvas.width = w * ratio; this.canvas.height = h * ratio;
      const c = this.canvas.getContext("2d");
      c.scale(ratio, ratio); c.lineJoin = "round"; c.lineCap = "round";
      const [s, ox, oy] = this.place(w, h), p = this.project(this.v);
      this.surfaces(c, p, s, ox, oy);
      const q = this.project(this.l), stroke = (from, to, style, width) => {
        c.beginPath();
        for (let k = from; k < to; k += 2) { c.moveTo(ox + s * q[3 * k], oy - s * q[3 * k + 1]); c.lineTo(ox + s * q[3 * k + 3], oy - s * q[3 * k + 4]); }
        c.strokeStyle = style; c.lineWidth = width; c.stroke();
      };
      for (const part of this.parts) {
        const [r, g, b] = this.colour(part.look);
        stroke(part.l[0], part.l[1], `rgba(${r},${g},${b},${part.shown ? 0.9 : 0.45})`, this.data.plane ? 2 : part.shown ? 1 : 0.7);
      }
      if (this.rims) stroke(0, this.data.rims, getComputedStyle(root).getPropertyValue("--rim"), 2);
      this.axes(c, h);
    }
    surfaces(c, p, s, ox, oy) {
      const faces = [];
      for (const part of this.parts) {
        if (!part.shown) continue;
        const rgb = this.colour(part.look), alpha = part.look.startsWith("medium") && !this.data.plane ? 0.3 : part.look === "open" || part.look === "mirror" || part.look === "ground" || part.look === "bare" ? 0.35 : 1;
        for (let k = 0; k < part.t.length; k += 3) {
          const [i, j, m] = [3 * part.t[k], 3 * part.t[k + 1], 3 * part.t[k + 2]];
          faces.push([(p[i + 2] + p[j + 2] + p[m + 2]) / 3 - (alpha === 1 ? 60 : 0), i, j, m, rgb, alpha]);
        }
      }
      faces.sort((a, b) => b[0] - a[0]);
      c.lineWidth = 0.6;
      for (const [, i, j, m, rgb, alpha] of faces) {
        const ux = p[j] - p[i], uy = p[j + 1] - p[i + 1], uz = p[j + 2] - p[i + 2], vx = p[m] - p[i], vy = p[m + 1] - p[i + 1], vz = p[m + 2] - p[i + 2];
        const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx], size = Math.hypot(...n) || 1;
        const light = this.data.plane ? 1 : 0.58 + 0.42 * Math.abs(n[0] * 0.25 - n[1] * 0.5 + n[2] * 0.82) / size;
        const [r, g, b] = rgb.map((v) => Math.round(v * light));
        c.beginPath();
        c.moveTo(ox + s * p[i], oy - s * p[i + 1]); c.lineTo(ox + s * p[j], oy - s * p[j + 1]); c.lineTo(ox + s * p[m], oy - s * p[m + 1]); c.closePath();
        c.fillStyle = `rgba(${r},${g},${b},${alpha})`; c.fill();
        if (this.mesh) { c.strokeStyle = `rgba(${r * 0.55 | 0},${g * 0.55 | 0},${b * 0.55 | 0},${alpha < 1 ? 0.35 : 0.7})`; c.stroke(); }
        else if (alpha === 1) { c.strokeStyle = c.fillStyle; c.stroke(); }
      }
    }
    axes(c, h) {
      const a = this.project([1, 0, 0, 0, 1, 0, 0, 0, 1]), [x, y] = [this.canvas.clientWidth - 44, h - 40];
      c.lineWidth = 1.3; c.font = "11px system-ui, sans-serif"; c.textAlign = "center"; c.textBaseline = "middle";
      const ink = getComputedStyle(root).getPropertyValue("--soft");
      c.strokeStyle = ink; c.fillStyle = ink;
      ["x", "y", "z"].forEach((name, k) => {
        if (Math.hypot(a[3 * k], a[3 * k + 1]) < 0.08) return;
        c.beginPath(); c.moveTo(x, y); c.lineTo(x + 20 * a[3 * k], y - 20 * a[3 * k + 1]); c.stroke();
        c.fillText(name, x + 28 * a[3 * k], y - 28 * a[3 * k + 1]);
      });
    }
  }
  for (const box of all(".viewer")) new Viewer(box);

  // ---- where the reader is
  const links = new Map(all("nav a").map((a) => [a.getAttribute("href").slice(1), a]));
  const seen = new Set();
  const watch = new IntersectionObserver((entries) => {
    for (const e of entries) seen[e.isIntersecting ? "add" : "delete"](e.target.id);
    const first = [...links.keys()].find((id) => seen.has(id));
    for (const [id, a] of links) a.classList.toggle("here", id === first);
  }, { rootMargin: "-60px 0px -55% 0px" });
  for (const section of all("main > section")) watch.observe(section);
})();
