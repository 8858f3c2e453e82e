import { type PeerOptions, probeFiles, requirePeer } from "./peer.ts";
import { freePorts, startPeer, untilReady } from "./peer-process.ts";

/** Apertium's web service with the installed pairs (Debian: English and Spanish). */
export interface ApertiumPeer {
  readonly url: string;
  stop(): Promise<void>;
}

const python = "/usr/bin/python3";
const modes = "/usr/share/apertium/modes/eng-spa.mode";

export const requireApertium = (): PeerOptions => requirePeer("Apertium eng-spa", probeFiles(["apertium", modes]));

export const requireApertiumService = (): PeerOptions =>
  requirePeer("Apertium APy", probeFiles([python, "apertium-apy", "apertium", modes]));

/** APy has no option for its address and would listen on every interface: its server's `bind` is narrowed to this host. */
const program = `
import sys, tornado.httpserver
bind = tornado.httpserver.HTTPServer.bind
tornado.httpserver.HTTPServer.bind = lambda self, port: bind(self, port, address="127.0.0.1")
from apertium_apy.apy import main
sys.argv[0] = "apertium-apy"
main()
`;

export async function startApertium(): Promise<ApertiumPeer> {
  const [port] = await freePorts(1);
  const peer = startPeer(python, ["-c", program, "-p", String(port), "-j", "1", "/usr/share/apertium"]);
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilReady("APy", peer, async () => (await fetch(`${url}/listPairs`)).ok);
  } catch (error) {
    await peer.stop();
    throw error;
  }
  return { url, stop: () => peer.stop() };
}
