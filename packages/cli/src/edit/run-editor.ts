import { spawn } from "node:child_process";
import { once } from "node:events";
import { failure } from "../command-error.ts";

export const editorCommand = (): string => process.env.VISUAL || process.env.EDITOR || "vi";

/** Opens a file in the person's editor and waits until it is closed. */
export async function runEditor(file: string): Promise<void> {
  const editor = editorCommand();
  // The setting may be a command with options, so a shell reads it; the file name is never read by one.
  const [command, args] =
    process.platform === "win32" ? ["cmd", ["/c", editor, file]] : ["sh", ["-c", `${editor} "$@"`, "svc", file]];
  // Results go to standard output: an editor only writes there when that is the terminal.
  const stdout = process.stdout.isTTY ? "inherit" : 2;
  const child = spawn(command, args, { stdio: ["inherit", stdout, "inherit"] });
  const [code, signal] = await once(child, "close");
  if (code !== 0)
    throw failure(`The editor (${editor}) ended with ${signal ?? code}.`, "set EDITOR to the command of your editor");
}
