// The kind of mail about a deployment, and what it reads when it is sent.

import { roles } from '@petstore-platform/contract/platform/operation'
import { notification } from '../../mail/kinds.ts'
import type { MailKinds } from '../../mail/mail-kind.ts'
import { toMember, type ProjectMailContext } from '../../projects/member-mails.io.ts'
import { findCurrent, findDeployment } from './deployment-queries.ts'
import { publishingMails } from './mails.ts'

export const publishingMailKinds = {
  deployment_failed: {
    ...notification('publishing'),
    compose: toMember(roles, async ({ db, row, projectId, account, project, projectUrl }) => {
      const deployment = await findDeployment(db, projectId, row.subject['deployment'] ?? '')
      if (deployment?.state !== 'failed') return undefined
      return publishingMails.deployment_failed({
        language: account.language,
        project: project.name,
        projectUrl,
        number: deployment.number,
        reason: deployment.reason ?? '',
        isPublished: (await findCurrent(db, projectId)) !== undefined,
      })
    }),
  },
} satisfies MailKinds<ProjectMailContext>
