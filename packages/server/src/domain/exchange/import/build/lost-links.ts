import type { UnresolvedLink } from "../plan.ts";

interface Lost {
  readonly link: UnresolvedLink;
  /** The first page with this link. */
  readonly page: string;
  count: number;
  pages: number;
}

/** Collects broken links by target. */
export class LostLinks {
  readonly #byTarget = new Map<string, Lost>();
  count = 0;

  add(page: string, links: readonly UnresolvedLink[]): void {
    for (const link of links) {
      if (link.isLost) this.count += link.count;
      const key = `${link.target}\n${link.why}`;
      const known = this.#byTarget.get(key);
      if (known) {
        known.count += link.count;
        known.pages++;
      } else this.#byTarget.set(key, { link, page, count: link.count, pages: 1 });
    }
  }

  /** One line per target, most frequent first. */
  lines(): string[] {
    return [...this.#byTarget.values()].sort((a, b) => b.count - a.count).map(lineOf);
  }
}

function lineOf({ link: { target, why }, page, count, pages }: Lost): string {
  const [from, to] = [page.slice(0, 200), target.slice(0, 200)];
  if (count === 1) return `${from}: the link to ${to} leads nowhere, ${why}.`;
  const where = pages === 1 ? "" : ` and ${pages - 1} more ${pages === 2 ? "page" : "pages"}`;
  return `${from}${where}: ${count} links to ${to} lead nowhere, ${why}.`;
}
