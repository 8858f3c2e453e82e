import { CommanderError } from "commander";
import { isAdministration } from "./commands.ts";
import { EXIT } from "./exit-codes.ts";
import { commandWord, makeProgram } from "./program.ts";

function wantsJson(given: readonly string[]): boolean {
  const end = given.indexOf("--");
  return (end < 0 ? given : given.slice(0, end)).includes("--json");
}

const words = process.argv.slice(2);
const word = commandWord(words);
/** The administration commands say what is wrong in a line, also to programs. */
const inJson = wantsJson(words) && !isAdministration(word);

/** A reader that has seen enough, such as `head`, ends the command without a complaint. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  process.stderr.write(`svc: The result could not be written whole: ${error.message}.\n`);
  process.exit(EXIT.failure);
});

async function fail(error: unknown): Promise<void> {
  if (error instanceof CommanderError && (error.exitCode === 0 || !inJson)) {
    process.exitCode = error.exitCode === 0 ? EXIT.ok : isAdministration(word) ? EXIT.failure : EXIT.usage;
    return;
  }
  const [{ explainError }, { reportError }] = await Promise.all([
    import("./explain-error.ts"),
    import("./report-error.ts"),
  ]);
  const explained = explainError(error);
  reportError({ json: inJson }, explained);
  process.exitCode = explained.exitCode;
}

try {
  if (words[0] === "__complete") await (await import("./completion/complete.ts")).complete(words.slice(1));
  else await (await makeProgram(word, inJson)).parseAsync();
} catch (error) {
  await fail(error);
}
