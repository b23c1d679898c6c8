// The page of a phone in a class: shows what the server sends, says which button was pressed, and comes back by itself.
"use strict";

const RETRY = 500, PATIENCE = 1000, SILENCE = 3000, WRONG_CODE = 4001;  // milliseconds; visual/window/classroom/server.py
const OPENING = 2500;  // milliseconds for a socket to connect: it asks at once, after one second, and then after three
const REUSES = navigator.userAgent.includes("Chrome/");  // whether a request waits for a connection that others gave up
const place = document.querySelector("main"), state = document.querySelector("#state"), key = "mutoscope seat";
let code = location.hash.slice(1), socket, tried = 0, heard = Date.now();  // when the server last said something

function connect() {
  socket?.close();
  tried = Date.now();
  const own = socket = new WebSocket(`${location.origin.replace("http", "ws")}/seat`);
  own.onopen = () => own.send(JSON.stringify({ code, token: localStorage.getItem(key) ?? "" }));
  own.onmessage = ({ data }) => {
    const { token, html } = JSON.parse(data);
    heard = Date.now();
    if (token) localStorage.setItem(key, token);
    if (html !== undefined) place.innerHTML = html;
    state.textContent = "";
  };
  own.onclose = (event) => { if (own === socket) tried = 0, heard = event.code === WRONG_CODE ? Infinity : 0; };
}

const isLost = () => Date.now() > heard + SILENCE;
const retry = () => isLost() && Date.now() > tried + OPENING && connect();
function look() {  // first ask whether anybody is there: browsers delay a socket for seconds after others that failed
  if (!isLost()) return;
  state.textContent = "The connection is lost. Your seat is kept.";
  const asked = fetch("phone.js", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
  asked.then(retry, ({ name }) => REUSES && name === "TimeoutError" && retry());
}

document.onclick = ({ target }) => {
  const said = target.closest("[data-say]")?.dataset.say;
  if (said && socket.readyState === WebSocket.OPEN) socket.send(said);
};
document.onsubmit = (event) => {
  event.preventDefault(), code = new FormData(event.target).get("code"), heard = Date.now(), connect();
};
addEventListener("online", () => { heard = isFinite(heard) ? 0 : heard; look(); });
setInterval(look, RETRY);
connect();
