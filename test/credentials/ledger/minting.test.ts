import { mintingRefusal } from "../../../src/credentials";

const ci = { ci: true, key: false, helper: false, explicitPath: false };

test("in a CI job without a lasting store nothing is minted", () => {
  expect(mintingRefusal(ci)?.code).toBe("TENANCY_TOKEN_CREATION_REFUSED");
});

test.each([{ ci: false }, { key: true }, { helper: true }, { explicitPath: true }])(
  "%j makes minting safe",
  (change) => {
    expect(mintingRefusal({ ...ci, ...change })).toBeUndefined();
  },
);
