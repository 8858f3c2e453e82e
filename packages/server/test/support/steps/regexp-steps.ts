import { nativeExec, type Pattern, readPattern } from "./pattern.ts";

/** Copies of a counted repetition that are followed one by one. */
const MAX_COPIES = 64;

type Step =
  | { readonly op: "one"; readonly accepts: (letter: string) => boolean }
  | { readonly op: "fork"; first: number; second: number }
  | { readonly op: "jump"; to: number }
  | { readonly op: "open" | "close"; readonly slot: number }
  | { readonly op: "enter" | "leave"; readonly slot: number }
  | { readonly op: "back"; readonly slot: number }
  | { readonly op: "look"; readonly program: Program; readonly isNegative: boolean }
  | { readonly op: "edge"; readonly test: RegExp }
  | { readonly op: "end" };

interface Program {
  readonly steps: readonly Step[];
  readonly isUnicode: boolean;
  /** Whether it can match at the start of the text alone, so the engine tries it nowhere else. */
  readonly isAnchored: boolean;
}

const programs = new Map<string, Program>();

function programOf(expression: RegExp): Program {
  const key = String(expression);
  let program = programs.get(key);
  if (!program) {
    const pattern = readPattern(expression);
    program = compile(pattern, /[uv]/.test(expression.flags), !expression.multiline && beginsAtStart(pattern));
    programs.set(key, program);
  }
  return program;
}

const beginsAtStart = (pattern: Pattern): boolean =>
  pattern.kind === "all"
    ? pattern.parts[0] !== undefined && beginsAtStart(pattern.parts[0])
    : pattern.kind === "any"
      ? pattern.options.every(beginsAtStart)
      : pattern.kind === "group"
        ? beginsAtStart(pattern.of)
        : pattern.kind === "edge" && pattern.test.source === "^";

function compile(pattern: Pattern, isUnicode: boolean, isAnchored = false): Program {
  const steps: Step[] = [];
  let loops = 0;
  const emit = (part: Pattern): void => {
    switch (part.kind) {
      case "one":
        steps.push({ op: "one", accepts: part.accepts });
        return;
      case "all":
        part.parts.forEach(emit);
        return;
      case "any": {
        const ends: { op: "jump"; to: number }[] = [];
        part.options.forEach((option, i) => {
          const fork: Step = { op: "fork", first: steps.length + 1, second: 0 };
          const isLast = i === part.options.length - 1;
          if (!isLast) steps.push(fork);
          emit(option);
          if (isLast) return;
          const end = { op: "jump" as const, to: 0 };
          ends.push(end);
          steps.push(end);
          fork.second = steps.length;
        });
        for (const end of ends) end.to = steps.length;
        return;
      }
      case "group":
        steps.push({ op: "open", slot: part.number });
        emit(part.of);
        steps.push({ op: "close", slot: part.number });
        return;
      case "back":
        steps.push({ op: "back", slot: part.group });
        return;
      case "look":
        steps.push({ op: "look", program: compile(part.of, isUnicode), isNegative: part.isNegative });
        return;
      case "edge":
        steps.push({ op: "edge", test: part.test });
        return;
      case "repeat":
        emitRepeat(part);
    }
  };
  const emitRepeat = ({ of, min, max, isLazy }: Extract<Pattern, { kind: "repeat" }>): void => {
    for (let i = 0; i < Math.min(min, MAX_COPIES); i++) emit(of);
    if (max === Infinity) {
      const slot = loops++;
      const start = steps.length;
      const fork: Step = { op: "fork", first: 0, second: 0 };
      steps.push(fork, { op: "enter", slot });
      emit(of);
      steps.push({ op: "leave", slot }, { op: "jump", to: start });
      aim(fork, start + 1, steps.length, isLazy);
      return;
    }
    const forks: { fork: Extract<Step, { op: "fork" }>; at: number }[] = [];
    for (let i = 0; i < Math.min(max - min, MAX_COPIES); i++) {
      const fork = { op: "fork" as const, first: 0, second: 0 };
      forks.push({ fork, at: steps.length });
      steps.push(fork);
      emit(of);
    }
    for (const { fork, at } of forks) aim(fork, at + 1, steps.length, isLazy);
  };
  emit(pattern);
  steps.push({ op: "end" });
  return { steps, isUnicode, isAnchored };
}

function aim(fork: Extract<Step, { op: "fork" }>, inside: number, outside: number, isLazy: boolean): void {
  fork.first = isLazy ? outside : inside;
  fork.second = isLazy ? inside : outside;
}

/** Counts the steps of a backtracking engine, up to a limit. */
export class StepCounter {
  count = 0;
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  get isSpent(): boolean {
    return this.count > this.limit;
  }
}

/** The end of the first match from `start` on, or -1. Counts the steps that finding it takes. */
export function simulate(expression: RegExp, text: string, start: number, counter: StepCounter): number {
  const program = programOf(expression);
  const last = expression.sticky ? start : program.isAnchored ? 0 : text.length;
  let end = -1;
  for (let at = start; at <= last && end < 0 && !counter.isSpent; at++) end = run(program, text, at, counter);
  return end;
}

/** The position of an alternative, or the previous value of a slot. */
type Undo = readonly [at: number, place: number] | readonly [at: -1, table: number[], slot: number, value: number];

function run({ steps, isUnicode }: Program, text: string, start: number, counter: StepCounter): number {
  const undo: Undo[] = [];
  const [opens, closes, entries]: [number[], number[], number[]] = [[], [], []];
  const set = (table: number[], slot: number, value: number): void => {
    undo.push([-1, table, slot, table[slot] ?? -1]);
    table[slot] = value;
  };
  let [at, place] = [0, start];
  for (;;) {
    if (++counter.count > counter.limit) return -1;
    const step = steps[at++]!;
    let isGood = true;
    switch (step.op) {
      case "end":
        return place;
      case "one": {
        const letter = isUnicode ? letterAt(text, place) : text.charAt(place);
        isGood = letter !== "" && step.accepts(letter);
        place += letter.length;
        break;
      }
      case "fork":
        undo.push([step.second, place]);
        at = step.first;
        break;
      case "jump":
        at = step.to;
        break;
      case "open":
        set(opens, step.slot, place);
        break;
      case "close":
        set(closes, step.slot, place);
        break;
      case "enter":
        set(entries, step.slot, place);
        break;
      case "leave":
        isGood = entries[step.slot] !== place;
        break;
      case "back": {
        const held = text.slice(opens[step.slot] ?? 0, Math.max(closes[step.slot] ?? 0, opens[step.slot] ?? 0));
        isGood = text.startsWith(held, place);
        place += held.length;
        break;
      }
      case "look":
        isGood = run(step.program, text, place, counter) >= 0 !== step.isNegative;
        break;
      case "edge":
        step.test.lastIndex = place;
        isGood = nativeExec.call(step.test, text) !== null;
    }
    if (isGood) continue;
    for (;;) {
      const last = undo.pop();
      if (!last) return -1;
      counter.count++;
      if (last[0] >= 0) {
        [at, place] = last as readonly [number, number];
        break;
      }
      const [, table, slot, value] = last as Extract<Undo, readonly [-1, ...unknown[]]>;
      table[slot] = value;
    }
  }
}

const letterAt = (text: string, place: number): string => {
  const code = text.codePointAt(place);
  return code === undefined ? "" : String.fromCodePoint(code);
};
