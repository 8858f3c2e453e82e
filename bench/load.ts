import { connect } from "node:net";

export interface Load {
  readonly requests: number;
  readonly seconds: number;
  readonly wrong: number;
}

/** Sends one GET over and over on `connections` kept connections, one request at a time on each, for `ms`. */
export async function load(
  url: string,
  headers: Record<string, string>,
  connections: number,
  ms: number,
): Promise<Load> {
  const { hostname, port, pathname, search } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${lines.join("")}\r\n`);
  const start = performance.now();
  const deadline = start + ms;
  const counts = await Promise.all(
    Array.from({ length: connections }, () => oneConnection(hostname, Number(port), request, deadline)),
  );
  const sum = (name: "requests" | "wrong") => counts.reduce((total, count) => total + count[name], 0);
  return { requests: sum("requests"), wrong: sum("wrong"), seconds: (performance.now() - start) / 1000 };
}

function oneConnection(host: string, port: number, request: Buffer, deadline: number) {
  return new Promise<{ requests: number; wrong: number }>((resolve, reject) => {
    const count = { requests: 0, wrong: 0 };
    let pending = "";
    const socket = connect(port, host, () => socket.write(request));
    socket.setNoDelay(true);
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      pending += chunk.toString("latin1");
      const end = pending.indexOf("\r\n\r\n");
      if (end === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(pending)?.[1]);
      if (pending.length < end + 4 + length) return;
      count.requests++;
      if (!pending.startsWith("HTTP/1.1 200")) count.wrong++;
      pending = "";
      if (performance.now() < deadline) return void socket.write(request);
      socket.end();
      resolve(count);
    });
  });
}
