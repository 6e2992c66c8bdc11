"""What a person meets first: a file that waits with its facts, a panel that keeps still, a ladder that can be read."""

from driver import wait_until
from picture import count_different


def write_fast_file(stage):
    """A cluster whose velocities are in units that do not go with its lengths: it flies apart."""
    table = stage.make('sphere.csv', bodies=500)
    rows = table.read_text(encoding='utf-8').splitlines()
    columns = rows[0].split(',')

    def faster(row):
        return ','.join(str(1000.0 * float(value)) if name in ('vx', 'vy', 'vz') else value
                        for name, value in zip(columns, row.split(',')))

    path = stage.folder / 'fast.csv'
    path.write_text('\n'.join([rows[0], *map(faster, rows[1:])]) + '\n', encoding='utf-8')
    return path


def a_file_waits(stage):
    """A file opens paused, with its facts; Space runs it. --paused holds a galaxy at its start, --play runs a file."""
    program = stage.start(stage.make('small.bin'), paused=True)
    program.wait_for_dataset()
    program.widget('file-facts')
    program.widget('paused')
    assert program.state()['step'] == 0, 'no step was made'
    stage.screenshot(program, 'file')
    program.press_until('space', lambda: 'file-facts' not in program.widgets(), 'the facts go')
    program.wait_for_state(lambda s: s['step'] > 0, 'it runs')
    program.quit()
    program = stage.start('plummer', '--bodies', 300, '--paused', paused=True)
    program.wait_for_dataset()
    program.widget('paused')
    assert program.rest().state['step'] == 0, 'a galaxy waits where it is told to'
    assert 'file-facts' not in program.widgets(), 'it is no file'
    program.quit()


def a_file_in_wrong_units(stage):
    """The forces are right, and the badge is amber all the same, with the reason."""
    program = stage.start(write_fast_file(stage), '--engine', 'cpu', '--set', 'units=nbody', paused=True)
    program.wait_for_dataset()
    wait_until(lambda: 'units-doubt' in program.widgets(), 'the reason shows before the first step')
    program.widget('file-doubt')
    stage.screenshot(program, 'wrong-units')
    program.click('file-units', lambda: 'units-of-file:nbody' in program.widgets(), 'the list of units opens')
    stage.screenshot(program, 'list-of-units')
    program.press_until('Escape', lambda: 'units-of-file:nbody' not in program.widgets(), 'it closes')
    program.key('space')
    program.widget('badge')
    wait_until(lambda: 'header-doubt' in program.widgets(), 'the badge says so')
    box = program.widget('badge')
    pixels = list(program.capture().crop(box).getdata())
    assert sum(r > 150 and 1.1 * g < r < 2.0 * g and b < 0.6 * g for r, g, b in pixels) > 30, 'it is amber'
    assert not any(g > 1.5 * r and g > 120 for r, g, b in pixels), 'nothing of it is green'
    program.quit()


def a_table_that_asks(stage):
    """A table without names that fits several layouts: a sheet shows its rows and asks, and remembers the answer."""
    path = stage.folder / 'planets.txt'
    path.write_text('3\n1.1e11 0 0 3.4e4 1.7 4.8e24 Dione\n1.6e11 0 0 2.8e4 0 6.1e24 Rhea\n0 0 0 0 0 2.1e30 Helios\n',
                    encoding='utf-8')
    program = stage.start(path, paused=True)
    program.widget('column-sheet')
    stage.screenshot(program, 'column-sheet')
    program.click('column-5', lambda: 'column-5=id' in program.widgets(), 'the meanings show')
    program.click('column-5=id', lambda: 'column-5=id' not in program.widgets(), 'one is chosen')
    program.click('columns-open', lambda: 'column-sheet' not in program.widgets(), 'the sheet closes')
    program.wait_for_dataset()
    assert program.state()['dataset']['columns'] == 'x,y,vx,vy,id,mass,name'
    program.drop(path)
    program.widget('column-sheet')
    program.press_until('Escape', lambda: 'column-sheet' not in program.widgets(), 'it is not opened')
    program.widget('close-problem')
    program.drop(path)
    program.widget('column-sheet')
    before = program.log().count('planets')
    program.press_until('Return', lambda: 'column-sheet' not in program.widgets(), 'the same answer is proposed again')
    wait_until(lambda: program.log().count('planets') > before, 'it opens')
    assert program.state()['dataset']['columns'] == 'x,y,vx,vy,id,mass,name'
    program.quit()


def rows_keep_still(stage):
    """Nothing that the program finds out moves a row of the panel: checks, rates, a pause."""
    program = stage.start('disk', '--bodies', 2000, '--engine', 'cpu', '--kernel', 'tree', '--paused', size='1280x800',
                          paused=True)
    program.wait_for_dataset()
    for tab, sections in (('run', ('Dataset', 'Simulation', 'Engine', 'Is it right?', 'Physics')),
                          ('measure', ('Performance', 'Ladder'))):
        program.show_tab(tab)
        program.wait_for_frames(3)

        def rows(sections=sections):
            shown = program.widgets()
            return {name: (shown.get(f'panel:{name}') or shown.get(f'hidden:panel:{name}'))[1] for name in sections}
        before = rows()
        if tab == 'run':
            assert 'badge' not in program.widgets(), 'nothing was checked yet'
        program.press_until('space', lambda: 'paused' not in program.widgets(), 'it runs')
        if tab == 'run':
            program.widget('badge')
            wait_until(lambda: 'drift' in program.widgets(), 'the drift is measured')
        program.wait_for_frames(10)
        assert rows() == before, f'{tab}: the rows are where they were before the first step: {before} {rows()}'
        program.pause()
        assert rows() == before, f'{tab}: a pause moves nothing: {before} {rows()}'
    program.quit()


def large_text(stage):
    """P makes all text larger, that of the picture too, and as it was; fly mode says so, with its speed."""
    program = stage.start(stage.make('small.bin'), '--engine', 'cpu', paused=True)
    program.wait_for_dataset()
    usual = program.widget('tab:run')
    legend = (usual[2] + 200, int(0.85 * program.size()[1]), *program.size())
    before = program.capture().crop(legend)
    program.press_until('p', lambda: program.widgets()['tab:run'][3] > usual[3] + 8, 'the panel is larger')
    wait_until(lambda: count_different(before, program.capture().crop(legend)) > 300, 'so is the legend')
    stage.screenshot(program, 'projector')
    program.press_until('p', lambda: program.widgets()['tab:run'] == usual, 'and as it was')
    program.press_until('f', lambda: 'flying' in program.widgets(), 'flying shows')
    program.press_until('f', lambda: 'flying' not in program.widgets(), 'and ends')
    program.quit()


ALL = {function.__name__: function for function in (
    a_file_waits, a_file_in_wrong_units, a_table_that_asks, rows_keep_still, large_text)}
