import { estimateTokens } from "@svc/document/read/tokens";
import type { Model } from "../../../ports/model/model.ts";
import { ProviderError } from "../../../ports/provider-error.ts";
import type { Services } from "../../../services.ts";
import { chargeTokens, settleTokens } from "./budget.ts";
import { checkSentences } from "./check-sentences.ts";
import { extract } from "./extract.ts";
import type { Passage } from "./passages.ts";
import { promptOf } from "./prompt.ts";
import { readSentences } from "./read-sentences.ts";
import type { AskAnswer } from "./schema.ts";

const OUTPUT_TOKENS = 1000;

type Asking = {
  readonly app: Pick<Services, "config" | "database" | "log">;
  readonly model: Model;
  readonly workspaceId: string;
  readonly question: string;
  readonly passages: readonly Passage[];
  readonly maxCitations: number;
};

/** Charges the workspace's budget, and returns the function that asks the model and checks its answer. */
export async function askModel(asking: Asking): Promise<() => Promise<AskAnswer>> {
  const { app, workspaceId, question, passages } = asking;
  const prompt = promptOf(question, passages);
  const input = estimateTokens(prompt.system) + estimateTokens(prompt.user);
  const limit = app.config.askDailyTokens;
  const charge = await chargeTokens(app.database, workspaceId, input + OUTPUT_TOKENS, limit);
  return async () => {
    try {
      const signal = AbortSignal.timeout(app.config.askTimeoutMs);
      const answer = await asking.model.complete({ ...prompt, maxOutputTokens: OUTPUT_TOKENS, signal });
      const used = (answer.inputTokens ?? input) + (answer.outputTokens ?? estimateTokens(answer.text));
      await settleTokens(app.database, charge, used);
      return checked(asking, answer.text);
    } catch (error) {
      const isExpected = error instanceof ProviderError || (error instanceof Error && error.name === "TimeoutError");
      if (!isExpected) throw error;
      app.log.warn({ err: error }, "the model did not answer a question");
      const isNonsense = error instanceof ProviderError && error.code === "provider_nonsense";
      if (!isNonsense) await settleTokens(app.database, charge, 0);
      return isNonsense ? withoutModel(asking, INVALID) : withoutModel(asking, UNAVAILABLE);
    }
  };
}

const INVALID = { code: "model_answer_invalid", message: "The model's answer could not be read: these are passages." };
const UNAVAILABLE = { code: "model_unavailable", message: "The model did not answer: these are passages." };
const UNPROVEN = {
  code: "model_answer_unproven",
  message: "Nothing of the model's answer was left: these are passages.",
};

function checked(asking: Asking, text: string): AskAnswer {
  const sentences = readSentences(text);
  if (!sentences) return withoutModel(asking, INVALID);
  const { answer, citations, warnings } = checkSentences(sentences, asking.passages, asking.maxCitations);
  if (answer.length === 0) return withoutModel(asking, ...warnings, UNPROVEN);
  return { found: true, generator: "model", answer, citations, model: asking.model.id, warnings };
}

const withoutModel = ({ passages, maxCitations }: Asking, ...warnings: AskAnswer["warnings"]): AskAnswer =>
  extract(passages.slice(0, maxCitations), warnings);
