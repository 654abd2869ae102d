import { tokenCreationRefusal } from "../../../src/credentials";

const ci = { ci: true, key: false, helper: false, explicitPath: false };

test("in a CI job without a lasting store no token is created", () => {
  expect(tokenCreationRefusal(ci)?.code).toBe("TENANCY_TOKEN_CREATION_REFUSED");
});

test.each([{ ci: false }, { key: true }, { helper: true }, { explicitPath: true }])(
  "%j makes creating tokens safe",
  (change) => {
    expect(tokenCreationRefusal({ ...ci, ...change })).toBeUndefined();
  },
);
