import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { readConfig, unknownSettings } from "@svc/server/config";
import { parseAllDocuments } from "yaml";
import type { Loose } from "../support/client.ts";

const root = resolve(import.meta.dirname, "../../../..");
const manifests: Loose[] = parseAllDocuments(readFileSync(join(root, "deploy/kubernetes/svc.yaml"), "utf8")).map(
  (document) => document.toJS(),
);

const find = (kind: string): Loose => manifests.find((manifest) => manifest.kind === kind) ?? assert.fail(kind);

/** Compiles the manifests as values of the API's types, which have every field and no others. */
async function typeErrors(values: readonly Loose[]): Promise<string> {
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  const folder = mkdtempSync(join(root, "node_modules/.cache/kubernetes-"));
  try {
    const lines = values.flatMap((value, index) => {
      const [group = "core", version] = value.apiVersion.includes("/")
        ? value.apiVersion.split("/")
        : ["core", value.apiVersion];
      const from = `kubernetes-types/${group.replace(/\.k8s\.io$/, "")}/${version}`;
      return [
        `import type { ${value.kind} as Kind${index} } from ${JSON.stringify(from)};`,
        `export const value${index}: Kind${index} = ${JSON.stringify(value)};`,
      ];
    });
    const file = join(folder, "manifests.ts");
    writeFileSync(file, lines.join("\n"));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const options = ["--ignoreConfig", "--noEmit", "--strict", "--module", "preserve", "--types", "node"];
    const done = promisify(execFile)(process.execPath, [tsc, ...options, file], { cwd: root });
    return await done.then(
      () => "",
      ({ stdout }) => stdout,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("OPS11 the manifests have the fields of the Kubernetes API and no others", async () => {
  assert.deepEqual(
    manifests.map(({ kind }) => kind),
    ["ConfigMap", "Deployment", "Service", "PodDisruptionBudget", "Ingress"],
  );
  assert.equal(await typeErrors(manifests), "");
  const wrong = structuredClone(manifests);
  wrong[1].spec.template.spec.containers[0].readynessProbe = {};
  wrong[3].spec.minAvailable = [1];
  const errors = await typeErrors(wrong);
  assert.match(errors, /readynessProbe/);
  assert.match(errors, /'number\[\]' is not assignable/);
});

test("OPS11 the parts refer to each other, and to paths and settings that the server has", () => {
  const { spec } = find("Deployment");
  const { labels } = spec.template.metadata;
  const [container] = spec.template.spec.containers;
  assert.equal(spec.replicas, 2);
  for (const selector of [spec.selector.matchLabels, find("Service").spec.selector]) assert.deepEqual(selector, labels);
  assert.deepEqual(find("PodDisruptionBudget").spec.selector.matchLabels, labels);
  assert.deepEqual(
    [container.startupProbe, container.readinessProbe, container.livenessProbe].map((probe) => probe.httpGet.path),
    ["/readyz", "/readyz", "/healthz"],
  );
  const { data } = find("ConfigMap");
  assert.equal(data.SVC_PORT, String(container.ports[0].containerPort));
  assert.deepEqual(unknownSettings(data), []);
  const given = Object.fromEntries(Object.entries(data).filter(([name]) => !name.endsWith("_FILE")));
  assert.equal(readConfig(given as Record<string, string>).trustProxy, 1);
  const mounted = new Set(container.volumeMounts.map(({ name }: Loose) => name));
  assert.deepEqual(new Set(spec.template.spec.volumes.map(({ name }: Loose) => name)), mounted);
});

test("OPS11 the file says that it was never run, and its command makes every secret that the settings name", () => {
  const text = readFileSync(join(root, "deploy/kubernetes/svc.yaml"), "utf8");
  assert.match(text, /never run on a cluster/);
  const literals = [...text.matchAll(/--from-literal=([a-z-]+)=/g)].map(([, name]) => name);
  const files = Object.entries(find("ConfigMap").data).flatMap(([name, path]) =>
    name.endsWith("_FILE") ? [String(path).split("/").at(-1)] : [],
  );
  assert.deepEqual(literals.sort(), files.sort());
});
