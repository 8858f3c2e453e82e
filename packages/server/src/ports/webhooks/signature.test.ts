import assert from "node:assert/strict";
import { test } from "node:test";
import { defined } from "@svc/document/defined";
import { shownSecret, signatureHeaders } from "./signature.ts";

// The expected values were worked out with another language's library.
const NOW = 1_700_000_000_999;
const webhook = { id: "hook_1", secret_nonce: "n1", old_secret_nonce: "n0", old_secret_expires_at: NOW + 1 };
const secret = { current: "server secret", previous: undefined };
const message = { id: "evt_1", body: '{"title":"Grüße"}' };
const headersAt = (now: number) => signatureHeaders(secret, webhook, message, now);

test("HOOK3 the signature is over id, time and the bytes of the body, with the key in the secret", () => {
  assert.equal(shownSecret(secret, webhook), "whsec_vIj+8jvJRZT6ic65w8pd5d2J35WLDzyzXRZRgLEz+XI=");
  assert.deepEqual(headersAt(NOW), {
    "webhook-id": "evt_1",
    "webhook-timestamp": "1700000000",
    "webhook-signature":
      "v1,hYcEPJSdXicBcIPPzDFO74d8YrA53Rlu485IUbvwhO0= v1,uxwiMkHTLs4cupkiDpqSt9GAqMHTso9k9uUUB7mOr5c=",
  });
});

test("HOOK4 the old secret signs until it expires, and not a moment longer", () => {
  assert.equal(headersAt(NOW)["webhook-signature"]?.split(" ").length, 2);
  assert.equal(headersAt(NOW + 1)["webhook-signature"]?.split(" ").length, 1);
});

test("HOOK23 what was signed with the previous server secret is signed with it still", () => {
  const changed = { current: "another", previous: "server secret" };
  const before = defined(headersAt(NOW)["webhook-signature"]).split(" ");
  const after = defined(signatureHeaders(changed, webhook, message, NOW)["webhook-signature"]).split(" ");
  assert.equal(after.length, 4);
  assert.deepEqual(after.slice(2), before);
});
