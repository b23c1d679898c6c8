// The page of the live window: passes on what a person does, and mirrors widgets as elements. Python is in worker.js.
"use strict";

const PATIENCE = 5000, HOLD = 500;  // milliseconds for a frame, after which it may be ended; of a long press
const TREMBLE = 6;  // pixels that a finger may move in a press
const NOTCH = Math.log(1.15);  // zoom of the wheel: visual/window/update.py
const $ = (id) => document.getElementById(id), canvas = $("picture"), mirror = $("widgets");
const OWN = {  // keys that an element of this type keeps
  button: /^(Space|Enter)$/, range: /^(Left|Right|Up|Down|Home|End|PageUp|PageDown)$/, text: /^(?!(Enter|Esc|Down)$)/,
};
const worker = new Worker("worker.js", { type: "module" }), fingers = new Map(), widgets = new Map();  // id -> element
const size = () => [innerWidth, innerHeight], place = (event) => [event.offsetX, event.offsetY];
let keys = new Set(), clock, later, hold, apart, start = [0, 0], isTouched = false;
let isFollowing, struck = 0, aim;  // number of keys that Python has to take; the widget that it put the keyboard on
const send = (...input) => { struck += /^(Key|Typed)$/.test(input[0]), worker.postMessage({ input, scale: devicePixelRatio }); };

worker.onmessage = ({ data }) => {
  clearTimeout(clock);
  $("stop").hidden = true;
  if (data.busy) clock = setTimeout(() => { $("stop").hidden = false; }, PATIENCE);  // an own algorithm may never end
  if (data.ready) document.body.dataset.ready = data.ready;
  if (data.keys) keys = new Set(data.keys), canvas.focus();
  if (data.say) $("say").textContent = data.say;
  if (data.description) canvas.setAttribute("aria-label", data.description);
  if (data.error) $("wait").textContent = data.error;
  if (data.file) download(data.file, data.bytes);
  if (data.pick) $("file").click();
  if (data.full) document.documentElement.requestFullscreen?.();  // an iPhone has none
  if (data.full === false && document.fullscreenElement) document.exitFullscreen();
  reflect(data);
};

function reflect({ changed = [], order, focus, link, leave, taken }) {  // visual/window/web/mirror.py
  const before = document.activeElement, isOut = () => document.activeElement === document.body, wasOut = isOut();
  isFollowing = true;
  for (const one of changed) describe(...one);
  for (const [id, element] of order ? widgets : []) if (!order.includes(id)) element.remove(), widgets.delete(id);
  order?.map((id) => widgets.get(id)).forEach((element, i) => {
    if (mirror.children[i] !== element) mirror.insertBefore(element, mirror.children[i]);
  });
  if (isOut() && !wasOut) (before.isConnected ? before : canvas).focus();
  aim = focus ?? aim;
  if (taken === struck && aim !== undefined) {  // before that, a letter for the field may still be on its way to Python
    const aimed = widgets.get(aim) ?? canvas;
    if (!wasOut && !(isTouched && aim === "menu.field")) aimed.focus(), aimed.isMarked && aimed.select();
    aim = undefined;
  }
  isFollowing = false;
  if (leave) document.activeElement.blur();
  if (link === undefined) return;
  clearTimeout(later);  // browsers allow few changes in a second
  later = setTimeout(() => history.replaceState(null, "", link ? "#" + link : location.pathname + location.search), 300);
}

function describe(id, type, [x, y, w, h], name, value, words, isOff, isMarked) {
  const element = widgets.get(id) ?? made(id, type);
  element.style.cssText = `left:${x}px;top:${y}px;width:${w}px;height:${h}px`;
  Object.assign(element, { ariaLabel: name, ariaDisabled: isOff || null, ariaValueText: words || null, isMarked });
  if (type === "button") element.ariaPressed = value || null;
  else if (element !== document.activeElement) element.value = value;
}

function made(id, type) {
  const element = document.createElement(type === "button" ? "button" : "input");
  Object.assign(element, { type, max: 1, step: 0.01, autocomplete: "off", spellcheck: false });
  element.dataset.id = id;
  element.onclick = () => type === "button" ? send("Use", id) : element.select();
  if (type === "range") element.oninput = () => send("MoveSlider", id, +element.value);
  if (type === "text") element.oninput = element.onkeyup = () => send("FillField", element.value, element.selectionEnd);
  element.onfocus = () => isFollowing || send("Focus", id);
  widgets.set(id, element);
  return element;
}

function download(name, bytes) {
  const href = URL.createObjectURL(new Blob([bytes]));
  Object.assign(document.createElement("a"), { download: name, href }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}

function chord(event) {  // as visual/window/app.py, chord_of
  const { key, code, shiftKey } = event, isGraph = event.getModifierState("AltGraph"), isAlt = event.altKey && !isGraph;
  const control = (event.ctrlKey || event.metaKey) && !isGraph ? "Ctrl+" : "", shift = shiftKey ? "Shift+" : "";
  const name = key === " " ? "Space" : key.replace("Arrow", "").replace("Escape", "Esc");
  if (name.length > 1) return control + (isAlt ? "Alt+" : "") + shift + name;
  if (isAlt) return /^Digit/.test(code) ? `${control}Alt+${code.slice(-1)}` : "";
  const letter = /^(?!\p{Script=Latin})\p{L}/u.test(key) ? code.slice(-1) : key;  // of other scripts, by its place
  return (control || (/\p{L}/u.test(letter) ? shift : "")) + letter.toUpperCase();
}

$("stop").onclick = () => { worker.terminate(); location.href = "?again=yes"; };
addEventListener("keydown", (event) => {
  const at = document.activeElement, pressed = chord(event);
  const isOption = pressed === "Enter" && /^lesson\.\d/.test(at.dataset.id);  // Space takes it, Enter goes on
  if (at === document.body || (OWN[at.type]?.test(pressed) && !isOption)) return;
  const typed = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!keys.has(pressed) && !typed) return;
  event.preventDefault();
  send("Key", pressed, event.repeat);
  if (typed) send("Typed", event.key);
});

// ---- mouse and fingers -------------------------------------------------------------------------------------

const pinched = () => {  // middle of two fingers, and how far they are apart
  const [[ax, ay], [bx, by]] = fingers.values();
  return [(ax + bx) / 2, (ay + by) / 2, Math.hypot(bx - ax, by - ay)];
};
const drop = () => { clearTimeout(hold); send("Release", -1, -1); };  // what a finger has begun
canvas.addEventListener("focus", () => isFollowing || send("Focus", ""));
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  isFollowing = true, canvas.focus(), isFollowing = false;  // Python moves the keyboard, as in the window
  isTouched = event.pointerType === "touch";
  fingers.set(event.pointerId, start = place(event));
  if (fingers.size > 1) { drop(); apart = pinched()[2]; return; }
  send("Motion", ...start);
  send(event.button === 2 ? "SecondaryPress" : "Press", ...start);
  if (isTouched) hold = setTimeout(() => { drop(); send("SecondaryPress", ...start); }, HOLD);
});
canvas.addEventListener("pointermove", (event) => {
  const [x, y] = place(event);
  if (Math.hypot(x - start[0], y - start[1]) > TREMBLE) clearTimeout(hold);
  if (fingers.has(event.pointerId)) fingers.set(event.pointerId, [x, y]);
  if (fingers.size !== 2) return fingers.size > 2 || send("Motion", x, y);
  const [middle, level, now] = pinched();
  send("Wheel", middle, level, Math.log(now / apart) / NOTCH);
  apart = now;
});
canvas.onpointerup = canvas.onpointercancel = (event) => {
  clearTimeout(hold);
  fingers.delete(event.pointerId);
  if (event.button !== 2) send("Release", ...(event.type === "pointerup" ? place(event) : [-1, -1]));
  if (isTouched) send("Motion", -1, -1);  // a finger that is gone points at nothing
};
canvas.onmousedown = canvas.oncontextmenu = (event) => event.preventDefault();  // a tap would take the keyboard away
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  send("Wheel", ...place(event), -event.deltaY / 100);
}, { passive: false });
onresize = document.onfullscreenchange = () => send("Resize", ...size(), Boolean(document.fullscreenElement));
addEventListener("hashchange", () => location.reload());
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => { event.preventDefault(); give(event.dataTransfer.files); });
addEventListener("paste", ({ target, clipboardData }) => {  // a file's text: of an algorithm, or a scenario
  const text = clipboardData.getData("text"), name = /^class /m.test(text) ? "pasted.py" : "pasted.toml";
  if (target.type !== "text" && text.includes("\n")) give([new File([text], name)]);
});
$("file").onchange = () => { give($("file").files); $("file").value = ""; };
async function give(files) {
  for (const file of files) worker.postMessage({ dropped: file.name, bytes: await file.arrayBuffer() });
}

const offscreen = canvas.transferControlToOffscreen(), isPhone = matchMedia("(hover: none) and (pointer: coarse)").matches;
const asked = [location.search.slice(1), location.hash.slice(1), isPhone ? "touch=yes" : ""].join("&");
const wishes = ["color-scheme: dark", "reduced-motion: reduce"].map((wish) => matchMedia(`(prefers-${wish})`).matches);
worker.postMessage({ start: { canvas: offscreen, size: size(), scale: devicePixelRatio, asked, wishes } }, [offscreen]);
