"""numpy takes one thread, unless the owner has said otherwise."""

from __future__ import annotations

import os
import subprocess
import sys

from config.threads import ONE_THREAD, take_one_thread


def test_what_the_owner_set_stays():
    environment = {"OPENBLAS_NUM_THREADS": "4"}
    take_one_thread(environment)
    assert environment == {**ONE_THREAD, "OPENBLAS_NUM_THREADS": "4"}


def test_the_command_sets_it_before_numpy_is_loaded():
    program = (
        "import sys; import bot.cli.app as cli, os\n"
        "assert 'numpy' not in sys.modules\n"
        "sys.argv = ['tact', '--version']\n"
        "try: cli.main()\n"
        "except SystemExit: print(os.environ['OPENBLAS_NUM_THREADS'])\n"
    )
    bare = {name: value for name, value in os.environ.items() if name not in ONE_THREAD}
    ran = subprocess.run(
        [sys.executable, "-c", program], env=bare, capture_output=True, text=True, check=True
    )
    assert ran.stdout.split()[-1] == "1"
