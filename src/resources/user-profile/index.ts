/** User profiles: the people and machines of an account. */
import type { Family } from "../family";
import { dataSources } from "./data-sources";
import { resource } from "./resource";

export const family: Family = { resource, dataSources };
