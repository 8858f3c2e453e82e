import type { Caller } from "../../../http/callers/caller.ts";
import type { Services } from "../../../services.ts";
import { askModel } from "./ask-model.ts";
import { extract } from "./extract.ts";
import { findPassages } from "./passages.ts";
import type { AskAnswer, Question } from "./schema.ts";

const CITATIONS = 5;
/** Passages that a model gets: more than it may cite. */
const MODEL_PASSAGES = 10;

/**
 * Answers a question from pages that the caller may see: finds the passages at once, and returns a function for the
 * rest, which waits for the model if there is one.
 */
export async function ask(
  app: Services,
  { workspaceId, scopes }: Pick<Caller, "workspaceId" | "scopes">,
  input: Question,
): Promise<() => Promise<AskAnswer>> {
  const { question, max_citations: maxCitations = CITATIONS } = input;
  const passages = await findPassages(app, workspaceId, input);
  const { model } = app;
  if (!model || passages.length === 0 || !scopes.includes("summaries:generate"))
    return async () => extract(passages.slice(0, maxCitations));
  const shown = passages.slice(0, MODEL_PASSAGES);
  return askModel({ app, model, workspaceId, question, passages: shown, maxCitations });
}
