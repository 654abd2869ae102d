/** Authorizations: persistent API tokens. */
import type { Family } from "../family";
import { resource } from "./resource";

export const family: Family = { resource };
