import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type PeerOptions, probeFiles, requirePeer } from "./peer.ts";
import { freePorts, type PeerProcess, startPeer, untilReady } from "./peer-process.ts";

/** A real S3-compatible store: OpenStack Swift with `s3api`, which checks every signature. */
export interface SwiftPeer {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  stop(): Promise<void>;
}

const python = "/usr/bin/python3";
const parts = ["account", "container", "object"] as const;
type Part = (typeof parts)[number];

export const requireSwift = (): PeerOptions =>
  requirePeer(
    "OpenStack Swift",
    probeFiles([python, "swift-proxy-server", ...parts.map((part) => `swift-${part}-server`)]),
  );

export async function startSwift(): Promise<SwiftPeer> {
  const dir = await mkdtemp(join(tmpdir(), "svc-swift-"));
  const ports = await freePorts(4);
  const storage = parts.map((part, index) => ({ part, port: ports[index]! }));
  const proxyPort = ports[3]!;
  await mkdir(join(dir, "devices", "d1"), { recursive: true });
  await writeFile(
    join(dir, "swift.conf"),
    "[swift-hash]\nswift_hash_path_suffix = svc\nswift_hash_path_prefix = svc\n",
  );
  await buildRings(dir, storage);
  await Promise.all(
    storage.map(({ part, port }) => writeFile(join(dir, `${part}-server.conf`), storageConf(dir, part, port))),
  );
  await writeFile(join(dir, "proxy-server.conf"), proxyConf(dir, proxyPort));
  const peers = [...parts, "proxy"].map((part) => startServer(dir, part));
  const stop = () => stopAll(peers, dir);
  const endpoint = `http://127.0.0.1:${proxyPort}`;
  try {
    await untilReady("Swift", peers, async () => (await fetch(`${endpoint}/healthcheck`)).ok);
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, accessKeyId: "test:tester", secretAccessKey: "testing", region: "us-east-1", stop };
}

async function stopAll(peers: readonly PeerProcess[], dir: string): Promise<void> {
  await Promise.all(peers.map((peer) => peer.stop()));
  await rm(dir, { recursive: true, force: true });
}

/** The servers read `swift.conf` from a fixed place; this points them at ours before they start. */
function startServer(dir: string, part: string): PeerProcess {
  const program = [
    "import sys, swift.common.utils as utils",
    "utils.set_swift_dir(sys.argv[1])",
    "from swift.common.wsgi import run_wsgi",
    "sys.exit(run_wsgi(sys.argv[2], sys.argv[3]))",
  ].join("\n");
  return startPeer(python, ["-c", program, dir, join(dir, `${part}-server.conf`), `${part}-server`]);
}

/** One device in each ring; made through Swift's own library, in one process for speed. */
async function buildRings(dir: string, storage: readonly { part: Part; port: number }[]): Promise<void> {
  const program = [
    "import sys",
    "from swift.common.ring import RingBuilder",
    "for spec in sys.argv[2:]:",
    "    part, port = spec.split(':')",
    "    ring = RingBuilder(4, 1, 1)",
    "    at = {'ip': '127.0.0.1', 'port': int(port), 'replication_ip': '127.0.0.1', 'replication_port': int(port)}",
    "    ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1.0, 'device': 'd1', 'meta': '', **at})",
    "    ring.rebalance()",
    "    ring.get_ring().save(f'{sys.argv[1]}/{part}.ring.gz')",
  ].join("\n");
  const specs = storage.map(({ part, port }) => `${part}:${port}`);
  await promisify(execFile)(python, ["-c", program, dir, ...specs]);
}

const commonConf = (dir: string, port: number): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${dir}
log_level = ERROR
`;

const storageConf = (dir: string, part: Part, port: number): string => `${commonConf(dir, port)}devices = ${dir}/devices
mount_check = false
fallocate_reserve = 0
[pipeline:main]
pipeline = ${part}-server
[app:${part}-server]
use = egg:swift#${part}
`;

const proxyConf = (dir: string, port: number): string => `${commonConf(dir, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
auth_pipeline_check = false
${["catch_errors", "gatekeeper", "healthcheck", "bulk", "slo"].map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`).join("")}
[filter:cache]
use = egg:swift#memcache
`;
