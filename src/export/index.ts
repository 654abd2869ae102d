/** The public module of exports: code that declares live records. This folder talks to no service and writes no file. */
import { hclFiles } from "./hcl";
import { declaredSentences, leftOutSentence, EXPORT_MARKER, type ProjectsWord } from "./left-out";
import { type LiveService, modelOf } from "./model";
import type { KnownToken } from "./tokens";
import { type Library, typescriptFiles } from "./typescript";

export type { KnownToken, Library, ProjectsWord };

/** Language of exported code. */
export type ExportLanguage = "typescript" | "hcl";

/** Ending of the files of a language. */
export const ENDINGS: Readonly<Record<ExportLanguage, string>> = { typescript: ".ts", hcl: ".tf" };

export interface ExportedCode {
  /** Texts of files by their names. */
  readonly files: ReadonlyMap<string, string>;
  /** Records that cannot be exported, each in a few sentences. */
  readonly leftOut: readonly string[];
  /** Records that the project declares already, so that the code does not, in a few sentences. */
  readonly declared: readonly string[];
}

/** The same records give the same bytes, in any order of the lists. */
export function exportedCode(
  service: LiveService,
  request: {
    readonly language: ExportLanguage;
    /** For which library TypeScript is written. */
    readonly library: Library;
    /** True if the account of this name is to be exported. */
    readonly isWanted: (account: string) => boolean;
  },
): ExportedCode {
  const { language, library, isWanted } = request;
  const isHcl = language === "hcl";
  const model = modelOf(service, {
    isWanted,
    // HCL is UTF-8, so it has no halves of surrogate pairs.
    isText: (text) => !isHcl || !/\p{Cs}/u.test(text),
    ...(isHcl && { whyNoTokens: "Terraform cannot import a token, since no service shows its secret." }),
  });
  return {
    files: model.tenants.length === 0 ? new Map() : isHcl ? hclFiles(model) : typescriptFiles(model, library),
    leftOut: model.leftOut.map(leftOutSentence),
    declared: declaredSentences(model.declaredRecords),
  };
}

/** True if a file was written by an export. */
export function isExported(text: string): boolean {
  return text.startsWith(`// ${EXPORT_MARKER}`) || text.startsWith(`# ${EXPORT_MARKER}`);
}
