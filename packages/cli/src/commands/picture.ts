import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import { connect } from "../connect.ts";
import { EXIT } from "../exit-codes.ts";
import { type ServerOptions, withServer } from "../options.ts";
import { print, shownSize } from "../output.ts";

interface Options extends ServerOptions {
  readonly remove?: boolean;
}

async function run(file: string | undefined, options: Options): Promise<void> {
  if ((file === undefined) === (options.remove !== true))
    throw new CommandError(
      EXIT.usage,
      "Name a picture (svc picture me.png), or take yours away (svc picture --remove).",
    );
  const client = connect(options);
  if (file === undefined) {
    const { data } = await client.delete("/me/picture");
    print(options, data, ["You are shown without a picture."]);
    return;
  }
  const content = (await readFile(file)).toString("base64");
  const { data } = await client.put("/me/picture", { body: { content } });
  print(options, data, [`This is your picture now: ${data.width} by ${data.height} pixels, ${shownSize(data.size)}.`]);
}

export function define(command: Command): void {
  withServer(command)
    .argument("[file]", "PNG, JPEG or WebP, at most 256 KB and 1,024 pixels wide and high")
    .option("--remove", "be shown without a picture")
    .action(run);
}
