import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { parse } from "yaml";
import { makeDocument } from "../support/fixtures.ts";
import { probeFiles, requirePeer } from "../support/peers/peer.ts";
import { World } from "../support/world.ts";

const folder = resolve(import.meta.dirname, "../../../../deploy");
const RULES = join(folder, "prometheus/svc.rules.yml");
const DASHBOARD = join(folder, "grafana/svc.json");

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}
interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly definition?: string }[] };
}

const alerts = () => (parse(readFileSync(RULES, "utf8")) as Rules).groups.flatMap(({ rules }) => rules);
const dashboard = (): Dashboard => JSON.parse(readFileSync(DASHBOARD, "utf8"));

/** Prometheus makes this one itself. */
const OF_PROMETHEUS = new Set(["up"]);
const metricsOf = (expr: string): string[] =>
  (expr.match(/\b(svc|nodejs|process|up)(_[a-z0-9_]+)?\b(?=[\s{[),]|$)/g) ?? []).filter((name) => name !== "svc");
/** The values that an expression compares a label with. */
const labelsOf = (expr: string): string[] =>
  [...expr.matchAll(/\b(status|operation|cache|le|worker)\b/g)].map(([label]) => label);

const backups = mkdtempSync(join(tmpdir(), "svc-backups-"));
after(() => rmSync(backups, { recursive: true, force: true }));

describe("the dashboard and the alert rules", () => {
  const world = new World("sqlite", { SVC_BACKUP_DIR: join(backups, "daily") });
  let exposed = "";
  before(async () => {
    await world.start();
    const ada = await world.person();
    const { id } = await makeDocument(ada.client);
    await ada.client.get(`/documents/${id}/content`);
    exposed = await (await fetch(`${world.directUrl}/metrics`)).text();
  });
  after(() => world.stop());

  const names = () => new Set([...exposed.matchAll(/^([a-z_0-9]+)(?=[{ ])/gm)].map(([, name]) => name));

  test("OPS10 every expression asks for metrics that /metrics has", () => {
    const expressions = [
      ...alerts().map(({ alert, expr }) => [alert, expr] as const),
      ...dashboard().panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
      ...dashboard().templating.list.flatMap(({ definition }) =>
        definition ? [["variable", definition] as const] : [],
      ),
    ];
    assert.ok(expressions.length > 25, `${expressions.length} expressions`);
    const known = names();
    for (const [title, expr] of expressions) {
      const asked = metricsOf(expr);
      assert.ok(asked.length > 0, `${title} asks for nothing: ${expr}`);
      for (const name of asked) assert.ok(known.has(name) || OF_PROMETHEUS.has(name), `${title}: ${name}`);
      for (const label of labelsOf(expr))
        assert.ok(label === "worker" || exposed.includes(`${label}="`), `${title}: the label ${label}`);
    }
  });

  test("OPS10 the dashboard shows every metric of svc, but for a few that only add detail", () => {
    const shown = new Set(
      dashboard().panels.flatMap(({ targets }) =>
        targets.flatMap(({ expr }) => metricsOf(expr).map((name) => name.replace(/_(bucket|sum|count)$/, ""))),
      ),
    );
    const left = [...exposed.matchAll(/^# TYPE (svc_\S+)/gm)].map(([, name]) => name ?? "");
    assert.deepEqual(left.filter((name) => !shown.has(name)).sort(), [
      "svc_backup_failing",
      "svc_backup_last_success_timestamp_seconds",
      "svc_backup_scheduled",
      "svc_cache_budget_bytes",
      "svc_cache_entries",
      "svc_cache_evictions_total",
      "svc_live_fold_seconds_total",
      "svc_log_write_errors_total",
    ]);
  });

  const peer = requirePeer("Prometheus", probeFiles(["promtool"]));
  const promtool = (...args: string[]) => promisify(execFile)("promtool", args, { cwd: folder });

  test("OPS10 promtool accepts the rules, and their own tests pass", peer, async () => {
    const { stdout } = await promtool("check", "rules", "--lint=all", "--lint-fatal", RULES);
    assert.match(stdout, new RegExp(`SUCCESS: ${alerts().length} rules found`));
    const tested = await promtool("test", "rules", join(folder, "prometheus/svc.rules.test.yml"));
    assert.match(tested.stdout, /SUCCESS/);
  });

  test("OPS10 promtool accepts what /metrics answers", peer, async () => {
    const child = promisify(execFile)("promtool", ["check", "metrics"]);
    child.child.stdin?.end(exposed);
    const { stderr } = await child.catch((error) => error);
    const complaints = stderr.split("\n").filter((line: string) => /\bsvc_|error while linting/.test(line));
    assert.deepEqual(complaints, []);
  });

  test("OPS10 promtool can parse the dashboard's queries", peer, async () => {
    const expressions = dashboard().panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const rules = expressions.map((expr, index) => ({
      record: `svc:query${index}`,
      expr: expr.replaceAll("$job", ".*"),
    }));
    const file = join(backups, "rules.yml");
    writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
    const { stdout } = await promtool("check", "rules", file);
    assert.match(stdout, new RegExp(`SUCCESS: ${rules.length} rules found`));
  });
});
