import { type ProviderServer, providerServer } from "../provider-server.ts";

const languages = [
  { code: "en", targets: ["es"] },
  { code: "es", targets: ["en"] },
];

/** A LibreTranslate that knows one trick, so that translation jobs come to an end. */
export const translator = (): Promise<ProviderServer> =>
  providerServer(({ path, body }) =>
    path.endsWith("/languages")
      ? { json: languages }
      : { json: { translatedText: JSON.parse(body).q.map((text: string) => `es: ${text}`) } },
  );

/** Settings of a world in which every operation can succeed, however often it is tried. */
export const roomySettings = ({ url }: ProviderServer): Record<string, string> => ({
  SVC_TRANSLATION_PROVIDER: "libretranslate",
  SVC_TRANSLATION_URL: url,
  SVC_TRANSLATION_DAILY_CHARACTERS: "1000000000",
  SVC_MAX_KNOWLEDGE_BASES: "1000000",
  SVC_MAX_FOLDERS: "1000000",
  SVC_MAX_DOCUMENTS: "1000000",
  SVC_MAX_WEBHOOKS: "200",
  SVC_MAX_IMPORTS: "100000",
  SVC_SSE_MAX_CONNECTIONS_PER_TOKEN: "1000",
});
