/** Permission parameters (spec 2.4). */
import { type Group, type Right, RIGHTS } from "../permissions";
import { boolean, object, type Parameter, strings } from "./parameter";

export const permissionParameters = object({
  realm: object({ rights: rights("realm") }),
  node: object({ all_realm_scope: boolean(), nodes: strings(), rights: rights("node") }),
  vss: object({ all_account_scope: boolean(), vsses: strings(), rights: rights("vss") }),
  user: object({ rights: rights("user") }),
  account: object({ rights: rights("account") }),
});

function rights<G extends Group>(group: G): Parameter<{ readonly [R in Right<G>]?: boolean }> {
  return object(Object.fromEntries(RIGHTS[group].map((right) => [right, boolean()])));
}
