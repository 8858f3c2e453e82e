import assert from "node:assert/strict";
import { checkErrorBody } from "../check-answer.ts";

const HEAD = /^HTTP\/1\.1 (\d{3})[^\r\n]*\r\n([\s\S]*?)\r\n\r\n/gm;

/**
 * Checks that a raw connection shows no internal error and no refusal without words: each answer is a page or our
 * error body. The answer to HEAD has only the size of it, and the last one on a connection that was cut a part.
 */
export function checkWire(text: string): void {
  for (const { 0: head, 1: status, 2: headers = "", index } of text.matchAll(HEAD)) {
    assert.ok(Number(status) < 500, head);
    if (Number(status) < 400) continue;
    const length = Number(/^content-length: (\d+)$/im.exec(headers)?.[1] ?? 0);
    assert.match(headers, /^content-type: (application\/json|text\/html|text\/plain)/im, head);
    assert.ok(length > 0, head);
    const body = text.slice(index + head.length, index + head.length + length);
    const isWhole = body.length === length && !body.startsWith("HTTP/");
    const isPlainJson = /^content-type: application\/json/im.test(headers) && !/^content-encoding:/im.test(headers);
    if (isWhole && isPlainJson) checkErrorBody(JSON.parse(Buffer.from(body, "latin1").toString()));
  }
}
