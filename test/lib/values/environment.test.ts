import { secretsOf, withoutCredentials } from "../../../src/lib/values";

const environment = {
  PATH: "/bin",
  TENANCY_BASE_URL: "https://storage.example",
  TENANCY_OWNER: "acme",
  TENANCY_USERNAME: "system",
  TENANCY_PASSWORD: "one",
  TENANCY_TOKEN: "two",
  TENANCY_OTP: "three",
  TENANCY_TOTP_SECRET: "four",
  TENANCY_STATE_KEY: "five",
  TENANCY_SNAPSHOT_KEY: "five and a half",
  TENANCY_USERNAME__STORAGE_EXAMPLE: "jane",
  TENANCY_PASSWORD__STORAGE_EXAMPLE: "eight",
  TENANCY_ALLOWED_ORIGINS: "https://storage.example",
  TF_VAR_password: "six",
  tf_var_empty: "",
  UNSET: undefined,
};

test("a program that a run starts gets the address and the owner, and no credentials", () => {
  expect(withoutCredentials(environment)).toEqual({
    PATH: "/bin",
    TENANCY_BASE_URL: "https://storage.example",
    TENANCY_OWNER: "acme",
    TENANCY_ALLOWED_ORIGINS: "https://storage.example",
  });
});

test("every secret of the environment is known as one", () => {
  expect(secretsOf(environment)).toEqual([
    "one",
    "two",
    "three",
    "four",
    "five",
    "five and a half",
    "eight",
    "six",
  ]);
});
