"""The painter: draws shapes on a surface, fast when a picture resembles the one before; and whole pictures as PNG.

Shapes that recur are cached as small surfaces: a circle, a line of text, a message with its label, a group with a key.
They are collected and drawn by one `fblits`, which only shapes drawn afresh (lines, polygons, boxes) interrupt. On an
opaque target, cached surfaces are run-length encoded, which is two to three times as fast.
"""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar, cast

import pygame

from algorithms.clock import wall_clock
from visual.drawing import marks, strokes
from visual.drawing.paint import raster, sprites
from visual.drawing.paint.raster import nearest
from visual.drawing.paint.sprites import Cache, Sprite
from visual.drawing.picking import all_bounds
from visual.drawing.shapes import (
    Arc,
    Box,
    Circle,
    Colour,
    Dash,
    Group,
    Image,
    Line,
    Mark,
    Point,
    Polygon,
    Polyline,
    Rect,
    Shape,
    Text,
)
from visual.drawing.theme import Theme, rgba

V = TypeVar("V")

_CACHED_PIXELS = 6_000_000
_CACHED_GROUP_PIXELS = 24_000_000
_MARGIN = 4  # surface pixels around a cached group, for halos and soft edges
_NOTHING: Sprite | None = Sprite(pygame.Surface((0, 0)), 0, 0)
_LARGEST = 4  # largest cached group, in areas of the target


class Painter:
    """Draws for one theme at one scale, and caches what it may need again; use one for many pictures.

    `is_behind` tells that some patient groups had to be left out; they are drawn in the next pictures.
    """

    def __init__(self, theme: Theme, scale: float = 1.0) -> None:
        self.theme = theme
        self.scale = scale
        self.left_out = 0  # number of patient groups missing from the picture
        self._seconds = math.inf  # for the patient groups of this picture, and the part of it that is spent
        self._spent = 0.0
        self._on_opaque = _Memory(encoded=True)
        self._on_transparent = _Memory(encoded=False)

    @property
    def is_behind(self) -> bool:
        """Whether patient groups are missing from the picture."""
        return self.left_out > 0

    def draw(self, surface: pygame.Surface, shapes: Iterable[Shape], seconds: float = math.inf) -> None:
        """Draw shapes, back to front, at `scale` surface pixels to a logical one, without clearing first.

        Rendering patient groups takes about `seconds` at most.
        """
        self.left_out, self._seconds, self._spent = 0, seconds, 0.0
        self.draw_at(surface, shapes, 0.0, 0.0)

    def draw_at(self, surface: pygame.Surface, shapes: Iterable[Shape], left: float, top: float) -> None:
        """As `draw`, with the picture's origin at that pixel of the surface."""
        transparent = bool(surface.get_flags() & pygame.SRCALPHA)
        memory = self._on_transparent if transparent else self._on_opaque
        canvas = _Canvas(self, surface, memory, transparent=transparent)
        canvas.paint(shapes, left, top)
        canvas.flush()

    def spend(self, work: Callable[[], V], otherwise: V) -> V:
        """The result of `work` if there is time left for patient groups, else `otherwise`."""
        if self._spent >= self._seconds:
            self.left_out += 1
            return otherwise
        began = wall_clock()
        done = work()
        self._spent += wall_clock() - began
        return done


class _Memory:
    """The cached sprites for one kind of target: encoded ones would lose transparency on a transparent one."""

    def __init__(self, *, encoded: bool) -> None:
        self._encoded = encoded
        self.circles, self.texts, self.boxes, self.marks, self.arrows, self.images = (
            Cache(sprites.pixels, _CACHED_PIXELS) for _ in range(6)
        )
        self.groups = Cache(sprites.pixels, _CACHED_GROUP_PIXELS)

    def ready(self, sprite: Sprite) -> Sprite:
        """The sprite as it is cached: without transparent margins, and encoded where possible."""
        if not sprite.surface.get_flags() & pygame.SRCALPHA:
            return sprite
        box = sprite.surface.get_bounding_rect()
        surface = sprite.surface.subsurface(box).copy()
        if self._encoded:
            surface.set_alpha(255, pygame.RLEACCEL)
        return Sprite(surface, sprite.dx + box.x, sprite.dy + box.y)


class _Stroke(NamedTuple):
    """A path in surface pixels."""

    points: tuple[Point, ...]
    colour: Colour
    width: float
    dash: Dash = ()
    arrow: float = 0.0


class _Canvas:
    """One pass over one surface. `left` and `top` are the surface pixel of the origin of the shapes being drawn."""

    def __init__(self, painter: Painter, surface: pygame.Surface, memory: _Memory, *, transparent: bool) -> None:
        self._painter = painter
        self._theme = painter.theme
        self._scale = painter.scale
        self._surface = surface
        self._memory = memory
        self._transparent = transparent
        self._waiting: list[tuple[pygame.Surface, tuple[float, float]]] = []

    def paint(self, shapes: Iterable[Shape], left: float, top: float) -> None:
        """Draw the shapes or put them on the waiting list."""
        if self._transparent:
            shapes = self._without_lines(shapes, left, top)
        known, wait, scale, floor = self._memory.marks.get, self._waiting.append, self._scale, math.floor
        mark_left, mark_top = left + raster.HALF, top + raster.HALF
        for shape in shapes:
            if type(shape) is not Mark:
                _WAYS[type(shape)](self, shape, left, top)
                continue
            # messages are by far the most numerous: no call but `floor` for one whose look is known
            x, y, family, label, size, form, toward, _ = shape
            look: tuple[object, ...] = (family, label, size, form)
            if toward is not None:
                self._mark_arrow(shape, left, top)
                look = (*look, marks.label_is_left(shape))
            surface, dx, dy = known(look) or self._mark_sprite(shape, look)
            wait((surface, (floor(x * scale + mark_left + dx), floor(y * scale + mark_top + dy))))

    def flush(self) -> None:
        """Draw the collected surfaces."""
        if self._waiting:
            self._surface.fblits(self._waiting)
            self._waiting.clear()

    def _mark_sprite(self, mark: Mark, look: tuple[object, ...]) -> Sprite:
        return self._memory.marks.obtain(look, lambda: self._sprite_of(marks.body(mark, self._theme)))

    def _mark_arrow(self, mark: Mark, left: float, top: float) -> None:
        x, y = marks.arrow_start(mark)
        line = marks.cached_arrow(mark, self._theme)
        sprite = self._memory.arrows.obtain(line, lambda: self._sprite_of((line,)))
        self._wait(sprite, (mark.x + x) * self._scale + left, (mark.y + y) * self._scale + top)

    def _circle(self, shape: Circle, left: float, top: float) -> None:
        look = shape[2:7]
        sprite = self._memory.circles.get(look) or self._memory.circles.obtain(
            look, lambda: self._memory.ready(sprites.circle(shape, self._scale))
        )
        self._wait(sprite, shape.x * self._scale + left, shape.y * self._scale + top)

    def _text(self, shape: Text, left: float, top: float) -> None:
        if not shape.text:
            return
        look = shape[2:11]
        sprite = self._memory.texts.get(look) or self._memory.texts.obtain(
            look, lambda: self._memory.ready(sprites.text(shape, self._scale))
        )
        self._wait(sprite, shape.x * self._scale + left, shape.y * self._scale + top)

    def _box(self, shape: Box, left: float, top: float) -> None:
        at = sprites.edges(shape, self._scale, left, top)
        if sprites.is_plain(shape):
            self.flush()
            sprites.draw_box(self._surface, shape, at)
            return
        look = (at.rect.size, shape[4:9])
        sprite = self._memory.boxes.obtain(look, lambda: self._memory.ready(sprites.box(shape, at, self._scale)))
        self._wait(sprite, at.rect.x, at.rect.y)

    def _image(self, shape: Image, left: float, top: float) -> None:
        size = (round(shape.w * self._scale), round(shape.h * self._scale))
        look = (size, shape.file, shape.stamp)
        sprite = self._memory.images.obtain(look, lambda: sprites.image(shape.file, size, self._theme))
        self._wait(sprite, shape.x * self._scale + left, shape.y * self._scale + top)

    def _line(self, shape: Line | Polyline | Arc, left: float, top: float) -> None:
        self._stroke(self._path(shape, left, top))

    def _path(self, shape: Line | Polyline | Arc, left: float, top: float) -> _Stroke:
        if isinstance(shape, Line):
            ends: tuple[Point, ...] = ((shape.x1, shape.y1), (shape.x2, shape.y2))
        else:
            shape = shape.outline() if isinstance(shape, Arc) else shape
            ends = shape.points
        points = self._on_surface(ends, left, top)
        return self._stroke_of(points, shape.stroke, shape.width, shape.dash, shape.arrow)

    def _polygon(self, shape: Polygon, left: float, top: float) -> None:
        points = self._on_surface(shape.points, left, top)
        if shape.fill:
            self._wait(sprites.polygon_fill(points, shape.fill, self._scale, self._surface.get_clip()), 0, 0)
        if shape.stroke:
            # a solid outline goes on along the first side, so that the joint where it closes is drawn as well
            outline = (*points, points[0]) if shape.dash else (*points, *points[:2])
            self._stroke(self._stroke_of(outline, shape.stroke, shape.width, shape.dash))

    def _stroke_of(
        self, points: tuple[Point, ...], colour: Colour, width: float, dash: Dash, arrow: float = 0.0
    ) -> _Stroke:
        """A path given in surface pixels, its measures in logical ones."""
        scale = self._scale
        return _Stroke(points, colour, width * scale, sprites.scaled(dash, scale), arrow * scale)

    def _stroke(self, stroke: _Stroke) -> None:
        """Draw a path; fewer than two points draw nothing."""
        if len(stroke.points) < 2:
            return
        if self._transparent or len(stroke.colour) > 7:
            self._layer([stroke])
        else:
            self.flush()
            _draw_stroke(self._surface, stroke)

    def _without_lines(self, shapes: Iterable[Shape], left: float, top: float) -> Iterator[Shape]:
        """The shapes except solid lines, which are drawn in their turn, neighbours of one colour together."""
        for colour, alike in itertools.groupby(shapes, _solid_colour):
            if colour is None:
                yield from alike
                continue
            paths = [self._path(line, left, top) for line in cast(Iterable[Line | Polyline | Arc], alike)]
            self._layer([path for path in paths if len(path.points) > 1])

    def _layer(self, alike: list[_Stroke]) -> None:
        """Paths of one colour on a layer of their own: a faint one must not be darker where it crosses itself, and soft
        edges come out right on a transparent ground only if that ground has the path's colour."""
        if not alike:
            return
        colour = alike[0].colour
        covered = all_bounds(Polyline(stroke.points, colour, stroke.width, arrow=stroke.arrow) for stroke in alike)
        box = _whole(covered, 1.0, _MARGIN).clip(self._surface.get_clip())
        layer = raster.blank(*box.size, colour)
        for stroke in alike:
            shifted = tuple((x - box.x, y - box.y) for x, y in stroke.points)
            _draw_stroke(layer, stroke._replace(points=shifted, colour=colour[:7]))
        if len(colour) > 7:
            raster.fade(layer, rgba(colour)[3])
        self._waiting.append((layer, box.topleft))

    def _group(self, group: Group, left: float, top: float) -> None:
        left, top = left + group.x * self._scale, top + group.y * self._scale
        if group.key is None:
            sprite = self._baked(group, self._extent(group)) if group.opacity < 1 else None
        else:
            sprite = self._memory.groups.get(group[3:6]) or self._new_group(group)
        if sprite:
            self._waiting.append((sprite.surface, (nearest(left) + sprite.dx, nearest(top) + sprite.dy)))
        else:
            self._plain_group(group, left, top)

    def _new_group(self, group: Group) -> Sprite | None:
        """Render and cache a group; a patient one only if there is time."""
        if not group.patient:
            return self._cached_group(group)
        return self._painter.spend(lambda: self._cached_group(group), _NOTHING)

    def _cached_group(self, group: Group) -> Sprite | None:
        """Render a group, and cache it if nothing in it was left out; None for one too large to cache."""
        box, target = self._extent(group), self._surface.get_rect()
        if box.w * box.h > _LARGEST * target.w * target.h:
            return None
        look, before = group[3:6], self._painter.left_out
        sprite = self._memory.groups.obtain(look, lambda: self._memory.ready(self._baked(group, box)))
        if self._painter.left_out > before:
            self._memory.groups.forget(look)
        return sprite

    def _plain_group(self, group: Group, left: float, top: float) -> None:
        if not group.clip:
            self.paint(group.shapes, left, top)
            return
        self.flush()
        before = self._surface.get_clip()
        self._surface.set_clip(_whole(group.clip, self._scale, 0).move(nearest(left), nearest(top)).clip(before))
        self.paint(group.shapes, left, top)
        self.flush()
        self._surface.set_clip(before)

    def _extent(self, group: Group) -> pygame.Rect:
        """The rectangle that a group covers, in surface pixels from its origin."""
        if group.clip:
            return _whole(group.clip, self._scale, 0)
        box = _whole(all_bounds(map(_at_most, group.shapes)), self._scale, 0)
        return box if self._is_ground(group, box) else box.inflate(2 * _MARGIN, 2 * _MARGIN)

    def _is_ground(self, group: Group, box: pygame.Rect) -> bool:
        """Whether the group begins with an opaque box that covers all of it."""
        first = group.shapes[0] if group.shapes else None
        return (
            isinstance(first, Box)
            and first.fill is not None
            and sprites.is_plain(first)
            and not first.radius
            and group.opacity == 1
            and sprites.edges(first, self._scale, 0, 0).rect.contains(box)
        )

    def _baked(self, group: Group, box: pygame.Rect) -> Sprite:
        """The group rendered within that box, placed by the group's origin."""
        opaque = self._is_ground(group, box)
        surface = pygame.Surface(box.size, depth=32) if opaque else raster.blank(*box.size, self._theme.paper)
        self._painter.draw_at(surface, group.shapes, -box.x, -box.y)
        if group.opacity < 1:
            raster.fade(surface, round(255 * group.opacity))
        return Sprite(surface, *box.topleft)

    def _sprite_of(self, shapes: tuple[Shape, ...]) -> Sprite:
        group = Group(shapes)
        return self._memory.ready(self._baked(group, self._extent(group)))

    def _wait(self, sprite: Sprite, x: float, y: float) -> None:
        self._waiting.append((sprite.surface, (nearest(x) + sprite.dx, nearest(y) + sprite.dy)))

    def _on_surface(self, points: Iterable[Point], left: float, top: float) -> tuple[Point, ...]:
        scale, to_grid = self._scale, raster.TO_GRID
        return tuple([(x * scale + left + to_grid - to_grid, y * scale + top + to_grid - to_grid) for x, y in points])


def _at_most(shape: Shape) -> Shape:
    """A shape that covers at least as much: for a clipped group, its clip."""
    if not isinstance(shape, Group) or not shape.clip:
        return shape
    return Box(shape.x + shape.clip.x, shape.y + shape.clip.y, shape.clip.w, shape.clip.h)


def _draw_stroke(surface: pygame.Surface, stroke: _Stroke) -> None:
    points, colour, width, dash, arrow = stroke
    pieces = map(raster.on_grid, strokes.dashes(strokes.shaft(points, arrow), dash)) if dash or arrow else (points,)
    for piece in pieces:
        raster.path(surface, colour, piece, width)
    if arrow and points[-1] != points[-2]:
        raster.polygon(surface, colour, strokes.arrowhead(points[-2], points[-1], arrow))


def _solid_colour(shape: Shape) -> Colour | None:
    """The colour of an opaque line; None for any other shape."""
    return shape.stroke if isinstance(shape, Line | Polyline | Arc) and len(shape.stroke) == 7 else None


_WAYS: dict[type, Callable[..., None]] = {
    Circle: _Canvas._circle,
    Text: _Canvas._text,
    Box: _Canvas._box,
    Line: _Canvas._line,
    Polyline: _Canvas._line,
    Arc: _Canvas._line,
    Polygon: _Canvas._polygon,
    Image: _Canvas._image,
    Group: _Canvas._group,
}


def _whole(box: Rect, scale: float, margin: int) -> pygame.Rect:
    """The smallest rectangle of whole surface pixels around `box`, widened by a margin."""
    left, top = math.floor(box.x * scale) - margin, math.floor(box.y * scale) - margin
    right, bottom = math.ceil((box.x + box.w) * scale) + margin, math.ceil((box.y + box.h) * scale) + margin
    return pygame.Rect(left, top, right - left, bottom - top)


def render(
    shapes: Iterable[Shape], size: tuple[float, float], theme: Theme, scale: float, background: Colour | None
) -> pygame.Surface:
    """The picture on a new surface, `scale` pixels to a logical one; without a background it is transparent."""
    width, height = (round(length * scale) for length in size)
    if background:
        surface = pygame.Surface((width, height), depth=32)
        surface.fill(rgba(background))
    else:
        surface = raster.blank(width, height, theme.paper)
    Painter(theme, scale).draw(surface, shapes)
    return surface


def png(surface: pygame.Surface) -> bytes:
    """The surface as a PNG file."""
    file = io.BytesIO()
    pygame.image.save(surface, file, "picture.png")
    return file.getvalue()


# ---- a magnifying glass ------------------------------------------------------------------------------------


class Lens:
    """Magnifies pictures of one theme; caches what it may need again."""

    def __init__(self, theme: Theme, times: float) -> None:
        self.theme = theme
        self._times = times
        self._painter = Painter(theme, times)

    def draw(self, surface: pygame.Surface, shapes: Iterable[Shape], x: float, y: float, radius: float) -> None:
        """Draw the lens at (x, y): the picture there, magnified around that point."""
        size = round(2 * radius)
        inside = pygame.Surface((size, size), depth=32)
        self._painter.draw_at(inside, shapes, radius - self._times * x, radius - self._times * y)
        round_one = pygame.Surface((size, size), pygame.SRCALPHA)
        pygame.draw.circle(round_one, "white", (radius, radius), radius)
        round_one.blit(inside, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
        corner = (round(x - radius), round(y - radius))
        surface.blit(round_one, corner)
        pygame.draw.circle(surface, rgba(self.theme.ink), (round(x), round(y)), radius, max(round(0.03 * radius), 3))
