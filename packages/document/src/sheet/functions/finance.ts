import { finiteOrError, numbersIn, toNumber } from "../coerce.ts";
import { given } from "../given.ts";
import { errorOf } from "../value.ts";
import { demand, each, type Functions, numeric, whole } from "./define.ts";

/** The value of one unit after `periods`, and the sum of one payment per period. */
function growth(rate: number, periods: number, isEarly: boolean): readonly [value: number, payments: number] {
  const value = (1 + rate) ** periods;
  return [value, (rate === 0 ? periods : (value - 1) / rate) * (isEarly ? 1 + rate : 1)];
}

const futureValue = (rate: number, periods: number, payment: number, present = 0, type = 0): number => {
  const [value, payments] = growth(rate, periods, type !== 0);
  return -(present * value + payment * payments);
};

const presentValue = (rate: number, periods: number, payment: number, future = 0, type = 0): number => {
  const [value, payments] = growth(rate, periods, type !== 0);
  return -(future + payment * payments) / value;
};

const payment = (rate: number, periods: number, present: number, future = 0, type = 0): number => {
  const [value, payments] = growth(rate, periods, type !== 0);
  return -(present * value + future) / payments;
};

function periods(rate: number, pay: number, present: number, future = 0, type = 0): number {
  if (rate === 0) return -(present + future) / pay;
  const each = pay * (type !== 0 ? 1 + rate : 1);
  return Math.log((each - future * rate) / (present * rate + each)) / Math.log(1 + rate);
}

const netPresent = (rate: number, flows: readonly number[]): number =>
  flows.reduce((sum, flow, i) => sum + flow / (1 + rate) ** (i + 1), 0);

/** The cost of one Newton step per payment: three powers. */
const STEPS_OF_POWERS = 3;

/** Finds a root with Newton's method, from a guess. */
function root(value: (at: number) => number, guess: number, spendOnStep: () => void): number {
  let at = guess;
  for (let i = 0; i < 100; i++) {
    spendOnStep();
    const now = value(at);
    const step = 1e-7;
    const slope = (value(at + step) - value(at - step)) / (2 * step);
    const next = at - now / slope;
    if (!Number.isFinite(next)) break;
    if (Math.abs(next - at) < 1e-11) return next;
    at = Math.max(next, -0.999999);
  }
  throw errorOf("#NUM!");
}

export const financeFunctions: Functions = {
  FV: numeric(3, 5, futureValue),
  PV: numeric(3, 5, presentValue),
  PMT: numeric(3, 5, payment),
  NPER: numeric(3, 5, periods),
  RATE: each(3, 6, (args, { spend }) => {
    const [count = 0, pay = 0, present = 0, future = 0, type = 0, guess = 0.1] = args.map((arg) => toNumber(arg));
    return root(
      (rate) => futureValue(rate, count, pay, present, type) - future,
      guess,
      () => spend(STEPS_OF_POWERS),
    );
  }),
  NPV: whole(2, "many", ([rate, ...flows], { spend }) => {
    const all = numbersIn(flows);
    spend(all.length);
    return finiteOrError(netPresent(toNumber(given(rate)), all));
  }),
  IRR: whole(1, 2, ([flows, guess = 0.1], { spend }) => {
    const all = numbersIn([given(flows)]);
    demand(all.some((flow) => flow > 0) && all.some((flow) => flow < 0));
    return root(
      (rate) => netPresent(rate, all),
      toNumber(guess),
      () => spend(all.length * STEPS_OF_POWERS),
    );
  }),
  SLN: numeric(3, 3, (cost, salvage, life) => (cost - salvage) / life),
};
