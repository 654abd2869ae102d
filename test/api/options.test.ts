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
  "",
  "storage.example",
  "ftp://storage.example",
  "https://user:pw@storage.example",
  "https://storage.example/?a=1",
  "https://storage.example/#x",
  "https://storage.example/api/",
  "http://storage.example",
  "http://10.0.0.1",
  "http://127.0.0.1.evil.example",
  "http://localhost.evil.example",
  "http://[::ffff:10.0.0.1]",
])("%j is refused", (text) => {
  const message = expect.stringMatching(/^http:/.test(text) ? "uses plain http" : "cannot be used") as string;
  expect(() => parseBaseUrl(text)).toThrow(
    expect.objectContaining({ code: "TENANCY_INVALID_SETTING", message }) as Error,
  );
});

test("a password in an address is not repeated", () => {
  expect(() => parseBaseUrl("https://user:canary@storage.example")).toThrow(/^(?!.*canary)/);
});

test("ids keep their colons, and all other characters that mean something in a path are encoded", () => {
  expect(segment("account:1:42")).toBe("account:1:42");
  expect(segment("a/b?c#d%2e")).toBe("a%2Fb%3Fc%23d%252e");
});
