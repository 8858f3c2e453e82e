import { spawn } from "node:child_process";
import { once } from "node:events";
import { failure, usage } from "../command-error.ts";

/** The person's editor. The default, `vi`, needs a terminal. */
export function editorCommand(): string {
  const command = process.env.VISUAL || process.env.EDITOR || (process.stdin.isTTY ? "vi" : undefined);
  if (command === undefined)
    throw usage("There is no terminal to edit at, and EDITOR names no other editor.", "svc write <document>");
  return command;
}

/** Opens a file in the person's editor and waits until it is closed. */
export async function runEditor(file: string): Promise<void> {
  const editor = editorCommand();
  // The setting may be a command with options, so a shell runs it; the file name is passed as an argument.
  const [command, args] =
    process.platform === "win32" ? ["cmd", ["/c", editor, file]] : ["sh", ["-c", `${editor} "$@"`, "svc", file]];
  // Standard output is for results, so the editor writes there only if it is the terminal.
  const stdout = process.stdout.isTTY ? "inherit" : 2;
  const child = spawn(command, args, { stdio: ["inherit", stdout, "inherit"] });
  const [code, signal] = await once(child, "close");
  if (code !== 0)
    throw failure(`The editor (${editor}) ended with ${signal ?? code}.`, "set EDITOR to the command of your editor");
}
