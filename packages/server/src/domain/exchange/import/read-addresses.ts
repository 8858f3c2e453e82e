import { isRecord } from "@svc/document/guards";
import { fileAddresses } from "@svc/document/markdown/file-addresses";
import { ImportRefused } from "../../../archives/refused.ts";

/** How a document's file writes its addresses, by address. Skips entries that are too long or too many. */
export function readAddresses(content: unknown, path: string): ReadonlyMap<string, string> {
  if (!isRecord(content)) throw new ImportRefused("invalid_archive", `${path.slice(0, 200)} is not a JSON object.`);
  const said = Object.entries(content).flatMap(([there, address]): (readonly [string, string])[] =>
    typeof address === "string" ? [[address, there]] : [],
  );
  return fileAddresses(said);
}
