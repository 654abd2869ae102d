/** go-plugin's controller, by which Terraform ends the plugin. */
import { method, type Methods } from "../grpc/method";
import { Empty } from "../messages/common";

export function controller(shutDown: () => void): Methods {
  return new Map([
    [
      "/plugin.GRPCController/Shutdown",
      method(Empty, Empty, () => {
        shutDown();
        return {};
      }),
    ],
  ]);
}
