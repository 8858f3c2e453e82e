/**
 * Rejects two habits that make the code hard to read: comments that begin with a relative or question word ("What comes
 * back …"), and limits named `MOST_…` instead of `MAX_…`. It judges the first word only; style is for reviewers.
 */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const COMMENT = /(?:\/\*\*|\/\/|^ +\*) (Of|What|Who|Those|Whoever|Where) /;
const NAME = /\bMOST_[A-Z]/;

/** Returns a message for each line of a file that breaks a rule. */
export function problemsIn(file: string, source: string): string[] {
  return source.split("\n").flatMap((line, index) => {
    const place = `${file}:${index + 1}`;
    const word = COMMENT.exec(line)?.[1];
    return [
      ...(word ? [`${place} begins a comment with "${word}": name the subject and use an active verb`] : []),
      ...(NAME.test(line) ? [`${place} names a limit MOST_…: call it MAX_…`] : []),
    ];
  });
}

if (process.argv[1] === import.meta.filename) {
  const root = resolve(import.meta.dirname, "..");
  const problems = globSync(["packages/*/{src,test,e2e}/**/*.ts", "bench/**/*.ts", "scripts/**/*.ts"], { cwd: root })
    .filter((file) => file !== "scripts/plain-english.test.ts")
    .sort()
    .flatMap((file) => problemsIn(file, readFileSync(join(root, file), "utf8")));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
}
