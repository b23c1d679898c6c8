// Python, the window's logic and the drawing, away from the page, which stays free for input.
import "./draw.js";
import { loadPyodide } from "./pyodide.mjs";

const HOME = "/home/pyodide", FOLDER = `${HOME}/files`, IDLE = 100;  // milliseconds between two looks while nothing moves
const fonts = { "Mutoscope Sans": ["DejaVuSans", "DejaVuSans-Bold"], "Mutoscope Mono": ["DejaVuSansMono", "DejaVuSansMono-Bold"] };
let python, live, painter, latest, queue = [], before = 0, size = [0, 0], sync = 0;

async function bytes(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name} is missing on this server (${answer.status})`);
  return answer.arrayBuffer();
}

async function start({ canvas, width, height, scale, theme, scenario }) {
  painter = new Painter(canvas);
  resize(width, height, scale);
  const archives = ["mutoscope.zip", "msgspec.whl", "platformdirs.whl"].map(bytes);  // while Python loads
  python = await loadPyodide({ indexURL: new URL(".", location.href).href });
  for (const archive of await Promise.all(archives)) python.unpackArchive(archive, "zip", { extractDir: "/app" });
  for (const [family, files] of Object.entries(fonts)) {
    for (const [bold, file] of files.entries()) {
      const data = python.FS.readFile(`/app/assets/fonts/${file}.ttf`);
      self.fonts.add(await new FontFace(family, data, { weight: bold ? "bold" : "normal" }).load());
    }
  }
  python.FS.mount(python.FS.filesystems.IDBFS, {}, HOME);
  await synchronized(true);
  python.FS.mkdirTree(FOLDER);
  python.globals.set("GIVEN", python.toPy([width, height, FOLDER, scenario, theme]));
  live = python.runPython(`
import os, sys
sys.path.insert(0, "/app")
os.chdir("${FOLDER}")
from visual.window.web.live import LiveWindow
LiveWindow(*GIVEN)
`);
  advance(0);
  postMessage({ ready: true });
  before = performance.now();
  requestAnimationFrame(loop);
}

const synchronized = (fromStore) => new Promise((done) => python.FS.syncfs(fromStore, done));

function resize(width, height, scale) {
  size = [width, height];
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
  postMessage(answer.say ? { say: answer.say, description: live.description() } : {});
  for (const path of answer.files ?? []) postMessage({ file: path.split("/").at(-1), bytes: python.FS.readFile(path) });
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
