/** Revoking a token for good, with those that it replaced. */
import { SeveralFailures, TenancyError, type Diagnostic } from "../../errors";
import type { Connection, DeleteRequest } from "../family";
import { revocableOf } from "./previous";
import { revoke } from "./revoke";

/** @throws where one of them is still good; all are tried */
export async function deleteToken(
  connection: Connection,
  { prior }: DeleteRequest,
): Promise<readonly Diagnostic[]> {
  const failures: TenancyError[] = [];
  for (const token of revocableOf(prior)) {
    try {
      await revoke(connection, token);
    } catch (error) {
      if (!(error instanceof TenancyError)) throw error;
      failures.push(error);
    }
  }
  const [first, ...others] = failures;
  if (first === undefined) return [];
  if (others.length === 0) throw first;
  throw new SeveralFailures(failures);
}
