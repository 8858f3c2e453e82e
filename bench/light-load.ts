/**
 * The least that can ask a server: one GET over and over on kept raw connections, several on their way on each, counted
 * by their bytes (all answers have the same length). Prints how many were answered and what one cost this process.
 */
import { connect } from "node:net";

const PIPELINED = 8;

function oneConnection(url: URL, request: string, deadline: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let length = 0;
    let asked = PIPELINED;
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    socket.write(request.repeat(PIPELINED));
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      length ||= lengthOf(chunk);
      bytes += chunk.length;
      const answered = Math.floor(bytes / length);
      const missing = answered + PIPELINED - asked;
      if (performance.now() < deadline) {
        // Several at a time: every write costs more than what is in it.
        if (missing < PIPELINED / 2) return;
        asked += missing;
        socket.write(request.repeat(missing));
      } else if (answered === asked) {
        socket.destroy();
        if (bytes % length === 0) resolve(answered);
        else reject(new Error("the answers were not all of one length"));
      }
    });
  });
}

/** How long the whole answer is that this chunk begins with. */
function lengthOf(chunk: Buffer): number {
  const end = chunk.indexOf("\r\n\r\n");
  const head = chunk.toString("latin1", 0, end);
  if (!head.startsWith("HTTP/1.1 200")) throw new Error(`not the answer that is wanted: ${head}`);
  return end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
}

const [address = "", token = "", connections, ms] = process.argv.slice(2);
const url = new URL(address);
const request = `GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nauthorization: Bearer ${token}\r\n\r\n`;
const begin = performance.now();
const before = process.cpuUsage();
const all = Array.from({ length: Number(connections) }, () => oneConnection(url, request, begin + Number(ms)));
const requests = (await Promise.all(all)).reduce((sum, count) => sum + count, 0);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ requests, seconds: (performance.now() - begin) / 1000, cpu: (user + system) / requests }));
