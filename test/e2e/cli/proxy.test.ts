/** The built command behind a proxy: covers src/api/transport.ts. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { built, tenancy } from "../../support/built-command";
import { temporaryFolder } from "../../support/temp-folder";

beforeAll(built);
const folder = temporaryFolder();

test("the built command asks the proxy for a tunnel to the service", async () => {
  const asked: unknown[] = [];
  const proxy = createServer();
  proxy.on("connect", ({ url, headers }, socket) => {
    asked.push([url, headers["proxy-authorization"]]);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = proxy.address() as AddressInfo;
    const environment = {
      TENANCY_BASE_URL: "https://storage.example",
      TENANCY_TOKEN: "1/token",
      HTTPS_PROXY: `http://jane:secret@127.0.0.1:${port}`,
    };
    const { code, stdout } = await tenancy(["doctor"], { folder: folder(), environment });
    expect(code).toBe(1);
    expect(stdout).toContain(`no connection to https://storage.example through http://127.0.0.1:${port}`);
    expect(stdout).not.toContain("TypeError");
    expect(asked[0]).toEqual([
      "storage.example:443",
      `Basic ${Buffer.from("jane:secret").toString("base64")}`,
    ]);
  } finally {
    proxy.close();
  }
});
