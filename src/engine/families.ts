/** Looks up the families by type, and offers the provider's functions. */
import type { RememberedObject } from "../state";
import { define, type ExpressionFunction, parameters } from "../lib/language";
import { expressionFailed, TenancyError } from "../problems";
import {
  type DataSource,
  dataSources,
  type EphemeralResource,
  ephemeralResources,
  type Inventory,
  permissionsPreset,
  type Resource,
  resources,
} from "../resources";
import { allAttributes, type Records } from "../schema";
import { collectionOf, textOf, UNKNOWN_TEXT } from "../lib/values";

/** The families by type, for types that the stack reader has let pass. */
export function resourceOf(type: string): Resource {
  return known(resources.get(type), type);
}

/** A family whose objects are in the service's lists. */
export interface ListedFamily {
  readonly resource: Resource;
  readonly inventory: Inventory;
}

/** All families, ordered so that contained objects come after their containers. */
export function listedFamilies(): readonly ListedFamily[] {
  return [...resources.values()]
    .flatMap((resource) => (resource.kind === "token" ? [] : [{ resource, inventory: resource.inventory }]))
    .sort((a, b) => depthOf(a.resource) - depthOf(b.resource));
}

/**
 * The depth of a family: how many other objects its objects live in, by the references of their attributes. Tokens are deepest, since they live in a user.
 */
export function depthOf({ description, kind }: Resource): number {
  if (kind === "token") return Infinity;
  const outer = allAttributes(description.attributes).flatMap(
    ({ attribute: { refersTo } }) => resources.get(`tenancy_${refersTo}`) ?? [],
  );
  return Math.max(0, ...outer.map((resource) => depthOf(resource) + 1));
}

/** The family that the state knows, because the service lists no tokens. */
export function tokenFamily(): Resource {
  return resourceOf("tenancy_authorization");
}

// Keys under which the state remembers objects: the name of the family, and the natural key: `user_profile:jane@acme`.

export function objectKeyOf({ description }: Resource, key: string): string {
  return `${description.name}:${key}`;
}

/** The key and uuid by which the state knows a live record again. */
export function rememberedRecord(resource: Resource, key: string, { self }: Records): RememberedObject {
  return { key: objectKeyOf(resource, key), uuid: textOf(self["uuid"]) ?? "" };
}

/** The family and the natural key that such a key is made of. */
export function partsOfObjectKey(objectKey: string): { readonly resource: Resource; readonly key: string } {
  const colon = objectKey.indexOf(":");
  return { resource: resourceOf(`tenancy_${objectKey.slice(0, colon)}`), key: objectKey.slice(colon + 1) };
}

export function dataSourceOf(type: string): DataSource {
  return known(dataSources.get(type), type);
}

export function ephemeralOf(type: string): EphemeralResource {
  return known(ephemeralResources.get(type), type);
}

function known<T>(family: T | undefined, type: string): T {
  if (family === undefined) throw new TypeError(`${type} passed the stack reader and is unknown`);
  return family;
}

// The provider's functions, as expressions call them.

const PRESET = "provider::tenancy::permissions_preset";

export const PROVIDER_FUNCTIONS: ReadonlyMap<string, ExpressionFunction> = new Map([
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
          throw expressionFailed.error(error.message, {
            ...(error.advice !== undefined && { advice: error.advice }),
          });
        }
      },
    ),
  ],
]);

// Natural keys that are partly known only after apply.

/** A pattern of the keys that an object can turn out to have. */
export function keyPattern(key: string): RegExp {
  const parts = key.split(UNKNOWN_TEXT).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}
