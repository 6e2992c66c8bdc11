"""Looking closer at one body of the window. Each function is one test."""

from driver import wait_until


def picked(program):
    said = [name for name in program.widgets() if name.startswith('picked:')]
    return int(said[0].split(':')[1]) if said else None


def middle(program):
    """Of the view beside the panel."""
    width, height = program.size()
    return (width + 420) / 2, height / 2


def middle_of(box):
    x0, y0, x1, y1 = box
    return (x0 + x1) / 2, (y0 + y1) / 2


def apart(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


def ring(program):
    """Its middle, once it shows."""
    return middle_of(wait_until(lambda: program.widgets().get('picked-ring'), 'the ring shows'))


def pick_a_body(stage):
    """A click picks a body: card, ring, trail; X follows it; Esc lets go and the trails are as they were."""
    program = stage.start(stage.make('small.bin', bodies=2000), '--engine', 'cpu', '--set', 'speed=0.5')
    program.wait_for_dataset()
    before = program.state()['options']['trails']
    program.repeat_until(lambda: program.click_at(*middle(program)), lambda: picked(program) is not None, 'a body is picked')
    wait_until(lambda: 'picked-energy' in program.widgets(), 'its energy is known')
    body = picked(program)
    options = program.state()['options']
    assert options['trails'] == f'range:{body}:1', options
    first = ring(program)
    wait_until(lambda: apart(ring(program), first) > 3, 'the ring goes with the body')

    def has_arrow():
        shown = program.widgets()
        return {'picked-velocity', 'picked-ring'} <= set(shown) and \
            apart(shown['picked-velocity'][:2], middle_of(shown['picked-ring'])) > 3
    wait_until(has_arrow, 'an arrow shows its velocity')
    stage.screenshot(program, 'picked')
    program.press_until('x', lambda: 'picked-followed' in program.widgets(), 'X follows')
    followed = ring(program)
    step = program.state()['step']
    program.wait_for_state(lambda s: s['step'] > step + 50, 'steps are made')
    assert apart(ring(program), followed) < 2, 'the body stays in the middle'
    stage.screenshot(program, 'followed')
    program.press_until('Escape', lambda: picked(program) is None, 'Esc lets go')
    program.option_is('trails', before)
    program.click_at(program.size()[0] - 15, 80)
    assert picked(program) is None, 'no body is there'
    program.quit()


ALL = {function.__name__: function for function in (pick_a_body,)}
