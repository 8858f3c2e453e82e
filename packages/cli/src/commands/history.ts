import { type Client, listAll, type Version } from "@svc/sdk";
import type { Command } from "commander";
import { documentId } from "../address/resolve.ts";
import { connect } from "../connect.ts";
import { DOCUMENT, type ServerOptions, withServer } from "../options.ts";
import { note, print, quoted, shownSize, shownTime, table } from "../output.ts";
import { writerName } from "./blame.ts";

interface Options extends ServerOptions {
  readonly all?: boolean;
}

async function run(address: string, options: Options): Promise<void> {
  const client = connect(options);
  const id = await documentId(client, address);
  if (options.all) return showStates(client, id, options);
  const [{ data: document }, versions] = await Promise.all([
    client.get("/documents/{id}", { path: { id } }),
    Array.fromAsync(listAll(client, "/documents/{id}/versions", { path: { id } })),
  ]);
  const now = ["now", "-", "-", "-", "-", document.version];
  print(
    options,
    { document_id: id, title: document.title, version: document.version, versions },
    table(
      ["SEQ", "UNTIL", "REPLACED BY", "THROUGH", "SIZE", "VERSION"],
      [
        now,
        ...versions.map((one) => [
          ...[one.seq, shownTime(one.created_at), makerOf(one)],
          ...[one.reason, shownSize(one.byte_size), one.version],
        ]),
      ],
    ),
  );
  if (!options.json && versions[0])
    note(`     → svc diff ${quoted(address)} ${versions[0].seq} shows what changed since`);
}

/** Includes the sessions of people in the browser. */
async function showStates(client: Client, id: string, options: Options): Promise<void> {
  const query = { limit: 100 };
  const states = await Array.fromAsync(listAll(client, "/documents/{id}/history", { path: { id }, query }));
  print(
    options,
    { document_id: id, states },
    table(
      ["ID", "UNTIL", "KIND", "BY", "SIZE", "NAME"],
      states.map((state) => [
        ...[state.id, shownTime(state.ended_at), state.kind],
        ...[state.by.map(writerName).join("; ") || "-", shownSize(state.byte_size), state.name ?? "-"],
      ]),
    ),
  );
}

/** The person, and the program through which they made the change. */
const makerOf = ({ creator, client }: Version): string =>
  `${creator.name ?? creator.id}${client?.name ? ` with ${client.name}` : ""}`;

export function define(command: Command): void {
  withServer(command)
    .argument(...DOCUMENT)
    .option("--all", "all that is kept, sessions in the browser included; diff and rollback take these ids, too")
    .action(run);
}
