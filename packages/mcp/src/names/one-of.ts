import { oneLine } from "../text.ts";
import { UsageError } from "../usage-error.ts";

/** The one thing that a name means. Several candidates, or none, are an error that lists what the name may mean, a line with its id for each. */
export function oneOf<T>(
  noun: string,
  text: string,
  found: readonly T[],
  near: readonly T[],
  lineOf: (thing: T) => string,
  next = "repeat with one of these.",
): T {
  if (found.length === 1) return found[0]!;
  const list = (things: readonly T[]) =>
    things
      .slice(0, 10)
      .map((each) => `\n- ${lineOf(each)}`)
      .join("");
  if (found.length > 1)
    throw new UsageError(
      `**ambiguous_name**: ${found.length} ${noun}s are called ${oneLine(text)}.${list(found)}`,
      "repeat with one of these ids.",
    );
  const shown = list(near);
  throw new UsageError(
    `**not_found**: no ${noun} that you can see is called ${oneLine(text)}.${shown && ` There are:${shown}`}`,
    shown ? next : "look the name up again.",
  );
}
