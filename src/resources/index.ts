/** The public module of the resource families: the objects that can be declared, and their life at the service. */
import type { Listers } from "../service";
import type { DataSource, EphemeralResource, Listing, Resource } from "./family";
import type { ObjectValue } from "../lib/values";
import { type Extent, publish, type PublishedRecord } from "./published";
import { families } from "./registry";

export { requireNoNewcomers, usersStaying } from "./account";
export {
  authorizationMembers,
  plansNewToken,
  isSealed,
  openSealed,
  readersOf,
  unprovenAbsenceOfUser,
  endedState,
  endedEarly,
  endOf,
  endOfLife,
  hasNoAccess,
  previousOf,
  retentionOf,
  revoke,
  removeTemporaryPassword,
  tokensOf,
  describeRotation,
  isRotatedByAge,
  rotationDay,
} from "./authorization";
export type {
  Container,
  DataSource,
  EphemeralResource,
  Expectation,
  Family,
  Inventory,
  IsRecorded,
  Listing,
  LiveObject,
  TokenIntent,
  Outcome,
  OwnedObject,
  Proposal,
  Resource,
  LookupResult,
  TokenKeeper,
  UpdateRequest,
} from "./family";
export { nullableNames, unsetBy } from "./common";
export { EVERYWHERE, shownScope } from "./scopes";
export {
  dayOf,
  endAttributes,
  ENDED_ACCESS,
  endNameOf,
  endedIn,
  type Ends,
  endsBefore,
  endsIn,
  endsThatCount,
  inEffect,
  pastEnds,
} from "./ends";
export {
  areRightsOpen,
  grantedIn,
  grantedRights as rightsOfRecord,
  keepsUndeclared,
  shownRights,
} from "./permissions";
export {
  type FunctionSignature,
  nearestPreset,
  permissionsPreset,
  permissionsPresetSignature,
  PRESET_NAMES,
  type PresetName,
  PRESETS,
} from "./presets";
export { type Extent, type PublishedRecord, recordOfPublished } from "./published";
export { goneWithId } from "./identity";
export {
  differenceSince,
  fillPlanned,
  idOf,
  isVersionRecorded,
  isSameVersion,
  unmanagedError,
} from "./record";
export { selfChangeOf, type Intention, isOwn, type Self } from "./self-change";
export { accountOfLogin, updatesPassword } from "./user-profile";

/** Resources by their type, `tenancy_account`. */
export const resources: ReadonlyMap<string, Resource> = byType(
  families.flatMap(({ resource }) => resource ?? []),
);

/** The address at which Terraform looks for the provider. */
export const PROVIDER_SOURCE = "tenancy/tenancy";

export const ACCOUNT_TYPE = "tenancy_account";
export const PROFILE_TYPE = "tenancy_user_profile";

/** True for the type whose objects are tokens, `tenancy_authorization`. */
export function isTokenType(type: string): boolean {
  return resources.get(type)?.kind === "token";
}

/** The families' readers of lists; asked whenever a service is opened. */
export function listersOfFamilies(): Listers {
  return new Map(
    [...resources.values()].flatMap(({ description, kind, inventory }) =>
      kind === "token" ? [] : [[description.name, inventory] as const],
    ),
  );
}

/** Ways to list objects, by their type. */
export const listings: ReadonlyMap<string, Listing> = byType(
  families.flatMap(({ resource }) => (resource?.kind === "record" ? (resource.listing ?? []) : [])),
);

/** Data sources by their type. */
export const dataSources: ReadonlyMap<string, DataSource> = byType(
  families.flatMap(({ dataSources: sources = [] }) => sources),
);

/** Takes the part of records that a snapshot may hold, by the attributes of a type's resource and data source. */
export function publisherOf(type: string): (record: ObjectValue, extent: Extent) => PublishedRecord {
  const ownAttributes = Object.entries(resources.get(type)?.description.attributes ?? {});
  const shownAttributes = Object.entries(dataSources.get(type)?.description.attributes ?? {});
  const attributes = Object.fromEntries([
    ...ownAttributes.filter(([, { of }]) => of === "self"),
    ...shownAttributes.filter(([, { presence }]) => presence === "computed"),
  ]);
  return (record, extent) => publish(attributes, record, extent);
}

/** Ephemeral resources by their type. */
export const ephemeralResources: ReadonlyMap<string, EphemeralResource> = byType(
  families.flatMap(({ ephemeral }) => ephemeral ?? []),
);

function byType<T extends { readonly description: { readonly type: string } }>(
  all: readonly T[],
): ReadonlyMap<string, T> {
  return new Map(all.map((one) => [one.description.type, one]));
}
