/** The licences of the packages that a bundle contains. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** Throws when a package names no licence: it must not be passed on then. */
export function licencesOf(folders: readonly string[]): string {
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const files = globSync("{licen[cs]e,LICEN[CS]E,Licen[cs]e,NOTICE}*", { cwd: join(root, folder) }).sort();
    if (!license && files.length === 0) throw new Error(`${name} names no licence.`);
    const full = files.map((file) => readFileSync(join(root, folder, file), "utf8").trim());
    return [`${name} ${version} (${license ?? "see below"})`, ...full].join("\n\n");
  });
  return `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
