import { defined } from "@svc/document/defined";
import { type Browser, chromium } from "playwright-core";
import { findProgram, type PeerOptions, requirePeer } from "./peers/peer.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

const executablePath = findProgram(...NAMES);

export const requireChromium = (): PeerOptions =>
  requirePeer("chromium", () => (executablePath ? true : NAMES.join(", ")));

/** Root may not use the sandbox; in tests the browser opens our own pages only. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: defined(executablePath), args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
