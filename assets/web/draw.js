// Draws shapes on a 2d canvas as visual/drawing/paint does in the window. visual/drawing/encoding.py writes the shapes.
"use strict";

const GROUP = 5, KEPT = 6;  // visual/drawing/encoding.py, KINDS
const HALO = 0.28, SPREAD = 0.8;  // of a text's em; width of an arrowhead in its lengths
const LARGEST = 4e6;  // pixels of a kept group
const FACES = [
  "'Mutoscope Sans', 'DejaVu Sans', Verdana, sans-serif", "'Mutoscope Mono', 'DejaVu Sans Mono', Menlo, monospace",
];
const ALIGN = ["left", "center", "right"];

class Painter {
  // Draws on one canvas, `scale` device pixels to a logical one.
  constructor(canvas) {
    this.context = canvas.getContext("2d", { alpha: false });
    this.groups = new Map();  // number -> group that is sent once
    this.resize(canvas.width, canvas.height, 1);
  }

  resize(width, height, scale) {
    Object.assign(this.context.canvas, { width: Math.round(width * scale), height: Math.round(height * scale) });
    this.scale = scale;
    this.kept = new WeakMap();  // group -> its pixels
    this.patterns = new Map();
    this.panels = null;
    if (this.latest) this.paint(...this.latest);
  }

  show({ fresh, gone, draw, paper }) {  // a picture of a stream: the panels that differ from the latest, or all
    for (const number of gone) this.groups.delete(number);
    for (const [number, group] of fresh) this.groups.set(number, group);
    const before = this.panels, after = this.panels = draw.map((shape) => [JSON.stringify(shape), this.box(shape)]);
    const differing = (these, those) => these.filter(([text], i) => text !== those[i]?.[0]).map(([, box]) => box);
    const isKnown = before && paper === this.latest[1];
    const boxes = isKnown ? [...differing(before, after), ...differing(after, before)] : [null];
    const parts = boxes.includes(null) ? [null] : new Map(boxes.map((box) => [String(box), box])).values();
    for (const part of parts) this.paint(draw, paper, part);
  }

  box([kind, a, b, c]) {  // pixels that a group keeps to, with one around them for rounding; null if they are not known
    const [x, y, inner] = kind === KEPT ? [b, c, this.groups.get(a)[5]] : kind === GROUP ? [a, b, c] : [];
    const from = (place) => Math.floor(place * this.scale) - 1, long = (length) => Math.ceil(length * this.scale) + 3;
    return inner ? [from(x + inner[0]), from(y + inner[1]), long(inner[2]), long(inner[3])] : null;
  }

  paint(shapes, paper, part) {  // all of it, or a part of the canvas
    const g = this.context, [x, y, w, h] = part ?? [0, 0, g.canvas.width, g.canvas.height];
    g.save();
    g.resetTransform();
    g.beginPath();
    g.rect(x, y, w, h);
    g.clip();
    g.fillStyle = paper;
    g.fillRect(x, y, w, h);
    g.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    this.clipped(g, null, part ? shapes.filter((_, i) => meet(part, this.panels[i][1] ?? part)) : shapes);
    g.restore();
    this.latest = [shapes, paper];
  }

  group(g, group, x = group[1], y = group[2]) {
    const [, , , clip, opacity, extent, shapes] = group, image = extent && this.pixels(group), s = this.scale;
    if (image) this.blit(g, image, x + Math.floor(extent[0] * s) / s, y + Math.floor(extent[1] * s) / s, opacity);
    else this.clipped(g, clip, shapes, x, y);
  }

  pixels(group) {  // none if there are too many
    const [, , , clip, opacity, [x, y, w, h], shapes] = group, s = this.scale;
    const left = Math.floor(x * s), top = Math.floor(y * s);  // whole pixels: nothing is moved when it is drawn
    const wide = Math.ceil((x + w) * s) - left, high = Math.ceil((y + h) * s) - top;
    if (!(wide * high > 0 && (wide * high <= LARGEST || opacity < 1))) return null;
    if (!this.kept.has(group)) {
      const image = new OffscreenCanvas(wide, high), g = image.getContext("2d");
      g.setTransform(s, 0, 0, s, -left, -top);
      this.clipped(g, clip, shapes);
      this.kept.set(group, image);
    }
    return this.kept.get(group);
  }

  blit(g, image, x, y, opacity) {  // on whole pixels, or letters would blur
    const { e, f } = g.getTransform();
    g.save();
    g.resetTransform();
    g.globalAlpha = opacity;
    g.drawImage(image, Math.round(e + x * this.scale), Math.round(f + y * this.scale));
    g.restore();
  }

  clipped(g, clip, shapes, x = 0, y = 0) {
    g.save();
    g.translate(x, y);
    if (clip) {
      g.beginPath();
      g.rect(...clip);
      g.clip();
    }
    for (const shape of shapes) WAYS[shape[0]](this, g, shape);
    g.restore();
  }

  area(g, outline, [fill, stroke, width, dash], x, y) {  // a pattern begins in the corner (x, y)
    g.beginPath();
    outline(g);
    if (fill) {
      const rim = stroke ? width / 2 : 0;
      g.fillStyle = typeof fill === "string" ? fill : this.pattern(g, fill, x - rim, y - rim);
      g.fill();
    }
    if (!stroke) return;
    Object.assign(g, { strokeStyle: stroke, lineWidth: Math.max(width, 1 / this.scale), lineJoin: "round" });
    g.setLineDash(dash);
    g.stroke();
  }

  pattern(g, [name, ink, ground, pitch], x, y) {
    const key = [name, ink, ground, pitch].join();
    let pattern = this.patterns.get(key);
    if (!pattern) {
      const side = Math.max(4, Math.round(pitch * this.scale)), tile = new OffscreenCanvas(side, side);
      const t = tile.getContext("2d");
      t.fillStyle = ground;
      t.fillRect(0, 0, side, side);
      for (const piece of TILES[name](side)) this.area(t, piece, [ink]);
      pattern = g.createPattern(tile, "repeat");
      this.patterns.set(key, pattern);
    }
    pattern.setTransform(new DOMMatrix([1 / this.scale, 0, 0, 1 / this.scale, x, y]));
    return pattern;
  }

  path(g, [, points, stroke, width, dash, arrow]) {
    const n = points.length;
    if (n < 4) return;
    const [ax, ay, bx, by] = points.slice(n - 4), length = Math.hypot(bx - ax, by - ay), head = length ? arrow : 0;
    const back = head ? Math.min(head * 0.8, length) / length : 0;  // a thick line must not blunt the tip
    const shaft = [...points.slice(0, n - 2), bx + (ax - bx) * back, by + (ay - by) * back];
    this.area(g, () => trace(g, shaft), [null, stroke, width, dash]);
    if (!head) return;
    const ux = (bx - ax) / length * head, uy = (by - ay) / length * head, sx = uy * SPREAD / 2, sy = ux * SPREAD / 2;
    this.area(g, closed(bx, by, bx - ux - sx, by - uy + sy, bx - ux + sx, by - uy - sy), [stroke]);
  }

  text(g, [, words, x, y, down, size, ink, bold, mono, anchor, halo, angle]) {
    const font = `${bold ? "bold " : ""}${size}px ${FACES[mono]}`;
    Object.assign(g, { font, fontKerning: "none", textRendering: "geometricPrecision", textAlign: ALIGN[anchor] });
    g.save();
    g.translate(x, y);
    if (angle) g.rotate(angle * Math.PI / 180);
    if (halo) {
      Object.assign(g, { strokeStyle: halo, lineWidth: HALO * size, lineJoin: "round" });
      g.setLineDash([]);
      g.strokeText(words, 0, down);
    }
    g.fillStyle = ink;
    g.fillText(words, 0, down);
    g.restore();
  }
}

function trace(g, points) {
  g.moveTo(points[0], points[1]);
  for (let i = 2; i < points.length; i += 2) g.lineTo(points[i], points[i + 1]);
}

const meet = ([x, y, w, h], [a, b, c, d]) => x < a + c && a < x + w && y < b + d && b < y + h;
const corner = (points) => [0, 1].map((k) => Math.min(...points.filter((_, i) => i % 2 === k)));
const closed = (...points) => (g) => { trace(g, points); g.closePath(); };
const rising = (s, w) => [0, s].map((x) => closed(x, 0, x + w, 0, x + w - s, s, x - s, s));
const falling = (s, w) => [0, -s].map((x) => closed(x, 0, x + w, 0, x + w + s, s, x + s, s));
const TILES = {  // visual/drawing/strokes.py, tile
  hatch: (s) => rising(s, s / 2),
  backhatch: (s) => falling(s, s / 4),
  crosshatch: (s) => [...rising(s, s / 4), ...falling(s, s / 4)],
  dots: (s) => [(t) => t.arc(s / 2, s / 2, 0.27 * s, 0, 2 * Math.PI)],
  bars: (s) => [closed(0, 0, s / 2, 0, s / 2, s, 0, s)],
};

const WAYS = [  // in the order of visual/drawing/encoding.py, KINDS
  (p, g, [, x, y, r, ...area]) => p.area(g, () => g.arc(x, y, Math.max(r, 0), 0, 2 * Math.PI), area, x - r, y - r),
  (p, g, shape) => p.path(g, shape),
  (p, g, [, points, ...area]) => points.length && p.area(g, closed(...points), area, ...corner(points)),
  (p, g, [, x, y, w, h, radius, ...area]) =>
    p.area(g, () => g.roundRect(x, y, Math.max(w, 0), Math.max(h, 0), Math.max(radius, 0)), area, x, y),
  (p, g, shape) => p.text(g, shape),
  (p, g, shape) => p.group(g, shape),
  (p, g, [, number, x, y]) => p.groups.has(number) && p.group(g, p.groups.get(number), x, y),
  (p, g, [, x, y, r, share, ...line]) =>
    p.area(g, () => g.arc(x, y, r, -Math.PI / 2, (2 * share - 0.5) * Math.PI), [null, ...line, []]),
];

globalThis.Painter = Painter;  // for a page, and for a worker, which imports this file
