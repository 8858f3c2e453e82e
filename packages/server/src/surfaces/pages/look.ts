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
