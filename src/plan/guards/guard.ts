import type { Diagnostic } from "../../errors";
import type { Draft } from "../draft";

/** A rule that sees the whole plan and may stop it. It answers a refusal for each thing that it finds, or nothing. */
export type Guard = (draft: Draft) => readonly Diagnostic[];
