import { defined } from "@svc/document/defined";
import pg from "pg";
import { asBuffer } from "../as-buffer.ts";

/** int8 as a number: our integers are times, counts and ids below 2^53. */
const INT8 = 20;
pg.types.setTypeParser(INT8, Number);
/** Types whose text is the value. */
const TEXTS = new Set([25, 1043]);

/** What a statement answers. */
export interface Answer {
  readonly rows: unknown[];
  /** What it did, in PostgreSQL's words: `UPDATE 3`. */
  readonly done: string;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** What PostgreSQL is to know it by, so that it is planned once for each connection. */
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

/** The statements that a connection has prepared, and how their rows are made: null for those that give none. */
export type PreparedStatements = Map<string, RowOf | null | undefined>;

/** One literal for all rows of a statement gives them one shape. */
function rowMaker(columns: readonly Column[]): RowOf {
  const parsers = columns.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, "text"));
  const members = columns.map(({ name, dataTypeID }, i) => {
    const value = TEXTS.has(dataTypeID) ? `fields[${i}]` : `fields[${i}] === null ? null : parsers[${i}](fields[${i}])`;
    return `${JSON.stringify(name)}: ${value}`;
  });
  const make = new Function("parsers", "fields", `return { ${members.join(", ")} }`);
  return (fields) => make(parsers, fields);
}

/** What is used of the driver's connection: its types ask for more than it takes. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { readonly name: string | undefined; readonly text: string }): void;
  bind(message: object): void;
  describe(message: { readonly type: "P"; readonly name: "" }): void;
  execute(message: object): void;
  sync(): void;
}

/**
 * Statements that are sent in one piece and answered in one: there and back once for all of them. Those after one that
 * fails are not run, a commit among them. `answered` gets a failure, and returns what the others get. The driver calls the methods that begin with `handle`.
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
      // What its rows look like is asked once for each connection.
      if (name === undefined || this.#known.get(name) === undefined) connection.describe({ type: "P", name: "" });
      connection.execute({});
    }
    connection.sync();
    connection.stream.uncork();
  }

  /** To be called when PostgreSQL says that a statement is prepared. */
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

/** Values as the protocol takes them: bytes, or text. */
function valueMapper(value: unknown): Buffer | string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return asBuffer(value);
  if (Array.isArray(value)) return `{${value.map(quoted).join(",")}}`;
  return String(value);
}

const quoted = (item: unknown): string => `"${String(item).replace(/["\\]/g, "\\$&")}"`;
