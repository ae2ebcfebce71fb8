"""The program: ``bgtools`` and ``python -m bgtools``."""

import signal


def run() -> None:
    """Run the command line; ends the process."""
    # Until the command line deals with Ctrl-C, it ends the program, without a traceback of what is being imported.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from bgtools.cli import main

    main()


if __name__ == "__main__":
    run()
