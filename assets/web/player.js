// Plays a recorded run, or two on one clock. See visual/window/web/recording.py for what a step holds.
"use strict";

const $ = (id) => document.getElementById(id);
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const still = matchMedia("(prefers-reduced-motion: reduce)");
let film, place = 0, time = 0, playing = false, speed = 1, before = 0, format = 0;

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
}

// Reading: visual/window/web/recording.py.
function readPictures() {
  for (const shape of film.shapes) if (shape[0] === 5) shape[6] = shape[6].map((number) => film.shapes[number]);
  const pictures = [];
  let latest = 0;
  for (const [distance, back, front, growth] of film.pictures) {
    const earlier = pictures[pictures.length - distance] ?? [];
    const between = growth.map((by) => film.shapes[(latest += by)]);
    pictures.push([...earlier.slice(0, back), ...between, ...earlier.slice(earlier.length - front)]);
  }
  film.pictures = pictures;
}

function readSteps(run) {
  let latest = 0;
  run.steps = run.steps.map(([streams, time, , sentence, ...texts]) => {
    const moments = (stream) => stream.map(([after, by]) => [time + after, film.pictures[(latest += by)]]);
    const [description, counters, lights, lines] = texts.map((text) => film.texts[text]);
    return { run, time, sentence, pictures: streams.map(moments), description, counters, lights, lines };
  });
}

function mix(a, b, share) {  // visual/drawing/encoding.py, mix
  if (a === b) return a;
  if (typeof a === "number" && typeof b === "number") return a + (b - a) * share;
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) return a.map((one, i) => mix(one, b[i], share));
  return a;
}

function pictureAt(moments) {
  const i = Math.max(moments.findLastIndex(([start]) => start <= time), 0);
  const [start, here] = moments[i], [end, there] = moments[i + 1] ?? [];
  return there ? mix(here, there, Math.min((time - start) / (end - start), 1)) : here;
}

// The step that a run has reached at the present place.
const stepOf = (run) => film.order.findLast((step, i) => i <= place && step.run === run) ?? run.steps[0];

function draw() {
  for (const run of film.runs) {
    const { pictures } = stepOf(run);
    run.painters.forEach((painter, i) => painter.paint(pictureAt(pictures[format * run.painters.length + i]), film.paper));
  }
}

function show() {
  const { run: lead, sentence, time: reached } = film.order[place];
  const words = film.runs.length > 1 ? `${lead.name}: ${sentence}` : sentence;
  if ($("say").textContent !== words) $("say").textContent = words;
  $("at").value = place;
  $("at").ariaValueText = `step ${place}, time ${reached}`;
  $("count").textContent = `t = ${+time.toFixed(2)}`;
  film.runs.forEach(showRun);
  for (const button of $("markers").children) button.ariaCurrent = +button.dataset.place === place || null;
  draw();
}

function showRun(run) {
  const step = stepOf(run), [listing, ...light] = step.lines, part = run.part;
  if (run.shown === step) return;
  part.querySelector("canvas").ariaLabel = step.description;
  part.querySelector(".lights").innerHTML = step.lights;
  part.querySelector(".counters").innerHTML = step.counters;
  if (run.shown?.lines[0] !== listing) part.querySelector("code").innerHTML = film.texts[listing];
  showSource(part.querySelector(".source"), ...light);
  run.shown = step;
}

function showSource(source, title, ran, now, guards) {
  const [head, box] = source.children;
  head.textContent = title;
  for (const row of box.firstChild.children) {
    const line = +row.dataset.line;
    row.className = `${ran.includes(line) ? "ran" : ""} ${line === now ? "now" : ""}`;
    row.dataset.guard = guards[line] ?? "";
  }
  const row = box.querySelector(".now") ?? box.querySelector(".ran");
  if (row) box.scrollTop = row.offsetTop - box.offsetTop - box.clientHeight / 3;
}

function go(to, at) {
  place = Math.min(Math.max(to, 0), film.order.length - 1);
  time = at ?? film.order[place].time;
  show();
}

function toggle() {
  if (!playing && place === film.order.length - 1) go(0);
  playing = !playing;
  $("play").textContent = playing ? "Pause" : "Play";
  before = performance.now();
  if (playing) requestAnimationFrame(tick);
}

function tick(now) {
  if (!playing) return;
  time += Math.min((now - before) / 1000, 0.1) * film.pace * speed;
  before = now;
  const to = film.order.findLastIndex((step) => step.time <= time);
  if (to > place) go(to, still.matches ? undefined : time);
  else if (!still.matches) draw();
  if (place === film.order.length - 1 && time >= film.end) toggle();
  else requestAnimationFrame(tick);
}

function pause(to) {
  if (playing) toggle();
  go(to);
}

function toMarker(direction) {
  const places = [0, ...[...$("markers").children].map((button) => +button.dataset.place), film.order.length - 1];
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

function listen() {
  for (const button of $("bar").querySelectorAll("[data-key]")) button.onclick = KEYS[button.dataset.key];
  for (const button of $("markers").children) button.onclick = () => pause(+button.dataset.place);
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
  const width = $("runs").querySelector("canvas").clientWidth;
  if (!width) return;  // on a slide that is not shown yet, which changes its size
  format = film.formats[1] && width < film.formats[0][0][0] * 0.7 ? 1 : 0;
  for (const { painters } of film.runs) {
    painters.forEach((painter, i) => {
      const [w, h] = film.formats[format][i];
      painter.context.canvas.style.aspectRatio = `${w} / ${h}`;
      painter.resize(w, h, (width / w) * devicePixelRatio);
    });
  }
  draw();
  const height = document.documentElement.scrollHeight;  // a course page fits its frame to the content
  if (parent !== window) parent.postMessage({ subject: "lti.frameResize", height }, "*");
}

const open = () => pause(+/^#(\d+)$/.exec(location.hash)?.[1] || 0);  // #12: after 12 steps

(async () => {
  film = await unpack($("film").textContent);
  readPictures();
  film.runs.forEach(readSteps);
  film.order = film.runs.flatMap((run) => run.steps).sort((one, other) => one.time - other.time);  // on one clock
  film.runs.forEach((run, i) => {
    run.part = $("runs").children[i];
    run.painters = Array.from(run.part.querySelectorAll("canvas"), (canvas) => new Painter(canvas));
  });
  await Promise.all(Array.from(document.fonts, (face) => face.load()));
  listen();
  fit();
  open();
  document.body.classList.add("ready");
  if (document.querySelector(".slide")) toggle();
})();
