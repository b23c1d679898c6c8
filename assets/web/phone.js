// The page of a phone in a class: shows what the server sends, says which button was pressed, and comes back by itself.
"use strict";

const RETRY = 500, PATIENCE = 1000, SILENCE = 3000, WRONG_CODE = 4001;  // milliseconds; visual/window/classroom/server.py
const place = document.querySelector("main"), state = document.querySelector("#state"), key = "mutoscope seat";
let code = location.hash.slice(1), socket, heard;  // heard: when the server last said something, as it does each second

function connect() {
  socket?.close();
  heard = Date.now();
  const own = socket = new WebSocket(`${location.origin.replace("http", "ws")}/seat`);
  own.onopen = () => own.send(JSON.stringify({ code, token: localStorage.getItem(key) ?? "" }));
  own.onmessage = ({ data }) => {
    const { token, html } = JSON.parse(data);
    heard = Date.now();
    if (token) localStorage.setItem(key, token);
    if (html !== undefined) place.innerHTML = html;
    state.textContent = "";
  };
  own.onclose = (event) => { if (own === socket) heard = event.code === WRONG_CODE ? Infinity : 0; };
}

const isLost = () => Date.now() > heard + SILENCE;
function look() {  // first ask whether anybody is there: browsers delay a socket for seconds after others that failed
  if (!isLost()) return;
  state.textContent = "The connection is lost. Your seat is kept.";
  const asked = fetch("phone.js", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
  asked.then(() => isLost() && connect(), () => {});
}

document.onclick = ({ target }) => {
  const said = target.closest("[data-say]")?.dataset.say;
  if (said && socket.readyState === WebSocket.OPEN) socket.send(said);
};
document.onsubmit = (event) => {
  event.preventDefault(), code = new FormData(event.target).get("code"), connect();
};
addEventListener("online", () => { heard = isFinite(heard) ? 0 : heard; look(); });
setInterval(look, RETRY);
connect();
