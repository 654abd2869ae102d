/** A family of the service that the project does not have: what a contributor would write as `src/resources/virtual-disk.ts`. */
import { recordMembers } from "../../src/resources/common";
import { makeFamily } from "../../src/resources/record";
import { describe, integer, reference, text, uuid } from "../../src/schema";

const virtualDisk = describe("virtual_disk", "A disk in an account.", {
  name: text("Name of the disk.", { length: [1, 64] })
    .required()
    .replaces(),
  account_id: reference("account", "Account that the disk is in.").required().replaces(),
  capacity: integer("Capacity, in bytes.", { min: 1 }).required(),
  uuid: uuid("UUID of the disk.").replaces(),
  ...recordMembers,
});

export const family = makeFamily({
  description: virtualDisk,
  endpoint: (client) => client.records("vdisk", "virtual disk"),
  key: ["account_id", "name"],
  whole: ["id", "name", "capacity"],
  seenWith: [],
});
