/** The framework alone: answers a constant JSON. `BENCH_WORKERS` is how many processes serve. */
import cluster from "node:cluster";
import { answer, listen, makeBareServer } from "./serve.ts";

const constant = JSON.stringify({
  data: {
    user: { id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD", email: "ada@example.com", name: "Ada" },
    scopes: ["documents:read", "documents:write", "knowledge-bases:read", "knowledge-bases:write", "attachments:read"],
    token_id: "tok_01K9ZQ4T6N4Y3V7J8W2M5R1XCE",
    workspace: { id: "ws_01K9ZQ4T6N4Y3V7J8W2M5R1XCF", name: "Ada's workspace", role: "owner" },
    token: { name: "laptop", access: "read_write", created_at: 1794700000000, expires_at: null },
  },
  request_id: "req_01K9ZQ4T6N4Y3V7J8W2M5R1XCG",
});

const workers = Number(process.env.BENCH_WORKERS ?? 1);
if (cluster.isPrimary && workers > 1) {
  let listening = 0;
  cluster.on("listening", (_worker, { address, port }) => {
    if (++listening === workers) process.stdout.write(`${JSON.stringify({ address: `http://${address}:${port}` })}\n`);
  });
  for (let i = 0; i < workers; i++) cluster.fork();
} else {
  const server = makeBareServer();
  server.get("/me", (_request, reply) => answer(reply, constant));
  if (cluster.isPrimary) await listen(server);
  else await server.listen({ host: "127.0.0.1", port: 0 });
}
