import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createSocketPlace } from "../../../../src/plugin/runtime/process/socket";
import { temporaryFolder } from "../../../support/temp-folder";

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
