/** The framework alone: answers a constant JSON. */
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

const server = makeBareServer();
server.get("/me", (_request, reply) => answer(reply, constant));
await listen(server);
