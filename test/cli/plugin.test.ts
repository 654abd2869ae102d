import { commandProjects } from "../support/command";

const start = commandProjects();
const { platform } = process;

function runOn(name: NodeJS.Platform): void {
  Object.defineProperty(process, "platform", { ...PROPERTY, value: name });
}

const PROPERTY = { configurable: true, enumerable: true, writable: false } as const;

afterEach(() => runOn(platform));

test("on Windows plugin install says which program to use instead", async () => {
  const project = await start({ service: false });
  runOn("win32");
  const { code, stderr } = await project.tenancy(["plugin", "install"]);
  expect(code).toBe(1);
  expect(stderr).toContain("Error TENANCY_PLUGIN_UNAVAILABLE");
  expect(stderr).toContain("Put the program of the release into");
});
