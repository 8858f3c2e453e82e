import { renderBody } from "@svc/document/html/render";
import { parseMarkdown } from "@svc/document/markdown/parse";
import { type Html, trusted } from "@svc/web/shared/html";
import { liftStyles, StyleRules } from "./lift-styles.ts";
import { forPage } from "./render-blocks.ts";
import { showPictures } from "./shown-pictures.ts";

/** A short Markdown text beside a page, for example a summary, without colours and widths. */
export const markdownHtml = (text: string): Html =>
  trusted(liftStyles(showPictures(forPage(renderBody(parseMarkdown(text))), undefined), new StyleRules()));
