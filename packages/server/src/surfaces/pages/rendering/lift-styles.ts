/** The rules of the classes that replace the style attributes of one page. */
export class StyleRules {
  readonly #classes = new Map<string, string>();

  /** The class for a style attribute; undefined if nothing in it is allowed. */
  classOf(style: string): string | undefined {
    const kept = style.split(";").filter(isPlain).join(";");
    if (kept === "") return undefined;
    const name = this.#classes.get(kept) ?? `y${this.#classes.size}`;
    this.#classes.set(kept, name);
    return name;
  }

  get css(): string {
    return [...this.#classes].map(([style, name]) => rulesOf(name, style)).join("");
  }
}

/** Whether a declaration can neither end its rule nor fetch anything. */
const isPlain = (declaration: string): boolean => /^\s*[a-z-]+\s*:[\w\s#.,%()/+-]+$/i.test(declaration);

/**
 * Turns the style attributes of rendered blocks into classes, so that the page's policy can forbid inline styles.
 * Quotes in text are always escaped, so the pattern only matches markup. In dark mode, colours are mixed with the
 * page's own to stay readable.
 */
export const liftStyles = (html: string, rules: StyleRules): string =>
  html.replace(/<[a-z][^<>]* style="[^"]*"[^<>]*>/g, (tag) => withoutStyle(tag, rules));

function withoutStyle(tag: string, rules: StyleRules): string {
  const style = / style="([^"]*)"/.exec(tag)?.[1] ?? "";
  const bare = tag.replace(/ style="[^"]*"/, "");
  const name = rules.classOf(style);
  if (name === undefined) return bare;
  return / class="/.test(bare)
    ? bare.replace(' class="', ` class="${name} `)
    : bare.replace(/(\/?>)$/, ` class="${name}"$1`);
}

const toneOf: Readonly<Record<string, readonly [percent: number, towards: string]>> = {
  color: [60, "--ink"],
  "background-color": [35, "--paper"],
};

function rulesOf(name: string, style: string): string {
  const declarations = style.split(";").map((declaration) => {
    const [property = "", value = ""] = declaration.split(":");
    const tone = toneOf[property];
    if (!tone) return declaration;
    return `${property}:light-dark(${value},color-mix(in oklab,${value} ${tone[0]}%,var(${tone[1]})))`;
  });
  return `.prose .${name}{${declarations.join(";")}}`;
}
