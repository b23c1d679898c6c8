// Python, the window's logic and the drawing, away from the page, which stays free for input.
import "./draw.js";
import { loadPyodide } from "./pyodide.mjs";

const HOME = "/home/pyodide", FOLDER = `${HOME}/files`;
const IDLE = 100;  // milliseconds between two looks while nothing moves
let python, live, painter, queue = [], before = 0, idle = 0, sync = 0;  // sync: when files were last kept

async function bytes(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name} is missing on this server (${answer.status})`);
  return answer.arrayBuffer();
}

async function start({ canvas, size, scale, asked, wishes }) {
  painter = new Painter(canvas);
  painter.resize(...size, scale);
  const files = ["mutoscope.pack", "msgspec.whl", "platformdirs.whl"].map(bytes);  // while Python loads
  python = await loadPyodide();
  const [program, ...wheels] = await Promise.all(files);
  for (const wheel of wheels) python.unpackArchive(wheel, "zip", { extractDir: "/app" });
  python.FS.writeFile("/mutoscope.pack", new Uint8Array(program));
  python.FS.mount(python.FS.filesystems.IDBFS, {}, HOME);
  await synchronized(true);
  python.FS.mkdirTree(FOLDER);
  python.runPython(`
import os, sys, tarfile
tarfile.open("/mutoscope.pack").extractall("/app", filter="fully_trusted")
sys.path.append("/app")
os.chdir("${FOLDER}")
`);
  live = python.pyimport("visual.window.web.live").LiveWindow(...size, FOLDER, asked, ...wishes);
  for (const [family, weight, file] of JSON.parse(live.faces())) {
    self.fonts.add(await new FontFace(family, python.FS.readFile(file), { weight }).load());
  }
  advance(0);
  postMessage({ keys: JSON.parse(live.keys()), ready: "yes" });
  before = sync = performance.now();
  requestAnimationFrame(loop);
}

const synchronized = (fromStore) => new Promise((done) => python.FS.syncfs(fromStore, done));

function advance(seconds) {  // whether anything has changed
  postMessage({ busy: true });
  const given = queue.length ? JSON.stringify(queue) : "";
  queue = [];
  const text = live.frame(given, seconds), { picture, files = [], ...news } = text ? JSON.parse(text) : {};
  if (picture) painter.show(picture);
  postMessage(news);
  for (const path of files) postMessage({ file: path.split("/").at(-1), bytes: python.FS.readFile(path) });
  return Boolean(text);
}

function loop(now) {
  const changed = advance((now - before) / 1000);
  before = now;
  if (now > sync + 3000) { sync = now; synchronized(false); }  // what is kept survives a reload
  if (changed || queue.length) requestAnimationFrame(loop);
  else idle = setTimeout(wake, IDLE);
}

function wake() {  // look at once
  if (idle) requestAnimationFrame(loop);
  clearTimeout(idle), idle = 0;
}

const fail = ({ message }) => postMessage({ error: `Mutoscope cannot start here: ${message}`, ready: "no" });
onmessage = ({ data }) => {
  if (data.start) start(data.start).catch(fail);
  if (data.input) queue.push(data.input);
  if (data.input?.[0] === "Resize") painter.resize(data.input[1], data.input[2], data.scale);
  if (data.dropped) {
    const path = `${FOLDER}/${data.dropped.replace(/[^\w.-]/g, "-")}`;
    python.FS.writeFile(path, new Uint8Array(data.bytes));
    queue.push(["Dropped", path]);
  }
  wake();
};
