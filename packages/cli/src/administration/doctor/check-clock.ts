import { type Check, type Patient, request } from "./finding.ts";

const MAX_SKEW_MS = 5_000;
/** Tokens, links and one-time codes go wrong from here on. */
const WRONG_MS = 30_000;

/** Addresses of other machines that the settings name. */
const others = ({ config }: Patient): string[] => [
  ...config.oidcIssuer,
  ...(config.translationUrl ? [config.translationUrl] : []),
  ...(config.modelUrl ? [config.modelUrl] : []),
  ...(config.baseUrl ? [config.baseUrl] : []),
  ...endpointOf(config.blobUrl),
];

function endpointOf(blobUrl: string | undefined): string[] {
  const endpoint = blobUrl === undefined ? null : new URL(blobUrl).searchParams.get("endpoint");
  return endpoint ? [endpoint] : [];
}

/** How far this clock is ahead of the one behind an address; HTTP dates are whole seconds. */
async function skewTo(url: string): Promise<number | undefined> {
  try {
    const response = await request(url);
    await response.body?.cancel();
    const date = Date.parse(response.headers.get("date") ?? "");
    return Number.isNaN(date) ? undefined : Date.now() - date;
  } catch {
    return undefined;
  }
}

export const checkClock: Check = async (patient) => {
  const check = "clock";
  const found = await Promise.all(others(patient).map(async (url) => ({ url, skew: await skewTo(url) })));
  const compared = found.flatMap(({ url, skew }) => (skew === undefined ? [] : [{ host: new URL(url).host, skew }]));
  const worst = compared.sort((one, other) => Math.abs(other.skew) - Math.abs(one.skew))[0];
  if (!worst)
    return [
      {
        check,
        state: "off",
        message: `It is ${new Date().toISOString()} here; the settings name no machine to compare with.`,
      },
    ];
  const seconds = Math.round(Math.abs(worst.skew) / 1000);
  const advice = "Synchronise the clocks of both machines (systemd-timesyncd, chrony).";
  if (seconds * 1000 <= MAX_SKEW_MS)
    return [{ check, state: "ok", message: `It agrees with ${compared.map(({ host }) => host).join(", ")}.` }];
  const message = `It is ${seconds} s ${worst.skew > 0 ? "ahead of" : "behind"} the one of ${worst.host}.`;
  return [{ check, state: seconds * 1000 > WRONG_MS ? "error" : "warning", message, advice }];
};
