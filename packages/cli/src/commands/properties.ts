import { type PropertyValue, readProperties, textOf } from "@svc/document/properties/read-properties";
import type { Client } from "@svc/sdk";
import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { collect, DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { print } from "../output.ts";
import { nameAndValue } from "../property-options.ts";

interface Options extends ServerOptions {
  readonly set?: readonly string[];
  readonly unset?: readonly string[];
  readonly source?: boolean;
}

async function run(address: string, options: Options): Promise<void> {
  const client = connect(options);
  const id = await documentId(client, address);
  const data = options.set || options.unset ? await change(client, id, options) : await read(client, id);
  const lines = options.source
    ? data.source.trimEnd().split("\n")
    : Object.entries(data.properties).map(([name, value]) => `${name}: ${textOf(value)}`);
  print(options, { document_id: id, ...data }, lines);
}

const read = async (client: Client, id: string) =>
  (await client.get("/documents/{id}/properties", { path: { id } })).data;

/** Changes properties. The write fails if another person has changed them since they were read. */
async function change(client: Client, id: string, { set = [], unset = [] }: Options) {
  const { properties, version } = await read(client, id);
  const wanted = {
    ...properties,
    ...Object.fromEntries(set.map(nameAndValue).map(([name, text]) => [name, readValue(text)])),
  };
  for (const name of unset) delete wanted[name];
  const { data } = await client.put("/documents/{id}/properties", {
    path: { id },
    ifMatch: version,
    body: { properties: wanted },
  });
  return data;
}

/** Parses a value as YAML: `3` is a number, `[a, b]` a list, anything else text. */
function readValue(text: string): PropertyValue {
  if (text.includes("\n")) throw usage("A value is one line.");
  try {
    return readProperties(`value: ${text}`).value ?? null;
  } catch {
    return text;
  }
}

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .option("--set <name=value>", "give a property this value, such as tags='[a, b]'; may be repeated", collect)
    .option("--unset <name>", "take a property away; may be repeated", collect)
    .option("--source", "the YAML as it was written")
    .action(run);
}
