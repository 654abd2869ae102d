/** Our provider's functions, as expressions call them. */
import { ExpressionFailed, TenancyError } from "../errors";
import { collectionOf, define, parameters, type FunctionDefinition } from "../expressions";
import { permissionsPreset } from "../resources/presets";

const PRESET = "provider::tenancy::permissions_preset";

export const PROVIDER_FUNCTIONS: ReadonlyMap<string, FunctionDefinition> = new Map([
  [
    PRESET,
    define(
      PRESET,
      [parameters.text("name"), parameters.rest(parameters.value("overrides"))],
      ([name, overrides]) => {
        try {
          return collectionOf("bool", { ...permissionsPreset(name, ...overrides) });
        } catch (error) {
          if (!(error instanceof TenancyError)) throw error;
          throw new ExpressionFailed(error.message, {
            ...(error.advice !== undefined && { advice: error.advice }),
          });
        }
      },
    ),
  ],
]);
