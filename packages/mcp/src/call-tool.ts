import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { isBounded } from "./bounded.ts";
import { fenced } from "./fence.ts";
import { prepareArguments } from "./names/prepare-arguments.ts";
import { argumentsText, refusalText } from "./refusal.ts";
import type { Session } from "./session.ts";
import { lines } from "./text.ts";
import { argumentsOf, isOpenTo, type Outcome, type Tool } from "./tool.ts";
import { connectorTools, tools } from "./tools/index.ts";
import { UsageError } from "./usage-error.ts";

const byName = new Map(tools.map((tool) => [tool.name, tool]));
const connectorByName = new Map(connectorTools.map((tool) => [tool.name, tool]));

/** The tools that a session can call, by name. */
const toolsOf = (session: Session) => (session.sets?.shown.includes("connector") ? connectorByName : byName);

const failed = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

/** Reading tools return text, titles and names from documents, so their output is fenced off from our own words. */
const succeeded = ({ readOnly, set }: Tool, { text, data, image }: Outcome): CallToolResult => ({
  content: [
    { type: "text", text: readOnly && set !== "connector" ? fenced(text) : text },
    ...(image ? [{ type: "image" as const, ...image }] : []),
  ],
  ...(data && { structuredContent: data }),
});

/** Runs a tool. Errors that the caller can correct are returned as a result that explains the correction. */
export async function callTool(session: Session, name: string, args: unknown): Promise<CallToolResult> {
  const tool = toolsOf(session).get(name);
  if (!tool)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}; tools/list names them.`);
  if (!isOpenTo(tool, session)) return failed(notAllowed(tool, session));
  if (!isBounded(args)) return failed(tooMany(name));
  try {
    const given = tool.input.safeParse(await prepareArguments(session.client, tool.input, args));
    if (!given.success) return failed(argumentsText(name, given.error, argumentsOf(tool)));
    return succeeded(tool, await tool.run(session.client, given.data as never, session));
  } catch (error) {
    const text = error instanceof UsageError ? lines(error.message, `Next: ${error.next}`) : refusalText(error);
    if (text === undefined) throw error;
    return failed(text);
  }
}

const tooMany = (name: string): string =>
  lines(
    `**invalid_arguments**: the arguments of \`${name}\` have more members, or more levels, than any use of it needs.`,
    "Next: spread the work over several calls.",
  );

function notAllowed({ name, scopes }: Tool, session: Session): string {
  const missing = scopes.filter((scope) => !session.scopes.includes(scope));
  const reason =
    missing.length > 0 ? `needs ${missing.join(", ")}, which this token does not have` : "is not open to viewers";
  return lines(
    `**insufficient_scope**: the tool ${name} ${reason}.`,
    "Next: tell the person that a token with more rights is needed, or keep to reading.",
  );
}
