// Plays a recorded run, or two on one clock. See visual/window/web/recording.py for what a step holds.
"use strict";

const $ = (id) => document.getElementById(id);
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const still = matchMedia("(prefers-reduced-motion: reduce)");
let film, place = 0, time = 0, playing = false, speed = 1, before = 0, format = -1;

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

// Reading: visual/window/web/page.py.
const summed = (growth, latest) => growth.map((by) => (latest += by));

function readPictures(film) {
  for (const shape of film.shapes) if (shape[0] === 5) shape[6] = shape[6].map((number) => film.shapes[number]);
  const pictures = [];
  let latest = 0;
  for (const [distance, back, front, growth] of film.pictures) {
    const earlier = pictures[pictures.length - distance] ?? [], numbers = summed(growth, latest);
    const between = numbers.map((number) => film.shapes[number]);
    pictures.push([...earlier.slice(0, back), ...between, ...earlier.slice(earlier.length - front)]);
    latest = numbers.at(-1) ?? latest;
  }
  film.pictures = pictures;
}

function readSteps(run) {
  let latest = 0;
  run.steps = run.steps.map(([time, number, sentence, description, counters, lights, lines, streams]) => {
    const moments = (stream) => stream.map(([after, by]) => [time + after, film.pictures[(latest += by)]]);
    const pictures = streams.map(moments);
    return { time, number, sentence, counters: film.texts[counters], lights: film.texts[lights],
             description: film.texts[description], lines: film.texts[lines], pictures };
  });
}

function readOrder(film) {  // of the steps of all runs on one clock
  const next = film.runs.map(() => 0);
  film.order = film.order.map((place) => {
    const number = next[place]++;
    return { place, number, time: film.runs[place].steps[number].time };
  });
}

function mix(a, b, share) {  // visual/drawing/encoding.py, mix
  if (a === b) return a;
  if (typeof a === "number" && typeof b === "number") return a + (b - a) * share;
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) return a.map((one, i) => mix(one, b[i], share));
  return a;
}

function pictureAt(moments) {
  let i = moments.length - 1;
  while (i && moments[i][0] > time) i--;
  const [start, here] = moments[i], [end, there] = moments[i + 1] ?? [];
  return there ? mix(here, there, Math.min((time - start) / (end - start), 1)) : here;
}

function stepOf(run) {  // the step that a run has reached at the present place
  for (let i = place; i >= 0; i--) if (film.order[i].place === run.index) return run.steps[film.order[i].number];
  return run.steps[0];
}

function draw() {
  for (const run of film.runs) {
    const { pictures } = stepOf(run);
    run.painters.forEach((painter, i) => painter.paint(pictureAt(pictures[2 * format + i]), film.paper));
  }
}

function show() {
  const lead = film.runs[film.order[place].place], step = stepOf(lead);
  const words = film.runs.length > 1 ? `${lead.name}: ${step.sentence}` : step.sentence;
  if ($("say").textContent !== words) $("say").textContent = words;
  $("at").value = place;
  $("at").ariaValueText = `step ${place}, time ${film.order[place].time}`;
  $("count").textContent = `t = ${+time.toFixed(2)}`;
  for (const run of film.runs) showRun(run, stepOf(run));
  for (const button of $("markers").children) button.ariaCurrent = +button.dataset.place === place || null;
  draw();
}

function showRun(run, step) {
  if (run.shown === step) return;
  run.shown = step;
  run.canvases[0].ariaLabel = step.description;
  run.lights.replaceChildren(...step.lights.map(([name, words, hue]) => {
    const light = element("li", { className: hue });
    light.append(element("b", { textContent: name }), element("span", { textContent: words }));
    return light;
  }));
  run.counters.replaceChildren(...step.counters.map(([words, measured, formula, strong]) => {
    const row = element("tr", { className: strong ? "strong" : "" });
    const head = element("th", { textContent: words.trim(), scope: "row", className: words.startsWith(" ") ? "part" : "" });
    row.append(head, element("td", { textContent: measured }), element("td", { textContent: formula }));
    return row;
  }));
  showSource(run, ...step.lines);
}

function showSource(run, listing, title, ran, now, guards) {
  run.source.querySelector("h3").textContent = title;
  const code = run.source.querySelector("code");
  if (run.listing !== listing) {
    run.listing = listing;
    run.rows = new Map();
    code.replaceChildren(...film.texts[run.listings[listing]].map(([number, text]) => {
      const row = element("span", { textContent: `${text}\n` });
      run.rows.set(number, row);
      return row;
    }));
  }
  for (const [number, row] of run.rows) {
    row.className = `${ran.includes(number) ? "ran" : ""} ${number === now ? "now" : ""}`;
    delete row.dataset.guard;
  }
  for (const [number, value] of guards) if (run.rows.has(number)) run.rows.get(number).dataset.guard = value;
  const row = run.rows.get(now || ran[0]), box = code.parentElement;
  if (row) box.scrollTop = row.offsetTop - box.offsetTop - box.clientHeight / 3;
}

const element = (tag, properties) => Object.assign(document.createElement(tag), properties);

function go(to, at) {
  place = Math.min(Math.max(to, 0), film.order.length - 1);
  time = at ?? film.order[place].time;
  show();
}

function toggle() {
  if (!playing && place === film.order.length - 1) go(0);
  playing = !playing;
  $("play").textContent = playing ? "Pause" : "Play";
  if (!playing) return;
  before = performance.now();
  requestAnimationFrame(tick);
}

function tick(now) {
  if (!playing) return;
  time += Math.min((now - before) / 1000, 0.1) * film.pace * speed;
  before = now;
  let to = place;
  while (film.order[to + 1] && film.order[to + 1].time <= time) to++;
  if (to !== place) go(to, still.matches ? undefined : time);
  else if (!still.matches) draw();
  if (place === film.order.length - 1 && time >= film.end) toggle();
  else requestAnimationFrame(tick);
}

function pause(to) {
  if (playing) toggle();
  go(to);
}

function toMarker(direction) {
  const places = [0, ...film.markers.map((marker) => marker.place), film.order.length - 1];
  const beyond = direction > 0 ? places.find((one) => one > place) : places.findLast((one) => one < place);
  if (beyond !== undefined) pause(beyond);
}

function faster(by) {
  speed = SPEEDS[Math.min(Math.max(SPEEDS.indexOf(speed) + by, 0), SPEEDS.length - 1)];
  $("speed").textContent = `${speed}×`;
}

const KEYS = {  // as in the window: docs/keys.md
  " ": toggle, k: toggle, ArrowRight: () => pause(place + 1), ".": () => pause(place + 1),
  ArrowLeft: () => pause(place - 1), ",": () => pause(place - 1), Home: () => pause(0), End: () => pause(Infinity),
  PageDown: () => toMarker(1), "]": () => toMarker(1), PageUp: () => toMarker(-1), "[": () => toMarker(-1),
  "+": () => faster(1), "-": () => faster(-1), Backspace: () => faster(SPEEDS.indexOf(1) - SPEEDS.indexOf(speed)),
};

function build() {
  film.runs.forEach((run, index) => {
    const part = $("run").content.cloneNode(true).firstElementChild;
    part.querySelector("h2").textContent = run.name;
    Object.assign(run, {
      index, canvases: [...part.querySelectorAll("canvas")], lights: part.querySelector(".lights"),
      counters: part.querySelector("tbody"), source: part.querySelector(".source"), listing: -1,
    });
    run.painters = run.canvases.map((canvas) => new Painter(canvas));
    if (!run.steps[0].counters.length) part.querySelector("table").remove();
    $("runs").append(part);
  });
  document.body.classList.toggle("pair", film.runs.length > 1);
  for (const { name, place } of film.markers) {
    $("markers").append(element("button", { textContent: name, onclick: () => pause(place) }));
    $("markers").lastChild.dataset.place = place;
  }
  $("at").max = film.order.length - 1;
}

function listen() {
  const does = { play: toggle, first: KEYS.Home, back: KEYS.ArrowLeft, on: KEYS.ArrowRight };
  for (const id in does) $(id).onclick = does[id];
  $("speed").onclick = () => faster(speed === SPEEDS.at(-1) ? -SPEEDS.length : 1);
  $("at").oninput = () => pause(+$("at").value);
  addEventListener("keydown", (event) => {
    const act = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const isOwn = event.target.tagName === "BUTTON" && event.key === " ";  // it presses the button
    if (!act || isOwn || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act();
  });
  addEventListener("resize", fit);
  addEventListener("hashchange", open);
}

function fit() {
  const width = film.runs[0].canvases[0].parentElement.clientWidth;
  format = width < film.formats[0].graph[0] * 0.7 ? 1 : 0;
  for (const run of film.runs) {
    [film.formats[format].graph, film.formats[format].diagram].forEach(([w, h], i) => {
      run.canvases[i].style.aspectRatio = `${w} / ${h}`;
      run.painters[i].resize(w, h, (width / w) * devicePixelRatio);
    });
  }
  draw();
  if (parent !== window) {  // a course page fits its frame to the content
    const height = document.documentElement.scrollHeight;
    parent.postMessage({ subject: "lti.frameResize", height }, "*");
  }
}

function open() {  // #12: after 12 steps
  const to = /^#(\d+)$/.exec(location.hash);
  pause(to ? +to[1] : 0);
}

(async () => {
  film = await unpack($("film").textContent);
  readPictures(film);
  film.runs.forEach(readSteps);
  readOrder(film);
  build();
  await Promise.all([...document.fonts].map((face) => face.load()));
  listen();
  fit();
  open();
  document.body.classList.add("ready");
})();
