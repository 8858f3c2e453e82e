import type { Answer, Client } from "@svc/sdk";
import { costOf, cutText, roomIn } from "../../budget.ts";
import { findPlace } from "../../names/find-place.ts";
import { short } from "../../short.ts";
import { lines, oneLine } from "../../text.ts";
import type { Outcome } from "../../tool.ts";
import { UsageError } from "../../usage-error.ts";

type Given = {
  readonly in?: string | undefined;
  readonly knowledge_base_id?: number | undefined;
  readonly locale?: string | undefined;
  readonly limit: number;
  readonly max_tokens: number;
  /** Search filters that a question does not accept. */
  readonly others: Readonly<Record<string, unknown>>;
};

/** Answers a question with numbered passages, or reports that no passage answers it. */
export async function answerQuestion(client: Client, question: string, given: Given): Promise<Outcome> {
  const place = given.in === undefined ? undefined : await findPlace(client, given.in);
  const others = { ...given.others, in: place?.folder_id };
  for (const [name, value] of Object.entries(others))
    if (value !== undefined)
      throw new UsageError(`**invalid_arguments**: ask does not take ${name} here.`, "ask in a whole base, or search.");
  const base = place?.knowledge_base_id ?? given.knowledge_base_id;
  const { data } = await client.post("/ask", {
    body: {
      question,
      max_citations: Math.min(10, given.limit),
      ...(base !== undefined && { knowledge_base_ids: [base] }),
      ...(given.locale !== undefined && { locale: given.locale }),
    },
  });
  if (!data.found) return { text: `No page answers ${oneLine(question)}. Search shows what comes near.` };
  const text = answerText(data);
  const room = roomIn(given.max_tokens);
  return { text: costOf([text]) <= room ? text : cutText(text, room) };
}

function answerText({ answer, citations, warnings }: Answer<"/ask", "post">["data"]): string {
  return lines(
    ...answer.map(({ text, citations: numbers }) => `${text} ${numbers.map((n) => `[${n}]`).join("")}`),
    ...citations.map(({ n, title, heading_path, document_id, block_id }) => {
      const path = [title, ...heading_path].map((each) => oneLine(each, 60)).join(" > ");
      return `[${n}] ${path} (${[document_id, block_id].map(short).join("#")})`;
    }),
    ...warnings.map(({ message }) => message),
  );
}
