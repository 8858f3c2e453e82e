#!/usr/bin/env node
// Has to run on any Node, to name the one that is needed.
if (Number.parseInt(process.versions.node, 10) >= 24) await import("./lib/svc.js");
else {
  process.stderr.write(
    `svc: This is Node ${process.versions.node}, and svc needs Node 24 or newer: install it from https://nodejs.org, or use the container image.\n`,
  );
  process.exitCode = 1;
}
