import { attribute, escapeHtml } from "@svc/document/html/escape";
import { remoteAddress } from "@svc/web/shared/remote-address";

/** How a page shows the pictures that are not files of this server, and the files that are no pictures. */
export interface PicturePlace {
  /** The page's own address of a remote picture; undefined to leave it alone. */
  readonly remoteUrl: (address: string) => string | undefined;
  /** Whether remote pictures are shown, or a placeholder that a reader can load. */
  readonly isShown: boolean;
  /** Tags of attachments that are played, by the addresses that pages use. */
  readonly media: ReadonlyMap<string, "audio" | "video">;
}

const tags = /<a[ >]|<\/a>|<img [^<>]*>/g;

/** Attributes in rendered markup are always quoted and escaped. */
const attributeOf = (tag: string, name: string): string => plain(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]);

const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const plain = (text = ""): string => text.replace(/&(amp|lt|gt|quot|#39);/g, (_all, name) => characters[name] ?? "");

/** Remote pictures in rendered markup. */
export const remotePicturesIn = (html: string): string[] =>
  [...html.matchAll(tags)].flatMap(([tag]) => remoteAddress(attributeOf(tag, "src")) ?? []);

/**
 * Rendered blocks with the page's own addresses for remote pictures, and players for sound and films. Without a place a
 * remote picture is a link to it.
 */
export function showPictures(html: string, place: PicturePlace | undefined): string {
  if (!html.includes("<img ")) return html;
  let isInLink = false;
  /** Controls that cannot stand within the link around their pictures. */
  let after = "";
  return html.replace(tags, (tag) => {
    if (tag.startsWith("<a")) {
      isInLink = true;
      return tag;
    }
    if (tag === "</a>") {
      const controls = after;
      [isInLink, after] = [false, ""];
      return tag + controls;
    }
    const src = attributeOf(tag, "src");
    const medium = place?.media.get(src);
    if (medium) return player(tag, medium);
    const address = remoteAddress(src);
    if (address === undefined) return tag;
    const url = place?.remoteUrl(address);
    if (place && url === undefined) return tag;
    if (place?.isShown && url !== undefined) return shown(tag, url);
    const control = url === undefined ? linkTo(tag, address) : placeholder(tag, address, url);
    if (!isInLink) return control;
    if (url !== undefined) after += control;
    return `<span class="picture-name">${escapeHtml(nameOf(tag, address))}</span>`;
  });
}

const shown = (tag: string, url: string): string => {
  const lazy = tag.includes(' loading="') ? "" : ' loading="lazy"';
  return tag.replace(/ src="[^"]*"/, () => `${attribute("src", url)}${lazy}`);
};

function player(tag: string, medium: "audio" | "video"): string {
  const size = medium === "video" ? (/ width="[^"]*"/.exec(tag)?.[0] ?? "") : "";
  const label = attributeOf(tag, "alt") || attributeOf(tag, "title") || (medium === "audio" ? "Sound" : "Film");
  return `<${medium} controls preload="metadata"${attribute("src", attributeOf(tag, "src"))}${attribute("aria-label", label)}${size}></${medium}>`;
}

const hostOf = (address: string): string => new URL(address).host;
const nameOf = (tag: string, address: string): string => attributeOf(tag, "alt") || `Picture from ${hostOf(address)}`;

const linkTo = (tag: string, address: string): string =>
  `<a${attribute("href", address)} rel="noopener noreferrer">${escapeHtml(attributeOf(tag, "alt") || "Picture")} ↗</a>`;

/** A link that shows the picture by itself; with scripts, in the place of the link. */
function placeholder(tag: string, address: string, url: string): string {
  const alt = attributeOf(tag, "alt");
  const label = `Load picture from ${hostOf(address)}${alt && `: ${alt}`}`;
  return `<a class="picture-load"${attribute("href", `${url}&load=1`)}${attribute("data-alt", alt)}>${escapeHtml(label)}</a>`;
}
