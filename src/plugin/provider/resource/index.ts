/** A managed resource: one of the families' resources, as Terraform leads it through its life. */
import type { Resource } from "../../../resources";
import type { ResourceDefinition } from "../../runtime";
import { checked } from "../configuration";
import { toTerraform } from "../findings";
import { schemaOf } from "../schema";
import type { Service } from "../service";
import { importObject, recordIdentity } from "./import";
import { planDelete, planObject } from "./plan";
import { readObject } from "./read";
import { createObject, deleteObject, updateObject } from "./write";

/** A resource, and the service that it lives at. */
export interface Bound {
  readonly resource: Resource;
  readonly service: Service;
}

export function bindResource(resource: Resource, service: Service): ResourceDefinition {
  const bound: Bound = { resource, service };
  return {
    get schema() {
      return schemaOf(resource.description);
    },
    // A token has none: it cannot be imported, and a rotation gives it another serial.
    ...(resource.import !== undefined && { identity: recordIdentity }),
    validate: (raw) => {
      service.written.note(bound, raw);
      return { diagnostics: toTerraform(checked(resource, raw).diagnostics) };
    },
    plan: (request) => planObject(bound, request),
    planDelete: ({ prior }) => planDelete(bound, prior),
    read: (request) => readObject(bound, request),
    create: (request, call) => createObject(bound, request, call),
    update: (request, call) => updateObject(bound, request, call),
    delete: ({ prior }) => deleteObject(bound, prior),
    import: (id) => importObject(bound, id),
  };
}
