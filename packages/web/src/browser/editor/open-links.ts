import { isSafeLink } from "@svc/document/html/url";
import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { at } from "../islands/common/base-path.ts";
import { targetOf } from "../islands/common/element.ts";

/** The address of a link in the browser; undefined if it has none. */
function addressOf(href: string): string | undefined {
  const [, page, block] = /^svc:\/\/doc\/(doc_\w+)(?:#block=(block_\w+))?/.exec(href) ?? [];
  if (page !== undefined) return at(`/documents/${page}${block ? `?block=${block}#${block}` : ""}`);
  return isSafeLink(href) && !href.startsWith("svc:") ? href : undefined;
}

/** Opens a link's target in a new tab. */
export function openLink(href: string): void {
  const address = addressOf(href);
  if (address !== undefined) window.open(address, "_blank", "noopener");
}

/** Follows the link under the pointer, if there is one. */
function follow(event: MouseEvent): boolean {
  const href = targetOf(event)?.closest("a")?.getAttribute("href");
  if (!href) return false;
  event.preventDefault();
  openLink(href);
  return true;
}

/** A click puts the caret into a link. With Ctrl or ⌘, and in a read-only text, it follows the link. */
export const OpenLinks = Extension.create({
  name: "openLinks",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleClick: (view, _position, event) => view.editable && (event.ctrlKey || event.metaKey) && follow(event),
        handleDOMEvents: { click: (view, event) => !view.editable && follow(event) },
      },
    }),
  ],
});
