// The kind of mail about an import, and what it reads when it is sent.

import { roles } from '@petstore-platform/contract/platform/operation'
import { notification } from '../mail/kinds.ts'
import type { MailKinds } from '../mail/mail-kind.ts'
import { toMember, type ProjectMailContext } from '../projects/member-mails.io.ts'
import * as imports from './import-queries.ts'
import { importMails } from './mails.ts'

export const importMailKinds = {
  import_finished: {
    ...notification('publishing'),
    compose: toMember(roles, async ({ db, row, projectId, account, project, projectUrl }) => {
      const found = await imports.find(db, projectId, row.subject['import'] ?? '')
      if (!found || found.finishedAt === null) return undefined
      return importMails.import_finished({
        language: account.language,
        project: project.name,
        projectUrl,
        failure: found.state === 'failed' ? (found.reason ?? '') : undefined,
        added: Number(found.added),
        bad: Number(found.bad),
      })
    }),
  },
} satisfies MailKinds<ProjectMailContext>
