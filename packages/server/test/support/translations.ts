import { defined } from "@svc/document/defined";
import { assertStatus, type Client, type Loose } from "./client.ts";
import { activate } from "./fixtures.ts";
import { jobEnded } from "./jobs.ts";
import { providerServer, type Reply } from "./provider-server.ts";

const languages = [
  { code: "en", targets: ["es", "fr"] },
  { code: "es", targets: ["en"] },
];
const KEY = "secret-translation-key";

export const spanish = (text: string): string => `es: ${text}`;
export const inSpanish = (q: string[]) => ({ json: { translatedText: q.map(spanish) } });

/** A LibreTranslate that answers as the test says, and the settings of a server that asks it. */
export async function startTranslator() {
  const answer: (q: string[], count: number) => Reply = inSpanish;
  const translator = {
    key: KEY,
    answer,
    asked: 0,
    reset() {
      translator.answer = inSpanish;
      translator.asked = 0;
    },
  };
  const server = await providerServer((request) => {
    if (request.path.endsWith("/languages")) return { json: languages };
    return translator.answer(JSON.parse(request.body).q, ++translator.asked);
  });
  const settings = {
    SVC_TRANSLATION_PROVIDER: "libretranslate",
    SVC_TRANSLATION_URL: server.url,
    SVC_TRANSLATION_API_KEY: KEY,
    SVC_TRANSLATION_DAILY_CHARACTERS: "20000",
    SVC_TRANSLATION_PRICE: "20",
  };
  return Object.assign(translator, { settings, stop: () => server[Symbol.asyncDispose]() });
}

/** An English document with this text, its Spanish target, and what can be done with them. */
export async function makeTranslation(client: Client, text: string, fields: Loose = {}) {
  const set = await activate(client, { document: { text }, ...fields });
  const source = `/documents/${set.source_document_id}`;
  const target = `/documents/${set.variants[1].document_id}`;
  const units = async (): Promise<Loose[]> => (await client.get(`${source}/translation-units?limit=100`)).data;
  const start = async (fields: Loose = {}): Promise<Loose> =>
    assertStatus(await client.post(`${source}/translation-jobs`, { target_locale: "es", ...fields }), 202).data;
  const translated = async (fields: Loose = {}) => jobEnded(client, "translation-jobs", (await start(fields)).id);
  const apply = async (job: Loose, fields: Loose = {}) =>
    client.post(`/translation-jobs/${job.id}/apply`, fields, {
      ifMatch: defined((await client.get(`${target}/content`)).etag),
    });
  const write = async (path: string, index: number, content: string) => {
    const { id } = (await client.get(`${path}/blocks`)).data[index];
    const nodes = [{ type: "text", text: content }];
    assertStatus(await client.patch(`${path}/blocks/${id}`, { content: nodes }), 200);
  };
  const shown = async () =>
    (await client.get(`${target}/content?format=markdown`, { headers: { accept: "text/markdown" } })).text;
  return { source, target, units, start, translated, apply, write, shown };
}

export const usedCharacters = async (client: Client): Promise<number> =>
  (await client.get("/me/quota")).data.machine_translation.used_characters;
