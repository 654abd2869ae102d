import { permissionsPreset, UserProfile } from "tenancy";
import { Synthesized } from "../synthesized";

test("a preset can be left to the engine, which calls the provider's function", () => {
  const synthesized = new Synthesized();
  new UserProfile(synthesized.stack, "jane", {
    username: "jane",
    permissions: permissionsPreset("operator", { "vss.resize_disks": false }, { "vss.remove_vss": true }),
  });
  expect(synthesized.profile("jane")["permissions"]).toBe(
    '${provider::tenancy::permissions_preset("operator", {"vss.resize_disks":false}, {"vss.remove_vss":true})}',
  );
});

test("a preset without overrides is written as its name alone", () => {
  const synthesized = new Synthesized();
  new UserProfile(synthesized.stack, "jane", {
    username: "jane",
    permissions: permissionsPreset("observer"),
  });
  expect(synthesized.profile("jane")["permissions"]).toBe(
    '${provider::tenancy::permissions_preset("observer")}',
  );
});
