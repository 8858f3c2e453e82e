/**
 * Names sources instead of bundled files in what a test run prints. Node can do this by itself (`--enable-source-maps`),
 * but then every process that asks where it is called from reads all maps, as pino does at every start of a server:
 * 0.3 s of processor time per process.
 */
import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Answers a function that renames the places in a text that are in the bundle at `folder`. */
export function namingSources(folder: string): (text: string) => string {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (file: string): SourceMap | undefined => {
    if (!maps.has(file)) {
      const map = `${file}.map`;
      maps.set(file, existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, "utf8"))) : undefined);
    }
    return maps.get(file);
  };
  const rename = (place: string, address: string, line: string, column: string): string => {
    const file = address.startsWith("file:") ? fileURLToPath(address) : resolve(address);
    const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
    if (!origin || !("fileName" in origin)) return place;
    const source = relative(process.cwd(), resolve(dirname(file), origin.fileName));
    return `${source}:${origin.lineNumber}:${origin.columnNumber}`;
  };
  const name = RegExp.escape(relative(process.cwd(), folder));
  const places = new RegExp(String.raw`([^\s()'"]*${name}/[^\s:()'"]+\.mjs):(\d+):(\d+)`, "g");
  return (text) => text.replace(places, rename);
}
