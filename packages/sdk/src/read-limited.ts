import { ConnectionError } from "./errors.ts";

/** Max bytes of one answer: more than any that the service gives with its own limits. */
export const MAX_ANSWER_BYTES = 128_000_000;

/** Reads an answer as text, and refuses one that is longer than any the service would give. */
export async function readText(response: Response, server: string, maxBytes: number): Promise<string> {
  const { body } = response;
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let [text, received] = ["", 0];
  while (true) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    received += value.byteLength;
    if (received > maxBytes) {
      reader.cancel().catch(() => {});
      throw tooLong(server, maxBytes, response.status);
    }
    text += decoder.decode(value, { stream: true });
  }
}

export const tooLong = (server: string, maxBytes: number, status?: number): ConnectionError =>
  new ConnectionError(
    "not_the_api",
    `${server || "The service"} sent more than the ${maxBytes} bytes expected of it.`,
    {
      status,
    },
  );
