import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, test } from "node:test";
import tls from "node:tls";
import { discoverAuthorizationServerMetadata } from "@modelcontextprotocol/client";
import { p } from "@svc/document/testing/builders";
import { makeBody } from "../support/bodies.ts";
import { assertStatus, Client } from "../support/client.ts";
import { upload } from "../support/fixtures.ts";
import { isSaved, openEditor, signIn, type } from "../support/live-editor.ts";
import { probeFiles, requirePeer } from "../support/peers/peer.ts";
import { freePorts, startPeer, untilReady } from "../support/peers/peer-process.ts";
import { World } from "../support/world.ts";

const examples = resolve(import.meta.dirname, "../../../../deploy");
const folder = mkdtempSync(join(tmpdir(), "svc-deploy-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const read = (name: string): string => readFileSync(join(examples, name), "utf8");

interface Ports {
  readonly https: number;
  readonly http: number;
  /** The address of svc. */
  readonly target: string;
}

interface Proxy {
  readonly name: string;
  readonly program: string;
  readonly own: string;
  readonly below: string;
  /** Makes the example fit this machine: other ports, another name, another certificate. */
  config(example: string, ports: Ports, isBelow: boolean): string;
  args(config: string): readonly string[];
  /** The certificate that clients must trust. */
  readonly certificate: string;
}

const key = join(folder, "privkey.pem");
const certificate = join(folder, "fullchain.pem");

const nginx: Proxy = {
  name: "nginx",
  program: "/usr/sbin/nginx",
  own: read("nginx/svc.conf"),
  below: read("nginx/svc-below-a-path.conf"),
  certificate,
  config: (example, { https, http, target }, isBelow) => {
    const server = `server { listen 127.0.0.1:${https} ssl; ssl_certificate ${certificate}; ssl_certificate_key ${key};
      ${example} }`;
    const fitted = (isBelow ? server : example)
      .replace("listen 80;", `listen 127.0.0.1:${http};`)
      .replace("listen 443 ssl;", `listen 127.0.0.1:${https} ssl;`)
      .replace("https://$host$request_uri", `https://$host:${https}$request_uri`)
      .replaceAll("kb.example.com/", "")
      .replaceAll("/etc/ssl/", `${folder}/`)
      .replaceAll("kb.example.com", "localhost")
      .replaceAll("http://127.0.0.1:3000", target);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join(" ");
    return `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr; events {}
      http { access_log off; ${temporary} ${fitted} }`;
  },
  args: (config) => ["-p", folder, "-c", config],
};

const caddy: Proxy = {
  name: "Caddy",
  program: "/usr/bin/caddy",
  own: read("caddy/Caddyfile"),
  below: read("caddy/below-a-path.Caddyfile"),
  certificate: join(folder, "caddy/pki/authorities/local/root.crt"),
  config: (example, { https, http, target }) =>
    `{\n  admin off\n  skip_install_trust\n  https_port ${https}\n  http_port ${http}\n}\n${example
      .replace(/^(kb\.)?example\.com \{/m, "localhost {")
      .replaceAll("127.0.0.1:3000", target.replace("http://", ""))}`,
  args: (config) => ["run", "--adapter", "caddyfile", "--config", config],
};

function makeCertificate(): void {
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", key, "-out", certificate];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files], {
    stdio: "ignore",
  });
}

/** Waits until the proxy answers, and trusts its certificate from then on. */
async function start(proxy: Proxy, ports: Ports, isBelow: boolean) {
  const file = join(folder, `${proxy.name}-${isBelow}`);
  writeFileSync(file, proxy.config(isBelow ? proxy.below : proxy.own, ports, isBelow));
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const peer = startPeer(proxy.program, proxy.args(file), env);
  await untilReady(proxy.name, peer, async () => {
    if (!existsSync(proxy.certificate)) return false;
    const trusted = [...tls.getCACertificates("default"), readFileSync(proxy.certificate, "utf8")];
    tls.setDefaultCACertificates(trusted);
    return (await fetch(`https://localhost:${ports.https}/${isBelow ? "kb/" : ""}healthz`)).ok;
  });
  return peer;
}

/** The first bytes of an event stream: they come at once, or not at all through a proxy that gathers answers. */
const firstBytes = (url: string, token: string): Promise<string> =>
  new Promise((found, failed) => {
    const asked = request(
      `${url}/api/v1/events/stream`,
      { headers: { authorization: `Bearer ${token}` } },
      (answer) => {
        answer.once("data", (chunk) => {
          found(String(chunk));
          asked.destroy();
        });
      },
    );
    asked.on("error", failed).end();
  });

for (const proxy of [nginx, caddy]) {
  const peer = requirePeer(proxy.name, probeFiles([proxy.program, "openssl"]));
  describe(`the example for ${proxy.name}`, peer, () => {
    for (const isBelow of [false, true])
      test(`OPS13 svc works through it ${isBelow ? "below a path" : "under a name of its own"}`, async () => {
        makeCertificate();
        const [https = 0, http = 0] = await freePorts(2);
        const url = `https://localhost:${https}${isBelow ? "/kb" : ""}`;
        const world = new World("sqlite", { SVC_BASE_URL: url, SVC_TRUST_PROXY: "on" });
        await world.start();
        const running = await start(proxy, { https, http, target: world.directUrl }, isBelow);
        try {
          const ada = await world.person();
          const client = new Client(url, ada.token);
          const { id } = await makeBody(client, [p("One.")]);

          const cookie = `${isBelow ? "__Secure" : "__Host"}-${await signIn(world, ada)}`;
          const tab = await openEditor({ url, cookie, documentId: id });
          type(tab, 0, " typed");
          await isSaved(tab);
          tab.close();

          const large = Buffer.alloc(20_000_000, "svc");
          const { id: file } = await upload(client, id, large, "large.bin");
          const loaded = await fetch(`${url}/api/v1/attachments/${file}`, {
            headers: { authorization: `Bearer ${ada.token}` },
          });
          assert.ok(Buffer.from(await loaded.arrayBuffer()).equals(large), "a large file comes back");

          assert.match(await firstBytes(url, ada.token), /./);
          assertStatus(await client.get("/me"), 200);
          const page = await fetch(`${url}/sign-in`);
          assert.equal(page.status, 200);
          const metadata = await discoverAuthorizationServerMetadata(url);
          assert.equal(metadata?.token_endpoint, `${url}/oauth/token`);
          if (isBelow) return;
          assert.equal((await fetch(`${url}/metrics`)).status, 404, "metrics are not for everybody");
          const redirected = await fetch(`http://localhost:${http}/sign-in`, { redirect: "manual" });
          assert.equal(new URL(redirected.headers.get("location") ?? "").protocol, "https:");
        } finally {
          await running.stop();
          await world.stop();
        }
      });
  });
}
