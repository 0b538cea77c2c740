// The commit that a release is built from. It determines the version, the time of every file and the identity of the
// bill of materials, so that two builds of one commit have the same bytes.

import { run } from './run.ts'

export type Commit = { id: string; isDirty: boolean; seconds: number }

/** `SOURCE_DATE_EPOCH`, if it is set, replaces the time of the commit, as reproducible-builds.org defines it. */
export function currentCommit(cwd: string, epoch: string | undefined): Commit {
  const git = (...args: string[]) => run('git', args, { cwd }).output.trim()
  return {
    id: git('rev-parse', 'HEAD'),
    isDirty: git('status', '--porcelain') !== '',
    seconds: Number(epoch ?? git('log', '-1', '--format=%ct')),
  }
}
