import type { Resource } from "../family";
import { checkRecord } from "../record/check";
import { foresee } from "../record/foresee";
import { importRecord } from "../record/import";
import { createAccount } from "./create";
import { deleteAccount, mayDeleteAccount } from "./delete";
import { account } from "./description";
import { container } from "./emptiness";
import { inventory } from "./inventory";
import { kind } from "./kind";
import { proposeAccount } from "./propose";
import { readAccount } from "./read";
import { updateAccount } from "./update";

export const resource: Resource = {
  description: account,
  inventory,
  container,
  check: (config) => checkRecord(account.attributes, config),
  propose: proposeAccount,
  read: readAccount,
  import: (connection, id) => importRecord(kind, connection, id),
  foresee: (connection, config, replaced) => foresee(kind, connection, config, replaced),
  mayDelete: mayDeleteAccount,
  create: createAccount,
  update: updateAccount,
  delete: deleteAccount,
};
