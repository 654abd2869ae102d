/** gRPC's health service, by which the client finds out that the plugin is there. */
import { defineMessage } from "../protobuf/message";
import { integer, string } from "../protobuf/scalar";
import { method, type Methods } from "./method";
import { RpcFailure } from "./rpc-failure";
import { status } from "./status";

const SERVING = 1;
/** go-plugin asks for its own service; the empty name means the server as a whole. */
const SERVICES = new Set(["", "plugin"]);

const CheckRequest = defineMessage({ service: string(1) });
const CheckResponse = defineMessage({ status: integer(1) });

export const health: Methods = new Map([
  [
    "/grpc.health.v1.Health/Check",
    method(CheckRequest, CheckResponse, ({ service }) => {
      if (!SERVICES.has(service)) throw new RpcFailure(status.notFound, "this server has no such service");
      return { status: SERVING };
    }),
  ],
]);
