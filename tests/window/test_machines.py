"""Displays of few colours, full screen on the window's own display, keyboards and terminals of other alphabets."""

from __future__ import annotations

import io
import subprocess
import sys
from types import SimpleNamespace

import pygame
import pytest

from algorithms.engine.scenario import Scenario
from tests.support.desks import desk_of
from visual import command_line
from visual.drawing.shapes import Box
from visual.window.app import NoDisplay, Window, chord_of
from visual.window.lab import measurement

CYRILLIC = {"с": "C", "й": "Q", "ф": "A", "я": "Z", "х": "[", "ю": ".", "Ж": ";"}  # by position
CONTROL, SHIFT = pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT


@pytest.fixture
def window():
    yield (window := Window(desk_of(Scenario("token-ring"))))
    window.desk.close()
    pygame.display.quit()


def scancode_of(english: str) -> int:
    names = {"[": "LEFTBRACKET", ".": "PERIOD", ";": "SEMICOLON"}
    return int(getattr(pygame, f"KSCAN_{names.get(english, english)}"))


@pytest.mark.parametrize("letter", CYRILLIC)
def test_letters_of_other_alphabets_count_by_position(letter):
    english = CYRILLIC[letter]
    assert chord_of(ord(letter), 0, letter, scancode_of(english)) == english
    if english.isalpha():
        assert chord_of(ord(letter), CONTROL, "", scancode_of(english)) == f"Ctrl+{english}"
        assert chord_of(ord(letter), SHIFT, letter.upper(), scancode_of(english)) == f"Shift+{english}"


def test_latin_letters_count_as_they_are_printed_on_the_keys():
    assert chord_of(ord("z"), 0, "z", pygame.KSCAN_Y) == "Z", "a German keyboard"
    assert chord_of(ord("q"), CONTROL, "", pygame.KSCAN_A) == "Ctrl+Q", "a French keyboard"
    assert chord_of(0x131, 0, "ı", pygame.KSCAN_I) == "I", "a Turkish keyboard"
    assert chord_of(ord("?"), SHIFT, "?", pygame.KSCAN_MINUS) == "?"
    assert chord_of(pygame.K_LSHIFT, SHIFT, "", pygame.KSCAN_LSHIFT) == ""


@pytest.mark.parametrize("depth", [15, 16, 24])
def test_displays_of_few_colours_show_the_picture(depth, window):
    window.surface = pygame.Surface((64, 48), depth=depth)
    window.paint([Box(0, 0, 64, 48, "#ffffff"), Box(10, 10, 20, 20, "#ff0000", radius=4)])
    assert tuple(window.surface.get_at((20, 20))) == (255, 0, 0, 255)
    assert tuple(window.surface.get_at((50, 40)))[:3] == (255, 255, 255)


def test_a_display_in_which_no_window_can_be_drawn_is_told(monkeypatch):
    def refuse(*size):
        raise pygame.error("Unknown window pixel format")

    monkeypatch.setattr(pygame.display, "set_mode", refuse)
    with pytest.raises(NoDisplay, match="pixel format"):
        Window(desk_of(Scenario("token-ring")))


def test_full_screen_and_back_change_no_display_mode(window, monkeypatch):
    monkeypatch.setattr(pygame.display, "set_mode", lambda *size: pytest.fail("it would go to the first display"))
    before, (display, *_) = window.surface.get_size(), pygame.display.get_desktop_sizes()
    for full, size in ((True, display), (False, before)):
        window.interface = window.interface.with_display(full_screen=full)
        window.frame([], 0.0)
        assert window.surface.get_size() == size
        assert (window.interface.display.width, window.interface.display.height) == size


def test_signs_that_an_old_terminal_lacks_become_words(monkeypatch):
    plain = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", plain)
    command_line.main(["compare", "--family", "mutual-exclusion"])
    printed = plain.buffer.getvalue().decode("cp1252")
    assert "ok" in printed
    assert "?" not in printed


def test_a_stopped_lab_ends_its_children_on_windows_too(monkeypatch):
    commands = []
    monkeypatch.setattr(measurement, "os", SimpleNamespace(name="nt"))
    monkeypatch.setattr(subprocess, "run", lambda words, **_: commands.append(words))
    measurement._interrupt(SimpleNamespace(pid=440))
    assert commands == [["taskkill", "/F", "/T", "/PID", "440"]]
