"""Looking closer at one body of the window. Each function is one test."""

from driver import wait_until


def picked(program):
    said = [name for name in program.widgets() if name.startswith('picked:')]
    return int(said[0].split(':')[1]) if said else None


def middle(program):
    """Of the view beside the panel."""
    width, height = program.size()
    return (width + 420) / 2, height / 2


def ring(program):
    x0, y0, x1, y1 = program.widgets()['picked-ring']
    return (x0 + x1) / 2, (y0 + y1) / 2


def pick_a_body(stage):
    """A click picks a body: card, ring, trail; X follows it; Esc lets go and the trails are as they were."""
    program = stage.start(stage.make('small.bin', bodies=2000), '--engine', 'cpu', '--set', 'speed=0.5')
    program.wait_for_dataset()
    before = program.state()['options']['trails']
    program.click_at(*middle(program))
    wait_until(lambda: picked(program) is not None, 'a body is picked')
    wait_until(lambda: 'picked-energy' in program.widgets(), 'its energy is known')
    body = picked(program)
    options = program.state()['options']
    assert options['trails'] == f'range:{body}:1', options
    x, y = ring(program)
    wait_until(lambda: max(abs(a - b) for a, b in zip(ring(program), (x, y))) > 3, 'the ring goes with the body')
    tip, at = program.widgets()['picked-velocity'][:2], ring(program)
    assert max(abs(tip[0] - at[0]), abs(tip[1] - at[1])) > 3, 'an arrow shows its velocity'
    stage.screenshot(program, 'picked')
    program.key('x')
    wait_until(lambda: 'picked-followed' in program.widgets(), 'X follows')
    x, y = ring(program)
    step = program.state()['step']
    wait_until(lambda: program.state()['step'] > step + 50, 'steps are made')
    assert max(abs(a - b) for a, b in zip(ring(program), (x, y))) < 2, 'the body stays in the middle'
    stage.screenshot(program, 'followed')
    program.key('Escape')
    wait_until(lambda: picked(program) is None, 'Esc lets go')
    assert program.state()['options']['trails'] == before
    program.click_at(program.size()[0] - 15, 80)
    assert picked(program) is None, 'no body is there'
    program.quit()


ALL = {function.__name__: function for function in (pick_a_body,)}
