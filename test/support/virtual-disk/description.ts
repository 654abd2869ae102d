import { recordMembers } from "../../../src/resources/common";
import { describe, integer, reference, text, uuid } from "../../../src/schema";

export const virtualDisk = describe("virtual_disk", "A disk in an account.", {
  name: text("Name of the disk.", { length: [1, 64] })
    .required()
    .replaces(),
  account_id: reference("account", "Account that the disk is in.").required().replaces(),
  capacity: integer("Capacity, in bytes.", { min: 1 }).required(),
  uuid: uuid("UUID of the disk.").replaces(),
  ...recordMembers,
});
