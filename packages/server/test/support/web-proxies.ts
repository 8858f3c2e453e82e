import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./postgres.ts";
import { until } from "./until.ts";

/** The treatment of the base path `/kb` by a proxy of the documentation. */
interface ProxyPlan {
  readonly strips: boolean;
  /** Passes `/.well-known/` at the root of the host on, too. */
  readonly wellKnown: boolean;
}

interface Program {
  readonly name: string;
  readonly file: string;
  readonly config: (port: number, target: string, plan: ProxyPlan, directory: string) => string;
  readonly args: (config: string, directory: string) => readonly string[];
}

const HEADERS = `
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $http_connection;`;

const nginx: Program = {
  name: "nginx",
  file: "/usr/sbin/nginx",
  config: (port, target, { strips, wellKnown }, directory) => `
daemon off;
worker_processes 1;
pid ${directory}/pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  server {
    listen 127.0.0.1:${port};
    location /kb/ { proxy_pass ${target}${strips ? "/" : ""};${HEADERS} }
    ${wellKnown ? `location /.well-known/ { proxy_pass ${target};${HEADERS} }` : ""}
    location / { return 404; }
  }
}`,
  args: (config, directory) => ["-p", directory, "-c", config],
};

const caddy: Program = {
  name: "Caddy",
  file: "/usr/bin/caddy",
  config: (port, target, { strips, wellKnown }) => `
{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
  ${strips ? "handle_path" : "handle"} /kb/* {
    reverse_proxy ${target}
  }
  ${wellKnown ? `handle /.well-known/* {\n    reverse_proxy ${target}\n  }` : ""}
  handle {
    respond 404
  }
}`,
  args: (config) => ["run", "--adapter", "caddyfile", "--config", config],
};

export const webProxies = [nginx, caddy] as const;

/** The reason to skip a proxy's tests, if it is not installed. */
export const missing = ({ name, file }: Program): string | false =>
  existsSync(file) ? false : `no ${name}: npm run setup:peers`;

/** A real proxy before a server, with the base path `/kb`. */
export class WebProxy implements AsyncDisposable {
  readonly #directory = mkdtempSync(join(tmpdir(), "svc-proxy-"));
  readonly port: number;
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Reserves a port, so that the server can be configured with its public address before `start`. */
  static async reserve(): Promise<WebProxy> {
    return new WebProxy(await freePort());
  }

  async start(program: Program, target: string, plan: ProxyPlan): Promise<void> {
    const file = join(this.#directory, "config");
    writeFileSync(file, program.config(this.port, target, plan, this.#directory));
    const env = { PATH: process.env.PATH, HOME: this.#directory, XDG_DATA_HOME: this.#directory };
    const child = spawn(program.file, program.args(file, this.#directory), {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    this.#process = child;
    await until(`${program.name} serves`, async () => {
      if (child.exitCode !== null) throw new Error(`${program.name} ended: ${said}`);
      return (await fetch(`${this.origin}/kb/healthz`).catch(() => undefined))?.status === 200;
    });
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
