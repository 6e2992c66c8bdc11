"""Plots beside the view. Each function is one test."""

from driver import wait_until


def plots_beside_the_view(stage):
    """A tick shows a plot, it fills with numbers, they go into files, the cross closes it."""
    program = stage.start(stage.make('small.bin', model='disk', bodies=1000), '--engine', 'cpu')
    program.wait_for_dataset()
    program.show_tab('measure')
    program.show_section('Plots')
    for name in ('lagrange-radii', 'rotation-curve'):
        program.scroll_to(f'show-plot:{name}')
        program.click(f'show-plot:{name}', lambda name=name: f'plot:{name}' in program.widgets(), 'the plot shows')
        wait_until(lambda name=name: f'plot-known:{name}' in program.widgets(), 'its numbers are known')
    assert program.widget('plot:rotation-curve')[0] > program.widget('show-plot:rotation-curve')[0], 'it is beside the panel'
    stage.screenshot(program, 'plots')

    def written(ending):
        return list(program.pictures.glob(f'*lagrange-radii*{ending}')) if program.pictures.exists() else []
    program.click('plot-csv:lagrange-radii', lambda: written('.csv'), 'the table is written')
    lines = written('.csv')[0].read_text(encoding='utf-8').splitlines()
    assert lines[0] == 'line,simulated time (Myr),radius (kpc)', lines[0]
    radii = [float(line.split(',')[2]) for line in lines[1:]]
    assert len(radii) >= 5 and min(radii) > 0.0, lines
    program.click('plot-svg:lagrange-radii', lambda: written('.svg'), 'the figure is written')
    assert '<svg' in written('.svg')[0].read_text(encoding='utf-8')
    program.click('plot-close:lagrange-radii', lambda: 'plot:lagrange-radii' not in program.widgets(), 'it closes')
    program.quit()


ALL = {function.__name__: function for function in (plots_beside_the_view,)}
