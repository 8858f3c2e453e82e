import { startStdio } from "@svc/mcp/stdio";
import { TOOL_SETS, toolSetsOf, unknownSetsText } from "@svc/mcp/tool-sets";
import type { Command } from "commander";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { note } from "../output.ts";
import type { ProfileOption } from "../session.ts";

interface Options extends ProfileOption {
  readonly tools?: string;
}

async function run(options: Options): Promise<void> {
  const { unknown } = toolSetsOf(options.tools);
  if (unknown.length > 0) throw usage(unknownSetsText(unknown), "svc mcp --help");
  const client = connect(options);
  const { ended } = await startStdio({
    client,
    tools: options.tools,
    onError: (error) => note(`svc: ${error.message}`),
  });
  await ended;
}

export function define(command: Command): void {
  command
    .option("--profile <profile>", "the server to use, see svc profiles")
    .option("--tools <sets>", `which to show: ${TOOL_SETS.join(", ")}, all; or connector`, "core,review")
    .addHelpText(
      "after",
      `
For programs that start MCP servers themselves. Their configuration is the command "svc" with the argument "mcp", and
what svc login kept, or SVC_URL and SVC_TOKEN. Programs that speak MCP over HTTP go to /mcp of the server instead.`,
    )
    .action(run);
}
