import { tokenCreationRefusal } from "../../../src/credentials";

const ci = { ci: true, key: false, helper: false, explicitPath: false };

test("in a CI job without a lasting store nothing is minted", () => {
  expect(tokenCreationRefusal(ci)?.code).toBe("TENANCY_TOKEN_CREATION_REFUSED");
});

test.each([{ ci: false }, { key: true }, { helper: true }, { explicitPath: true }])(
  "%j makes minting safe",
  (change) => {
    expect(tokenCreationRefusal({ ...ci, ...change })).toBeUndefined();
  },
);
