/** Reads where a state is: the text of `--state`, `TENANCY_STATE` and of `state` in cdktf.json. */
import { unfitStatePlace } from "../problems";

export type StatePlace =
  /** Nothing is kept. */
  | { readonly kind: "none" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "helper"; readonly command: string }
  | {
      readonly kind: "git";
      /** Name of a configured remote. */
      readonly remote: string;
      /** A state is on the branch `BRANCH/STACK`. */
      readonly branch: string;
    };

const GIT = "git:";
const HELPER = "helper:";
/** A remote that begins with a hyphen would be an option of git's, and one with a colon or slash an address. */
const REMOTE_PLACE = /^[A-Za-z0-9_][\w.-]*$/;
/** A part of `git check-ref-format`'s rules; git itself checks the rest. */
const BRANCH = /^[A-Za-z0-9_][\w.-]*(\/[A-Za-z0-9_][\w.-]*)*$/;

/**
 * @param text `git:REMOTE/BRANCH`, `helper:COMMAND`, `none`, or the path of a file
 * @param source the setting that holds it, for messages
 * @throws unfitStatePlace
 */
export function statePlace(text: string, source?: string): StatePlace {
  const unfit = (fault: string) => unfitStatePlace.error({ place: text, fault, source });
  if (text.trim() === "") throw unfit("it is empty");
  if (text.startsWith(HELPER)) return { kind: "helper", command: text.slice(HELPER.length) };
  if (text === "none") return { kind: "none" };
  if (!text.startsWith(GIT)) return { kind: "file", path: text };
  const [, remote = "", branch = ""] = /^([^/]*)\/(.*)$/s.exec(text.slice(GIT.length)) ?? [];
  if (!REMOTE_PLACE.test(remote)) throw unfit("REMOTE is the name of a remote that git knows");
  if (!BRANCH.test(branch) || /\.\.|\.lock(\/|$)|\.(\/|$)/.test(branch))
    throw unfit("BRANCH is no branch's name");
  return { kind: "git", remote, branch };
}
