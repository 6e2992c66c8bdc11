"""Runs the commands of a tenth of the documents' figures again; the day chooses which. A wrong figure is found."""

import datetime
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tools'))
import figures  # noqa: E402


def main():
    orrery = pathlib.Path(sys.argv[1]).resolve()
    part = datetime.date.today().toordinal() % 10
    status = subprocess.run([sys.executable, '-B', ROOT / 'tools' / 'measurements.py', '--check', '--orrery', orrery,
                             '--part', str(part)], check=False).returncode
    unsaid = [problem for problem in map(figures.unsaid, figures.checks(table=figures.GPU_CHECKS)) if problem]
    assert not unsaid, unsaid
    row = figures.checks()[0]
    assert figures.problem_of(row, orrery) is None, 'a right figure'
    row['spread'] = '1e-9'
    assert 'by `orrery diagnose' in figures.problem_of(row, orrery), 'another number is found'
    row['figure'] = '1.8888e-5'
    assert 'does not say' in figures.problem_of(row, orrery), 'a figure that nobody states is found'
    row.update(figure='1.8e-5', command='diagnose no-such-galaxy')
    assert 'fails' in figures.problem_of(row, orrery), 'a command that fails is found'
    return status


if __name__ == '__main__':
    sys.exit(main())
