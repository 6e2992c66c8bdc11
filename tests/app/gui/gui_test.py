"""Runs one scenario of the real window: gui_test.py --orrery PROGRAM [--wrong-kernels PROGRAM] SCENARIO.

The scenarios gpu_... compute and draw on an NVIDIA GPU. Elsewhere they are skipped.

A scenario that waited in vain is tried once more: on a busy machine a frame can last longer than any patience, and
a key or a click is then lost. The output says so, and ./test lists it. A program that crashed gets no second try.

Exit status 77: something that the tests need is missing, and what.
"""

import argparse
import os
import pathlib
import sys
import tempfile
import traceback

SKIPPED = 77
try:
    import scenarios
    from driver import Missing, Screen
except ModuleNotFoundError as absent:
    if absent.name.partition('.')[0] not in ('PIL', 'Xlib'):
        raise
    print(f'skipped: {sys.executable} has no module {absent.name} (packages python3-pil and python3-xlib)')
    sys.exit(SKIPPED)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--orrery', type=pathlib.Path, required=True)
    parser.add_argument('--wrong-kernels', type=pathlib.Path, help='the same program with wrong kernels in its list')
    parser.add_argument('--keep', type=pathlib.Path, help='a folder for the files, which stay')
    parser.add_argument('--screenshots', type=pathlib.Path, default=os.environ.get('ORRERY_GUI_SCREENSHOTS'),
                        help='a folder for pictures of the window (default: $ORRERY_GUI_SCREENSHOTS, else none)')
    parser.add_argument('--no-glx', action='store_true', help='on a display without GLX: the window opens by EGL')
    parser.add_argument('scenario', choices=sorted(scenarios.ALL))
    return parser.parse_args()


SECOND_TRY = 'a second try was needed'


def crashed(programs):
    """True if a program ended by itself with an error: that is never the machine's fault."""
    return any(program.process.poll() not in (None, 0) for program in programs)


def run(arguments, folder):
    """The exit status of a scenario, and whether another try may end otherwise."""
    without_glx = arguments.no_glx or arguments.scenario == 'without_glx'
    screen = Screen(*(['-extension', 'GLX'] if without_glx else []))
    stage = scenarios.Stage(screen, folder.resolve(), arguments.orrery.resolve(),
                            arguments.wrong_kernels and arguments.wrong_kernels.resolve(), arguments.screenshots)
    try:
        scenarios.ALL[arguments.scenario](stage)
    except Missing:
        raise
    except Exception:
        traceback.print_exc()
        for program in stage.programs:
            print(f'--- what {program.process.args[0]} said:\n{program.log()}', file=sys.stderr)
            print(f'--- widgets: {sorted(program.widgets())}', file=sys.stderr)
        return 1, not crashed(stage.programs)
    finally:
        stage.end()
        screen.close()
    return 0, False


def run_in_folder(arguments):
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
        return run(arguments, arguments.keep)
    with tempfile.TemporaryDirectory(prefix='orrery-gui-') as folder:
        return run(arguments, pathlib.Path(folder))


def main():
    arguments = parse_arguments()
    try:
        status, may_pass = run_in_folder(arguments)
        if may_pass and not arguments.keep:
            print(f'{SECOND_TRY}: {arguments.scenario}', flush=True)
            status, _ = run_in_folder(arguments)
        return status
    except Missing as missing:
        print(f'skipped: {missing}')
        return SKIPPED


if __name__ == '__main__':
    sys.exit(main())
