/** Markup without style attributes, and the rules of the classes that took their place. */
export interface Lifted {
  readonly html: string;
  readonly css: string;
}

/**
 * Turns the style attributes of rendered blocks into classes, so that the page's policy can forbid inline styles. The
 * renderer writes them from checked values only, and a quote in text is always escaped, so the pattern meets nothing
 * else. In the dark, colours are drawn towards the page's own, to stay readable.
 */
export function liftStyles(html: string): Lifted {
  const classes = new Map<string, string>();
  const lifted = html.replace(/ style="([^"]*)"/g, (_, style: string) => {
    const name = classes.get(style) ?? `y${classes.size}`;
    classes.set(style, name);
    return ` class="${name}"`;
  });
  return { html: lifted, css: [...classes].map(([style, name]) => rulesOf(name, style)).join("") };
}

function rulesOf(name: string, style: string): string {
  const dark = style
    .split(";")
    .map((declaration) => declaration.split(":"))
    .flatMap(([property, value]) => {
      if (property === "color") return [`color:color-mix(in oklab,${value} 60%,var(--ink))`];
      return property === "background-color" ? [`background-color:color-mix(in oklab,${value} 35%,var(--paper))`] : [];
    });
  const inDark =
    dark.length > 0 ? `@media screen and (prefers-color-scheme:dark){.text .${name}{${dark.join(";")}}}` : "";
  return `.text .${name}{${style}}${inDark}`;
}
