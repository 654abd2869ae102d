/** A family of the service that the project does not have: what a contributor would put into one folder under `src/resources`. */
import type { Family } from "../../../src/resources/family";
import { chosenUuid } from "../../../src/resources/record/create";
import { filled, settled, proposeRecord } from "../../../src/resources/record/plan";
import { text } from "../../../src/resources/record/kind";
import { idIn } from "../../../src/resources/record/update";
import { createBody, diff, updateBody } from "../../../src/schema";
import type { ObjectValue } from "../../../src/values";
import { virtualDisk } from "./description";
import { disks, inventory, keyOf } from "./inventory";

const { attributes } = virtualDisk;
const planning = { who: ({ name }: ObjectValue) => text(name) ?? "" };

export const family: Family = {
  resource: {
    description: virtualDisk,
    inventory,
    check: () => [],
    propose: (config, prior, context) => proposeRecord(attributes, config, prior, context, planning),

    async read({ client }, prior) {
      const self = await inventory.find(client, idIn(prior));
      return self && { state: inventory.stateOf({ self }, prior), records: { self }, diagnostics: [] };
    },

    async create({ client, owners }, request) {
      const { config } = request;
      const planned = filled(
        attributes,
        request.planned,
        proposeRecord(attributes, config, null, {}, planning).planned,
      );
      const { record: account } = await client.accounts.get(text(config["account_id"]) ?? "");
      const key = keyOf(account.name ?? "", text(config["name"]) ?? "");
      const body = {
        ...createBody(attributes, planned, config),
        uuid: chosenUuid(undefined, key, owners, 0),
      };
      const { record: self } = await disks(client).create(body, {
        lookUp: () => Promise.reject(new Error("not looked up")),
      });
      const state = settled(attributes, planned, inventory.stateOf({ self }, null));
      return { state, records: { self }, diagnostics: [] };
    },

    async update({ client }, { prior, planned, config }) {
      const body = updateBody(
        attributes,
        { prior, planned, changes: diff(attributes, prior, planned), config, secrets: [] },
        "self",
      );
      const { record: self = {} } = await disks(client).update(idIn(prior), body);
      const state = filled(attributes, planned, inventory.stateOf({ self }, prior));
      return { state, records: { self }, diagnostics: [] };
    },

    async delete({ client }, { prior }) {
      await disks(client).delete(idIn(prior));
      return [];
    },
  },
};
