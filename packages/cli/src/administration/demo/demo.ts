import type { Command } from "commander";
import { note, printLines } from "../../output.ts";
import { fillWorkspace } from "./fill-workspace.ts";
import { makePerson } from "./make-person.ts";
import { TemporaryServer } from "./temporary-server.ts";

/** Serves an example workspace until a signal comes, then removes it. */
async function demo(): Promise<void> {
  note("Starting a server with an example workspace …");
  const server = new TemporaryServer();
  const stop = () => void server.stop();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  try {
    const address = await server.address;
    const person = await makePerson(server.settings);
    const { page, shared } = await fillWorkspace(address, person.token);
    const url = server.settings.SVC_BASE_URL?.replace(/\/+$/, "") ?? address;
    printLines([
      "",
      `Open        ${url}/sign-in`,
      `E-mail      ${person.email}`,
      `Password    ${person.password}`,
      "",
      `A page      ${url}/documents/${page}`,
      `A public link, without signing in`,
      `            ${shared}`,
      "",
      "Ctrl-C ends the server and removes everything you did in it.",
    ]);
  } catch (error) {
    const wasStopped = server.isStopping;
    await server.stop();
    if (!wasStopped) throw error;
  }
  process.exitCode = await server.ended;
}

export function define(command: Command): void {
  command
    .addHelpText(
      "after",
      "\nListens on a free port of this machine, or on SVC_HOST and SVC_PORT. The store is in a temporary folder, which is\nremoved at the end.",
    )
    .action(demo);
}
