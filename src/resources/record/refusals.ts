/** A refusal of the service, told at the attributes that it is about (design: Talking to the service). */
import { ValidationRefused, type RefusedField } from "../../errors";
import { attributeOfMember, type Attributes } from "../../schema";

/**
 * Runs a write; what the service says of a member of the body becomes a finding at the attribute that the member came from.
 * @throws ValidationRefused with paths of attributes
 */
export async function atAttributes<T>(attributes: Attributes, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ValidationRefused)) throw error;
    throw new ValidationRefused(
      error.request,
      error.fields.map((field) => translated(attributes, field)),
    );
  }
}

function translated(attributes: Attributes, field: RefusedField): RefusedField {
  const path = attributeOfMember(attributes, field.path);
  if (path !== undefined || field.path.length === 0) return { ...field, path: path ?? [] };
  return { ...field, path: [], message: `${field.path.join(".")}: ${field.message}` };
}
