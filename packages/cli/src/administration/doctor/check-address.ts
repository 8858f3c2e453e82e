import { isRecord } from "@svc/document/guards";
import { reasonOf } from "./check-services.ts";
import { type Check, type Finding, PATIENCE_MS, type Patient, request } from "./finding.ts";

/** A document that does not exist: an upgrade reaches the server, which closes the socket because nobody is signed in. */
const SOCKET = "/documents/doctor/live/socket";

async function isServing(address: string): Promise<true | string> {
  try {
    const response = await request(`${address}/healthz`);
    const answer: unknown = await response.json().catch(() => undefined);
    return (response.ok && isRecord(answer) && answer.status === "ok") || `the answer is ${response.status}`;
  } catch (error) {
    return reasonOf(error);
  }
}

export const checkAddress: Check = async ({ config, address, publicAddress }) => {
  const local = await isServing(address);
  const server: Finding =
    local === true
      ? { check: "server", state: "ok", message: `It serves on ${address}.` }
      : {
          check: "server",
          state: "warning",
          message: `Nothing answers on ${address} (${local}).`,
          advice: "Start the server; if it runs on another machine, give this command its SVC_HOST and SVC_PORT.",
        };
  if (config.baseUrl === undefined) {
    const message = "Links are made from the host of each request.";
    const advice = "Behind a proxy, set SVC_BASE_URL to the public address.";
    return [server, { check: "base URL", state: "off", message, advice }];
  }
  return [server, ...(await checkBaseUrl(publicAddress, local === true)), ...checkProxy(config)];
};

async function checkBaseUrl(url: string, isUp: boolean): Promise<Finding[]> {
  const check = "base URL";
  const served = await isServing(url);
  if (served !== true) {
    const advice = isUp
      ? "The server runs, so look at the proxy: it must pass on every path, and the name must lead to it."
      : "Start the server, then run this command again.";
    return [{ check, state: "error", message: `${url} does not lead to svc (${served}).`, advice }];
  }
  const deep = await request(`${url}/api/openapi.json`).catch(() => undefined);
  await deep?.body?.cancel();
  if (deep?.ok) return [{ check, state: "ok", message: `${url} leads to svc.` }];
  const advice = "Let the proxy pass on every path, with its body and without a cache.";
  return [{ check, state: "error", message: `${url} leads to svc, and ${url}/api/ does not.`, advice }];
}

function checkProxy({ baseUrl, trustProxy }: Patient["config"]): Finding[] {
  if (!baseUrl?.startsWith("https:") || trustProxy > 0) return [];
  const message =
    "SVC_BASE_URL is https, and SVC_TRUST_PROXY is off: all visitors share one address in limits and in the log.";
  return [{ check: "base URL", state: "warning", message, advice: "Set SVC_TRUST_PROXY=on behind a proxy." }];
}

export const checkSockets: Check = async ({ publicAddress }) => {
  const check = "WebSockets";
  if ((await isServing(publicAddress)) !== true)
    return [{ check, state: "off", message: "Not checked, because the server cannot be reached." }];
  if (await opensSocket(publicAddress)) return [{ check, state: "ok", message: "Live editing gets through." }];
  const advice = "Let the proxy pass on Upgrade and Connection headers and the host (docs/operating.md has examples).";
  return [{ check, state: "error", message: `${publicAddress} refuses WebSockets: nobody can edit live.`, advice }];
};

function opensSocket(address: string): Promise<boolean> {
  // The server asks for its own origin, which this client can send; browsers do so by themselves.
  const options = { headers: { origin: new URL(address).origin } };
  return new Promise((resolve) => {
    const socket = new WebSocket(`${address.replace(/^http/, "ws")}${SOCKET}`, options);
    const timer = setTimeout(() => end(false), PATIENCE_MS);
    const end = (isOpen: boolean) => {
      clearTimeout(timer);
      resolve(isOpen);
      socket.close();
    };
    socket.addEventListener("open", () => end(true));
    socket.addEventListener("error", () => end(false));
  });
}
