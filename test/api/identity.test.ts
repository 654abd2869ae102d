import { checkCredentials } from "../../src/api/identity";

test.each([
  [{ kind: "token", token: "" }],
  [{ kind: "token", token: "a b" }],
  [{ kind: "token", token: "a\r\nX-Header: b" }],
  [{ kind: "password", username: "", password: "x" }],
  [{ kind: "password", username: "a:b", password: "x" }],
  [{ kind: "password", username: "a", password: "" }],
  [{ kind: "password", username: "a", password: "x\r\n" }],
  [{ kind: "password", username: "a", password: "x", otp: "12\u000034" }],
] as const)("%j cannot be sent", (credentials) => {
  expect(() => checkCredentials(credentials)).toThrow(
    expect.objectContaining({ code: "TENANCY_INVALID_SETTING" }) as Error,
  );
});
