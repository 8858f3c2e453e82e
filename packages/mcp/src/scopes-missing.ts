import { isRecord } from "@svc/document/guards";
import type { Session } from "./session.ts";
import { tools } from "./tools/index.ts";

const byName = new Map(tools.map((tool) => [tool.name, tool]));

const toolOf = (message: unknown) =>
  isRecord(message) && message.method === "tools/call" && isRecord(message.params)
    ? byName.get(String(message.params.name))
    : undefined;

/**
 * The scopes to request when a tool needs more than the token has: its own and the tool's.
 * Empty when nothing is missing, or when the person's role forbids the tool and no scope would help.
 */
export function scopesMissing(session: Session, body: unknown): readonly string[] {
  const messages = Array.isArray(body) ? body : [body];
  const needed = messages.flatMap((message) => {
    const tool = toolOf(message);
    return tool && (tool.readOnly || session.mayWrite) ? tool.scopes : [];
  });
  const isMissing = needed.some((scope) => !session.scopes.includes(scope));
  return isMissing ? [...new Set([...session.scopes, ...needed])] : [];
}
