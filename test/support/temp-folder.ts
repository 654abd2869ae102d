import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for each test of the file, removed after it. Use it inside tests as `folder()`. */
export function temporaryFolder(): () => string {
  let folder = "";
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "tenancy-")));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}
