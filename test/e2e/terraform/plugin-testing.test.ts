/** The provider under HashiCorp's framework for acceptance tests, which switches the plugin's TLS off: covers src/provider and greeting.ts. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { startSimulator } from "../../../src/lib/simulator";
import { built, run, tenancy } from "../../support/built-command";
import { goEnvironment } from "../../support/go";
import { describeWith } from "../../support/programs";
import { temporaryFolder } from "../../support/temp-folder";

beforeAll(built);
const folder = temporaryFolder();

describeWith(["go", "terraform"], "with Go", ({ go, terraform }) => {
  test("each resource is created, imported as it is, updated in place and destroyed", async () => {
    const service = await startSimulator();
    try {
      await cp(join(__dirname, "plugin-testing"), folder(), { recursive: true });
      const compiled = await run(go, ["test", "-c", "-o", "acceptance", "."], {
        folder: folder(),
        environment: goEnvironment(),
      });
      expect(compiled).toMatchObject({ code: 0 });
      const home = { HOME: folder() };
      expect(await tenancy(["plugin", "install"], { folder: folder(), environment: home })).toMatchObject({
        code: 0,
      });
      const tested = await run(join(folder(), "acceptance"), ["-test.v"], {
        folder: folder(),
        environment: {
          ...home,
          TF_ACC: "1",
          TF_ACC_TERRAFORM_PATH: terraform,
          CHECKPOINT_DISABLE: "1",
          TENANCY_BASE_URL: service.baseUrl,
          TENANCY_USERNAME: service.username,
          TENANCY_PASSWORD: service.password,
        },
      });
      expect(tested).toMatchObject({ code: 0 });
      for (const name of ["TestAccount", "TestUserProfile", "TestAuthorization"])
        expect(tested.stdout).toContain(`--- PASS: ${name} `);
    } finally {
      await service.close();
    }
  });
});
