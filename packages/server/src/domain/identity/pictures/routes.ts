import { createHash } from "node:crypto";
import { Type } from "typebox";
import { invalidRequest, notFound } from "../../../errors.ts";
import { deleted, notModified, ok, quoted } from "../../../http/answer.ts";
import { alreadyHas } from "../../../http/preconditions.ts";
import { put, type Route, read, remove } from "../../../http/route.ts";
import { deletedSchema, named, object } from "../../../http/schemas.ts";
import { cleanPicture } from "../../../ports/images/clean-picture.ts";
import { deletePicture, findPicture, pictureUrl, upsertPicture } from "./queries.ts";

const tag = "Identity";

const MAX_BYTES = 256 * 1024;
const MAX_PIXELS = 1024;

/** Length in base64 of the largest picture, rounded up. */
const MAX_CHARACTERS = Math.ceil(MAX_BYTES / 3) * 4;

const Picture = named(
  "Picture",
  object({
    url: Type.String({ description: "The picture's address; a new picture has a new address." }),
    content_type: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    size: Type.Integer({ description: "In bytes." }),
  }),
);

const exampleUser = "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD";

/** One grey pixel. */
const examplePng = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";

const tooMuch = () =>
  invalidRequest(
    "body.content",
    "must be a PNG, JPEG or WebP picture without animation, at most 256 KB and 1,024 pixels wide and high",
  );

/** Decodes and validates a base64 picture and removes its metadata. */
function receive(content: string) {
  const bytes = Buffer.from(content, "base64");
  const picture = bytes.length <= MAX_BYTES ? cleanPicture(bytes) : undefined;
  if (!picture || picture.width > MAX_PIXELS || picture.height > MAX_PIXELS) throw tooMuch();
  return picture;
}

/** A picture opened directly must not run anything. */
const HEADERS = {
  "cache-control": "private, max-age=86400",
  "content-disposition": "inline",
  "content-security-policy": "default-src 'none'; sandbox",
};

export const pictureRoutes: Route[] = [
  put({
    operation: "set_picture",
    path: "/me/picture",
    tag,
    summary: "Choose the picture that you are shown with.",
    description:
      "PNG, JPEG or WebP, at most 256 KB and 1,024 pixels wide and high. What it is follows from its bytes; everything in the file that shows nothing (place, camera, comments, what stands behind the picture) is left out, a camera's orientation too.",
    scopes: ["documents:write"],
    access: { action: "personal", subject: "workspace" },
    body: object({
      content: Type.String({ minLength: 1, maxLength: MAX_CHARACTERS, description: "The file, in base64." }),
    }),
    bodyExample: { content: examplePng },
    success: {
      status: 200,
      description: "It is yours.",
      data: Picture,
      example: {
        url: pictureUrl(exampleUser, "9f86d081884c7d65"),
        content_type: "image/png",
        width: 256,
        height: 256,
        size: 20480,
      },
    },
    handler: async ({ caller, tx, body }) => {
      const { bytes, contentType, width, height } = receive(body.content);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const row = { user_id: caller.userId, content_type: contentType, sha256, content: bytes, updated_at: Date.now() };
      await upsertPicture(tx, row);
      const url = pictureUrl(caller.userId, sha256);
      return ok({ url, content_type: contentType, width, height, size: bytes.length });
    },
  }),
  remove({
    operation: "remove_picture",
    path: "/me/picture",
    tag,
    summary: "Be shown without a picture.",
    scopes: ["documents:write"],
    access: { action: "personal", subject: "workspace" },
    success: {
      status: 200,
      description: "There is none.",
      data: deletedSchema(Type.String()),
      example: { id: exampleUser, deleted: true },
    },
    handler: async ({ caller, tx }) => {
      await deletePicture(tx, caller.userId);
      return deleted(caller.userId);
    },
  }),
  read({
    operation: "get_picture",
    path: "/members/{id}/picture",
    tag: "Access",
    summary: "The picture of somebody in the workspace.",
    description: "404 where they have none.",
    scopes: ["knowledge-bases:read"],
    access: { action: "read", subject: "workspace" },
    params: Type.Object({ id: Type.String() }),
    query: object({
      v: Type.Optional(
        Type.String({ maxLength: 64, description: "Only makes the address of another picture another one." }),
      ),
    }),
    etag: true,
    errors: ["not_found"],
    success: { status: 200, description: "The picture.", content: ["application/octet-stream"] },
    handler: async ({ caller, db, params, request }) => {
      const row = await findPicture(db, caller.workspaceId, params.id);
      if (!row) throw notFound("picture", params.id);
      if (alreadyHas(request.headers["if-none-match"], row.sha256)) return notModified(row.sha256);
      return {
        headers: { ...HEADERS, etag: quoted(row.sha256) },
        raw: { contentType: row.content_type, body: Buffer.from(row.content) },
      };
    },
  }),
];
