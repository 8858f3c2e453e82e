/** Holds many event streams in a process of its own and tells when each event arrived: one JSON line per event. */
import { request } from "node:http";

const { url, tokens, streams } = JSON.parse(process.argv[2] ?? "{}") as {
  url: string;
  tokens: readonly string[];
  streams: number;
};
const arrivals = new Map<string, number[]>();
const MARK = /data: \S*?"title":"(\d+)"/g;

function open(index: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${tokens[index % tokens.length]}` };
    const call = request(url, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
      let rest = "";
      response.on("data", (chunk: Buffer) => {
        const now = Date.now();
        const text = rest + chunk.toString("latin1");
        const end = text.lastIndexOf("\n\n");
        for (const [, mark] of text.slice(0, end + 2).matchAll(MARK)) note(mark!, now);
        rest = text.slice(end + 2);
      });
      resolve();
    });
    call.on("error", reject);
    call.end();
  });
}

function note(mark: string, now: number): void {
  const times = arrivals.get(mark) ?? [];
  arrivals.set(mark, times);
  times.push(now);
  if (times.length < streams) return;
  arrivals.delete(mark);
  console.log(JSON.stringify({ mark, times: summary(times) }));
}

/** Every hundredth of the arrivals is enough for percentiles. */
const summary = (times: number[]): number[] => {
  const sorted = times.sort((a, b) => a - b);
  return Array.from(
    { length: 101 },
    (_, i) => sorted[Math.min(sorted.length - 1, Math.floor((i / 100) * sorted.length))]!,
  );
};

for (let i = 0; i < streams; i += 50)
  await Promise.all(Array.from({ length: Math.min(50, streams - i) }, (_, n) => open(i + n)));
console.log(JSON.stringify({ ready: streams }));
