// Every kind of mail in every language, with the same text wherever people write one. The facts of a feature are given once,
// for all of its mails; a mail that needs another one does not compile.

import type { Language } from '@petstore-platform/contract/platform/site'
import { accountMails, noticeMails } from '../../server/src/accounts/mails.ts'
import { reportMails } from '../../server/src/sites/reports/mails.ts'
import { publishingMails } from '../../server/src/sites/publishing/mails.ts'
import { domainMails } from '../../server/src/domains/alerts/mails.ts'
import { confirmationMail } from '../../server/src/orders/confirmation-mail.ts'
import { orderMails, visitorMail, visitorMailKinds, type VisitorMailKind } from '../../server/src/orders/mails.ts'
import { overviewMails } from '../../server/src/overview/mails.ts'
import { importMails } from '../../server/src/imports/mails.ts'
import { planMails } from '../../server/src/plans/mails.ts'
import { projectMails } from '../../server/src/projects/mails.ts'
import type { MailKindName } from '../../server/src/program/mail-kinds.ts'
import type { Mail } from '../../server/src/mail/mail.ts'

export type MailSample = (language: Language, text: string) => Mail

export const SAMPLE_ORIGIN = 'https://petstore.example'

const AT = new Date('2026-11-16T15:04:00Z')
const LATER = new Date('2026-11-23T15:04:00Z')
const projectUrl = `${SAMPLE_ORIGIN}/projects/happy-paws`
const link = (page: string) => `${SAMPLE_ORIGIN}${page}#q3fW0Yb1cN8kT5vR2mJ7xL4pZ9sD6hG0aE1uI8oC3yQ`

const samplesOf = <Facts, Kind extends string>(
  mails: Readonly<Record<Kind, (facts: NoInfer<Facts>) => Mail | undefined>>,
  factsOf: (language: Language, text: string) => Facts,
) =>
  Object.fromEntries(
    Object.entries<(facts: Facts) => Mail | undefined>(mails).map(([kind, write]) => [
      kind,
      (language: Language, text: string) => {
        const mail = write(factsOf(language, text))
        if (!mail) throw new Error(`an empty ${kind}`)
        return mail
      },
    ]),
  ) as Record<Kind, MailSample>

const ofAccount = (language: Language, label: string) => ({
  language,
  at: AT,
  device: 'Firefox on Windows',
  label,
  secureUrl: link('/secure'),
  url: link('/recovery'),
  recoveryUrl: link('/recovery'),
  isKnown: true,
  isNew: true,
  minutes: 30,
  hours: 24,
  days: 7,
})

const ofProject = (language: Language, text: string) => ({ language, project: text, projectUrl })

const ofMembers = (language: Language, text: string) => ({
  ...ofProject(language, text),
  person: text,
  email: text,
  label: text,
  role: 'admin' as const,
  at: AT,
  url: link('/invitations'),
  declineUrl: `${SAMPLE_ORIGIN}/unsubscribe/invitations.00.00`,
  isReplyable: true,
})

const ofPlan = (_: Language, text: string) => ({
  project: text,
  slug: 'happy-paws',
  person: text,
  email: text,
  from: 'free' as const,
  to: 'pro' as const,
  message: text,
})

const ofReport = (_: Language, text: string) => ({ slug: 'happy-paws', host: text, message: text, contact: text })

const ofRequest = (language: Language, text: string) => ({
  ...ofProject(language, text),
  animal: text,
  visitor: { name: text, contact: text, phone: text },
  timeZone: 'Europe/Berlin',
  requestUrl: `${projectUrl}/requests/7`,
  message: text,
  answers: Array.from({ length: 12 }, () => ({ question: text, answer: text })),
  position: 2,
  heldUntil: LATER,
  expiresAt: LATER,
  isReplyable: true,
  wasHeld: true,
  isErased: false,
})

const visitorMails = Object.fromEntries(
  visitorMailKinds.map((kind) => [kind, (facts: Parameters<typeof visitorMail>[1]) => visitorMail(kind, facts)]),
) as Record<VisitorMailKind, (facts: Parameters<typeof visitorMail>[1]) => Mail>

const ofVisitor = (language: Language, text: string) => ({
  site: { language, title: text, contact: { email: text, phone: text, address: text } },
  animal: text,
  heldUntil: LATER,
  visit: { at: LATER, offset: 60, place: text },
  decline: { reason: 'not_a_match' as const, text },
  statusUrl: `${SAMPLE_ORIGIN}/requests/${'0'.repeat(32)}`,
})

const ofConfirmation = (language: Language, text: string) => ({
  language,
  store: text,
  animal: text,
  url: `${SAMPLE_ORIGIN}/requests/confirm/${'0'.repeat(32)}`,
})

const ofDomains = (language: Language, text: string, count = 2) => ({
  ...ofProject(language, text),
  domains: Array.from({ length: count }, (_, index) => ({
    hostname: `shop-${index}.paws.example`,
    name: text,
    advice: `It points to \`${text}\`.`,
    records: [{ name: text, type: 'CNAME', value: text }],
    validUntil: LATER,
  })),
  from: LATER,
  isOwners: true,
  canTurnOff: true,
})

const ofImport = (language: Language, text: string) => ({
  ...ofProject(language, text),
  failure: text,
  added: 0,
  bad: 1,
})

const ofDeployment = (language: Language, text: string) => ({
  ...ofProject(language, text),
  number: 7,
  reason: text,
  isPublished: true,
})

const ofDigest = (language: Language, text: string) => ({
  ...ofProject(language, text),
  requests: { count: 12, animals: Array.from({ length: 10 }, () => text) },
  sales: 1,
  domains: ['www.happy-paws.example'],
})

export const mailSamples: Readonly<Record<MailKindName, MailSample>> = {
  ...samplesOf(noticeMails, ofAccount),
  ...samplesOf(accountMails, ofAccount),
  ...samplesOf(projectMails, ofMembers),
  // To operators, in English.
  ...samplesOf(planMails, ofPlan),
  ...samplesOf(reportMails, ofReport),
  ...samplesOf(importMails, ofImport),
  ...samplesOf(orderMails, ofRequest),
  ...samplesOf(visitorMails, ofVisitor),
  ...samplesOf({ request_confirm: confirmationMail }, ofConfirmation),
  ...samplesOf(publishingMails, ofDeployment),
  ...samplesOf(domainMails, ofDomains),
  // Of one domain, and of more than a mail shows.
  domain_live: (language, text) => domainMails.domain_live(ofDomains(language, text, 1)),
  domain_reminder: (language, text) =>
    domainMails.domain_reminder({ ...ofDomains(language, text, 30), canTurnOff: false }),
  ...samplesOf(overviewMails, ofDigest),
}
