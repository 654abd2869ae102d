/** Accounts: the tenants of the service. */
import type { Family } from "../family";
import { dataSources } from "./data-sources";
import { resource } from "./resource";

export const family: Family = { resource, dataSources };
