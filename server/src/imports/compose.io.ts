// Reads the facts of a mail about an import when it is sent.

import { roles } from '@petstore-platform/contract/platform/operation'
import type { Compose } from '../mail/jobs.io.ts'
import { memberComposer, type MemberMailDeps } from '../projects/member-mails.io.ts'
import * as imports from './import-queries.ts'
import { importFinishedMail } from './mails.ts'

export const importComposers = (deps: MemberMailDeps): Readonly<Record<'import_finished', Compose>> => ({
  import_finished: memberComposer(deps)(roles, async ({ db, row, projectId, account, project, projectUrl }) => {
    const found = await imports.find(db, projectId, row.subject['import'] ?? '')
    if (!found || found.finishedAt === null) return undefined
    return importFinishedMail({
      language: account.language,
      project: project.name,
      projectUrl,
      failure: found.state === 'failed' ? (found.reason ?? '') : undefined,
      added: Number(found.added),
      bad: Number(found.bad),
    })
  }),
})
