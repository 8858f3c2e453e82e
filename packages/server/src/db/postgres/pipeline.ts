import { defined } from "@svc/document/defined";
import pg from "pg";
import { asBuffer } from "../as-buffer.ts";

/** int8 becomes a number: our integers are times, counts and ids below 2^53. */
const INT8 = 20;
pg.types.setTypeParser(INT8, Number);
/** Types whose text is the value. */
const TEXTS = new Set([25, 1043]);

/** The result of a statement. */
export interface Answer {
  readonly rows: unknown[];
  /** PostgreSQL's command tag, such as `UPDATE 3`. */
  readonly done: string;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** The name of the prepared statement, so that each connection plans it once. */
  readonly name: string | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

type Fields = readonly (string | null)[];
type RowOf = (fields: Fields) => unknown;
interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The statements that a connection has prepared and how to build their rows; null for those without rows. */
export type PreparedStatements = Map<string, RowOf | null | undefined>;

/** Builds all rows of a statement from one literal, so that they share one shape. */
function rowMaker(columns: readonly Column[]): RowOf {
  const parsers = columns.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, "text"));
  const members = columns.map(({ name, dataTypeID }, i) => {
    const value = TEXTS.has(dataTypeID) ? `fields[${i}]` : `fields[${i}] === null ? null : parsers[${i}](fields[${i}])`;
    return `${JSON.stringify(name)}: ${value}`;
  });
  const make = new Function("parsers", "fields", `return { ${members.join(", ")} }`);
  return (fields) => make(parsers, fields);
}

/** The parts of the driver's connection that are used here: its types ask for more than it takes. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { readonly name: string | undefined; readonly text: string }): void;
  bind(message: object): void;
  describe(message: { readonly type: "P"; readonly name: "" }): void;
  execute(message: object): void;
  sync(): void;
}

/**
 * Statements that are sent and answered in one piece, which takes one round trip. After one fails, the later ones do
 * not run, a commit included. `answered` gets the failure and returns the error for the callers. The driver calls the
 * methods that begin with `handle`.
 */
export class Message {
  readonly #statements: readonly Statement[];
  readonly #known: PreparedStatements;
  readonly #answered: (error: unknown) => unknown;
  readonly #answers: Answer[] = [];
  readonly #parsing: string[] = [];
  #rows: unknown[] = [];
  #rowOf: RowOf | undefined;

  constructor(statements: readonly Statement[], known: PreparedStatements, answered: (error: unknown) => unknown) {
    this.#statements = statements;
    this.#known = known;
    this.#answered = answered;
  }

  submit(connection: Wire): void {
    connection.stream.cork();
    for (const { name, text, values } of this.#statements) {
      if (name === undefined || !(this.#known.has(name) || this.#parsing.includes(name))) {
        connection.parse({ name, text });
        this.#parsing.push(name ?? "");
      }
      connection.bind({ statement: name, values, valueMapper });
      // Each connection asks only once for the columns of a statement.
      if (name === undefined || this.#known.get(name) === undefined) connection.describe({ type: "P", name: "" });
      connection.execute({});
    }
    connection.sync();
    connection.stream.uncork();
  }

  /** Called when PostgreSQL has prepared a statement. */
  handleParseComplete(): void {
    const name = this.#parsing.shift();
    if (name) this.#known.set(name, undefined);
  }

  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    this.#rowOf = rowMaker(fields);
    const { name } = this.#current;
    if (name !== undefined) this.#known.set(name, this.#rowOf);
  }

  handleDataRow({ fields }: { readonly fields: Fields }): void {
    this.#rowOf ??= defined(this.#known.get(defined(this.#current.name)));
    this.#rows.push(this.#rowOf(fields));
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const { name } = this.#current;
    if (name !== undefined && this.#known.get(name) === undefined) this.#known.set(name, null);
    this.#answers.push({ rows: this.#rows, done: text });
    this.#rows = [];
    this.#rowOf = undefined;
  }

  handleReadyForQuery(): void {
    this.#settle(undefined);
  }

  handleError(error: unknown): void {
    this.#settle(error);
  }

  get #current(): Statement {
    return defined(this.#statements[this.#answers.length]);
  }

  #settle(error: unknown): void {
    const failure = this.#answered(error);
    this.#statements.forEach(({ resolve, reject }, i) => {
      const answer = this.#answers[i];
      if (answer) resolve(answer);
      else reject(failure);
    });
  }
}

/** Converts a value for the protocol, which takes bytes or text. */
function valueMapper(value: unknown): Buffer | string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return asBuffer(value);
  if (Array.isArray(value)) return `{${value.map(quoted).join(",")}}`;
  return String(value);
}

const quoted = (item: unknown): string => `"${String(item).replace(/["\\]/g, "\\$&")}"`;
