import { compare } from "@svc/document/sheet/compare";
import { given } from "@svc/document/sheet/given";
import { type Scalar, SheetError } from "@svc/document/sheet/value";

/** The order in which rows stand when they are sorted by a value: empty ones last, equal ones as they were. */
export function sortedOrder(values: readonly Scalar[], isFalling: boolean): number[] {
  const order = values.map((_, index) => index);
  return order.sort((a, b) => {
    const [x, y] = [given(values[a]), given(values[b])];
    const missing = rankOf(x) - rankOf(y);
    if (missing !== 0) return missing;
    const by = compare(x, y);
    return (isFalling ? -by : by) || a - b;
  });
}

const rankOf = (value: Scalar): number => (value === null || value === "" ? 2 : value instanceof SheetError ? 1 : 0);
