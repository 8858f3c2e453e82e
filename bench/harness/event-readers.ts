/** Holds many event streams in a process of its own, and tells when each event had arrived at all of them. */

import { request } from "node:http";
import { defined } from "@svc/document/defined";

const { url, headers, streams }: { url: string; headers: Record<string, string>; streams: number } = JSON.parse(
  process.argv[2] ?? "{}",
);
const MARK = /"title":"(\d+)"/g;
const counts = new Map<string, number>();

function note(mark: string): void {
  const count = (counts.get(mark) ?? 0) + 1;
  counts.set(mark, count);
  if (count < streams) return;
  counts.delete(mark);
  process.stdout.write(`${JSON.stringify({ mark: Number(mark), at: Date.now() })}\n`);
}

function open(): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(url, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      let rest = "";
      response.on("data", (chunk: Buffer) => {
        const text = rest + chunk.toString("latin1");
        const end = text.lastIndexOf("\n\n") + 2;
        for (const [, mark] of text.slice(0, end).matchAll(MARK)) note(defined(mark));
        rest = text.slice(end);
      });
      resolve();
    });
    call.on("error", reject);
    call.end();
  });
}

for (let i = 0; i < streams; i += 50) await Promise.all(Array.from({ length: Math.min(50, streams - i) }, open));
process.stdout.write(`${JSON.stringify({ ready: streams })}\n`);
