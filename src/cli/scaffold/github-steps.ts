/** What the workflows for GitHub share: pinned actions, and steps that several jobs begin with. */
import { below, type Place } from "../../pipeline";
import {
  type HostWords,
  indent,
  INSTALL_AND_TEST,
  INSTALL_TOOL,
  refusePublic,
  STACK_FILES,
  SYNTHESIZE,
  takeStacks,
} from "./shell";

export const CHECKOUT = "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0";
export const SETUP_NODE = "actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0";
const UPLOAD = "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2";

export const RUNNER = "ubuntu-24.04";

export const GITHUB: HostWords = {
  remote: "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY",
  sha: "$GITHUB_SHA",
  run: "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID",
  isOlder: '[ "$(gh api "repos/$GITHUB_REPOSITORY/compare/$last...$GITHUB_SHA" --jq .status)" = behind ]',
  fail: (why) => `echo "::error::${why}"`,
};

/** A script of a step. */
export const script = (shell: string): string => `
        run: |
${indent(shell, 10)}`;

/** What every workflow begins with: no permission that a job does not name, and a shell that sees the failure of a pipe. */
export const basics = (place: Place): string => `permissions: {}

defaults:
  run:
    shell: bash${place.path === "." ? "" : `\n    working-directory: ${place.path}`}`;

/** For steps before the checkout: the project's folder is not there yet. */
export const atTop = (place: Place): string => (place.path === "." ? "" : "\n        working-directory: .");

/** GitHub does not promise that a scheduled event tells the visibility; an unknown one counts as public. */
export const refuse = (place: Place): string => `
      - name: Refuse a public repository${atTop(place)}
        env:
          VISIBILITY: \${{ github.event.repository.visibility }}
          PUBLIC_ALLOWED: \${{ vars.TENANCY_PUBLIC }}${script(refusePublic(GITHUB))}`;

/** A clone without credentials, and Node without a cache that another run could have filled. */
export const SOURCES = `
      - uses: ${CHECKOUT}
        with:
          persist-credentials: false
      - uses: ${SETUP_NODE}
        with:
          node-version: 22
          package-manager-cache: false`;

/** Only the tool, as the lock file of the default branch names it. */
export const LOCKED_TOOL = `${SOURCES}
      - run: ${INSTALL_TOOL}`;

export const upload = (name: string, paths: readonly string[], days: number, condition?: string): string => `
      - uses: ${UPLOAD}${condition === undefined ? "" : `\n        if: ${condition}`}
        with:
          name: ${name}
          path: |
${paths.map((path) => `            ${path}`).join("\n")}
          if-no-files-found: error
          retention-days: ${days}`;

/** Runs the app, and hands on what it made. */
export const RUN_APP = `${INSTALL_AND_TEST.map((command) => `\n      - run: ${command}`).join("")}
      - name: Synthesize
        run: ${SYNTHESIZE}`;

export const uploadStacks = (place: Place, paths: readonly string[] = STACK_FILES): string =>
  upload(
    "stacks",
    paths.map((path) => below(place) + path),
    7,
  );

/** The job of its own, without secrets, that runs the app of the default branch. */
export const synthesizeJob = (place: Place): string => `
  # Runs the app, so it holds no secret and may write nothing.
  synthesize:
    runs-on: ${RUNNER}
    timeout-minutes: 15
    permissions:
      contents: read
    steps:${refuse(place)}${SOURCES}${RUN_APP}${uploadStacks(place, ["cdktf.json", "cdktf.out"])}
`;

/** Takes only the stacks from what the app made; all other files are the commit's. */
export const TAKE_STACKS = `
      - name: Take the stacks, as data
        env:
          GH_TOKEN: \${{ github.token }}${script(`gh run download "$GITHUB_RUN_ID" --name stacks --dir "$RUNNER_TEMP/stacks"
${takeStacks("$RUNNER_TEMP/stacks")}`)}`;
