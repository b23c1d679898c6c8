// Python, the window's logic and the drawing, away from the page, which stays free for input.
import "./draw.js";
import { loadPyodide } from "./pyodide.mjs";

const HOME = "/home/pyodide", FOLDER = `${HOME}/files`, IDLE = 100;  // milliseconds between two looks while nothing moves
const FONTS = ["DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono", "DejaVuSansMono-Bold"];
let python, live, painter, latest, queue = [], before = 0, sync = 0;

async function bytes(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name} is missing on this server (${answer.status})`);
  return answer.arrayBuffer();
}

async function start({ canvas, size, scale, asked, wishes }) {
  painter = new Painter(canvas);
  resize(...size, scale);
  const archives = ["mutoscope.zip", "msgspec.whl", "platformdirs.whl"].map(bytes);  // while Python loads
  python = await loadPyodide({ indexURL: new URL(".", location.href).href });
  for (const archive of await Promise.all(archives)) python.unpackArchive(archive, "zip", { extractDir: "/app" });
  for (const file of FONTS) {
    const family = `Mutoscope ${file.includes("Mono") ? "Mono" : "Sans"}`, weight = file.endsWith("Bold") ? "bold" : "normal";
    self.fonts.add(await new FontFace(family, python.FS.readFile(`/app/assets/fonts/${file}.ttf`), { weight }).load());
  }
  python.FS.mount(python.FS.filesystems.IDBFS, {}, HOME);
  await synchronized(true);
  python.FS.mkdirTree(FOLDER);
  python.globals.set("GIVEN", python.toPy([...size, FOLDER, asked, ...wishes]));
  live = python.runPython(`
import os, sys
sys.path.insert(0, "/app")
os.chdir("${FOLDER}")
from visual.window.web.live import LiveWindow
LiveWindow(*GIVEN)
`);
  postMessage({ keys: JSON.parse(live.keys()) });
  advance(0);
  before = performance.now();
  requestAnimationFrame(loop);
}

const synchronized = (fromStore) => new Promise((done) => python.FS.syncfs(fromStore, done));

function resize(width, height, scale) {
  painter.resize(width, height, scale);
  if (latest) painter.paint(latest.draw, latest.paper);
}

function advance(seconds) {  // whether anything has changed
  postMessage({ busy: true });
  const given = queue.length ? JSON.stringify(queue) : "";
  queue = [];
  const text = live.frame(given, seconds), answer = text ? JSON.parse(text) : {};
  if (answer.draw) {
    for (const number of answer.gone) painter.groups.delete(number);
    for (const [number, group] of answer.fresh) painter.groups.set(number, group);
    latest = answer;
    painter.paint(answer.draw, answer.paper);
  }
  const { fresh, gone, draw, paper, say, files, ...elements } = answer;
  postMessage({ say, elements, description: say && live.description() });
  for (const path of files ?? []) postMessage({ file: path.split("/").at(-1), bytes: python.FS.readFile(path) });
  return Boolean(text);
}

function loop(now) {
  const changed = advance((now - before) / 1000);
  before = now;
  if (now > sync + 3000) { sync = now; synchronized(false); }  // what is kept survives a reload
  if (changed || queue.length) requestAnimationFrame(loop);
  else setTimeout(() => requestAnimationFrame(loop), IDLE);
}

onmessage = ({ data }) => {
  if (data.start) start(data.start).catch((error) => postMessage({ error: `Mutoscope cannot start here: ${error.message}` }));
  if (data.input) queue.push(data.input);
  if (data.input?.[0] === "Resize") resize(data.input[1], data.input[2], data.scale);
  if (data.dropped) {
    const path = `${FOLDER}/${data.dropped.replace(/[^\w.-]/g, "-")}`;
    python.FS.writeFile(path, new Uint8Array(data.bytes));
    queue.push(["Dropped", path]);
  }
};
