import type { Client } from "@svc/sdk";
import type * as z from "zod";
import { outputSchemaOf, schemaOf } from "./schema-of.ts";
import type { Session } from "./session.ts";
import { DEFAULT_SETS, type ToolSet } from "./tool-sets.ts";

/** A tool's answer: Markdown for the model; `data` if the tool has an `output`, which is then the whole answer. */
export interface Outcome {
  readonly text: string;
  readonly data?: Record<string, unknown>;
  /** A picture to look at, in base64. */
  readonly image?: { readonly data: string; readonly mimeType: string };
}

interface Description {
  readonly name: string;
  readonly title: string;
  readonly set: ToolSet;
  /** Arguments that are taken but not shown: few need them. */
  readonly hidden?: readonly string[];
  readonly description: string;
  /** All are needed; without them the tool is not shown. */
  readonly scopes: readonly string[];
  /** For a token with `documents:suggest` alone it makes a suggestion instead of writing, and so is shown to it too. */
  readonly suggestible?: boolean;
  /** Talks about documents and changes none: `documents:suggest` does for `documents:write`, and viewers may. */
  readonly discusses?: boolean;
  /** Changes nothing. */
  readonly readOnly: boolean;
  /** May take something away that was there. */
  readonly destructive?: boolean;
  /** Done twice it does no more than done once. */
  readonly idempotent?: boolean;
}

export interface Tool extends Description {
  readonly input: z.ZodObject;
  /** The shape of `data`. */
  readonly output?: z.ZodObject;
  readonly run: (client: Client, args: never, session: Session) => Promise<Outcome>;
}

const tool =
  (readOnly: boolean) =>
  <S extends z.ZodObject>(
    given: Omit<Description, "readOnly"> & {
      readonly input: S;
      readonly output?: z.ZodObject;
      readonly run: (client: Client, args: z.output<S>, session: Session) => Promise<Outcome>;
    },
  ): Tool =>
    ({ ...given, readOnly }) as Tool;

export const readingTool = tool(true);
export const writingTool = tool(false);

/** Whether this token's bearer can use the tool at all. */
export const isOpenTo = (given: Tool, { scopes, mayWrite }: Session): boolean => {
  const maySuggest = scopes.includes("documents:suggest");
  const talks = given.discusses || (given.suggestible && maySuggest && !scopes.includes("documents:write"));
  const isGiven = (scope: string) => scopes.includes(scope) || (talks && maySuggest && scope === "documents:write");
  return given.scopes.every(isGiven) && (given.readOnly || talks || mayWrite);
};

interface Schemas {
  readonly inputSchema: { type: "object" };
  readonly outputSchema?: { type: "object" };
}

const schemasOf = ({ input, hidden, output }: Tool): Schemas => ({
  inputSchema: schemaOf(input, hidden),
  ...(output && { outputSchema: outputSchemaOf(output) }),
});

const schemas = new WeakMap<Tool, ReturnType<typeof schemasOf>>();

/** The tool as `tools/list` shows it; its schemas are made once. */
export function describeTool(given: Tool) {
  const made = schemas.get(given) ?? schemasOf(given);
  schemas.set(given, made);
  return { name: given.name, description: given.description, ...made, annotations: hintsOf(given) };
}

/** The names that `tools/list` shows. */
export const argumentsOf = (given: Tool): string[] => Object.keys(schemaOf(given.input, given.hidden).properties ?? {});

/** Omitted hints have the protocol's defaults. */
const hintsOf = ({ readOnly, destructive = false, idempotent }: Tool): Hints => ({
  readOnlyHint: readOnly,
  ...(!readOnly && { destructiveHint: destructive }),
  ...(!readOnly && idempotent && { idempotentHint: true }),
});

interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
}

/** Whether the tool is among those that this bearer asked to see. */
export const isShownTo = (given: Tool, session: Session): boolean =>
  isOpenTo(given, session) && (session.sets?.shown ?? DEFAULT_SETS).includes(given.set);
