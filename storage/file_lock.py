"""A lock on a file that ends with the process that holds it, however it ends."""

from __future__ import annotations

import os
from pathlib import Path

from filelock import lock_descriptor


def locked(path: Path) -> int | None:
    """Take a file's lock; the file (0600) is made if there is none.

    Returns:
        The descriptor that holds it, for the caller to close; None while another process has it.

    Raises:
        OSError: if the file cannot be opened.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        taken = lock_descriptor(descriptor, blocking=False)
    except OSError:  # a file system that cannot tell: nobody may rely on it
        taken = False
    if not taken:
        os.close(descriptor)
        return None
    return descriptor
