"""The window: its state, the effects of inputs, and its panels. Only app.py and the presenter's window know pygame.

    screen = Screen(Desk(RunView(scenario)))
    interface = update(Interface(), screen, Key("Space"))

`Interface` (state.py) is a plain value; the `Desk` (desk.py) holds one or two runs (run_view.py); the screen is a
function of the two.
"""
