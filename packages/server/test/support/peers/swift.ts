import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { defined } from "@svc/document/defined";
import { type PeerOptions, probeFiles, requirePeer } from "./peer.ts";
import { freePorts, startPeer, untilReady } from "./peer-process.ts";

/** A real S3-compatible store: OpenStack Swift with `s3api`, which checks every signature. */
export interface SwiftPeer {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  stop(): Promise<void>;
}

const python = "/usr/bin/python3";
const launcher = join(import.meta.dirname, "swift-launcher.py");
const parts = ["account", "container", "object"] as const;
type Part = (typeof parts)[number];

export const requireSwift = (): PeerOptions =>
  requirePeer("OpenStack Swift", probeFiles([python, ...[...parts, "proxy"].map((part) => `swift-${part}-server`)]));

export async function startSwift(): Promise<SwiftPeer> {
  const dir = await mkdtemp(join(tmpdir(), "svc-swift-"));
  const ports = await freePorts(4);
  const storage = parts.map((part, index) => ({ part, port: defined(ports[index]) }));
  const proxyPort = defined(ports[3]);
  await mkdir(join(dir, "devices", "d1"), { recursive: true });
  await writeFile(
    join(dir, "swift.conf"),
    "[swift-hash]\nswift_hash_path_suffix = svc\nswift_hash_path_prefix = svc\n",
  );
  await Promise.all(
    storage.map(({ part, port }) => writeFile(join(dir, `${part}-server.conf`), storageConf(dir, part, port))),
  );
  await writeFile(join(dir, "proxy-server.conf"), proxyConf(dir, proxyPort));
  const specs = storage.map(({ part, port }) => `${part}:${port}`);
  const peer = startPeer(python, [launcher, dir, ...specs]);
  const stop = async () => {
    await peer.stop();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  };
  const endpoint = `http://127.0.0.1:${proxyPort}`;
  try {
    await untilReady("Swift", peer, () => doAllAnswer(ports));
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, accessKeyId: "test:tester", secretAccessKey: "testing", region: "us-east-1", stop };
}

async function doAllAnswer(ports: readonly number[]): Promise<boolean> {
  await Promise.all(ports.map((port) => fetch(`http://127.0.0.1:${port}/healthcheck`)));
  return true;
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
