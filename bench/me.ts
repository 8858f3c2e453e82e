/**
 * GET /me end to end (token check, rate limit, envelope, log line) against the bare framework with a constant JSON, in
 * turns within one run. Prints requests per second of both and the ratio of their medians. Goal: at least 0.6.
 */
import { load } from "./load.ts";
import { BARE, cpuMs, makeDataDir, median, SVC_SERVER, start, svc } from "./servers.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const ROUND_MS = 1000;
const CONNECTIONS = 32;

const store = makeDataDir();
const settings = {
  SVC_DATA_DIR: store.directory,
  SVC_RATE_LIMIT: "1000000000",
  SVC_LOG_LEVEL: process.env.SVC_LOG_LEVEL ?? "info",
};
await svc(settings, "users", "create", "--email", "a@example.com", "--name", "Ada", "--password", "x");
const { token } = await svc(settings, "tokens", "create", "--email", "a@example.com", "--access", "read_write");
const bare = await start(BARE);
const full = await start(SVC_SERVER, settings);
const headers = { authorization: `Bearer ${token}`, "user-agent": "bench/1.0 (Bench)" };

const rates: Record<"bare" | "svc", number[]> = { bare: [], svc: [] };
const spent = { bare: { cpu: 0, requests: 0 }, svc: { cpu: 0, requests: 0 } };
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, server] of [
    ["bare", bare],
    ["svc", full],
  ] as const) {
    const before = cpuMs(server.child.pid);
    const result = await load(`${server.address}/api/v1/me`, headers, CONNECTIONS, ROUND_MS);
    if (result.wrong > 0) throw new Error(`${name}: ${result.wrong} wrong answers`);
    if (round === 0) continue;
    rates[name].push(result.requests / result.seconds);
    spent[name].cpu += cpuMs(server.child.pid) - before;
    spent[name].requests += result.requests;
  }
}
await bare.stop();
await full.stop();
store.remove();

const show = (name: "bare" | "svc") =>
  `${name} ${Math.round(median(rates[name]))}/s (${((1000 * spent[name].cpu) / spent[name].requests).toFixed(0)} µs cpu)`;
const ratio = median(rates.svc) / median(rates.bare);
console.log(`GET /me: ${show("bare")}, ${show("svc")}, ratio ${ratio.toFixed(2)} (goal 0.60)`);
