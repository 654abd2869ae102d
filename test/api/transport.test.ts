import { EXPIRED_CERTIFICATE, OTHER_CERTIFICATE, SERVICE_CERTIFICATE } from "../support/certificates";
import { startProxy } from "../support/proxy";
import { json, startService } from "../support/scripted-service";
import { clientOf, failure } from "../support/test-client";

const script = { "GET /api/status": json(200, { status: 200, message: "ok" }) };

describe("certificates", () => {
  test("a self-signed one is refused, and the error says how to trust it", async () => {
    const service = await startService(script, SERVICE_CERTIFICATE);
    expect(await failure(clientOf(service).status())).toMatchObject({
      code: "TENANCY_API_TLS",
      message: expect.stringContaining("self-signed") as string,
      advice: expect.stringContaining("`caFile` (TENANCY_CA_FILE)") as string,
    });
    expect(service.seen).toHaveLength(0);
  });

  test("with its CA it is trusted", async () => {
    const service = await startService(script, SERVICE_CERTIFICATE);
    expect(await clientOf(service, { ca: SERVICE_CERTIFICATE.cert }).status()).toMatchObject({
      message: "ok",
    });
  });

  test("one made out to another name is refused, and so is an expired one", async () => {
    const other = await startService(script, OTHER_CERTIFICATE);
    const expired = await startService(script, EXPIRED_CERTIFICATE);
    expect(await failure(clientOf(other, { ca: OTHER_CERTIFICATE.cert }).status())).toMatchObject({
      code: "TENANCY_API_TLS",
      message: expect.stringContaining("another name") as string,
    });
    expect(await failure(clientOf(expired, { ca: EXPIRED_CERTIFICATE.cert }).status())).toMatchObject({
      code: "TENANCY_API_TLS",
      message: expect.stringContaining("expired") as string,
    });
  });

  test("https to a port that speaks http is explained", async () => {
    const service = await startService(script);
    const url = service.url.replace("http:", "https:");
    expect(await failure(clientOf({ url }).status())).toMatchObject({ code: "TENANCY_API_TLS" });
  });
});

describe("a proxy", () => {
  test("is asked for a tunnel to the service, whose certificate is checked through it", async () => {
    const service = await startService(script, SERVICE_CERTIFICATE);
    const proxy = await startProxy(service.port);
    const url = "https://storage.test:8443";
    const client = clientOf(
      { url },
      {
        ca: SERVICE_CERTIFICATE.cert,
        proxy: { https: `http://user:p%40ss@${proxy.address}` },
      },
    );
    expect(await client.status()).toMatchObject({ message: "ok" });
    expect(proxy.asked).toHaveLength(1);
    expect(proxy.asked[0]).toMatch(/^CONNECT storage\.test:8443 HTTP\/1\.1\r\n/);
    expect(proxy.asked[0]?.toLowerCase()).toContain("proxy-authorization: basic ");
    expect(proxy.asked[0]).toContain(Buffer.from("user:p@ss").toString("base64"));
    const distrusting = clientOf({ url }, { proxy: { https: proxy.address } });
    expect(await failure(distrusting.status())).toMatchObject({ code: "TENANCY_API_TLS" });
    await client.close();
    await distrusting.close();
    await proxy.close();
  });

  test("that refuses the way is named in the error, without its password", async () => {
    const proxy = await startProxy(1, "407 Proxy Authentication Required");
    const client = clientOf(
      { url: "https://storage.test" },
      { proxy: { https: `http://user:proxy-password@${proxy.address}` }, retryTimeoutMs: 0 },
    );
    const error = (await failure(client.status())) as Error;
    expect(error).toMatchObject({ code: "TENANCY_API_UNREACHABLE" });
    expect(error.message).toContain(`https://storage.test through http://${proxy.address}`);
    expect(error.message).not.toContain("proxy-password");
    await client.close();
    await proxy.close();
  });
});
