import { Type } from "typebox";
import { getBodyState } from "../../bodies/load-body.ts";
import { ok } from "../../http/answer.ts";
import { type Route, read } from "../../http/route.ts";
import { named, nullable, object, time } from "../../http/schemas.ts";
import { listEditors } from "./people.ts";
import { findHead } from "./queries.ts";

const LiveDocument = named(
  "LiveDocument",
  object({
    editors: Type.Array(
      object({
        user: object({ id: Type.String(), name: Type.String() }),
        since: time(),
        block_id: nullable(Type.String({ description: "The top-level block that contains their caret." })),
      }),
    ),
    unsaved_since: nullable(time()),
    folded_version: Type.String({ description: "The version of the body that live editing last agreed with." }),
  }),
);

export const liveRoutes: Route[] = [
  read({
    operation: "get_live",
    path: "/documents/{id}/live",
    tag: "Body",
    summary: "The people editing the document in a browser now, and whether some of their text is not in the body yet.",
    description:
      "People's edits reach the body within about a second. `GET /documents/{id}/content?live=true` brings them in first. While people type, the version moves about once a second: write blocks without `If-Match`, or read and try again on 409.",
    scopes: ["documents:read"],
    access: { action: "read", subject: "document" },
    params: Type.Object({ id: Type.String() }),
    success: {
      status: 200,
      description: "The editors, each person once. If nobody edits the document, `folded_version` is its version.",
      data: LiveDocument,
      example: {
        editors: [
          {
            user: { id: "user_01K9ZQ4T6N4Y3V7J8W2M5R1XCD", name: "Ada" },
            since: 1794700000000,
            block_id: "block_01K9ZQ4T6N4Y3V7J8W2M5R1XCE",
          },
        ],
        unsaved_since: null,
        folded_version: "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945",
      },
    },
    handler: async ({ caller, db, params }) => {
      const key = { workspaceId: caller.workspaceId, documentId: params.id };
      const { version } = await getBodyState(db, key);
      const head = await findHead(db, key);
      const isIdle = !head || head.folded_seq === head.last_seq;
      return ok({
        editors: await listEditors(db, key),
        unsaved_since: isIdle ? null : head.unfolded_since,
        folded_version: isIdle ? version : head.folded_version,
      });
    },
  }),
];
