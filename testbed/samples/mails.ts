// Every kind of mail in every language, with the same text wherever people write one. A kind
// without a sample does not compile.

import type { Language } from '@petstore-platform/contract/platform/site'
import { noticeKinds, type NoticeKind } from '../../server/src/accounts/account-actions.ts'
import * as accounts from '../../server/src/accounts/mails.ts'
import { deploymentFailedMail } from '../../server/src/sites/publishing/mails.ts'
import * as domains from '../../server/src/domains/alerts/mails.ts'
import { confirmationMail } from '../../server/src/orders/confirmation-mail.ts'
import * as orders from '../../server/src/orders/mails.ts'
import { digestMail } from '../../server/src/overview/mails.ts'
import { importFinishedMail } from '../../server/src/imports/mails.ts'
import { planRequestedMail } from '../../server/src/plans/mails.ts'
import * as projects from '../../server/src/projects/mails.ts'
import type { MailKind } from '../../server/src/mail/kinds.ts'
import type { Mail } from '../../server/src/mail/mail.ts'

export type MailSample = (language: Language, text: string) => Mail

export const SAMPLE_ORIGIN = 'https://petstore.example'

const AT = new Date('2026-11-16T15:04:00Z')
const LATER = new Date('2026-11-23T15:04:00Z')
const projectUrl = `${SAMPLE_ORIGIN}/projects/happy-paws`
const link = (page: string) => `${SAMPLE_ORIGIN}${page}#q3fW0Yb1cN8kT5vR2mJ7xL4pZ9sD6hG0aE1uI8oC3yQ`

const notice =
  (kind: NoticeKind): MailSample =>
  (language, label) =>
    accounts.noticeOf(kind, { language, at: AT, device: 'Firefox on Windows', label, secureUrl: link('/secure') })

const notices = Object.fromEntries(noticeKinds.map((kind) => [kind, notice(kind)])) as Record<NoticeKind, MailSample>

const ofProject = (language: Language, text: string) => ({ language, project: text, projectUrl })

const request = (language: Language, text: string) => ({
  ...ofProject(language, text),
  animal: text,
  visitor: { name: text, contact: text, phone: text },
  timeZone: 'Europe/Berlin',
  requestUrl: `${projectUrl}/orders/7`,
  message: text,
  answers: Array.from({ length: 12 }, () => ({ question: text, answer: text })),
  position: 2,
  heldUntil: LATER,
  expiresAt: LATER,
  isReplyable: true,
})

const visitor =
  (kind: orders.VisitorMailKind): MailSample =>
  (language, text) => {
    const site = { language, title: text, contact: { email: text, phone: text, address: text } }
    const visit = { at: LATER, offset: 60, place: text }
    const decline = { reason: 'not_a_match', text } as const
    const statusUrl = `${SAMPLE_ORIGIN}/requests/${'0'.repeat(32)}`
    return orders.visitorMail(kind, { site, animal: text, heldUntil: LATER, visit, decline, statusUrl })
  }

const ofDomains = (language: Language, text: string, count = 2) => ({
  ...ofProject(language, text),
  domains: Array.from({ length: count }, (_, index) => ({
    hostname: `shop-${index}.paws.example`,
    name: text,
    advice: `It points to \`${text}\`.`,
    records: [{ name: text, type: 'CNAME', value: text }],
    validUntil: LATER,
  })),
})

function digest(language: Language, text: string): Mail {
  const requests = { count: 12, animals: Array.from({ length: 10 }, () => text) }
  const mail = digestMail({ ...ofProject(language, text), requests, sales: 1, domains: ['www.happy-paws.example'] })
  if (!mail) throw new Error('an empty digest')
  return mail
}

export const mailSamples: Readonly<Record<MailKind, MailSample>> = {
  ...notices,
  sign_up: (language) =>
    accounts.signUpMail({ language, url: link('/sign-up'), hours: 24, isKnown: true, recoveryUrl: link('/recovery') }),
  recovery: (language) => accounts.recoveryMail({ language, url: link('/recovery'), minutes: 30 }),
  email_change: (language) =>
    accounts.emailChangeMail({ language, url: link('/confirm-email'), isNew: true, hours: 24 }),
  email_changed: (language) => accounts.emailChangedMail({ language, url: link('/undo-email'), at: AT, days: 7 }),
  account_deleted: (language) => accounts.accountDeletedMail({ language, at: AT }),
  sign_in_link: (language) => accounts.signInLinkMail({ language, url: link('/sign-in-link'), minutes: 15 }),
  sign_ins_limited: (language) => accounts.signInsLimitedMail({ language, at: AT, url: `${SAMPLE_ORIGIN}/account` }),
  invitation: (language, text) =>
    projects.invitationMail({
      language,
      person: text,
      project: text,
      role: 'admin',
      url: link('/invitations'),
      declineUrl: `${SAMPLE_ORIGIN}/unsubscribe/invitations.00.00`,
    }),
  role_changed: (language, text) => projects.roleChangedMail({ ...ofProject(language, text), role: 'admin' }),
  member_removed: (language, text) => projects.memberRemovedMail(ofProject(language, text)),
  member_joined: (language, text) =>
    projects.memberJoinedMail({ ...ofProject(language, text), person: text, email: text, role: 'viewer' }),
  api_key_created: (language, text) =>
    projects.keyCreatedMail({ ...ofProject(language, text), person: text, at: AT, label: text }),
  project_deleted: (language, text) =>
    projects.projectDeletedMail({ ...ofProject(language, text), person: text, at: AT }),
  // To operators, in English.
  plan_requested: (_, text) =>
    planRequestedMail({
      project: text,
      slug: 'happy-paws',
      person: text,
      email: text,
      from: 'free',
      to: 'pro',
      message: text,
    }),
  order_placed: (language, text) => orders.orderPlacedMail(request(language, text)),
  order_waiting: (language, text) => orders.orderWaitingMail(request(language, text)),
  hold_ended: (language, text) => orders.holdEndedMail(request(language, text)),
  order_withdrawn: (language, text) =>
    orders.orderWithdrawnMail({ ...request(language, text), wasHeld: true, isErased: false }),
  order_received: visitor('order_received'),
  order_approved: visitor('order_approved'),
  order_declined: visitor('order_declined'),
  order_expired: visitor('order_expired'),
  visit_arranged: visitor('visit_arranged'),
  order_completed: visitor('order_completed'),
  found_a_home: visitor('found_a_home'),
  request_confirm: (language, text) =>
    confirmationMail({
      language,
      store: text,
      animal: text,
      url: `${SAMPLE_ORIGIN}/requests/confirm/${'0'.repeat(32)}`,
    }),
  deployment_failed: (language, text) =>
    deploymentFailedMail({ ...ofProject(language, text), number: 7, reason: text, isPublished: true }),
  import_finished: (language, text) =>
    importFinishedMail({ ...ofProject(language, text), failure: text, added: 0, bad: 1 }),
  domain_live: (language, text) => domains.reachedMail('live', ofDomains(language, text, 1)),
  domain_restored: (language, text) => domains.reachedMail('restored', ofDomains(language, text)),
  domain_alert: (language, text) =>
    domains.alertMail({ ...ofDomains(language, text), isOwners: true, canTurnOff: true }),
  domain_reminder: (language, text) => domains.reminderMail({ ...ofDomains(language, text, 30), canTurnOff: false }),
  renewal_failing: (language, text) => domains.renewalMail(ofDomains(language, text)),
  domain_moved: (language, text) => domains.movedMail(ofDomains(language, text)),
  edge_addresses_change: (language, text) => domains.addressesMail({ ...ofDomains(language, text), from: LATER }),
  digest,
}
