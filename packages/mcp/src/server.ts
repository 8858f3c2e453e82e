import { McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { VERSION } from "@svc/sdk";
import { callTool } from "./call-tool.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { describePrompt, getPrompt, prompts } from "./prompts.ts";
import { listResources, readResource, resourceTemplates } from "./resources.ts";
import type { Session } from "./session.ts";
import { describeTool, isShownTo } from "./tool.ts";
import { unknownSetsText } from "./tool-sets.ts";
import { connectorTools, tools } from "./tools/index.ts";

const INFO = {
  name: "svc",
  title: "svc knowledge bases",
  version: VERSION,
  description: "Search, read and edit the documents of a svc workspace.",
};

/** Creates an MCP server for one token: it lists and runs only the tools that the token allows. */
export function makeMcpServer(session: Session): McpServer {
  const mcp = new McpServer(INFO, {
    instructions: INSTRUCTIONS,
    capabilities: { tools: {}, resources: {}, prompts: {} },
  });
  const { server } = mcp;
  server.setRequestHandler("tools/list", () => ({
    tools: [...tools, ...connectorTools].filter((tool) => isShownTo(tool, session)).map(describeTool),
  }));
  server.setRequestHandler("tools/call", ({ params }) => callTool(session, params.name, params.arguments ?? {}));
  server.setRequestHandler("resources/list", ({ params }) => listResources(session, params?.cursor));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
  server.setRequestHandler("resources/read", ({ params }) => readResource(session, params.uri));
  server.setRequestHandler("prompts/list", () => ({ prompts: prompts.map(describePrompt) }));
  server.setRequestHandler("prompts/get", ({ params }) => getPrompt(params.name, params.arguments ?? {}));
  const unknown = session.sets?.unknown ?? [];
  if (unknown.length > 0) refuseSets(mcp, unknown);
  return mcp;
}

/** Reports unknown tool sets in the address as an error, so that the person who configured the client sees it. */
function refuseSets({ server }: McpServer, unknown: readonly string[]): void {
  const refuse = () => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownSetsText(unknown));
  };
  server.setRequestHandler("initialize", refuse);
  server.setRequestHandler("server/discover", refuse);
  server.setRequestHandler("tools/list", refuse);
}
