/** The resource families: what can be declared, and how it lives at the service. Engine-neutral. */
import type { Listers } from "./directory";
import type { DataSource, EphemeralResource, Resource } from "./family";
import { families } from "./registry";

export * from "./directory";
export * from "./family";
export * from "./self-change";
export * from "./strangers";
export { ALL_RIGHTS, DEFAULT_RIGHTS, RIGHT_GROUPS, RIGHTS, type Right, type RightGroup } from "./rights";
export { families };

/** Resources by their type, `tenancy_account`. */
export const resources: ReadonlyMap<string, Resource> = byType(
  families.flatMap(({ resource }) => resource ?? []),
);

/** How the families read their lists; asked whenever a service is opened. */
export function listersOfFamilies(): Listers {
  return new Map(
    [...resources.values()].flatMap(({ description, inventory }) =>
      inventory?.list === undefined ? [] : [[description.name, inventory.list] as const],
    ),
  );
}

/** Data sources by their type. */
export const dataSources: ReadonlyMap<string, DataSource> = byType(
  families.flatMap(({ dataSources: sources = [] }) => sources),
);

/** Ephemeral resources by their type. */
export const ephemeralResources: ReadonlyMap<string, EphemeralResource> = byType(
  families.flatMap(({ ephemeral }) => ephemeral ?? []),
);

function byType<T extends { readonly description: { readonly type: string } }>(
  all: readonly T[],
): ReadonlyMap<string, T> {
  return new Map(all.map((one) => [one.description.type, one]));
}
