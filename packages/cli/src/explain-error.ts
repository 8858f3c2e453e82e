import { dirname } from "node:path";
import { isRecord } from "@svc/document/guards";
import { codeOf, messageOf as thrownMessage } from "@svc/document/thrown";
import { ApiError, ConnectionError, JobError } from "@svc/sdk";
import { CommanderError } from "commander";
import { CommandError, usage } from "./command-error.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

/** Converts any failure to an error that a person or a program can act on. */
export function explainError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof CommanderError) return usage(error.message.replace(/^error: /, ""), "add --help");
  if (error instanceof ApiError) return fromApi(error);
  if (error instanceof ConnectionError)
    return new CommandError(EXIT.unavailable, error.message, {
      code: error.code,
      next: ["see that the server runs and that its address is right: svc profiles"],
    });
  if (error instanceof JobError)
    return new CommandError(EXIT.failure, error.message, { code: error.code, next: nextByCode[error.code] ?? [] });
  const isFile = error instanceof Error && codeOf(error) in { ...fileErrors, ...diskErrors };
  return new CommandError(EXIT.failure, isFile ? ofFile(error) : thrownMessage(error) || String(error));
}

const exitCodes: Readonly<Record<number, ExitCode>> = {
  401: EXIT.signIn,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  409: EXIT.conflict,
  428: EXIT.conflict,
  429: EXIT.unavailable,
  500: EXIT.unavailable,
  503: EXIT.unavailable,
};

function fromApi(error: ApiError): CommandError {
  const { status, code, details, requestId } = error;
  return new CommandError(exitCodes[status] ?? EXIT.failure, messageOf(error), {
    code,
    next: nextOf(error),
    details: { ...details, status, request_id: requestId },
  });
}

const recordsIn = (list: unknown): Record<string, unknown>[] => (Array.isArray(list) ? list.filter(isRecord) : []);

/** The server's message, which names the first problem, or a list if there are several problems. */
function messageOf({ message, details, code }: ApiError): string {
  if (code === "not_found" && typeof details.resource === "string" && details.id !== undefined)
    return `There is no ${details.resource.replaceAll("_", " ")} ${details.id} that you can see.`;
  const issues = recordsIn(details.issues);
  const places = recordsIn([details.places, details.nearest].find(Array.isArray));
  if (places.length > 0)
    return [message, ...places.map(({ occurrence, text }) => `  ${occurrence ?? "near"}: ${text}`)].join("\n");
  return [message, ...issues.slice(1).map((issue) => `${issue.path ?? ""} ${issue.message ?? ""}`.trim())].join(" ");
}

const nextByCode: Readonly<Record<string, readonly string[]>> = {
  token_missing: ["svc login"],
  token_invalid: ["svc login"],
  token_expired: ["svc login"],
  token_revoked: ["svc login"],
  version_conflict: ["svc edit merges with the current text; svc cat --json shows its version"],
  not_found: ["svc ls", "svc whoami"],
  provider_not_configured: ["svc translate --no-machine makes the version without translating it"],
  heading_not_found: ["svc cat --outline <document>"],
  text_not_found: ["svc cat <document> shows the Markdown as it has to be named"],
  text_ambiguous: ["add --occurrence <number> or --all, --section <text>, or name more of the text"],
  edit_changes_structure: ["name more of the text, or end <old> with its line break to remove whole lines"],
  invalid_request: ["add --help for what the command takes"],
  insufficient_scope: ["svc whoami", "svc login"],
  insufficient_role: ["svc whoami"],
  quota_exceeded: ["svc whoami --quota"],
  translation_quota_exceeded: ["svc whoami --quota"],
};

/** The command that lists each kind of item, for errors about a missing one. */
const listOf: Readonly<Record<string, string>> = {
  version: "svc history <document>",
  comment: "svc comments <document>",
  suggestion: "svc suggestions",
  attachment: "svc attachments <document>",
  trash: "svc trash",
  concept: "svc concepts <kb>",
  concept_candidate: "svc concepts candidates <kb>",
  group: "svc groups",
  notification: "svc notifications --all",
};

function nextOf({ code, hint, details }: ApiError): readonly string[] {
  const list = code === "not_found" ? listOf[String(details.resource)] : undefined;
  if (list) return [list];
  if (code.startsWith("token_") && process.env.SVC_TOKEN)
    return ["SVC_TOKEN holds the token: set another one there, or unset it and svc login"];
  return nextByCode[code] ?? (hint ? [hint] : []);
}

const diskErrors: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full.",
  EDQUOT: "The disk quota is used up.",
};

const fileErrors: Readonly<Record<string, string>> = {
  ENOENT: "is not there",
  EACCES: "may not be opened",
  EPERM: "may not be changed",
  EISDIR: "is a folder",
  ENOTDIR: "is not a folder",
  EEXIST: "is there already",
  EROFS: "cannot be written to",
};

/** The name of a temporary file, which error messages replace by the name of the final file. */
const DRAFT = /\.(?:part-\d+|\d+\.part)$/;

function ofFile({ path = "The file", code }: NodeJS.ErrnoException): string {
  const full = diskErrors[code ?? ""];
  if (full) return full;
  const shown = !DRAFT.test(path) ? path : code === "ENOENT" ? dirname(path) : path.replace(DRAFT, "");
  return `${shown} ${fileErrors[code ?? ""] ?? code}.`;
}
