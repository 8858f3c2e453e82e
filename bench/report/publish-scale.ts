import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { largeSections } from "./large.ts";
import { fillMarkers } from "./markers.ts";
import { soakSections } from "./soak.ts";

/** Puts what `bench:large` and `bench:soak` found into docs/SCALE.md, and their figures beside it. */
export function publishScale(root: string, results: string): void {
  const [page, published] = [join(root, "docs/SCALE.md"), join(root, "docs/scale")];
  mkdirSync(published, { recursive: true });
  if (existsSync(results))
    for (const name of readdirSync(results)) copyFileSync(join(results, name), join(published, name));
  const text = readFileSync(page, "utf8");
  const sections = readdirSync(published)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const found = JSON.parse(readFileSync(join(published, name), "utf8"));
      return name.startsWith("large-") ? largeSections(found) : soakSections(found);
    })
    // Not every database has a place of its own.
    .filter(([name]) => text.includes(`<!-- bench:${name} -->`));
  writeFileSync(page, fillMarkers(text, new Map(sections)));
}
