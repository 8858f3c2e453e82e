import { InvalidSetting } from "./invalid-setting.ts";

/**
 * Checks a base address to which paths are appended. The error does not repeat its value, which may contain a secret.
 */
export function checkProviderUrl(setting: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new InvalidSetting(setting, "the value is not an address; allowed is http://… or https://…");
  }
  if (url.username || url.password) {
    throw new InvalidSetting(setting, "the address holds a user or password; put the key into the …_API_KEY setting");
  }
  return url.href;
}
