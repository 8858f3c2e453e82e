import { bareServer, startServer } from "../harness/processes.ts";
import { bytesOf } from "../harness/request.ts";
import { least, type Operation, round, side } from "./operation.ts";

/** The bare framework, started at the first use and stopped with the run. */
let framework: ReturnType<typeof startServer> | undefined;

export const me: Operation = {
  name: "GET /me",
  against: "the framework, a constant",
  kind: "read",
  goal: least(0.6),
  bound: "token check, rate limit and log line, which the limit does not have",
  prepare: async ({ svc, api }) => {
    framework ??= startServer(bareServer("framework"));
    return {
      limit: side(await framework, round([bytesOf({ method: "GET", path: "/me" })])),
      ours: side(svc, round([api.bytes({ method: "GET", path: "/api/v1/me" })])),
    };
  },
};
