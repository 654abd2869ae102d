/**
 * What the pipelines of all hosts do in a shell: only how a host is asked, and what it calls its things, differs. Each part is run by `bash -e -o pipefail`
 * in the project's folder, with a folder of its own in RUNNER_TEMP.
 */

/** How a host calls what the shell needs of it. */
export interface HostWords {
  /** Address of the repository, for Git. */
  readonly remote: string;
  /** The commit that the pipeline runs for. */
  readonly sha: string;
  /** Address of what runs, for people. */
  readonly run: string;
  /** A condition: the commit that the pipeline runs for is older than `$last`. */
  readonly isOlder: string;
  /** A command that tells why the job fails. */
  readonly fail: (why: string) => string;
}

/** All lines but empty ones, this many columns to the right. */
export function indent(shell: string, columns: number): string {
  return shell.replace(/^(?=.)/gm, " ".repeat(columns));
}

/** Runs the app, its tests, and the scripts of its packages. */
export const INSTALL_AND_TEST = ["npm ci", "npm test"];
export const SYNTHESIZE = "npx --no tenancy validate";

/**
 * Only the tool, as the project's own lock file on the default branch names it. A package.json above the project that calls it a workspace would
 * otherwise put its lock file in the place of the project's, and nobody who owns the project would have been asked.
 */
export const INSTALL_TOOL = "npm ci --ignore-scripts --no-workspaces";

/** What an app makes, and what its stacks read. */
export const STACK_FILES = ["cdktf.json", "cdktf.out", "approvals", "*.tfvars", "*.tfvars.json", "files"];

/** Needs VISIBILITY and PUBLIC_ALLOWED. */
export const refusePublic = ({
  fail,
}: HostWords): string => `case "$VISIBILITY" in private | internal) exit 0 ;; esac
if [ "$PUBLIC_ALLOWED" != true ]; then
  ${fail("The visibility of this repository is ${VISIBILITY:-unknown}, and everybody reads the artifacts of a public one. To allow that, set the variable TENANCY_PUBLIC to true.")}
  exit 1
fi`;

/** A link could lead anywhere. */
export const refuseLinks = (folder: string): string => `test -z "$(find "${folder}" ! -type f ! -type d)"`;

/** Takes only the stacks from what the app made; all other files are the commit's. */
export const takeStacks = (from: string): string => `${refuseLinks(from)}
rm -rf cdktf.out
mv "${from}/cdktf.out" cdktf.out`;

/** Everybody who may write can repeat a run of some days ago, with the approvals that held at that time. */
const refuseOlder = ({
  isOlder,
  fail,
}: HostWords): string => `last="$(git log --max-count=1 --format=%s --grep='^Apply of [0-9a-f]* begins$' | cut -d ' ' -f 3)"
if [ -n "$last" ] && ${isOlder}; then
  ${fail("A later commit has been applied to $STACK, and this one has its approvals no more. To go back, revert the change.")}
  exit 1
fi`;

/** Pushes before anything is sent to the service: a token that nobody can keep must not be created. Needs HAS_KEY, STACK and STORE_BRANCH. */
export const proveStore = (
  host: HostWords,
  environment: string,
  login: string,
): string => `if [ "$HAS_KEY" != true ]; then
  ${host.fail(`The environment ${environment} lacks the secret TENANCY_STORE_KEY, which encrypts the credential store.`)}
  exit 1
fi
${login}
git init --quiet "$RUNNER_TEMP/store"
cd "$RUNNER_TEMP/store"
git config user.name tenancy
git config user.email tenancy@localhost
git remote add origin "${host.remote}"
if git ls-remote --exit-code origin "refs/heads/$STORE_BRANCH"; then
  git fetch --quiet origin "refs/heads/$STORE_BRANCH"
  git reset --quiet --hard FETCH_HEAD
${indent(refuseOlder(host), 2)}
else
  test $? -eq 2
fi
git commit --quiet --allow-empty --message "Apply of ${host.sha} begins"
git push --quiet origin "HEAD:refs/heads/$STORE_BRANCH"`;

export const APPLY = `./node_modules/.bin/tenancy apply "$STACK" --skip-synth --yes --require-approval broadening \\
  --store "$RUNNER_TEMP/store/credentials.json" 2>&1 | tee "$RUNNER_TEMP/apply.txt"`;

export const keepStore = ({ sha }: HostWords): string => `cd "$RUNNER_TEMP/store"
test -e credentials.json || exit 0
chmod 600 credentials.json
git add credentials.json
git diff --cached --quiet && exit 0
git commit --quiet --message "Store after the apply of ${sha}"
for wait in 0 5 30; do
  sleep "$wait"
  git push --quiet origin "HEAD:refs/heads/$STORE_BRANCH" && exit 0
done
exit 1`;

/** For who only reads. */
export const takeStore = ({ remote }: HostWords, login: string): string => `${login}
mkdir -p "$RUNNER_TEMP/store"
remote="${remote}"
if git ls-remote --exit-code "$remote" "refs/heads/$STORE_BRANCH"; then
  git fetch --quiet --depth 1 "$remote" "refs/heads/$STORE_BRANCH"
  if git cat-file -e FETCH_HEAD:credentials.json; then
    (umask 077 && git show FETCH_HEAD:credentials.json > "$RUNNER_TEMP/store/credentials.json")
  fi
else
  test $? -eq 2
fi`;

export const TAKE_SNAPSHOT = `./node_modules/.bin/tenancy snapshot "$STACK" --skip-synth --store "$RUNNER_TEMP/store/credentials.json" --out "$RUNNER_TEMP/$STACK.snapshot"`;

/** The comment on a merged change: the end, where the summary stands. Needs OUTCOME. */
export const tellOutcome = ({
  run,
}: HostWords): string => `# A block that is indented has no end that a name could bring about.
{
  echo "Apply of \\\`$STACK\\\`: $OUTCOME ([run](${run}))"
  echo
  if [ -e "$RUNNER_TEMP/apply.txt" ]; then tail -n 200 "$RUNNER_TEMP/apply.txt" | tail -c 30000 | tr -d '\\r' | sed 's/^/    /'; fi
} > "$RUNNER_TEMP/result.md"`;

/** The exit code of a look for drift is left in `code`: 0: all agree, 2: somebody changed something, 3: something is declared and not applied yet. */
export const lookForDrift = (marker: string): string => `code=0
./node_modules/.bin/tenancy drift "$STACK" --skip-synth --store "$RUNNER_TEMP/store/credentials.json" \\
  --markdown "$RUNNER_TEMP/drift.md" --markdown-marker "${marker}" --markdown-limit 60000 || code=$?`;

interface Reviewed {
  /** Path of the project in the repository. */
  readonly path: string;
  /** Most characters of what is said of one stack. */
  readonly limit: number;
  /** Where the files of the change lie; the folder itself is the project's. */
  readonly files: string;
  /** Where pages go, and what is said. */
  readonly pages: string;
  readonly comment: string;
}

/** Plans each of STACKS by the tool of the default branch; `result` is 0, or 3 while an approval is missing, or 1. */
export const planStacks = ({
  path,
  limit,
  files,
  pages,
  comment,
}: Reviewed): string => `tool="$PWD/node_modules/.bin/tenancy"
mkdir -p "${pages}"
cd "${files}"
result=0
for stack in $STACKS; do
  code=0
  rm -f "$RUNNER_TEMP/$stack.md"
  "$tool" plan "$stack" --skip-synth --from-snapshot "$RUNNER_TEMP/live/$stack.snapshot" \\
    --require-approval broadening --detailed-exitcode --html "${pages}/$stack.html" \\
    --markdown "$RUNNER_TEMP/$stack.md" --markdown-marker ${path} --markdown-limit ${limit} < /dev/null || code=$?
  cat "$RUNNER_TEMP/$stack.md" >> "${comment}"
  # 0: nothing to do, 2: something to do, 3: an approval is missing; an error outweighs all.
  case $code in
    0 | 2) ;;
    3) if [ "$result" = 0 ]; then result=3; fi ;;
    *) result=1 ;;
  esac
done`;

/** What a status says of a result; `red` is how the host calls a failure. Needs BUILT (`success`), RESULT and TOUCHED. */
export const judge = (red: string, change: string): string => `state=${red}
case "$TOUCHED $BUILT $RESULT" in
  " "*) text="The review itself has failed" ;;
  "false "*) state=success text="Nothing of this project is changed" ;;
  "true success 0") state=success text="Planned" ;;
  "true success 3") text="An approval is missing" ;;
  "true success 1") text="There is no plan, or it is refused" ;;
  "true success "*) text="The review itself has failed" ;;
  *) text="The ${change}'s own job has not succeeded" ;;
esac`;

/** Sets `touched` by the names in a file, one a line: whether one of them is at or below one of PATHS. */
export const findTouched = (names: string): string => `touched=false
while read -r name; do
  for path in $PATHS; do
    case "$name" in "$path" | "$path"/*) touched=true ;; esac
  done
done < "${names}"`;
