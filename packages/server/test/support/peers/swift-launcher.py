"""Builds the rings and runs the servers of a small Swift: swift-launcher.py FOLDER account:PORT container:PORT object:PORT.

One process loads the library and forks, which is much faster than four that each load it. When it ends, all end.
"""

import ctypes
import os
import signal
import sys

import swift.common.utils

folder = sys.argv[1]
swift.common.utils.set_swift_dir(folder)

import swift.account.server  # noqa: E402
import swift.common.middleware.s3api.s3api  # noqa: E402
import swift.container.server  # noqa: E402
import swift.obj.server  # noqa: E402
import swift.proxy.server  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.wsgi import run_wsgi  # noqa: E402

PR_SET_PDEATHSIG = 1


def build_ring(part, port):
    ring = RingBuilder(4, 1, 1)
    address = {"ip": "127.0.0.1", "port": port, "replication_ip": "127.0.0.1", "replication_port": port}
    ring.add_dev({"id": 0, "region": 1, "zone": 1, "weight": 1.0, "device": "d1", "meta": "", **address})
    ring.rebalance()
    ring.get_ring().save(f"{folder}/{part}.ring.gz")


def serve(part):
    if os.fork() != 0:
        return
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os._exit(run_wsgi(f"{folder}/{part}-server.conf", f"{part}-server") or 0)


storage = [spec.split(":") for spec in sys.argv[2:]]
for part, port in storage:
    build_ring(part, int(port))
for part in [*[part for part, _ in storage], "proxy"]:
    serve(part)
os.wait()
sys.exit("a server ended")
