// Reads the facts of a mail about a deployment when it is sent.

import { roles } from '@petstore-platform/contract/platform/operation'
import type { Compose } from '../../mail/jobs.io.ts'
import { memberComposer, type MemberMailDeps } from '../../projects/member-mails.io.ts'
import { findCurrent, findDeployment } from './deployment-queries.ts'
import { deploymentFailedMail } from './mails.ts'

export const deploymentComposers = (deps: MemberMailDeps): Readonly<Record<'deployment_failed', Compose>> => ({
  deployment_failed: memberComposer(deps)(roles, async ({ db, row, projectId, account, project, projectUrl }) => {
    const deployment = await findDeployment(db, projectId, row.subject['deployment'] ?? '')
    if (deployment?.state !== 'failed') return undefined
    return deploymentFailedMail({
      language: account.language,
      project: project.name,
      projectUrl,
      number: deployment.number,
      reason: deployment.reason ?? '',
      isPublished: (await findCurrent(db, projectId)) !== undefined,
    })
  }),
})
