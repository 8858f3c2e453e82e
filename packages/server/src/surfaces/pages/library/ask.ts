import { ApiError } from "@svc/sdk";
import { askPage } from "@svc/web/server/pages/library/ask";
import { get, type MemberVisit, type Outcome, show } from "../visit.ts";

/** The page of a question. With `answer=1` it has the answer; otherwise a script asks, and shows the parts as they come. */
async function showAsk({ api, query }: MemberVisit): Promise<Outcome> {
  const question = (query.get("q") ?? "").trim().slice(0, 512);
  if (question === "" || query.get("answer") !== "1")
    return show(askPage({ question, answer: undefined, wrong: undefined }));
  try {
    const { data } = await api.post("/ask", { body: { question } });
    return show(askPage({ question, answer: data, wrong: undefined }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return show(askPage({ question, answer: undefined, wrong: error.message }), error.status);
  }
}

export const askPages = [get("/ask", showAsk)];
