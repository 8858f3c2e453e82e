/** Reading aids: links to headings, copy buttons, contents that follow, checkboxes, large pictures, files. */
import { startCopyOfFolded } from "./copy-folded.ts";
import { startDiagrams } from "./diagrams.ts";
import { followText } from "./follow-text.ts";
import { startPictures } from "./pictures.ts";
import { startSections } from "./sections.ts";
import { startTicks } from "./ticks.ts";
import { startUpload } from "./upload.ts";

function addCopyButtons(root: ParentNode): void {
  for (const code of root.querySelectorAll<HTMLElement>("pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "code-copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const text = code.querySelector("code")?.textContent ?? "";
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        getSelection()?.selectAllChildren(code);
        button.textContent = "Selected";
      }
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2500);
    });
    const box = document.createElement("div");
    box.className = "code-box";
    code.replaceWith(box);
    box.append(code, button);
  }
}

function addHeadingLinks(root: ParentNode): void {
  for (const heading of root.querySelectorAll<HTMLElement>("[id^=section-]")) {
    const link = document.createElement("a");
    link.className = "heading-link";
    link.href = `#${heading.id}`;
    const text = heading.textContent ?? "";
    link.setAttribute("aria-label", `Link to “${text}”`);
    // The link is no part of the heading's name.
    heading.setAttribute("aria-label", text);
    heading.append(link);
  }
}

/** Pixels from the top: a heading above this has been passed. */
const READ_BELOW = 120;

/** A heading in a stretch that is not laid out is not measured: that would lay the stretch out. */
function isPassed(heading: HTMLElement): boolean {
  const stretch = heading.closest(".stretch")?.getBoundingClientRect();
  if (stretch && stretch.bottom < READ_BELOW) return true;
  if (stretch && stretch.top >= READ_BELOW) return false;
  return heading.getBoundingClientRect().top < READ_BELOW;
}

const sectionsNow = () =>
  [...document.querySelectorAll<HTMLAnchorElement>(".outline a[href^='#']")].flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return heading ? [{ link, heading }] : [];
  });

/** Marks in the contents the section that is being read. Returns how to begin again with other contents. */
function followReader(): () => void {
  let sections = sectionsNow();
  let isAsked = false;
  // A section that was gone to by its link counts until the reader scrolls: a short page cannot bring it to the top.
  let goneTo = location.hash;
  const mark = () => {
    isAsked = false;
    const passed = sections.filter(({ heading }) => isPassed(heading));
    const linked = sections.find(({ link }) => goneTo !== "" && link.hash === goneTo);
    const here = (linked ?? passed.at(-1) ?? sections[0])?.link;
    for (const { link } of sections) link.toggleAttribute("data-here", link === here);
  };
  addEventListener(
    "scroll",
    () => {
      if (!isAsked) requestAnimationFrame(mark);
      isAsked = true;
    },
    { passive: true },
  );
  addEventListener("hashchange", () => {
    goneTo = location.hash;
    mark();
  });
  for (const kind of ["wheel", "touchmove"])
    addEventListener(
      kind,
      () => {
        goneTo = "";
      },
      { passive: true },
    );
  mark();
  return () => {
    sections = sectionsNow();
    mark();
  };
}

function enhance(root: ParentNode): void {
  addCopyButtons(root);
  addHeadingLinks(root);
  startPictures(root);
  startTicks(root);
  startDiagrams(root);
}

// A text that the editor takes over at once needs none of this.
if (!document.querySelector("[data-live-editor]")) {
  const article = document.querySelector<HTMLElement>(".prose");
  let remark: (() => void) | undefined;
  followText({ enhance, remark: () => remark?.() });
  if (article) enhance(article);
  remark = followReader();
  startCopyOfFolded();
  startSections();
}
startUpload();
