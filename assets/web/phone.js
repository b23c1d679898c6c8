// The page of a phone in a class: shows what the server sends, says which button was pressed, and comes back by itself.
"use strict";

const RETRY = 500, WRONG_CODE = 4001;  // milliseconds; visual/window/classroom/server.py
const place = document.querySelector("main"), state = document.querySelector("#state"), key = "mutoscope seat";
let code = location.hash.slice(1), socket;

function connect() {
  const own = socket = new WebSocket(`${location.origin.replace("http", "ws")}/seat`);
  own.onopen = () => own.send(JSON.stringify({ code, token: localStorage.getItem(key) ?? "" }));
  own.onmessage = ({ data }) => {
    const { token, html } = JSON.parse(data);
    if (token) localStorage.setItem(key, token);
    if (html !== undefined) place.innerHTML = html;
    state.textContent = "";
  };
  own.onclose = (event) => {
    if (own !== socket || event.code === WRONG_CODE) return;
    state.textContent = "The connection is lost. Your seat is kept.";
    setTimeout(connect, RETRY);
  };
}

document.onclick = ({ target }) => {
  const said = target.closest("[data-say]")?.dataset.say;
  if (said && socket.readyState === WebSocket.OPEN) socket.send(said);
};
document.onsubmit = (event) => {
  event.preventDefault();
  code = new FormData(event.target).get("code");
  connect();
};
addEventListener("online", connect);  // the old connection may seem open for minutes
connect();
