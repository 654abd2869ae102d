/** What the workflows for GitHub share: pinned actions, and steps that several jobs begin with. */

export const CHECKOUT = "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0";
export const SETUP_NODE = "actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0";
export const UPLOAD = "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2";

export const RUNNER = "ubuntu-24.04";

/** What every workflow begins with: no permission that a job does not name, and a shell that sees the failure of a pipe. */
export const BASICS = `permissions: {}

defaults:
  run:
    shell: bash`;

/** GitHub does not promise that a scheduled event tells the visibility; one that is not told counts as public. */
export const REFUSE_PUBLIC = `
      - name: Refuse a public repository
        env:
          VISIBILITY: \${{ github.event.repository.visibility }}
          PUBLIC_ALLOWED: \${{ vars.TENANCY_PUBLIC }}
        run: |
          case "$VISIBILITY" in private | internal) exit 0 ;; esac
          if [ "$PUBLIC_ALLOWED" != true ]; then
            echo "::error::The visibility of this repository is \${VISIBILITY:-unknown}, and everybody reads the artifacts of a public one. To allow that, set the variable TENANCY_PUBLIC to true."
            exit 1
          fi`;

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
      - run: npm ci --ignore-scripts`;

export const upload = (name: string, paths: readonly string[], days: number, condition?: string): string => `
      - uses: ${UPLOAD}${condition === undefined ? "" : `\n        if: ${condition}`}
        with:
          name: ${name}
          path: |
${paths.map((path) => `            ${path}`).join("\n")}
          if-no-files-found: error
          retention-days: ${days}`;

/** Runs the app, and hands on what it made. */
export const SYNTHESIZE = `${SOURCES}
      - run: npm ci
      - run: npm test
      - name: Synthesize
        run: npx --no tenancy validate`;

export const STACKS = ["cdktf.json", "cdktf.out", "tenancy.approvals", "*.tfvars", "*.tfvars.json", "files"];

export const uploadStacks = (paths: readonly string[]): string => upload("stacks", paths, 7);

/** The job of its own, without secrets, that runs the app of the default branch. */
export const SYNTHESIZE_JOB = `
  # Runs the app, so it holds no secret and may write nothing.
  synthesize:
    runs-on: ${RUNNER}
    timeout-minutes: 15
    permissions:
      contents: read
    steps:${REFUSE_PUBLIC}${SYNTHESIZE}${uploadStacks(["cdktf.json", "cdktf.out"])}
`;

/** Of what the app made only the stacks are taken; all else is the commit's. */
export const TAKE_STACKS = `
      - name: Take the stacks, as data
        env:
          GH_TOKEN: \${{ github.token }}
        run: |
          gh run download "$GITHUB_RUN_ID" --name stacks --dir "$RUNNER_TEMP/stacks"
          test -z "$(find "$RUNNER_TEMP/stacks" ! -type f ! -type d)"
          rm -rf cdktf.out
          mv "$RUNNER_TEMP/stacks/cdktf.out" cdktf.out`;
