/** Answers imports, by id or by identity: the few values that stay the same for an object's whole life. */
import { isObject, type ObjectValue, type TerraformType } from "../../values";
import type { Draft, Messages } from "../generated/tfplugin6";
import { typeMessage } from "../messages";
import type { Diagnostic, Identity, ImportedObject } from "../provider";
import { decodeMessage, encode, encodeObject, encodePrivate, hasErrors, resourceFor, rpc } from "./rpc";

export const importResourceState = rpc({
  name: "ImportResourceState",
  definition: resourceFor,

  async handle({ request, definition, call }) {
    const { typeName } = request;
    const { schema, identity } = definition;
    if (definition.import === undefined)
      return { diagnostics: [errorDiagnostic(`${typeName} cannot be imported`)] };
    const writtenIdentity = identity && decodeIdentity(identity, request.identity);
    const id =
      identity === undefined || writtenIdentity === undefined ? request.id : identity.idFor(writtenIdentity);
    const result = await definition.import(id, call);
    const { imported: objects = [], diagnostics = [] } = result;
    const isNothing = objects.length === 0 && !hasErrors(diagnostics);
    return {
      importedResources: objects.map(({ state, private: privateState = {} }) => ({
        typeName,
        state: encodeObject(state, schema, { unknowns: false, lacking: "null" }),
        private: encodePrivate(privateState),
        identity: identityMessage(identity, state),
      })),
      diagnostics: [
        ...diagnostics,
        ...(isNothing ? [errorDiagnostic(`There is no ${typeName} "${id}" to import`)] : []),
        ...(identity === undefined || writtenIdentity === undefined
          ? []
          : contradictions(identity, writtenIdentity, objects)),
      ],
    };
  },
});

function errorDiagnostic(summary: string, detail = ""): Diagnostic {
  return { severity: "error", summary, detail };
}

/** The found object must have every value of the identity that the user wrote. */
function contradictions(
  identity: Identity,
  writtenIdentity: ObjectValue,
  objects: readonly ImportedObject[],
): readonly Diagnostic[] {
  return objects.flatMap(({ state }) => {
    const actual = identity.of(state);
    return Object.keys(writtenIdentity)
      .filter((name) => (writtenIdentity[name] ?? null) !== null && writtenIdentity[name] !== actual[name])
      .map((name) =>
        errorDiagnostic(
          "The identity is not that of one object",
          `The object that was found has ${name} ${JSON.stringify(actual[name])}, and the identity says ` +
            `${JSON.stringify(writtenIdentity[name])}. Leave ${name} out, or correct it.`,
        ),
      );
  });
}

type IdentityData = Messages["ResourceIdentityData"];

// Identities on their way. They have kept their form so far: stored ones are never upgraded.

export function identitySchemaMessage({ attributes }: Identity): Draft<Messages["ResourceIdentitySchema"]> {
  return {
    identityAttributes: Object.entries(attributes).map(([name, { type, description }]) => ({
      name,
      type: typeMessage(type),
      optionalForImport: true,
      description,
    })),
  };
}

/** The identity of an object, as the protocol sends it; nothing if there is no object, or its type has none. */
export function identityMessage(
  identity: Identity | undefined,
  state: ObjectValue | null | undefined,
): Draft<IdentityData> | undefined {
  if (identity === undefined || state === null || state === undefined) return undefined;
  return encodeIdentity(identity, identity.of(state));
}

export function encodeIdentity(identity: Identity, value: ObjectValue): Draft<IdentityData> {
  return { identityData: encode(value, typeOfIdentity(identity), { unknowns: false }) };
}

/** Undefined if the message holds none. */
export function decodeIdentity(identity: Identity, message: IdentityData | null): ObjectValue | undefined {
  const value = decodeMessage(message?.identityData ?? null, typeOfIdentity(identity));
  return isObject(value) ? value : undefined;
}

function typeOfIdentity({ attributes }: Identity): TerraformType {
  return ["object", Object.fromEntries(Object.entries(attributes).map(([name, { type }]) => [name, type]))];
}
