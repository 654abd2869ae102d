/**
 * Writes the output of a verb into files: Markdown for a comment on a pull request, HTML for a browser. All verbs that show plans or
 * reports share these options.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { usage } from "../problems";
import { html } from "../render/html";
import { LEAST_MARKDOWN_LIMIT, markdown } from "../render/markdown";
import { failureView, skippedView, type View } from "../render/view";
import { diagnosticsOf } from "./failure";
import type { Io } from "./io";
import { writeNamedFile } from "./named-files";
import type { DOCUMENTING, FlagsOf, SHOWING_ALL } from "./options";
import type { Terminal } from "./terminal";

/** Called for stacks that fail, or are left out because another one failed. */
export interface Listener {
  readonly failed: (error: unknown) => void;
  readonly skipped: (name: string, because: string) => void;
}

/** Options of the verbs that show something; `-` means stdout. */
type DocumentFlags = FlagsOf<typeof DOCUMENTING & typeof SHOWING_ALL>;

/** Means stdout in place of a file's name. */
const STDOUT = "-";

export class Documents {
  readonly #flags: DocumentFlags;
  readonly #terminal: Terminal;
  readonly #what: string;
  readonly #views: View[] = [];
  readonly #pages: View[] = [];

  /**
   * @param what the kind of document
   * @throws usage if the options contradict each other
   */
  constructor(flags: DocumentFlags & { readonly json?: boolean }, terminal: Terminal, what = "plan") {
    this.#flags = flags;
    this.#terminal = terminal;
    this.#what = what;
    const [first, second] = [
      ...(flags.json === true ? ["--json"] : []),
      ...(flags.markdown === STDOUT ? ["--markdown -"] : []),
      ...(flags.html === STDOUT ? ["--html -"] : []),
    ];
    if (first !== undefined && second !== undefined)
      throw usage.error({
        problem: `${first} and ${second} both print on stdout`,
        advice: "Name a file for one of them.",
      });
    const { markdownLimit } = flags;
    if (markdownLimit !== undefined && markdownLimit < LEAST_MARKDOWN_LIMIT)
      throw usage.error({
        problem: `--markdown-limit ${markdownLimit} leaves no room for the required parts of the plan`,
        advice: `Allow at least ${LEAST_MARKDOWN_LIMIT} characters.`,
      });
  }

  /** True if a document goes to stdout, so that nothing else may. */
  get takesStdout(): boolean {
    return this.#flags.markdown === STDOUT || this.#flags.html === STDOUT;
  }

  /** @param viewOf makes the view; it is asked for only if a document shows it */
  add(
    viewOf: (choice: {
      readonly all: boolean;
      /** True if it is for a page, which has room for more than a comment. */
      readonly page: boolean;
    }) => View,
  ): void {
    const all = this.#flags.all === true;
    if (this.#flags.markdown !== undefined) this.#views.push(viewOf({ all, page: false }));
    if (this.#flags.html !== undefined) this.#pages.push(viewOf({ all, page: true }));
  }

  /** A listener that also says in each document which stacks were skipped. */
  listening(listener: Listener): Listener {
    return {
      ...listener,
      skipped: (name, because) => {
        listener.skipped(name, because);
        this.add(() => skippedView(name, because));
      },
    };
  }

  /**
   * Adds the failure to each document.
   * @param title of the missing part. @default the whole project's
   */
  addFailure(error: unknown, title: string = markerFor(this.#flags, this.#terminal.io)): void {
    this.add(({ all }) => failureView(title, diagnosticsOf(error, this.#terminal.io), this.#what, all));
  }

  /** @throws fileUnusable */
  async write(): Promise<void> {
    const { markdown: comment, markdownLimit: limit, html: page } = this.#flags;
    if (comment !== undefined) {
      const marker = markerFor(this.#flags, this.#terminal.io);
      await this.#writeTo(comment, markdown(this.#views, { marker, ...(limit !== undefined && { limit }) }));
    }
    if (page !== undefined) await this.#writeTo(page, html(this.#pages));
  }

  async #writeTo(file: string, text: string): Promise<void> {
    const { io, screen } = this.#terminal;
    if (file === STDOUT) screen.print(text.trimEnd());
    else await writeNamedFile(file, text, io);
  }

  /** Does the work, and writes the documents however it ends: a pull request shows a failure, too. */
  async around<T>(work: () => Promise<T>): Promise<T> {
    let result: T;
    try {
      result = await work();
    } catch (error) {
      this.addFailure(error);
      await this.write().catch(() => undefined);
      throw error;
    }
    await this.write();
    return result;
  }
}

/** The path by which a bot finds its comment: that of the working folder in its repository, `.` at the root; outside of a repository, the folder's name. */
function markerFor({ markdownMarker }: DocumentFlags, { folder }: Io): string {
  if (markdownMarker !== undefined) return markdownMarker;
  const here = resolve(folder);
  for (let root = here; ; root = dirname(root)) {
    if (existsSync(join(root, ".git"))) return relative(root, here).split(sep).join("/") || ".";
    if (dirname(root) === root) return basename(here);
  }
}
