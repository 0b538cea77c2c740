// The digest, and what it reads when it is sent: what happened since the first mail that went into it
// was queued.

import { COUNT_MAX } from '@petstore-platform/contract/platform/overview'
import { roles } from '@petstore-platform/contract/platform/operation'
import { shownStatus } from '../domains/lifecycle/status.ts'
import { listDomains } from '../domains/store/domain-queries.ts'
import { digest } from '../mail/kinds.ts'
import type { MailKinds } from '../mail/mail-kind.ts'
import { findPetNames } from '../orders/order-queries.ts'
import { toMember, type ProjectMailContext } from '../projects/member-mails.io.ts'
import { DIGEST_NAMES_MAX, overviewMails } from './mails.ts'
import { countSalesSince, openOrdersSince } from './overview-queries.ts'
import { DOMAINS_MAX, needsAction } from './summary.ts'

export const overviewMailKinds = {
  digest: {
    ...digest,
    compose: toMember(roles, async ({ db, row, projectId, account, project, projectUrl }) => {
      const since = new Date(row.subject['since'] ?? row.queuedAt)
      const open = await openOrdersSince(db, projectId, since, COUNT_MAX)
      const first = open.slice(0, DIGEST_NAMES_MAX)
      const names = await findPetNames(db, projectId, first)
      const domains = await listDomains(db, projectId, '', DOMAINS_MAX)
      const mail = overviewMails.digest({
        language: account.language,
        project: project.name,
        projectUrl,
        requests: { count: open.length, animals: first.map((petId) => names.get(petId) ?? '') },
        sales: await countSalesSince(db, projectId, since, COUNT_MAX),
        domains: domains.filter((domain) => needsAction(shownStatus(domain))).map(({ hostname }) => hostname),
      })
      return mail ?? { because: 'empty' }
    }),
  },
} satisfies MailKinds<ProjectMailContext>
