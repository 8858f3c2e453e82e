import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecord } from "@svc/document/guards";
import { describeTool } from "./tool.ts";
import { tools } from "./tools/index.ts";

/** Every schema in a schema. */
const within = (schema: unknown): Record<string, unknown>[] =>
  typeof schema !== "object" || schema === null
    ? []
    : [...(isRecord(schema) ? [schema] : []), ...Object.values(schema).flatMap(within)];

test("MCP15 schemas are flat: no alternatives of objects, and one member that names them", () => {
  for (const tool of tools) {
    const { inputSchema } = describeTool(tool);
    const alternatives = within(inputSchema).flatMap(({ anyOf }) => (Array.isArray(anyOf) ? anyOf : []));
    assert.ok(!alternatives.some((each) => "properties" in each), tool.name);
  }
  const schemaOf = (name: string) =>
    JSON.stringify(describeTool(tools.find((tool) => tool.name === name)!).inputSchema);
  assert.match(schemaOf("edit_blocks"), /"op":\{"type":"string","enum":\["insert"/);
  assert.match(schemaOf("edit_blocks"), /"required":\["op"\]/);
  assert.match(schemaOf("change_concepts"), /"required":\["action"\]/);
});

test("MCP15 tools whose structure says all have an outputSchema", () => {
  const structured = tools.filter((tool) => "outputSchema" in describeTool(tool)).map(({ name }) => name);
  for (const name of ["organize", "comment", "decide_suggestion"]) assert.ok(structured.includes(name), name);
});
