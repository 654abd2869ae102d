/** `tenancy plugin install`: covers the platforms' names in src/cli/verbs/plugin.ts; test/e2e covers the rest. */
import { platformOf, platformsHere } from "../../src/cli/verbs/plugin";

test("platforms are called as Terraform calls them; a shell's provider is for all processors, a program for its own", () => {
  expect(platformsHere("darwin", "x64")).toEqual(["darwin_amd64", "darwin_arm64"]);
  expect(platformOf("win32", "x64")).toBe("windows_amd64");
  expect(platformOf("linux", "arm64")).toBe("linux_arm64");
});
