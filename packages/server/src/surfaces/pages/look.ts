import { type Look, PLAIN_LOOK } from "@svc/web/shared/look";

export const LOOK = "svc_look";

const isZone = (zone: string): boolean => zone === "" || Intl.supportedValuesOf("timeZone").includes(zone);

/** Parses a chosen look; unknown values become the default. */
export function lookFrom(fields: { theme?: string | null; zone?: string | null; dates?: string | null }): Look {
  const { theme, zone, dates } = fields;
  return {
    theme: theme === "light" || theme === "dark" ? theme : PLAIN_LOOK.theme,
    zone: zone && isZone(zone) ? zone : PLAIN_LOOK.zone,
    dates: dates === "iso" ? dates : PLAIN_LOOK.dates,
  };
}

/** The look as a cookie value. */
export const lookText = (look: Look): string => Buffer.from(JSON.stringify(look)).toString("base64url");

export function readLook(text: string | undefined): Look {
  if (!text) return PLAIN_LOOK;
  try {
    return lookFrom(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch {
    return PLAIN_LOOK;
  }
}

/**
 * The time zone in which pages show clocks: the chosen one, else the browser's own, which a script keeps in a cookie,
 * else UTC.
 */
export function zoneOf({
  look,
  headers,
}: {
  readonly look: Look;
  readonly headers: Readonly<Record<string, unknown>>;
}): string {
  if (look.zone !== "") return look.zone;
  const [, own = ""] = /(?:^|;\s*)svc_zone=([\w%+-]{1,100})(?:;|$)/.exec(String(headers.cookie ?? "")) ?? [];
  try {
    const zone = decodeURIComponent(own);
    return zone !== "" && isZone(zone) ? zone : "UTC";
  } catch {
    return "UTC";
  }
}
