import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { p } from "@svc/document/testing/builders";
import type { Database } from "@svc/server/db/database";
import type { Loose, Reply } from "../../support/client.ts";
import { markdown } from "../../support/fixtures.ts";
import { create } from "./actors.ts";
import type { Bodies } from "./check-views.ts";
import type { Remark, RemarkKind } from "./record.ts";
import type { Scene, Step } from "./scene.ts";

const ORDER: readonly RemarkKind[] = ["comment", "suggestion", "acceptance", "property"];

/** Comments that mention somebody, suggestions that are accepted, properties: on a document that stays. */
export function discusser(scene: Scene): Step {
  const { record, random } = scene;
  let documentId: string | undefined;
  return async () => {
    if (documentId === undefined) {
      const known = await create(scene, 3);
      if (!known) return false;
      // Accepting it changes the body.
      known.version = undefined;
      documentId = known.id;
    }
    const last = record.remarks.at(-1);
    if (!last || last.answer) {
      const kind = ORDER[(ORDER.indexOf(last?.kind ?? "property") + 1) % ORDER.length] ?? "comment";
      const about = kind === "acceptance" ? last?.answer : undefined;
      const text = about ? (last?.text ?? "") : `remark${record.remarks.length}x${random(1e6)}`;
      record.remarks.push({ kind, key: randomUUID(), text, documentId, about, answer: undefined });
    }
    return sendRemark(scene);
  };
}

/** Sends the last remark, again or for the first time. */
export async function sendRemark(scene: Scene): Promise<boolean> {
  const remark = scene.record.remarks.at(-1);
  if (!remark || remark.answer) return true;
  const reply = await send(scene, remark);
  remark.answer = reply?.data;
  return reply !== undefined;
}

function send({ caller, mentioned }: Scene, remark: Remark): Promise<Reply | undefined> {
  const { kind, key, text, documentId, about } = remark;
  const at = `/documents/${documentId}`;
  const mention = mentioned ? `[@Eve](svc://user/${mentioned}) ` : "";
  const operations = [{ op: "insert", position: { document_end: true }, nodes: [p(text)] }];
  if (kind === "comment")
    return caller.call("POST", `${at}/comments`, { body: markdown(`${mention}${text}`) }, { key });
  if (kind === "suggestion")
    return caller.call("POST", `${at}/suggestions`, { base_version: "*", operations }, { key });
  if (kind === "acceptance")
    return caller.call("POST", `/suggestions/${about.id}/accept`, undefined, { key, ifMatch: about.version });
  return caller.call("PUT", `${at}/properties`, { properties: { remark: text } }, { key, ifMatch: "*" });
}

/** Each remark that was answered is there, and each is there once; so is what people were told of it. */
export async function checkRemarks(
  { read }: Database,
  bodies: Bodies,
  remarks: readonly Remark[],
  mentioned?: string,
): Promise<void> {
  const comments = await read.selectFrom("comments").select("markdown").execute();
  const suggestions = await read.selectFrom("suggestions").select(["id", "changes", "status"]).execute();
  const told = await read
    .selectFrom("notifications")
    .select("excerpt")
    .where("user_id", "=", mentioned ?? "")
    .where("reason", "=", "mention")
    .execute();
  const counted = (rows: readonly Loose[], column: string, text: string): number =>
    rows.filter((row) => String(row[column]).includes(text)).length;
  for (const { kind, text, answer, about, documentId } of remarks) {
    const once = (count: number, what: string) =>
      assert.ok(answer ? count === 1 : count <= 1, `${what} ${text}: ${count} times`);
    if (kind === "comment") {
      const count = counted(comments, "markdown", text);
      once(count, "comment");
      if (mentioned) assert.equal(counted(told, "excerpt", text), count, `told of ${text}`);
    } else if (kind === "suggestion") once(counted(suggestions, "changes", text), "suggestion");
    else if (kind === "acceptance") {
      const blocks = (bodies.get(documentId)?.blocks ?? []).map((block) => ({ text: JSON.stringify(block) }));
      once(counted(blocks, "text", text), "accepted text");
      if (answer) assert.equal(suggestions.find((row) => row.id === about.id)?.status, "accepted");
    }
  }
  await checkProperty(read, remarks);
}

/** The last that was acknowledged is what is there, unless one that was not answered came after it. */
async function checkProperty(read: Database["read"], remarks: readonly Remark[]): Promise<void> {
  const sent = remarks.filter(({ kind }) => kind === "property");
  const last = sent.findLastIndex(({ answer }) => answer);
  if (last < 0) return;
  const rows = await read.selectFrom("document_properties").selectAll().execute();
  const stored = rows.filter((row) => row.document_id === sent[last]?.documentId).map((row) => JSON.stringify(row));
  const expected = sent.slice(last).map(({ text }) => text);
  assert.ok(
    stored.some((row) => expected.some((text) => row.includes(text))),
    `property ${expected}: ${stored}`,
  );
}
