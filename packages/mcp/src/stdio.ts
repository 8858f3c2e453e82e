import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Client } from "@svc/sdk";
import { makeMcpServer } from "./server.ts";
import { openSession } from "./session.ts";
import { toolSetsOf } from "./tool-sets.ts";

interface StdioOptions {
  /** Carries the token, and the address of the service. */
  readonly client: Client;
  /** Which tools are shown, such as `core,concepts`. */
  readonly tools?: string | undefined;
  /** The address at which people reach the service. */
  readonly siteUrl?: string | undefined;
  readonly input?: Readable;
  readonly output?: Writable;
  /** Writes messages that cannot be sent over the protocol to standard error. */
  readonly onError?: (error: Error) => void;
}

/** The longest message: a whole document in one call. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * Serves the tools over standard input and output until the input closes. Checks the token first and throws if it is
 * invalid or the service does not answer, before any message is sent.
 */
export async function startStdio(options: StdioOptions): Promise<{ readonly ended: Promise<void> }> {
  const session = await openSession(options.client, toolSetsOf(options.tools), options.siteUrl);
  const transport = new StdioServerTransport(options.input, options.output, { maxBufferSize: MAX_MESSAGE_BYTES });
  const input = options.input ?? process.stdin;
  const ended = new Promise<void>((resolve) => input.once("close", resolve).once("end", resolve));
  serveStdio(() => makeMcpServer(session), {
    transport,
    ...(options.onError && { onerror: options.onError }),
  });
  return { ended };
}
