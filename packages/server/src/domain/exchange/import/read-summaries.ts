import { Ajv, type ValidateFunction } from "ajv";
import { type Static, Type } from "typebox";
import { ImportRefused } from "../../../archives/refused.ts";
import { nullable, oneOf } from "../../../http/schemas.ts";

const time = Type.Integer({ minimum: 0, maximum: 8.64e15 });

const SummaryLine = Type.Object({
  block_id: nullable(Type.String({ minLength: 1, maxLength: 64 })),
  text: Type.String({ maxLength: 1_000_000 }),
  generator: oneOf(["deterministic", "model", "manual"]),
  source_version: Type.String({ maxLength: 200 }),
  freshness: oneOf(["current", "stale"]),
  pinned: Type.Boolean(),
  author: nullable(Type.String({ maxLength: 500 })),
  created_at: time,
  updated_at: time,
});

const Summaries = Type.Object({ summaries: Type.Array(SummaryLine, { maxItems: 10_000 }) });

export type PlannedSummary = Static<typeof SummaryLine>;

let compiled: ValidateFunction<Static<typeof Summaries>> | undefined;

/** Refuses content that this service would not have written. If a summary occurs twice, the first counts. */
export function readSummaries(content: unknown, path: string): PlannedSummary[] {
  compiled ??= new Ajv({ strict: false }).compile<Static<typeof Summaries>>(Summaries);
  if (!compiled(content)) {
    const [problem] = compiled.errors ?? [];
    const where = `${path}${problem?.instancePath ?? ""}`.slice(0, 200);
    throw new ImportRefused("invalid_archive", `${where} ${problem?.message ?? "is not valid"}.`);
  }
  const byBlock = new Map<string | null, PlannedSummary>();
  for (const line of content.summaries) if (!byBlock.has(line.block_id)) byBlock.set(line.block_id, line);
  return [...byBlock.values()];
}
