import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createSocketPlace, listen } from "../../../src/lib/plugin-runtime/socket";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();

test("a socket stands in a folder that is its user's alone, and goes with it", () => {
  const place = createSocketPlace(folder());
  expect(place.path?.startsWith(folder())).toBe(true);
  expect(statSync(dirname(place.path ?? "")).mode & 0o777).toBe(0o700);
  place.remove();
  expect(existsSync(dirname(place.path ?? ""))).toBe(false);
});

test("where the folder's name is too long for a socket, another is taken", async () => {
  const deep = join(folder(), "x".repeat(120));
  await mkdir(deep);
  const place = createSocketPlace(deep);
  expect(Buffer.byteLength(place.path ?? "")).toBeLessThanOrEqual(100);
  place.remove();
});

test("on Windows, where Node has only pipes, it is a port that this machine alone can reach", async () => {
  const { platform } = process;
  Object.defineProperty(process, "platform", { value: "win32", configurable: true, enumerable: true });
  const place = createSocketPlace(folder());
  Object.defineProperty(process, "platform", { value: platform, configurable: true, enumerable: true });
  expect(place.path).toBeUndefined();
  const { server, address } = await listen(place, (connection) => connection.destroy());
  expect(address).toEqual({ network: "tcp", text: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string });
  server.close();
  place.remove();
});
