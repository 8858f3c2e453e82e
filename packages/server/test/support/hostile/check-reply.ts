import assert from "node:assert/strict";
import { messageOf } from "@svc/document/thrown";
import { API_PREFIX } from "@svc/server/http/mount";
import { checkAnswer, checkErrorBody } from "../check-answer.ts";
import type { Reply, Wire } from "./send-call.ts";

const shown = ({ method, target, headers, body }: Wire): string =>
  JSON.stringify({ method, target: target.slice(0, 500), headers, body: body?.subarray(0, 1000).toString("latin1") });

/** Whatever was asked, the answer is no failure of ours, and what is declared: status, code, fields, headers. */
export function checkReply(wire: Wire, reply: Reply): void {
  try {
    assert.ok(reply.status < 500, `${reply.status}`);
    assert.ok(reply.headers["x-request-id"], "has no request id");
    assert.ok(reply.headers["x-ratelimit-limit"], "has no rate headers");
    if (reply.status >= 400) checkErrorBody(reply.json);
    if (wire.target.startsWith(API_PREFIX)) checkAnswer(wire.method, wire.target, reply.status, reply.json);
  } catch (error) {
    assert.fail(`${messageOf(error)}\n${reply.text.slice(0, 500)}\nfor ${shown(wire)}`);
  }
}
