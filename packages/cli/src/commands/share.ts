import type { Client } from "@svc/sdk";
import type { Command } from "commander";
import { type DocumentPlace, type FolderPlace, resolvePlace } from "../address/resolve.ts";
import { usage } from "../command-error.ts";
import { connect } from "../connect.ts";
import { type ServerOptions, wholeNumber, withServer } from "../options.ts";
import { print, shownTime, table } from "../output.ts";

interface Options extends ServerOptions {
  readonly expiresInDays?: number;
  /** False with `--no-password`. */
  readonly password?: string | boolean;
  readonly off?: boolean;
  readonly list?: boolean;
}

const DAY_MS = 86_400_000;

type Place = DocumentPlace | FolderPlace;

async function run(address: string | undefined, options: Options): Promise<void> {
  const client = connect(options);
  if (options.list) return list(client, options);
  if (address === undefined) throw usage("Name a document or a folder.", "svc share --list");
  const place = await resolvePlace(client, address, "document", "folder");
  if (options.off) return print(options, await withdraw(client, place), [`The link of ${address} is gone.`]);
  const share = await ensure(client, place, wishOf(options));
  const facts = [
    ...(share.has_password ? ["with a password"] : []),
    ...(share.expires_at === null ? [] : [`until ${shownTime(share.expires_at)}`]),
  ];
  print(options, share, [share.url, ...(facts.length > 0 ? [facts.join(", ")] : [])]);
}

/** Options that are not given stay unchanged. */
const wishOf = ({ expiresInDays, password }: Options) => ({
  ...(expiresInDays !== undefined && { expires_at: Date.now() + expiresInDays * DAY_MS }),
  ...(typeof password === "string" && { password }),
  ...(password === false && { password: null }),
});

const ensure = async (client: Client, place: Place, body: ReturnType<typeof wishOf>) =>
  place.kind === "document"
    ? (await client.post("/documents/{id}/public-share", { path: { id: place.id }, body })).data
    : (await client.post("/folders/{id}/public-share", { path: { id: place.folder.id }, body })).data;

const withdraw = async (client: Client, place: Place) =>
  place.kind === "document"
    ? (await client.delete("/documents/{id}/public-share", { path: { id: place.id } })).data
    : (await client.delete("/folders/{id}/public-share", { path: { id: place.folder.id } })).data;

async function list(client: Client, options: Options): Promise<void> {
  const shares = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data, page } = await client.get("/public-shares", { query: { limit: 100, ...(cursor && { cursor }) } });
    shares.push(...data);
    cursor = page.next_cursor;
  }
  const rows = shares.map((share) => [
    share.kind,
    share.title,
    share.created_by.name,
    share.expires_at === null ? "never" : shownTime(share.expires_at),
    share.has_password ? "yes" : "no",
    share.url,
  ]);
  print(options, { shares }, table(["KIND", "TITLE", "BY", "ENDS", "PASSWORD", "LINK"], rows));
}

export function define(command: Command): void {
  withServer(command)
    .argument("[place]", "a document, or a folder with all below it")
    .option("--expires-in-days <days>", "end the link then", wholeNumber(1, 3650))
    .option("--password <password>", "ask visitors for it")
    .option("--no-password", "ask for none any more")
    .option("--off", "withdraw the link")
    .option("--list", "all public links of the workspace, for its owners")
    .action(run);
}
