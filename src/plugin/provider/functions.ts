/** The provider's functions. */
import { TenancyError } from "../../errors";
import { permissionsPreset, permissionsPresetSignature as signature } from "../../resources/presets";
import { isUnknown, UNKNOWN, type Value } from "../../values";
import { FunctionFailure, type FunctionDefinition } from "../runtime";

export const functions: Readonly<Record<string, FunctionDefinition>> = {
  [signature.name]: {
    summary: signature.summary,
    description: signature.description,
    parameters: signature.parameters,
    // A right that is not known yet leaves the others known.
    variadic: { ...signature.variadicParameter, allowUnknown: true, allowNull: true },
    returns: signature.returnType,
    call: (name, ...overrides) => preset(name as string, overrides),
  },
};

function preset(name: string, overrides: readonly Value[]): Value {
  if (overrides.some(isUnknown)) return UNKNOWN;
  try {
    return permissionsPreset(name, ...overrides);
  } catch (error) {
    if (!(error instanceof TenancyError)) throw error;
    const [argument] = error.where.attribute ?? [];
    throw new FunctionFailure(clauseOf(error), typeof argument === "number" ? argument : undefined);
  }
}

/** Terraform makes a sentence of it, with a full stop of its own. */
function clauseOf({ message, advice }: TenancyError): string {
  return advice === undefined ? message : `${message} (${advice.replace(/\.$/, "")})`;
}
