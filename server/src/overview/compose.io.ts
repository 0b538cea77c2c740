// Reads the facts of a digest when it is sent: what happened since the first mail that went into it
// was queued.

import { COUNT_MAX } from '@petstore-platform/contract/platform/overview'
import { roles } from '@petstore-platform/contract/platform/operation'
import { shownStatus } from '../domains/lifecycle/status.ts'
import { listDomains } from '../domains/store/domain-queries.ts'
import type { Compose } from '../mail/jobs.io.ts'
import { findPetNames } from '../orders/order-queries.ts'
import { memberComposer, type MemberMailDeps } from '../projects/member-mails.io.ts'
import { DIGEST_NAMES_MAX, digestMail } from './mails.ts'
import { countSalesSince, openOrdersSince } from './overview-queries.ts'
import { DOMAINS_MAX, needsAction } from './summary.ts'

export const digestComposers = (deps: MemberMailDeps): Readonly<Record<'digest', Compose>> => ({
  digest: memberComposer(deps)(roles, async ({ db, row, projectId, account, project, projectUrl }) => {
    const since = new Date(row.subject['since'] ?? row.queuedAt)
    const open = await openOrdersSince(db, projectId, since, COUNT_MAX)
    const first = open.slice(0, DIGEST_NAMES_MAX)
    const names = await findPetNames(db, projectId, first)
    const domains = await listDomains(db, projectId, '', DOMAINS_MAX)
    const mail = digestMail({
      language: account.language,
      project: project.name,
      projectUrl,
      requests: { count: open.length, animals: first.map((petId) => names.get(petId) ?? '') },
      sales: await countSalesSince(db, projectId, since, COUNT_MAX),
      domains: domains.filter((domain) => needsAction(shownStatus(domain))).map(({ hostname }) => hostname),
    })
    return mail ?? { because: 'empty' }
  }),
})
