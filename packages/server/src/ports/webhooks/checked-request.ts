import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";

type Addresses = readonly { readonly address: string; readonly family: number }[];

/**
 * Sends a request on a connection of its own, to one of exactly these addresses: the name is not looked up again.
 * Resolves with the head of the response.
 */
export function checkedRequest(
  url: URL,
  addresses: Addresses,
  options: Pick<RequestOptions, "method" | "headers" | "maxHeaderSize" | "signal">,
  body?: string,
): Promise<IncomingMessage> {
  const isTls = url.protocol === "https:";
  const lookup: RequestOptions["lookup"] = (_host, { all }, found) => {
    const [first] = addresses;
    if (all) found(null, [...addresses]);
    else found(null, first?.address ?? "", first?.family ?? 4);
  };
  const agent = isTls ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
  return new Promise((resolve, reject) => {
    const request = (isTls ? requestHttps : requestHttp)(url, { ...options, agent, lookup }, resolve);
    // A receiver that answers early may close while the body is still being sent.
    request.on("error", reject);
    request.end(body);
  });
}
