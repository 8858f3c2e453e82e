import { hash, randomBytes, randomUUID } from "node:crypto";
import { defined } from "@svc/document/defined";
import { p } from "@svc/document/testing/builders";
import { tiptap } from "../../support/bodies.ts";
import type { Loose } from "../../support/client.ts";
import { uploadForm } from "../../support/fixtures.ts";
import type { KnownDocument } from "./record.ts";
import { type Scene, type Step, WORD } from "./scene.ts";

const title = (scene: Scene) => `${WORD} ${scene.random(1e9)}`;

function someNodes({ random, record }: Scene, most: number): Loose[] {
  return Array.from({ length: 1 + random(most) }, () => {
    const target = random(4) === 0 ? record.documents[random(record.documents.length)] : undefined;
    const text = `${WORD} ${"some words ".repeat(1 + random(30))}${random(1e9)} `;
    if (!target) return p(text);
    const link = { type: "link", attrs: { href: `svc://doc/${target.id}` } };
    return {
      type: "paragraph",
      content: [
        { type: "text", text },
        { type: "text", text: "there", marks: [link] },
      ],
    };
  });
}

export async function create(scene: Scene, most = 40): Promise<KnownDocument | undefined> {
  const body = { title: title(scene), knowledge_base_id: scene.base, content: tiptap(...someNodes(scene, most)) };
  const reply = await scene.caller.call("POST", "/documents", body);
  if (!reply) scene.record.openCreations++;
  return reply && scene.record.created(reply.data.id, reply.etag, body.title);
}

/** A write of a known document: what is not answered leaves it open, and it is left alone from then on. */
async function change(
  { caller }: Scene,
  known: KnownDocument,
  method: string,
  path: string,
  body?: Loose,
  ifMatch?: string,
): Promise<boolean> {
  known.open = true;
  known.isOpenDelete = method === "DELETE";
  const reply = await caller.call(method, `/documents/${known.id}${path}`, body, { ...(ifMatch && { ifMatch }) });
  if (!reply) return false;
  known.open = false;
  known.gone = known.isOpenDelete;
  known.version = reply.etag ?? known.version;
  known.title = body?.title ?? known.title;
  return true;
}

/** Creations, replacements, block edits, batches, renamings, deletions, one document after the other. */
export function writer(scene: Scene): Step {
  const { random } = scene;
  let known: KnownDocument | undefined;
  return async () => {
    if (!known || known.gone || known.open) {
      known = await create(scene);
      return known !== undefined;
    }
    const position = random(2) ? { document_start: true } : { document_end: true };
    const operations = () =>
      Array.from({ length: 1 + random(20) }, () => ({ op: "insert", position, nodes: someNodes(scene, 3) }));
    switch (random(12)) {
      case 0:
        return change(scene, known, "DELETE", "");
      case 1:
      case 6:
        return change(scene, known, "PATCH", "", { title: title(scene) });
      case 2:
      case 3:
        return change(scene, known, "PUT", "/content", tiptap(...someNodes(scene, 40)), known.version);
      case 4:
      case 5:
        return change(scene, known, "POST", "/batch", { base_version: known.version, operations: operations() });
      default:
        return change(scene, known, "POST", "/blocks", { position, nodes: someNodes(scene, 2) }, known.version);
    }
  };
}

/** Files for a document, some of them deleted again. */
export function uploader(scene: Scene): Step {
  const { caller, record, random } = scene;
  let document: KnownDocument | undefined;
  return async () => {
    document ??= await create(scene, 3);
    if (!document) return false;
    const old = record.files.findLast((file) => file.state === "there");
    if (old && random(4) === 0) {
      old.state = "open";
      const reply = await caller.call("DELETE", `/attachments/${old.id}`);
      if (reply) old.state = "gone";
      return reply !== undefined;
    }
    const bytes = randomBytes(1 + random(200_000));
    const reply = await caller.call("POST", "/attachments", uploadForm(document.id, bytes, "file.bin"));
    if (reply) record.files.push({ id: reply.data.id, sha256: hash("sha256", bytes), state: "there" });
    return reply !== undefined;
  };
}

/** Creations under a key, each sent again until it is answered. */
export function keyedWriter(scene: Scene): Step {
  const { record } = scene;
  return () => {
    const open = record.keyed.at(-1);
    if (!open || open.answer !== undefined) {
      record.keyed.push({ key: randomUUID(), title: `${WORD} keyed ${record.keyed.length}`, answer: undefined });
      record.openCreations++;
    }
    return sendKeyed(scene);
  };
}

/** Sends the last creation under a key, again or for the first time. */
export async function sendKeyed({ caller, record, base }: Scene): Promise<boolean> {
  const open = record.keyed.at(-1);
  if (!open || open.answer !== undefined) return true;
  const body = { title: open.title, knowledge_base_id: base, content: tiptap(p(`${WORD} once`)) };
  const reply = await caller.call("POST", "/documents", body, { key: open.key });
  open.answer = reply?.data.id;
  return reply !== undefined;
}

/** Summaries by the model, which are background jobs. */
export function jobStarter(scene: Scene): Step {
  return async () => {
    const document = await create(scene, 3);
    if (!document) return false;
    const path = `/documents/${document.id}/summary/rebuild`;
    const reply = await scene.caller.call("POST", path, { generator: "model" });
    if (reply) scene.record.jobs.push(reply.data.id);
    return reply !== undefined;
  };
}

/** A source and its translation, both edited. */
export function translator(scene: Scene): Step {
  const { caller, record, random } = scene;
  let pair: KnownDocument[] = [];
  return async () => {
    if (pair.length === 0 || pair.some((known) => known.open) || random(20) === 0) {
      const source = await create(scene, 5);
      if (!source) return false;
      const languages = { source_locale: "en", target_locales: ["es"], create_mode: "copy_content" };
      const reply = await caller.call("POST", `/documents/${source.id}/localization/activate`, languages);
      if (!reply) record.openCreations++;
      else pair = [source, record.created(reply.data.variants[1].document_id)];
      return reply !== undefined;
    }
    const side = defined(pair[random(2)]);
    const position = random(2) ? { document_start: true } : { document_end: true };
    return change(scene, side, "POST", "/blocks", { position, nodes: someNodes(scene, 2) });
  };
}

/** Looks for things all the time; what it is told must be an answer. */
export function searcher({ caller, base, random }: Scene): Step {
  const paths = [
    `/search/v2?q=${WORD}&limit=5`,
    `/search/v2?q=${WORD}%20words&mode=exhaustive&limit=20&locale=all`,
    "/documents?limit=20&sort=updated_at",
    `/knowledge-bases/${base}/tree`,
    "/me/quota",
  ];
  return async () => (await caller.call("GET", defined(paths[random(paths.length)]))) !== undefined;
}
