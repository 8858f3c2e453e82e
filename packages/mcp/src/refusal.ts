import { ApiError, ConnectionError } from "@svc/sdk";
import type * as z from "zod";
import { short } from "./short.ts";
import { facts, lines, oneLine } from "./text.ts";

/** Next steps in terms of tools, for errors whose API hint is about HTTP. */
export const nextSteps: Readonly<Record<string, string>> = {
  version_conflict:
    "The version you sent is not the current one. Read it again (read_document), merge your change into what is there now, and repeat with its version; edit_markdown needs none.",
  precondition_required: "Read it first and repeat with the version that you read.",
  read_cursor_stale: "The document changed meanwhile. Call read_document again without a cursor.",
  search_cursor_stale: "Call search again without a cursor.",
  invalid_cursor: "Repeat the call without a cursor.",
  cursor_mismatch: "Repeat the call without a cursor, or with exactly the arguments that the cursor came from.",
  not_found: "Look the id up again with search or browse; what was deleted can be restored with organize.",
  block_not_found: 'Call read_document with view "blocks" and use an id from there.',
  heading_not_found: "Call read_document with view outline and use a heading or an id from there.",
  text_not_found: "Send old as it stands in one of the nearest places, or read the section first.",
  text_ambiguous: "Send occurrence (a number of the places, or all), a section, or a longer old.",
  edit_changes_structure:
    "Extend old and new to the text in near, or close what new leaves open (a code fence, HTML). To remove whole lines, end old with their line break.",
  unknown_anchor: "Keep only the anchor comments that read_document shows for this document; new text has none.",
  duplicate_anchor: "Keep each anchor comment once; remove it from copied text.",
  invalid_document:
    "Correct the Markdown. For an item of a list or a cell of a table use replace_text, or replace the paragraph inside of it.",
  document_too_large: "Split the text over several documents.",
  quota_exceeded: "Delete what is not needed with organize, or ask the person to have the limit raised.",
  insufficient_scope: "This token does not allow it. Tell the person which scopes are missing.",
  insufficient_role: "This person may only read here. Tell them so.",
  token_missing: "Nobody is signed in. Ask the person to run `svc login`, or to give a token.",
  token_invalid: "The token is not valid. Ask the person to run `svc login` again, or to give a new token.",
  token_expired: "The token has expired. Ask the person to run `svc login` again, or to give a new token.",
  token_revoked: "The token was revoked. Ask the person before anything else.",
  evidence_stale: "Read the document again and repeat with its current version as source_version.",
  candidate_stale: "Use change_concepts with action extract_candidates, then decide on the refreshed candidate.",
  candidate_decided: "It is decided already: get_concepts with candidates true shows how.",
  already_localized: "Use change_translations with action add_version.",
  locale_exists: "get_translations shows that version; edit its own document.",
  job_not_applicable: "get_translations with its job_id tells why; wait until it has succeeded, or start a new one.",
  attachment_referenced:
    "The text shows the file. Repeat with force true to take it out of the text too (restore brings both back), or edit the text first.",
  unknown_predicate: "Use one of the predicates that the tool's schema names.",
  model_not_configured: "Rebuild with generator deterministic, or save a summary that you wrote.",
  relation_not_manual: "It comes from a link in the text: edit that block with edit_blocks.",
};

/** Tools other than search that can find a missing resource. */
const whereToLook: Readonly<Record<string, string>> = {
  version: "Call get_history without seq: it lists the states that are kept.",
  comment: "Call get_discussion with the document; what you deleted comes back with change_comment restore.",
  suggestion: "Call get_discussion with the document, or get_suggestions.",
  concept: "Call get_concepts with a query.",
  attachment: "Call read_document with view files; what is deleted for longer than the trash keeps things is gone.",
  relation: "Call get_relations with the document.",
  translation_unit: "Call get_translations with the document and a locale.",
};

const DETAILS_SHOWN = 2000;

/** Describes an error of the service and the next step; undefined for any other error. */
export function refusalText(error: unknown): string | undefined {
  if (error instanceof ConnectionError)
    return lines(`**The service gave no answer** (${error.code}): ${error.message}`, "Next: try again in a moment.");
  if (!(error instanceof ApiError)) return undefined;
  const { hint, ...details } = error.details;
  const wait = error.retryAfterMs === undefined ? undefined : Math.ceil(error.retryAfterMs / 1000);
  const step =
    wait === undefined
      ? (lookedUp(error) ?? nextSteps[error.code] ?? hint)
      : `Wait ${wait} seconds, then repeat the call.`;
  return lines(
    `**${error.code}** (${error.status}): ${error.message}`,
    step !== undefined && `Next: ${step}`,
    Object.keys(details).length > 0 && `Details: ${short(oneLine(JSON.stringify(details), DETAILS_SHOWN))}`,
    facts({ request_id: error.requestId }),
  );
}

const lookedUp = ({ code, details }: ApiError): string | undefined =>
  code === "not_found" ? whereToLook[String(details.resource)] : undefined;

/** Lists the problems with the arguments of a call. */
export const argumentsText = (tool: string, { issues }: z.ZodError, known: readonly string[]): string =>
  lines(
    `**invalid_arguments**: the arguments of \`${tool}\` are not valid.`,
    ...issues.slice(0, 20).map(({ path, message }) => `- ${path.join(".") || "arguments"}: ${inWords(message)}`),
    issues.some(({ code }) => code === "unrecognized_keys") && `Its arguments: ${known.join(", ")}.`,
    issues.some(({ path }) => /version$/.test(String(path.at(-1))))
      ? "Next: read what it is a version of, and repeat with the version that the answer shows."
      : "Next: correct them and call again.",
  );

/** Rewords the validator's message for a missing member. */
const inWords = (message: string): string =>
  message.replace(/^Invalid input: expected (\w+), received undefined$/, "is missing; expected: $1");
