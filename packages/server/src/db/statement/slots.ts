/** A placeholder in a compiled query for a value that is given when the query runs. */
export abstract class Slot {
  /** `part` is the part of the list that the query runs with. */
  abstract read(values: Readonly<Record<string, unknown>>, part: readonly unknown[]): unknown;
}

/** A value by its name. */
export class ValueSlot extends Slot {
  readonly #name: string;

  constructor(name: string) {
    super();
    this.#name = name;
  }

  read(values: Readonly<Record<string, unknown>>): unknown {
    return values[this.#name];
  }
}

/** An item of the list. */
class ItemSlot extends Slot {
  readonly #index: number;

  constructor(index: number) {
    super();
    this.#index = index;
  }

  read(_: unknown, part: readonly unknown[]): unknown {
    return part[this.#index];
  }
}

/** A field of an item of the list. */
class FieldSlot extends Slot {
  readonly #index: number;
  readonly #field: string;

  constructor(index: number, field: string) {
    super();
    this.#index = index;
    this.#field = field;
  }

  read(_: unknown, part: readonly unknown[]): unknown {
    return (part[this.#index] as Readonly<Record<string, unknown>>)[this.#field];
  }
}

/** The placeholders for a list of this length: of items with these fields, or of plain values. */
export const listSlots = (length: number, fields: readonly string[] | undefined): unknown[] =>
  Array.from({ length }, (_, index) =>
    fields ? Object.fromEntries(fields.map((field) => [field, new FieldSlot(index, field)])) : new ItemSlot(index),
  );
