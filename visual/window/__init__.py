"""What the window shows beside the run, how inputs change it, and the run it works on. Knows no pygame.

    screen = Screen(Session(scenario))
    interface = update(Interface(), screen, Key("Space"))

`Interface` (state.py) is a plain value; `Session` (session.py) holds the run; what appears on screen is a function
of the two (`visual.panels`).
"""
