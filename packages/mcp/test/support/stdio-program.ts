/** The tools over standard input and output as a program, with the server and the token of the environment. */
import { messageOf } from "@svc/document/thrown";
import { startStdio } from "@svc/mcp/stdio";
import { createClient } from "@svc/sdk";

const client = createClient({
  baseUrl: process.env.SVC_URL ?? "",
  token: process.env.SVC_TOKEN,
  userAgent: "test/1.0 (stdio test)",
  retry: { attempts: 1 },
});
try {
  await startStdio({ client });
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
