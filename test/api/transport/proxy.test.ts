import { proxyFromEnvironment } from "../../../src/api";
import { proxyFor } from "../../../src/api/transport";

const PROXY = "http://proxy.example:3128";

function goesThrough(origin: string, no: string): boolean {
  return proxyFor(origin, { https: PROXY, no }) !== undefined;
}

test.each([
  ["https://storage.example", ""],
  ["https://storage.example", "other.example, example.org"],
  ["https://mystorage.example", "storage.example"],
  ["https://storage.example", "storage.example:8443"],
  ["https://10.1.2.3", "10.2.0.0/16, 10.1.2.3/x, fe80::/10"],
])("%s goes through the proxy when NO_PROXY is %j", (origin, no) => {
  expect(goesThrough(origin, no)).toBe(true);
});

test.each([
  ["https://storage.example", "*"],
  ["https://storage.example", "STORAGE.example"],
  ["https://a.storage.example", "storage.example"],
  ["https://a.storage.example", "x,.storage.example"],
  ["https://a.storage.example", "*.storage.example"],
  ["https://storage.example", "storage.example:443"],
  ["https://10.1.2.3", "10.1.0.0/16"],
  ["https://[fd00::1]", "fd00::/8"],
  ["https://[fd00::1]:8443", "[fd00::1]:8443"],
  ["https://[fd00::1]", "fd00::1"],
])("%s goes past the proxy when NO_PROXY is %j", (origin, no) => {
  expect(goesThrough(origin, no)).toBe(false);
});

test("plain http, which goes to this machine only, takes no proxy", () => {
  expect(proxyFor("http://127.0.0.1:8080", { https: PROXY })).toBeUndefined();
});

test("without a setting there is no proxy; without a scheme it is http", () => {
  expect(proxyFor("https://storage.example", undefined)).toBeUndefined();
  expect(proxyFor("https://storage.example", { https: " " })).toBeUndefined();
  expect(proxyFor("https://storage.example", { https: "proxy.example:3128" })?.href).toBe(`${PROXY}/`);
});

test("an address that is no proxy is refused without being repeated", () => {
  expect(() => proxyFor("https://storage.example", { https: "http://user:canary@" })).toThrow(
    /^(?!.*canary)/,
  );
  expect(() => proxyFor("https://storage.example", { https: "http://u:canary%@proxy.example" })).toThrow(
    "%25",
  );
  expect(() => proxyFor("https://storage.example", { https: "socks5://proxy.example" })).toThrow("socks5:");
});

test("small letters in the environment win, as with curl, unless they are empty", () => {
  expect(proxyFromEnvironment({ https_proxy: "a", HTTPS_PROXY: "b", NO_PROXY: "c" })).toEqual({
    https: "a",
    no: "c",
  });
  expect(proxyFromEnvironment({ https_proxy: "", HTTPS_PROXY: "b", no_proxy: "", NO_PROXY: "c" })).toEqual({
    https: "b",
    no: "c",
  });
  expect(proxyFromEnvironment({})).toEqual({ https: undefined, no: undefined });
});
