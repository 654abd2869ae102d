/** The public module of pipelines: their hosts, pull requests and clones, guarded output, and untrusted archives. */
export { pipelineOf } from "../state";
export { archiveText, isVariableFile, type PackedStacks, readArchive } from "./archive";
export { approvalsAt, requireLockedVersion } from "./committed";
export { hostOf } from "./current-host";
export { withGuardedOutput, withoutHostCommands } from "./guarded-output";
export { ARCHIVE_FILE, type Host, type HostStatus, type PullRequestBuild, snapshotFile } from "./host";
export {
  below,
  demandFitPath,
  type Place,
  placeAt,
  projectPaths,
  repositoryOf,
  statusName,
  stateBranch,
  TOP,
} from "./place";
export { Repository } from "./repository";
