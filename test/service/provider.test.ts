import { checkProvider } from "../../src/service";
import { UNKNOWN, type ObjectValue } from "../../src/lib/values";

const found = (config: ObjectValue) =>
  checkProvider(config).map(({ code, attribute = [] }) => `${attribute.join(".")} ${code}`);

test("everything is found at once, each at its attribute", () => {
  expect(
    found({
      base_url: "ftp://storage.example",
      owner: " ",
      token: "1/t",
      username: "jane",
      totp_secret: "!!",
    }),
  ).toEqual([
    "base_url TENANCY_INVALID_SETTING",
    "owner TENANCY_INVALID_SETTING",
    "token TENANCY_INVALID_VALUE",
    "totp_secret TENANCY_INVALID_SETTING",
  ]);
});

test("a value that is missing, or not known yet, is no error", () => {
  expect(found({})).toEqual([]);
  expect(found({ base_url: UNKNOWN, owner: UNKNOWN, totp_secret: UNKNOWN, token: UNKNOWN })).toEqual([]);
});
