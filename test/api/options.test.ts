import { parseBaseUrl } from "../../src/api";
import { segment } from "../../src/api/options";

test.each([
  ["https://storage.example", "https://storage.example", "https://storage.example"],
  [" https://Storage.example:443/ ", "https://storage.example", "https://storage.example"],
  ["https://storage.example/tenants//", "https://storage.example", "https://storage.example/tenants"],
  ["http://localhost:8080", "http://localhost:8080", "http://localhost:8080"],
  ["http://127.1:80", "http://127.0.0.1", "http://127.0.0.1"],
  ["http://127.255.3.4", "http://127.255.3.4", "http://127.255.3.4"],
  ["http://[::1]:9", "http://[::1]:9", "http://[::1]:9"],
])("%s is the service at %s", (text, origin, base) => {
  expect(parseBaseUrl(text)).toEqual({ origin, base });
});

test.each([
  ["", "TENANCY_INVALID_SETTING"],
  ["storage.example", "TENANCY_INVALID_SETTING"],
  ["ftp://storage.example", "TENANCY_INVALID_SETTING"],
  ["https://user:pw@storage.example", "TENANCY_INVALID_SETTING"],
  ["https://storage.example/?a=1", "TENANCY_INVALID_SETTING"],
  ["https://storage.example/#x", "TENANCY_INVALID_SETTING"],
  ["https://storage.example/api/", "TENANCY_INVALID_SETTING"],
  ["http://storage.example", "TENANCY_INVALID_SETTING"],
  ["http://10.0.0.1", "TENANCY_INVALID_SETTING"],
  ["http://127.0.0.1.evil.example", "TENANCY_INVALID_SETTING"],
  ["http://localhost.evil.example", "TENANCY_INVALID_SETTING"],
  ["http://[::ffff:10.0.0.1]", "TENANCY_INVALID_SETTING"],
])("%j is refused as %s", (text, code) => {
  expect(() => parseBaseUrl(text)).toThrow(expect.objectContaining({ code }) as Error);
});

test("a password in an address is not repeated", () => {
  expect(() => parseBaseUrl("https://user:canary@storage.example")).toThrow(/^(?!.*canary)/);
});

test("ids keep their colons, and all other characters that mean something in a path are encoded", () => {
  expect(segment("account:1:42")).toBe("account:1:42");
  expect(segment("a/b?c#d%2e")).toBe("a%2Fb%3Fc%23d%252e");
});
