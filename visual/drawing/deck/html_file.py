"""A deck as one HTML file that needs no other: a slide a page, turned with the keys or a remote, and to be printed.

Pictures are drawings whose text is text; where a scene plays, a recorded run takes the picture's place. Without a
script all slides stand below each other, each with its notes.
"""

from __future__ import annotations

from html import escape

from visual.drawing.deck.slide import PLAYER, SIZE, Deck, Slide, page
from visual.drawing.export import encode


def html(deck: Deck) -> str:
    """The file's content."""
    paper = deck.slides[0].theme.paper
    slides = [_slide(slide, number) for number, slide in enumerate(deck.slides, 1)]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(deck.title)}</title>",
            f"<style>{_STYLE.replace('PAPER', paper)}</style>",
            "</head>",
            "<body>",
            *slides,
            f'<p id="help">{_HELP}</p>',
            f"<script>{_SCRIPT}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _slide(slide: Slide, number: int) -> str:
    picture = page(slide, f"slide-{number}")
    drawing = encode(picture, "svg").decode()
    notes = "".join(f"<p>{escape(line)}</p>" for line in slide.notes.splitlines())
    return "\n".join(
        [
            f'<section id="s{number}" style="background:{slide.theme.paper}">',
            f'<div class="slide">{drawing.strip()}{_film(slide)}</div>',
            f"<aside>{notes}</aside>" if notes else "",
            "</section>",
        ]
    )


def _film(slide: Slide) -> str:
    """The page that plays, in a frame over picture and sentences, and the button that opens it."""
    if slide.movie is None:
        return ""
    left, top, width, height = (
        f"{100 * length / whole:.4g}%" for length, whole in zip(PLAYER, (*SIZE, *SIZE), strict=True)
    )
    content, label = escape(slide.movie.content.decode()), escape(f"Recorded run: {slide.title}")
    place = f"left:{left};top:{top};width:{width};height:{height}"
    frame = f'<iframe title="{label}" style="{place}" data-page="{content}"></iframe>'
    return f'{frame}<button type="button">▶ Play (P)</button>'


_STYLE = """
html, body { margin: 0; background: PAPER; }
section { position: relative; }
.slide { position: relative; width: min(100vw, 177.778vh); margin: 0 auto; line-height: 0; }
.slide svg { width: 100%; height: auto; display: block; }
iframe, button { display: none; }
.one iframe.plays { display: block; position: absolute; border: 0; }
.one button { display: block; position: absolute; right: 3%; top: 2.5%; padding: 0.4em 0.8em;
  font: bold 1.2rem/1.2 Verdana, sans-serif; color: #1A1A1A; background: #FFFFFF; border: 2px solid #1A1A1A;
  border-radius: 0.4em; cursor: pointer; }
aside { max-width: 45em; margin: 0 auto; padding: 0.5em 1em 2em; font: 1.1rem/1.5 Verdana, sans-serif; color: #333; }
#help { font: 0.9rem Verdana, sans-serif; color: #767676; text-align: center; }
.one section { display: none; min-height: 100vh; }
.one section.now { display: flex; flex-direction: column; justify-content: center; }
.one aside, .one #help { display: none; }
.one.told aside { display: block; position: fixed; left: 0; right: 0; bottom: 0; max-width: none;
  padding: 0.5em 2em; background: #FFFFFFF2; border-top: 2px solid #767676; }
@media print {
  @page { size: 13.333in 7.5in; margin: 0; }
  .one section, section { display: block; break-after: page; min-height: 0; }
  .slide { width: 13.333in; }
  aside, .one.told aside, #help, .one iframe.plays, .one button { display: none; }
}
"""

_HELP = "Next slide: → or PageDown. Back: ← or PageUp. Play the run: P. Speaker notes: N. All slides at once: Esc."

_SCRIPT = """
const slides = [...document.querySelectorAll('section')], body = document.body.classList;
let now = Math.max(0, slides.findIndex(s => '#' + s.id === location.hash));
function show(to) {
  slides[now].classList.remove('now');
  stop();
  now = Math.min(Math.max(to, 0), slides.length - 1);
  slides[now].classList.add('now');
  history.replaceState(null, '', '#' + slides[now].id);
}
function stop() {
  for (const film of document.querySelectorAll('iframe.plays')) {
    film.classList.remove('plays');
    film.onload = null;
    film.srcdoc = '';
  }
  focus();
}
function play() {
  const film = slides[now].querySelector('iframe');
  if (!film) return;
  film.classList.add('plays');
  film.srcdoc = film.dataset.page;
  film.onload = () => {
    film.contentWindow.focus();
    film.contentWindow.addEventListener('keydown', press => {  // the other keys are the player's
      const act = press.key === 'Escape' ? stop : press.key.startsWith('Page') && keys[press.key];
      if (!act) return;
      press.stopImmediatePropagation();
      press.preventDefault();
      act();
    }, true);
  };
}
const keys = {
  ArrowRight: () => show(now + 1), PageDown: () => show(now + 1), ' ': () => show(now + 1), Enter: () => show(now + 1),
  ArrowLeft: () => show(now - 1), PageUp: () => show(now - 1), Backspace: () => show(now - 1),
  Home: () => show(0), End: () => show(slides.length - 1),
  p: play, n: () => body.toggle('told'), Escape: () => { body.toggle('one'); slides[now].scrollIntoView(); },
};
document.addEventListener('keydown', press => {
  const act = keys[press.key];
  if (!act || press.ctrlKey || press.altKey || press.metaKey) return;
  if (press.target.tagName === 'BUTTON' && [' ', 'Enter'].includes(press.key)) return;
  press.preventDefault();
  act();
});
document.addEventListener('click', click => {
  if (!body.contains('one') || click.target.closest('iframe, aside')) return;
  if (click.target.closest('button')) { play(); return; }
  show(now + (click.clientX < innerWidth / 4 ? -1 : 1));
});
body.add('one');
show(now);
"""
