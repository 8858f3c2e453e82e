import { finiteOrError, numbersIn, toNumber } from "../coerce.ts";
import { given } from "../given.ts";
import { errorOf } from "../value.ts";
import { demand, type Functions, numeric, whole } from "./define.ts";

/** What a unit is worth after `periods`, and what a payment of one each period adds up to. */
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

/** Where a function is 0: Newton's steps, from a guess. */
function root(value: (at: number) => number, guess: number): number {
  let at = guess;
  for (let i = 0; i < 100; i++) {
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
  RATE: numeric(3, 6, (count, pay, present, future = 0, type = 0, guess = 0.1) =>
    root((rate) => futureValue(rate, count, pay, present, type) - future, guess),
  ),
  NPV: whole(2, "many", ([rate, ...flows]) => finiteOrError(netPresent(toNumber(given(rate)), numbersIn(flows)))),
  IRR: whole(1, 2, ([flows, guess = 0.1]) => {
    const all = numbersIn([given(flows)]);
    demand(all.some((flow) => flow > 0) && all.some((flow) => flow < 0));
    return root((rate) => netPresent(rate, all), toNumber(guess));
  }),
  SLN: numeric(3, 3, (cost, salvage, life) => (cost - salvage) / life),
};
