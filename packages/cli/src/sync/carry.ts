import { attachmentIdOf, attachmentUrl } from "@svc/document/markdown/attachment-url";
import { findDestinations, replaceDestinations } from "@svc/document/markdown/destinations";
import { fileAddresses, isPlainAddress } from "@svc/document/markdown/file-addresses";
import { WIKI } from "@svc/document/markdown/rules/wiki-link";
import { AttachedFiles, isRefusedFile } from "./attached-files.ts";
import { type Addresses, type Carried, type CarriedFile, NOTHING_CARRIED } from "./carried.ts";
import { type LocalTarget, localTarget, relativeAddress } from "./link-paths.ts";
import type { Look } from "./look.ts";
import { folded, isMarkdown, nameOf } from "./names.ts";
import { PageHeadings } from "./page-headings.ts";

/** The parts of a file and its document that addresses depend on. */
export interface Page {
  /** Undefined until the document exists. */
  readonly id: string | undefined;
  readonly path: string;
  /** The file's text when the file and the document were last equal. */
  readonly base?: string | undefined;
  readonly carried?: Carried | undefined;
}

/** A text with its addresses translated for the other side. */
interface CarriedText {
  readonly text: string;
  readonly carried: Carried;
}

/** A file's text, translated for its document. */
interface SentText extends CarriedText {
  /** The file's spelling of each address. */
  readonly addresses: Addresses;
  /** Whether a picture in the text is new or changed; the text must be sent again for the document to show it. */
  readonly hasNewPicture: boolean;
}

/**
 * `send` uploads the files that a text shows; `compare` only looks up those that the document has. `rest` is the last
 * attempt of a pass, after all other changes, and reports missing files.
 */
type Mode = "send" | "compare" | "rest";

const DOCUMENT = /^svc:\/\/doc\/(doc_[0-9A-Z]{26})(?:#(.*))?$/s;

/** Translates addresses of pages and files between paths in the folder and addresses of the service. */
export class Carrier {
  readonly headings: PageHeadings;
  readonly #look: Look;
  readonly #files: AttachedFiles;

  constructor(look: Look) {
    this.#look = look;
    this.headings = new PageHeadings(look.client, look.signal);
    this.#files = new AttachedFiles(look);
  }

  /** Translates a file's text for its document. If the document does not exist yet, its files wait. */
  async toDocument(page: Page, text: string, mode: Mode): Promise<SentText> {
    const out = new Outgoing(this.#look, this.headings, this.#files, page, mode);
    for (const { value } of findDestinations(text)) await out.resolve(value);
    const { carried, addresses, hasNewPicture } = out;
    return { text: replaceDestinations(text, (value) => out.links.get(value)), carried, addresses, hasNewPicture };
  }

  /** Translates a document's text for its file and fetches the files that it shows. Keeps the file's unchanged lines. */
  async toFile(page: Page & { readonly id: string }, text: string, addresses: Addresses): Promise<CarriedText> {
    const incoming = new Incoming(this.#look, this.headings, this.#files, page, addresses);
    for (const { value } of findDestinations(text)) await incoming.resolve(value);
    const replaced = replaceDestinations(text, (value) => incoming.addresses.get(value));
    return { text: keepLines(page, text, replaced), carried: incoming.carried };
  }
}

/** Returns the new address of a moved page, for a link in a file that no longer leads to it. */
export function addressOfMoved(look: Look, from: string, address: string, there: string): string | undefined {
  const [, id] = DOCUMENT.exec(there) ?? [];
  const target = id === undefined ? undefined : localTarget(address, from);
  const path = id === undefined ? undefined : look.pathOf(id);
  if (id === undefined || target === undefined || path === undefined) return undefined;
  const leadsTo = look.leadsTo(target.path);
  // If another page is at that path, the link means that page, unless the service has moved the original target.
  if (leadsTo === id || (leadsTo !== undefined && !look.moved.has(id))) return undefined;
  const [fragment = ""] = /#.*$/s.exec(address) ?? [];
  return relativeAddress(from, path) + fragment;
}

/** Converts a file's text to its document's text, using the known addresses. */
export const sentText = ({ base = "", carried = NOTHING_CARRIED }: Pick<Page, "base" | "carried">): string =>
  replaceDestinations(base, (value) => (Object.hasOwn(carried.links, value) ? carried.links[value] : undefined));

/** Restores the file's spelling of every line whose translation is unchanged in the document. */
function keepLines(page: Page, text: string, replaced: string): string {
  if (page.base === undefined || page.carried === undefined || Object.keys(page.carried.links).length === 0)
    return replaced;
  const own = page.base.split("\n");
  const known = new Map(
    sentText(page)
      .split("\n")
      .map((line, at) => [line, own[at] ?? line]),
  );
  const lines = replaced.split("\n");
  return text
    .split("\n")
    .map((line, at) => known.get(line) ?? lines[at])
    .join("\n");
}

class Outgoing {
  readonly links = new Map<string, string>();
  readonly #look: Look;
  readonly #headings: PageHeadings;
  readonly #attached: AttachedFiles;
  readonly #page: Page;
  readonly #mode: Mode;
  readonly #files: Record<string, CarriedFile> = {};
  readonly #seen = new Set<string>();
  #waiting = false;
  hasNewPicture = false;

  constructor(look: Look, headings: PageHeadings, attached: AttachedFiles, page: Page, mode: Mode) {
    this.#look = look;
    this.#headings = headings;
    this.#attached = attached;
    this.#page = page;
    this.#mode = mode;
  }

  get carried(): Carried {
    return { links: Object.fromEntries(this.links), files: this.#files, waiting: this.#waiting };
  }

  get addresses(): Addresses {
    return Object.fromEntries(fileAddresses(this.links));
  }

  async resolve(address: string): Promise<void> {
    if (this.#seen.has(address)) return;
    this.#seen.add(address);
    if (address.startsWith(WIKI)) return this.#namedPicture(pictureName(address));
    const before = this.#page.carried?.links[address];
    const next = (await this.#find(address)) ?? before;
    if (next !== undefined) this.links.set(address, next);
  }

  async #find(address: string): Promise<string | undefined> {
    const target = localTarget(address, this.#page.path);
    if (!target) return undefined;
    const id = this.#look.leadsTo(target.path);
    if (id !== undefined) return this.#documentAddress(id, target);
    if (isMarkdown(target.path)) return this.#wait(address, target.path);
    const file = await this.#file(target.path);
    if (file) return attachmentUrl(file.attachment_id);
    return /\.\w{1,8}$/.test(target.path) ? this.#wait(address, target.path) : undefined;
  }

  async #documentAddress(id: string, { fragment }: LocalTarget): Promise<string> {
    const place = await this.#headings.toDocument(id, fragment);
    // The heading may come with another text of this pass, so the link is resolved again at its end.
    if (fragment !== "" && place === fragment && this.#mode === "send") this.#waiting = true;
    return `svc://doc/${id}${place === "" ? "" : `#${encodeURI(place)}`}`;
  }

  #wait(address: string, path: string): undefined {
    this.#waiting = true;
    const known = this.#page.carried?.links[address] !== undefined;
    if (!known && !this.#look.isTaken(path)) this.#tell(`${address} is not in the folder; the link is sent as it is.`);
  }

  #tell(message: string): void {
    const { id, path } = this.#page;
    if (this.#mode === "rest" && id !== undefined && this.#look.sent.has(id)) this.#look.leave(path, message);
  }

  async #file(path: string): Promise<CarriedFile | undefined> {
    const { id, carried } = this.#page;
    if (path.split("/").some((step) => step.startsWith("."))) return undefined;
    if (id === undefined) {
      this.#waiting ||= this.#look.isTaken(path);
      return undefined;
    }
    try {
      const file = await this.#attached.attach(id, path, carried?.files[path], this.#mode !== "compare");
      if (file) this.#files[path] = file;
      return file;
    } catch (error) {
      if (!isRefusedFile(error)) throw error;
      this.#tell(`${path} is not carried: ${error.message}`);
      return undefined;
    }
  }

  /** Attaches the picture of `![[picture.png]]` from any folder. The text stays: the document shows it by its name. */
  async #namedPicture(target: string): Promise<void> {
    const path = this.#look.fileNamed(target);
    const file = path === undefined ? undefined : await this.#file(path);
    if (!file) return this.#wait(target, path ?? target);
    const before = this.#page.carried?.files[path as string];
    if (before?.attachment_id !== file.attachment_id) this.hasNewPicture = true;
  }
}

class Incoming {
  readonly addresses = new Map<string, string>();
  readonly #links: Record<string, string> = {};
  readonly #files: Record<string, CarriedFile> = {};
  readonly #seen = new Set<string>();
  readonly #look: Look;
  readonly #headings: PageHeadings;
  readonly #attached: AttachedFiles;
  readonly #page: Page & { readonly id: string };
  /** The spelling of addresses in the file that the document was last sent from. */
  readonly #known: Addresses;

  constructor(
    look: Look,
    headings: PageHeadings,
    attached: AttachedFiles,
    page: Page & { readonly id: string },
    known: Addresses,
  ) {
    this.#known = known;
    this.#look = look;
    this.#headings = headings;
    this.#attached = attached;
    this.#page = page;
  }

  /** The translated links, including earlier spellings of the same targets. */
  get carried(): Carried {
    const before = this.#page.carried ?? NOTHING_CARRIED;
    const still = new Set(Object.values(this.#links));
    const kept = Object.entries(before.links).filter(([, there]) => still.has(there) || there.includes("]("));
    return { links: { ...Object.fromEntries(kept), ...this.#links }, files: this.#files, waiting: false };
  }

  async resolve(address: string): Promise<void> {
    if (this.#seen.has(address)) return;
    this.#seen.add(address);
    const next = await this.#find(address);
    if (next === undefined) return;
    this.#links[next] = address;
    if (next !== address) this.addresses.set(address, next);
  }

  async #find(address: string): Promise<string | undefined> {
    const { path } = this.#page;
    if (address.startsWith(WIKI)) return this.#wikiPicture(address);
    const known = Object.hasOwn(this.#known, address) ? this.#known[address] : undefined;
    const place = known === undefined ? undefined : localTarget(known, path);
    const isPlain = known !== undefined && isPlainAddress(known);
    const attachmentId = attachmentIdOf(address);
    if (attachmentId !== null) {
      const file = await this.#fetch(attachmentId, place?.path);
      if (file === undefined) return undefined;
      return file === place?.path && isPlain ? known : relativeAddress(path, file);
    }
    const [, id, fragment = ""] = DOCUMENT.exec(address) ?? [];
    if (id === undefined) return undefined;
    const target = this.#look.pathOf(id);
    if (
      place &&
      isPlain &&
      this.#look.leadsTo(place.path) === id &&
      (await this.#means(id, place.fragment, decoded(fragment)))
    )
      return known;
    if (target !== undefined) return relativeAddress(path, target, await this.#headings.toFile(id, decoded(fragment)));
    this.#look.leave(path, `${address} is no document of this folder; the link stays as it is.`);
    return undefined;
  }

  /** Whether a file's fragment still means the heading that the document links to, or never named a heading. */
  async #means(id: string, fragment: string, there: string): Promise<boolean> {
    const meant = fragment === "" ? "" : await this.#headings.toDocument(id, fragment);
    return meant === there || (there === "" && meant === fragment);
  }

  async #fetch(attachmentId: string, wanted?: string): Promise<string | undefined> {
    const { id, carried } = this.#page;
    const known = Object.entries(carried?.files ?? {}).find(([, file]) => file.attachment_id === attachmentId);
    const fetched = await this.#attached.fetch(id, attachmentId, known?.[0] ?? wanted);
    if (fetched) {
      this.#files[fetched.path] = fetched.file;
      this.#look.take(fetched.path);
    } else this.#look.leave(this.#page.path, `${attachmentUrl(attachmentId)} is no file of the document.`);
    return fetched?.path;
  }

  /** Fetches a wiki picture unless a file of that name is anywhere in the folder: the text names no path. */
  async #wikiPicture(address: string): Promise<string | undefined> {
    const target = pictureName(address);
    const list = await this.#attached.listOf(this.#page.id);
    const attachment = list.find(({ file_name }) => folded(file_name) === folded(nameOf(target)));
    if (!attachment) return undefined;
    if (this.#look.fileNamed(target) === undefined) await this.#fetch(attachment.id);
    return address;
  }
}

/** The path or name of the file in `wiki:picture.png#icon`. */
const pictureName = (address: string): string => address.slice(WIKI.length).split("#")[0]!.trim();

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
