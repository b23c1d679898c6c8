"""What the window shows beside the run, how inputs change it, and the run it works on. Knows no pygame.

    screen = Screen(Desk(RunView(scenario)))
    interface = update(Interface(), screen, Key("Space"))

`Interface` (state.py) is a plain value; the `Desk` (desk.py) holds one run or two (run_view.py); what appears on screen
is a function of the two.
"""
