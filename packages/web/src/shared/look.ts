/** How a person wants pages to look, in this browser. */
export interface Look {
  readonly theme: "system" | "light" | "dark";
  /** IANA name, or empty for the browser's own. */
  readonly zone: string;
  readonly dates: "words" | "iso";
}

export const PLAIN_LOOK: Look = { theme: "system", zone: "", dates: "words" };
