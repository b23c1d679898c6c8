"""Runs on a dask cluster, through joblib: the extra `cluster`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from algorithms.bad_input import BadInput

LOCAL = "local"  # in place of an address: a cluster of this machine's cores, which ends with the work
PATIENCE = "10s"  # how long to wait for a scheduler to answer


@contextmanager
def on_cluster(address: str) -> Iterator[None]:
    """Send joblib's work to the scheduler at that address. BadInput if none answers."""
    from distributed import Client  # an extra
    from joblib import parallel_config

    try:
        client = (
            Client(processes=True, dashboard_address=None) if address == LOCAL else Client(address, timeout=PATIENCE)
        )
    except (OSError, ValueError) as error:
        raise BadInput(f"--cluster: no scheduler answers at {address} ({error})") from None
    with client, parallel_config(backend="dask"):
        yield
