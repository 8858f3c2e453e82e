import { Command } from "commander";
import { commands, findEntry } from "./commands.ts";
import { VERSION } from "./version.ts";

const AFTER_HELP = `
A document, folder or knowledge base is named by its path (Handbook/Guides/Hello) or by its id (doc_…, folder:7, kb:3).
Every command takes --json, and has a --help of its own.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 conflict, 5 sign-in needed, 6 not allowed, 7 server out of
reach or busy, 130 interrupted. The administration commands need no sign-in, read the SVC_ settings of the server, and
end with 0 or 1.`;

/** The word that names the command: the first that is not an option, or the one that help is asked for. */
export function commandWord(words: readonly string[]): string | undefined {
  const [first, second] = words.filter((word) => !word.startsWith("-"));
  return first === "help" ? second : first;
}

const silently = { outputError: () => undefined, writeErr: () => undefined };
const inWords = {
  outputError: (text: string, write: (text: string) => void) => write(text.replace(/^error: /, "svc: ")),
};

/**
 * The program with every command's name, and the one that is asked for complete. A wrong use is reported in words, or for
 * programs (`silent`) only by the error that is thrown.
 */
export async function makeProgram(word: string | undefined, silent = false): Promise<Command> {
  const program = new Command("svc")
    .description("Knowledge bases and documents, from the command line.")
    .version(VERSION)
    .usage("<command> [options]")
    .showHelpAfterError("(add --help for what it takes)")
    .addHelpText("after", AFTER_HELP)
    .configureOutput(silent ? silently : inWords)
    // Behind a command's name an option is that command's: --version asked for the version of a document, not for ours.
    .enablePositionalOptions()
    .exitOverride();
  const asked = findEntry(word);
  for (const entry of commands) {
    const command = program.command(entry.name).description(entry.summary).helpGroup(`${entry.group}:`);
    if (entry === asked) (await entry.load())(command);
  }
  return program;
}
