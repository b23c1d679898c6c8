// The page of the live window: passes on what a person does, and says what a screen reader reads. Python is in worker.js.
"use strict";

const PATIENCE = 5000;  // milliseconds for a frame, after which it may be ended
const canvas = document.querySelector("canvas"), say = document.getElementById("say"), wait = document.getElementById("wait");
const NAMES = { " ": "Space", Escape: "Esc", ArrowLeft: "Left", ArrowRight: "Right", ArrowUp: "Up", ArrowDown: "Down" };
const OTHERS = /^(Enter|Tab|Backspace|Delete|Home|End|PageUp|PageDown|F\d+)$/;
const BROWSERS = new Set(["Ctrl+R", "Ctrl+W", "Ctrl+N", "Ctrl+L", "Ctrl+T", "F6", "F11", "F12"]);  // chords left to the browser
const worker = new Worker("worker.js", { type: "module" }), options = new URLSearchParams(location.search);
const size = () => [innerWidth, innerHeight], place = (event) => [event.offsetX, event.offsetY];
const send = (...input) => worker.postMessage({ input, scale: devicePixelRatio });
let asked = 0, clock = 0;

worker.onmessage = ({ data }) => {
  clearTimeout(clock);
  if (data.busy) clock = setTimeout(offerToStop, PATIENCE);
  if (data.ready) { wait.replaceChildren(); canvas.focus(); document.body.dataset.ready = "yes"; }
  if (data.say) say.textContent = data.say;
  if (data.description) canvas.setAttribute("aria-label", data.description);
  if (data.error) { wait.textContent = data.error; document.body.dataset.ready = "no"; }
  if (data.file) download(data.file, data.bytes);
};

function download(name, bytes) {
  const link = Object.assign(document.createElement("a"), { download: name, href: URL.createObjectURL(new Blob([bytes])) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function offerToStop() {  // an algorithm of one's own may never end; the run was saved before
  const button = Object.assign(document.createElement("button"), { textContent: "This takes long. Stop, and start again" });
  button.onclick = () => { worker.terminate(); location.reload(); };
  wait.replaceChildren(button);
}

function chord({ key, ctrlKey, metaKey, shiftKey, altKey }) {  // as visual/window/app.py, chord_of
  const named = NAMES[key] ?? (OTHERS.test(key) ? key : ""), control = ctrlKey || metaKey ? "Ctrl+" : "", shift = shiftKey ? "Shift+" : "";
  if (named) return control + (altKey ? "Alt+" : "") + shift + named;
  if ([...key].length !== 1) return "";
  if (control) return control + key.toUpperCase();
  return /\p{L}/u.test(key) ? shift + key.toUpperCase() : key;
}

addEventListener("keydown", (event) => {
  const pressed = chord(event);
  if (!pressed || BROWSERS.has(pressed)) return;
  event.preventDefault();
  send("Key", pressed, event.repeat);
  if ([...event.key].length === 1 && !event.ctrlKey && !event.metaKey) send("Typed", event.key);
});
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  send("Motion", ...place(event));
  send(event.button === 2 ? "SecondaryPress" : "Press", ...place(event));
});
canvas.addEventListener("pointermove", (event) => send("Motion", ...place(event)));
canvas.addEventListener("pointerup", (event) => event.button === 2 || send("Release", ...place(event)));
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("wheel", (event) => { event.preventDefault(); send("Wheel", ...place(event), -event.deltaY / 100); }, { passive: false });
addEventListener("resize", () => send("Resize", ...size()));
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  event.preventDefault();
  for (const file of event.dataTransfer.files) worker.postMessage({ dropped: file.name, bytes: await file.arrayBuffer() });
});

const offscreen = canvas.transferControlToOffscreen(), [width, height] = size();
const theme = options.get("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
worker.postMessage({ start: { canvas: offscreen, width, height, scale: devicePixelRatio, theme, scenario: options.get("open") ?? "" } }, [offscreen]);
