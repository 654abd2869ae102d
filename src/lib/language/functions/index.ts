/** Collects the functions of the language, by name. */
import type { ExpressionFunction } from "../scope";
import { collectionFunctions } from "./collections";
import { dateFunctions } from "./dates";
import { encodingFunctions } from "./encoding";
import { fileFunctions } from "./files";
import { formatFunctions } from "./format";
import { networkFunctions } from "./network";
import { numberFunctions } from "./numbers";
import { regularExpressionFunctions } from "./regular-expressions";
import { setFunctions } from "./sets";
import { stringFunctions } from "./strings";
import { valueFunctions } from "./values";
import { yamlFunctions } from "./yaml";

export * as parameters from "./parameters";
export { define } from "./define";

export const FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map(
  [
    ...numberFunctions,
    ...stringFunctions,
    ...regularExpressionFunctions,
    ...formatFunctions,
    ...collectionFunctions,
    ...setFunctions,
    ...encodingFunctions,
    ...yamlFunctions,
    ...dateFunctions,
    ...networkFunctions,
    ...fileFunctions,
    ...valueFunctions,
  ].map((definition) => [definition.name, definition]),
);
