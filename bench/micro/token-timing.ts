/**
 * Whether the time of a refusal tells how much of a guessed token is right. Wrong tokens that share nothing, half and
 * all but the last character with a real one are sent in turns; the times of each kind are compared by medians and by
 * the Mann–Whitney test. Run by hand: a difference that is real shows as |z| above 3 again and again, with one sign.
 */

import { Agent, request } from "node:http";
import { defined } from "@svc/document/defined";
import { SVC_SERVER, startServer } from "../harness/processes.ts";
import { median } from "../harness/statistics.ts";
import { makeStore } from "../harness/store.ts";

const COUNT = Number(process.env.COUNT ?? 6000);

const store = await makeStore("sqlite");
const token = defined(store.headers.authorization).slice("Bearer ".length);
const server = await startServer(SVC_SERVER, store.settings);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const PREFIX = "svc_tok_".length;

/** A wrong token whose first `right` characters are those of the real one. */
function guess(right: number): string {
  const rest = Array.from({ length: token.length - right }, () => LETTERS[Math.floor(Math.random() * 64)]).join("");
  const made = token.slice(0, right) + rest;
  return made === token ? guess(right) : made;
}

function microseconds(guessed: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const begin = process.hrtime.bigint();
    const headers = { authorization: `Bearer ${guessed}` };
    const sent = request(`${server.address}/api/v1/me`, { agent, headers }, (response) => {
      response.resume();
      response.once("end", () => resolve(Number(process.hrtime.bigint() - begin) / 1000));
    });
    sent.once("error", reject).end();
  });
}

/** How far from chance it is that values of one list are smaller than those of the other, in standard deviations. */
function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, first: true })), ...b.map((value) => ({ value, first: false }))];
  all.sort((x, y) => x.value - y.value);
  let ranks = 0;
  for (const [index, { first }] of all.entries()) if (first) ranks += index + 1;
  const u = ranks - (a.length * (a.length + 1)) / 2;
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
  return (u - (a.length * b.length) / 2) / deviation;
}

const kinds = { none: PREFIX, half: PREFIX + Math.floor((token.length - PREFIX) / 2), nearly: token.length - 1 };
/** As many of each kind, made beforehand: of the last kind there are no more than 63, and a repeated one costs less. */
const guesses = Object.fromEntries(
  Object.entries(kinds).map(([kind, right]) => [kind, Array.from({ length: 60 }, () => guess(right))]),
);
const times: Record<string, number[]> = { none: [], half: [], nearly: [] };
for (let index = 0; index < COUNT + 500; index++)
  for (const kind of Object.keys(kinds).sort(() => Math.random() - 0.5)) {
    const time = await microseconds(defined(defined(guesses[kind])[index % 60]));
    if (index >= 500) defined(times[kind]).push(time);
  }
agent.destroy();
await server.stop();
await store.remove();

for (const [kind, list] of Object.entries(times)) {
  const z = mannWhitney(defined(times.none), list);
  console.log(
    `${kind.padEnd(6)} median ${median(list).toFixed(1)} µs, n ${list.length}, z against none ${z.toFixed(2)}`,
  );
}
