import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "./client.ts";
import type { World } from "./world.ts";

/** A picture of 37 by 21 points. */
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAACUAAAAVCAIAAABOhrD5AAAAJElEQVR4nGP8z0BXwERf60btG7Vv1L5R+0btG7Vv1L5R+ygGAPB4ASnITTvDAAAAAElFTkSuQmCC",
  "base64",
);

export const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");

/** Files of attachments that lie in the world's data directory, finished or not. */
export function filesOf(world: World): string[] {
  const folder = join(world.app.services.config.dataDir, "attachments");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}

export const usedBytes = async (client: Client): Promise<number> =>
  (await client.get("/me/quota")).data.attachments.used_bytes;

/** The answer as it is, with its bytes. */
export const download = (
  world: World,
  token: string,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Response> =>
  fetch(`${world.url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${token}`, ...headers } });
