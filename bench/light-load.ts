import { connect } from "node:net";

/**
 * The least that can ask a server: one GET over and over on kept raw connections, one at a time on each, looking at
 * nothing but the status and the length. As a program of its own it prints how many it got and what they cost it.
 */
export async function lightLoad(url: URL, token: string, connections: number, ms: number): Promise<number> {
  const head = `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nauthorization: Bearer ${token}\r\n\r\n`;
  const request = Buffer.from(head);
  const deadline = performance.now() + ms;
  const counts = await Promise.all(
    Array.from({ length: connections }, () => oneConnection(url.hostname, Number(url.port), request, deadline)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

function oneConnection(host: string, port: number, request: Buffer, deadline: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    let missing = 0;
    const socket = connect({ host, port, noDelay: true }, () => socket.write(request));
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      if (missing === 0) missing = lengthOf(chunk);
      missing -= chunk.length;
      if (missing > 0) return;
      count++;
      if (performance.now() < deadline) return void socket.write(request);
      socket.destroy();
      resolve(count);
    });
  });
}

/** How long the whole answer is that begins with this chunk. */
function lengthOf(chunk: Buffer): number {
  const end = chunk.indexOf("\r\n\r\n");
  const head = chunk.toString("latin1", 0, end);
  if (!head.startsWith("HTTP/1.1 200") || end === -1) throw new Error(`not the answer that is wanted: ${head}`);
  return end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
}

if (import.meta.main) {
  const [url = "", token = "", connections, ms] = process.argv.slice(2);
  const before = process.cpuUsage();
  const requests = await lightLoad(new URL(url), token, Number(connections), Number(ms));
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ requests, cpu: (user + system) / requests }));
}
