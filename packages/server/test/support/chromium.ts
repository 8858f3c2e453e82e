import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { type PeerOptions, requirePeer } from "./peers/peer.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const executablePath = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isExecutable);

export const requireChromium = (): PeerOptions =>
  requirePeer("chromium", () => (executablePath ? true : NAMES.join(", ")));

/** Root may not use the sandbox; in tests the browser opens our own pages only. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: executablePath!, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
