import { EXIT, type ExitCode } from "./exit-codes.ts";

interface Rest {
  /** A word for programs; a refusal of the server keeps its own. */
  readonly code?: string;
  /** The next step, as a command if there is one. */
  readonly next?: readonly string[];
  readonly details?: object;
}

/** An error of a command: one line, an exit code and the next command. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly next: readonly string[];
  readonly details: object;

  constructor(exitCode: ExitCode, message: string, { code, next = [], details = {} }: Rest = {}) {
    super(message);
    this.exitCode = exitCode;
    this.code = code ?? names.get(exitCode) ?? "failed";
    this.next = next;
    this.details = details;
  }
}

const names = new Map<ExitCode, string>([
  [EXIT.usage, "usage"],
  [EXIT.notFound, "not_found"],
  [EXIT.conflict, "conflict"],
  [EXIT.signIn, "sign_in_needed"],
  [EXIT.notAllowed, "not_allowed"],
  [EXIT.unavailable, "unavailable"],
]);

export const usage = (message: string, ...next: string[]) => new CommandError(EXIT.usage, message, { next });
export const failure = (message: string, ...next: string[]) => new CommandError(EXIT.failure, message, { next });
