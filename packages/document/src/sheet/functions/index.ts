import { criteriaFunctions } from "./criteria.ts";
import { dateFunctions } from "./date-functions.ts";
import type { SheetFunction } from "./define.ts";
import { financeFunctions } from "./finance.ts";
import { logicFunctions } from "./logic.ts";
import { lookupFunctions } from "./lookup.ts";
import { mathFunctions } from "./math.ts";
import { statisticsFunctions } from "./statistics.ts";
import { textFunctions } from "./text.ts";

/** Every function but those that leave arguments alone (`lazy` in ../evaluate.ts). */
export const functions: ReadonlyMap<string, SheetFunction> = new Map(
  [
    mathFunctions,
    statisticsFunctions,
    criteriaFunctions,
    textFunctions,
    logicFunctions,
    dateFunctions,
    lookupFunctions,
    financeFunctions,
  ].flatMap((part) => Object.entries(part)),
);
