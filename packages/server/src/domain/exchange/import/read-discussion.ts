import { validateNode } from "@svc/document/schema/validate";
import type { Node } from "@svc/document/types";
import { Ajv, type ValidateFunction } from "ajv";
import { type Static, Type } from "typebox";
import { ImportRefused } from "../../../archives/refused.ts";
import type { Config } from "../../../config.ts";
import { nullable, oneOf } from "../../../http/schemas.ts";
import { MAX_COMMENT_CHARACTERS } from "../../discussion/comments/schema.ts";
import { statuses } from "../../discussion/suggestions/schema.ts";

const key = Type.String({ minLength: 1, maxLength: 64 });
const time = Type.Integer({ minimum: 0, maximum: 8.64e15 });
const author = Type.Object({ name: Type.String({ maxLength: 500 }), agent: Type.Boolean() });

const CommentLine = Type.Object({
  id: key,
  thread_id: key,
  markdown: nullable(Type.String({ maxLength: MAX_COMMENT_CHARACTERS * 2 })),
  author,
  anchor: nullable(
    Type.Object({
      block_id: key,
      quote: nullable(Type.String({ maxLength: 100_000 })),
      start: Type.Integer({ minimum: 0 }),
      before: Type.String({ maxLength: 1000 }),
      after: Type.String({ maxLength: 1000 }),
    }),
  ),
  created_at: time,
  updated_at: time,
  resolved_at: nullable(time),
  deleted_at: nullable(time),
});

const ChangeLine = Type.Object({
  id: key,
  state: oneOf(["open", "accepted", "rejected"]),
  block_id: key,
  change_type: oneOf(["added", "removed", "modified", "moved"]),
  before: Type.Unknown(),
  after: Type.Unknown(),
  follows: nullable(Type.Array(key, { maxItems: 64 })),
});

const SuggestionLine = Type.Object({
  id: key,
  base_version: Type.String({ maxLength: 200 }),
  status: oneOf(statuses),
  note: Type.String({ maxLength: 10_000 }),
  changes: Type.Array(ChangeLine, { maxItems: 10_000 }),
  author,
  created_at: time,
  updated_at: time,
  decided_at: nullable(time),
  decision_reason: nullable(Type.String({ maxLength: 10_000 })),
});

const Discussion = Type.Object({
  comments: Type.Array(CommentLine, { maxItems: 10_000 }),
  suggestions: Type.Array(SuggestionLine, { maxItems: 10_000 }),
});

type Line = Static<typeof SuggestionLine>;
type Change = Omit<Line["changes"][number], "before" | "after"> & {
  readonly before: Node | null;
  readonly after: Node | null;
};

/** A document's comments and suggestions, validated. */
export interface PlannedDiscussion {
  readonly comments: readonly Static<typeof CommentLine>[];
  readonly suggestions: readonly (Omit<Line, "changes"> & { readonly changes: readonly Change[] })[];
}

let compiled: ValidateFunction<Static<typeof Discussion>> | undefined;

/** Refuses content that this service would not have written. */
export function readDiscussion(content: unknown, path: string, config: Config): PlannedDiscussion {
  compiled ??= new Ajv({ strict: false }).compile<Static<typeof Discussion>>(Discussion);
  if (!compiled(content)) {
    const [problem] = compiled.errors ?? [];
    const where = `${path}${problem?.instancePath ?? ""}`.slice(0, 200);
    throw new ImportRefused("invalid_archive", `${where} ${problem?.message ?? "is not valid"}.`);
  }
  const options = { maxCharacters: config.maxDocumentCharacters, documentType: "document" as const, path };
  const node = (sent: unknown) => (sent === null ? null : validateNode(sent, options));
  return {
    comments: content.comments,
    suggestions: content.suggestions.map((line) => ({
      ...line,
      changes: line.changes.map((change) => ({ ...change, before: node(change.before), after: node(change.after) })),
    })),
  };
}
