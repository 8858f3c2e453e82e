import { citationOf, type Passage } from "./passages.ts";
import type { AskAnswer } from "./schema.ts";

type Warning = AskAnswer["warnings"][number];

/** Answers with the passages themselves: those of one section together, in the order of their ranks. */
export function extract(passages: readonly Passage[], warnings: readonly Warning[] = []): AskAnswer {
  const citations = passages.map((passage, i) => citationOf(passage, i + 1));
  const sections = Map.groupBy(citations, ({ document_id, heading_path }) =>
    JSON.stringify([document_id, heading_path]),
  );
  const answer = [...sections.values()].map((some) => ({
    text: some.map(({ quote }) => quote).join("\n\n"),
    citations: some.map(({ n }) => n),
  }));
  return { found: passages.length > 0, generator: "extractive", answer, citations, warnings: [...warnings] };
}
