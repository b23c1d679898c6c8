// Draws shapes on a 2d canvas as visual/drawing/paint does in the window. A shape is a list as visual/drawing/encoding.py writes it.
"use strict";

const HALO = 0.28, SPREAD = 0.8;  // of a text's em; width of an arrowhead in its lengths
const LARGEST = 4e6;  // pixels of a kept group
const FACES = ["'Mutoscope Sans', 'DejaVu Sans', Verdana, sans-serif", "'Mutoscope Mono', 'DejaVu Sans Mono', Menlo, monospace"];
const ALIGN = ["left", "center", "right"];

class Painter {
  // Draws on one canvas, `scale` device pixels to a logical one.
  constructor(canvas) {
    this.context = canvas.getContext("2d", { alpha: false });
    this.scale = 1;
    this.groups = new Map();  // number -> group that is sent once
    this.forget();
  }

  forget() {
    this.kept = new WeakMap();  // group -> its pixels
    this.patterns = new Map();
  }

  resize(width, height, scale) {
    const canvas = this.context.canvas;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    if (scale !== this.scale) this.forget();
    this.scale = scale;
  }

  paint(shapes, paper) {
    const g = this.context;
    g.resetTransform();
    g.fillStyle = paper;
    g.fillRect(0, 0, g.canvas.width, g.canvas.height);
    g.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    this.all(g, shapes);
  }

  all(g, shapes) {
    for (const shape of shapes) WAYS[shape[0]](this, g, shape);
  }

  group(g, group, x = group[1], y = group[2]) {
    const [, , , clip, opacity, extent, shapes] = group;
    if (extent && this.keeps(extent)) return this.blit(g, this.pixels(group), x + extent[0], y + extent[1], opacity);
    if (opacity < 1) return this.faded(g, group, x, y);
    this.clipped(g, clip, shapes, x, y);
  }

  keeps([, , w, h]) {
    const area = Math.ceil(w * this.scale) * Math.ceil(h * this.scale);
    return area > 0 && area <= LARGEST;
  }

  pixels(group) {
    let image = this.kept.get(group);
    if (!image) {
      const [, , , clip, , [x, y, w, h], shapes] = group, s = this.scale;
      image = layer(Math.ceil(w * s), Math.ceil(h * s));
      const g = image.getContext("2d");
      g.setTransform(s, 0, 0, s, -x * s, -y * s);
      this.clipped(g, clip, shapes);
      this.kept.set(group, image);
    }
    return image;
  }

  blit(g, image, x, y, opacity) {  // on whole pixels, or letters would blur
    const { e, f } = g.getTransform();
    g.save();
    g.resetTransform();
    g.globalAlpha = opacity;
    g.drawImage(image, Math.round(e + x * this.scale), Math.round(f + y * this.scale));
    g.restore();
  }

  faded(g, [, , , clip, opacity, , shapes], x, y) {  // all at once, so that nothing shines through what covers it
    const whole = layer(g.canvas.width, g.canvas.height), over = whole.getContext("2d"), { e, f } = g.getTransform();
    over.setTransform(g.getTransform());
    this.clipped(over, clip, shapes, x, y);
    this.blit(g, whole, -e / this.scale, -f / this.scale, opacity);
  }

  clipped(g, clip, shapes, x = 0, y = 0) {
    g.save();
    g.translate(x, y);
    if (clip) {
      g.beginPath();
      g.rect(...clip);
      g.clip();
    }
    this.all(g, shapes);
    g.restore();
  }

  area(g, outline, [fill, stroke, width, dash]) {
    g.beginPath();
    outline(g);
    if (fill) {
      g.fillStyle = typeof fill === "string" ? fill : this.pattern(g, fill);
      g.fill();
    }
    if (stroke) this.stroke(g, stroke, width, dash);
  }

  stroke(g, stroke, width, dash) {
    g.strokeStyle = stroke;
    g.lineWidth = Math.max(width, 1 / this.scale);
    g.lineJoin = "round";
    g.setLineDash(dash);
    g.stroke();
  }

  pattern(g, [name, ink, ground, pitch]) {
    const key = [name, ink, ground, pitch].join();
    let pattern = this.patterns.get(key);
    if (!pattern) {
      const side = Math.max(2, Math.round(pitch * this.scale)), tile = layer(side, side), t = tile.getContext("2d");
      t.fillStyle = ground;
      t.fillRect(0, 0, side, side);
      for (const piece of TILES[name](side)) this.area(t, piece, [ink]);
      pattern = g.createPattern(tile, "repeat");
      pattern.setTransform(new DOMMatrix().scale(pitch / side));
      this.patterns.set(key, pattern);
    }
    return pattern;
  }

  path(g, [, points, stroke, width, dash, arrow]) {
    const n = points.length;
    if (n < 4) return;
    const [ax, ay, bx, by] = points.slice(n - 4), length = Math.hypot(bx - ax, by - ay), head = length ? arrow : 0;
    const back = head ? Math.min(head * 0.8, length) / length : 0;  // a thick line must not blunt the tip
    g.beginPath();
    trace(g, points.slice(0, n - 2));
    g.lineTo(bx + (ax - bx) * back, by + (ay - by) * back);
    this.stroke(g, stroke, width, dash);
    if (!head) return;
    const ux = (bx - ax) / length * head, uy = (by - ay) / length * head, half = SPREAD / 2;
    this.area(g, closed(bx, by, bx - ux - uy * half, by - uy + ux * half, bx - ux + uy * half, by - uy - ux * half), [stroke]);
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

function layer(width, height) {
  if (typeof document === "undefined") return new OffscreenCanvas(width, height);
  return Object.assign(document.createElement("canvas"), { width, height });
}

function trace(g, points) {
  g.moveTo(points[0], points[1]);
  for (let i = 2; i < points.length; i += 2) g.lineTo(points[i], points[i + 1]);
}

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
  (p, g, [, x, y, r, ...area]) => p.area(g, () => g.arc(x, y, Math.max(r, 0), 0, 2 * Math.PI), area),
  (p, g, shape) => p.path(g, shape),
  (p, g, [, points, ...area]) => points.length && p.area(g, closed(...points), area),
  (p, g, [, x, y, w, h, radius, ...area]) =>
    p.area(g, () => g.roundRect(x, y, Math.max(w, 0), Math.max(h, 0), Math.max(radius, 0)), area),
  (p, g, shape) => p.text(g, shape),
  (p, g, shape) => p.group(g, shape),
  (p, g, [, number, x, y]) => p.groups.has(number) && p.group(g, p.groups.get(number), x, y),
  (p, g, [, x, y, r, share, ...line]) =>
    p.area(g, () => g.arc(x, y, r, -Math.PI / 2, (2 * share - 0.5) * Math.PI), [null, ...line, []]),
];

globalThis.Painter = Painter;  // for a page, and for a worker, which imports this file
