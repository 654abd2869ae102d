import type { Resource } from "../family";
import { checkToken, foreseeMinting } from "./check";
import { createToken } from "./create";
import { deleteToken } from "./delete";
import { authorization } from "./description";
import { previousOf } from "./previous";
import { proposeToken } from "./propose";
import { readToken } from "./read";
import { revoked } from "./revoke";
import { updateToken } from "./update";

/** Not importable: a secret cannot be read. */
export const resource: Resource = {
  description: authorization,
  keptIn: "credential store",
  check: checkToken,
  ages: (state) => previousOf(state).length > 0,
  propose: proposeToken,
  foresee: foreseeMinting,
  read: readToken,
  create: createToken,
  update: updateToken,
  async takeBack(connection, prior, state) {
    if (state["access_token"] !== prior?.["access_token"]) await revoked(connection, state);
  },
  delete: deleteToken,
};
