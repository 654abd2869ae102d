/** What a broken or missing connection means. Texts are ours: what libraries write may hold bytes of an answer. */
import {
  AnswerTruncated,
  ConnectionLost,
  Unreachable,
  Untrusted,
  type ApiError,
  type ApiFacts,
} from "../errors";

/** How far a request had come. */
export type Stage = "connecting" | "sent" | "answering";

export function connectionFailure(error: Error, stage: Stage, facts: ApiFacts, target: string): ApiError {
  const code = codeOf(error);
  if (stage === "answering") return new AnswerTruncated(facts, "the connection ended in the middle of it");
  if (stage === "sent" && (code.startsWith("HPE_") || code === "HTTPParserError"))
    return new AnswerTruncated(facts, "it is not HTTP");
  if (stage === "sent") return new ConnectionLost(facts, LOST[code] ?? `closed (${code})`);
  const distrust = DISTRUST[code] ?? (isTlsFailure(code) ? NO_TLS : undefined);
  if (distrust !== undefined) return new Untrusted(facts, distrust.why, distrust.advice);
  const refusal = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
  if (refusal !== undefined)
    return new Unreachable(
      facts,
      target,
      `the proxy refuses the connection (${refusal})`,
      refusal.startsWith("5"),
    );
  return new Unreachable(facts, target, WHY[code] ?? `no connection (${code})`, !LASTING.has(code));
}

/** The code of an error, or of what it was made from. */
function codeOf(error: Error): string {
  const cause = error.cause instanceof Error ? codeOf(error.cause) : undefined;
  const own = (error as NodeJS.ErrnoException).code;
  const code = cause !== undefined && (own === undefined || own.startsWith("UND_ERR")) ? cause : own;
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : error.name;
}

function isTlsFailure(code: string): boolean {
  return (
    code === "EPROTO" ||
    code.startsWith("ERR_SSL_") ||
    code.startsWith("ERR_TLS_") ||
    code.startsWith("CERT_")
  );
}

/** What no second attempt mends. */
const LASTING = new Set(["ENOTFOUND", "UND_ERR_INVALID_ARG"]);

const LOST: Record<string, string> = {
  ECONNRESET: "reset",
  EPIPE: "closed while the request was sent",
  UND_ERR_SOCKET: "closed without an answer",
};

const WHY: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "its name is unknown",
  EAI_AGAIN: "its name cannot be looked up at the moment",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "it does not answer",
  UND_ERR_CONNECT_TIMEOUT: "it does not answer",
  ECONNRESET: "the connection was reset",
  UND_ERR_SOCKET: "the connection was closed",
  UND_ERR_INVALID_ARG: "the request cannot be written; check the names of headers",
};

interface Distrust {
  readonly why: string;
  readonly advice: string;
}

const UNKNOWN_ISSUER: Distrust = {
  why: "the certificate is signed by an unknown authority",
  advice: "Set ca_file (TENANCY_CA_FILE) to the service's CA certificate in PEM form.",
};

const NO_TLS: Distrust = {
  why: "no secure connection could be agreed on",
  advice: "Check scheme and port of base_url: does the service use https there?",
};

const DISTRUST: Record<string, Distrust> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    why: "the certificate is self-signed",
    advice: "Set ca_file (TENANCY_CA_FILE) to that certificate in PEM form.",
  },
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  CERT_SIGNATURE_FAILURE: UNKNOWN_ISSUER,
  CERT_UNTRUSTED: UNKNOWN_ISSUER,
  CERT_HAS_EXPIRED: {
    why: "the certificate has expired",
    advice: "Have the service's certificate renewed, or check this machine's clock.",
  },
  CERT_NOT_YET_VALID: {
    why: "the certificate is not valid yet",
    advice: "Check this machine's clock.",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    why: "the certificate is issued for another name",
    advice: "In base_url, use the name that the certificate is issued for.",
  },
};
