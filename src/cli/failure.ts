/**
 * Converts anything that was thrown to the diagnostics that the user sees. A file of its own, since the help must not load plans and resources.
 */
import { type Diagnostic, internal, TenancyError, worded } from "../problems";
// Imported past the door, which leads to plans and resources.
import { diagnosticsText } from "../render/text/diagnostics";
import type { Paint } from "../render/text/paint";
import { plainText, secretsOf } from "../lib/values";
import type { Io } from "./io";

const SHORTEST_SECRET = 4;
const LONGEST_MESSAGE = 500;

/** @param all whether alike findings are shown one by one (`--all`) */
export function failureText(error: unknown, io: Io, paint: Paint, all = false): string {
  return diagnosticsText(diagnosticsOf(error, io), paint, all);
}

export function diagnosticsOf(error: unknown, io: Io): readonly Diagnostic[] {
  if (error instanceof TenancyError) return error.toDiagnostics();
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return worded([internal.at(plainText(messageWithoutSecrets(message, io.environment), LONGEST_MESSAGE))]);
}

/** The message of an unexpected exception may hold anything, a secret too. */
function messageWithoutSecrets(message: string, environment: Io["environment"]): string {
  const secrets = secretsOf(environment)
    .filter((value) => value.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
  return secrets.reduce((text, secret) => text.replaceAll(secret, "(secret)"), message);
}
