/** The built provider answers `GetProviderSchema` from bytes of its build: covers .ci/build/plugin.mjs. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { createCertificate } from "../../../src/lib/plugin-runtime/certificate";
import { encodedSchema } from "../../../src/lib/plugin-runtime";
import { createProvider } from "../../../src/provider";
import { built } from "../../support/built-command";
import { call } from "../../support/grpc-client";
import { MAGIC_COOKIE, PluginProcess } from "../../support/plugin-process";
import { temporaryFolder } from "../../support/temp-folder";

const folder = temporaryFolder();
const client = createCertificate();

test("the answer is the schema of the sources, also a second time", async () => {
  await built();
  const program = join(folder(), "provider.cjs");
  cpSync(join(__dirname, "../../../lib/plugin/provider.cjs"), program);
  const plugin = await PluginProcess.start(program, {
    TF_PLUGIN_MAGIC_COOKIE: MAGIC_COOKIE,
    PLUGIN_CLIENT_CERT: client.pem,
    TMPDIR: folder(),
  });
  const session = plugin.connect(client);
  try {
    const expected = Buffer.from(encodedSchema(createProvider({}))).toString("hex");
    for (let time = 0; time < 2; time++) {
      const { status, response } = await call(
        session,
        "/tfplugin6.Provider/GetProviderSchema",
        Buffer.alloc(0),
      );
      expect({ status, hex: response?.toString("hex") }).toEqual({ status: 0, hex: expected });
    }
  } finally {
    session.destroy();
    plugin.kill();
  }
});
