import type { Client } from "@modelcontextprotocol/client";
import type { Count } from "../way.ts";

type Call = (name: string, args: Record<string, unknown>) => Promise<string>;

/** Calls a tool and counts name, arguments and the whole result. */
export const callOf =
  (client: Client, count: Count): Call =>
  async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    const structure = result.structuredContent ? JSON.stringify(result.structuredContent) : "";
    count.add(JSON.stringify({ name, arguments: args }), text + structure);
    if (result.isError) throw new Error(`${name}: ${text}`);
    return text;
  };
