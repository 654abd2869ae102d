import type { Resource } from "../family";
import { checkRecord } from "../record/check";
import { foresee } from "../record/foresee";
import { importRecord } from "../record/import";
import { createProfile } from "./create";
import { deleteProfile } from "./delete";
import { userProfile } from "./description";
import { inventory } from "./inventory";
import { kind } from "./kind";
import { proposeProfile } from "./propose";
import { readProfile } from "./read";
import { updateProfile } from "./update";
import { verifyPassword } from "./verify";

export const resource: Resource = {
  description: userProfile,
  inventory,
  check: (config) => checkRecord(userProfile.attributes, config),
  propose: proposeProfile,
  read: readProfile,
  import: (connection, id) => importRecord(kind, connection, id),
  foresee: (connection, config, replaced) => foresee(kind, connection, config, replaced),
  verify: verifyPassword,
  create: createProfile,
  update: updateProfile,
  delete: deleteProfile,
};
