import { type StatusCode } from "./status";

/** A call that ends with a gRPC status instead of an answer. Terraform shows these badly: diagnostics are better. */
export class RpcFailure extends Error {
  readonly code: StatusCode;

  constructor(code: StatusCode, message: string) {
    super(message);
    this.name = "RpcFailure";
    this.code = code;
  }
}
