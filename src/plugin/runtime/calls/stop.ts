import { method, type Method } from "../grpc/method";
import { Empty } from "../messages/common";
import { StopProviderResponse } from "../messages/provider";
import { type Host } from "./host";

export const stopProvider = (host: Host): Method =>
  method(Empty, StopProviderResponse, async () => {
    try {
      await host.stop();
      return {};
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  });
