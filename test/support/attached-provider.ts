/** Serves a provider from the process of a test or a debugger, to which Terraform attaches. */
import { Host, providerService, type ProviderSource } from "../../src/lib/plugin-runtime/calls";
import { PROVIDER_PROTOCOL } from "../../src/lib/plugin-runtime/greeting";
import { createGrpcServer, health } from "../../src/lib/plugin-runtime/grpc";
import { createLog, levelOf } from "../../src/lib/plugin-runtime/log";
import { controller } from "../../src/lib/plugin-runtime/serve-calls";
import { createSocketPlace, listen } from "../../src/lib/plugin-runtime/socket";

/** A provider that runs in a process of its user's own: a test, or a debugger. */
export interface AttachedProvider {
  /**
   * The value of the environment variable TF_REATTACH_PROVIDERS by which Terraform uses this process.
   * @param address of the provider, such as `registry.terraform.io/hashicorp/null`.
   */
  reattach(address: string): string;
  close(): Promise<void>;
}

/**
 * Serves a provider from this process, to any number of runs. The socket's folder keeps other users out; there is no TLS.
 * @throws on Windows, if nothing would keep them out
 */
export async function attachProvider(source: ProviderSource): Promise<AttachedProvider> {
  const host = new Host(source, createLog("provider", levelOf(process.env)));
  const place = createSocketPlace();
  if (place.path === undefined) throw new Error("a provider cannot be attached to on Windows");
  const server = createGrpcServer({
    methods: new Map([...providerService(host), ...health, ...controller(() => undefined)]),
    signal: () => host.signal,
  });
  const { server: socket, address: socketAddress } = await listen(place, (connection) => {
    // Each run connects again; the stop of the last run does not concern this one.
    host.resume();
    server.serve(connection);
  });
  return {
    reattach: (address) =>
      JSON.stringify({
        [address]: {
          Protocol: "grpc",
          ProtocolVersion: PROVIDER_PROTOCOL,
          Pid: process.pid,
          Test: true,
          Addr: { Network: socketAddress.network, String: socketAddress.text },
        },
      }),
    close: async () => {
      socket.close();
      await server.close();
      place.remove();
    },
  };
}
