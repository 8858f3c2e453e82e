import { assetUrl } from "@svc/web/server/assets";
import type { FastifyInstance } from "fastify";

/**
 * No origin, no network, no form, no outgoing link: only our scripts, and the inline styles that the drawing library
 * writes.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "sandbox allow-scripts",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Serves the framed page that draws diagrams. It knows nothing about its reader. */
export function mountDiagramFrame(scope: FastifyInstance): void {
  scope.get("/diagram-frame", { config: { isFile: true } }, async (_request, reply) =>
    reply
      .headers({ "content-security-policy": POLICY, "x-frame-options": "SAMEORIGIN" })
      .type("text/html; charset=utf-8")
      .send(
        `<!doctype html><html lang="en"><meta charset="utf-8"><title>Diagram</title><body>${FRAME_SCRIPTS.map((name) => `<script src=".${assetUrl(name)}"></script>`).join("")}</body></html>`,
      ),
  );
}

/** The scripts of that page: the drawing library, and the script that passes diagrams to it. */
export const FRAME_SCRIPTS: readonly string[] = ["islands/mermaid.js", "islands/diagram-frame.js"];
