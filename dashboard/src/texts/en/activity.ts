// What people read of who did what. Every action that the server can note has its words
// here, told so that they follow the name of who did it.

import type { ActorKind, AuditAction } from '@petstore/contract/platform/audit'

/** What is known of a deed, as text; what is not there is undefined. */
export type About = {
  subject: string
  /** What the person is called to whom it was done, if it was a member. */
  person: string | undefined
  isOneself: boolean
  said: (name: string) => string | undefined
}

const number = new Intl.NumberFormat()
const roles: Readonly<Record<string, string>> = { viewer: 'viewer', admin: 'admin', owner: 'owner' }
const statuses: Readonly<Record<string, string>> = { available: 'available', pending: 'reserved', sold: 'sold' }
const plans: Readonly<Record<string, string>> = { free: 'Free', pro: 'Pro', enterprise: 'Enterprise' }

const quoted = (text: string | undefined) => (text === undefined ? '' : ` “${text}”`)
const named = (words: Readonly<Record<string, string>>, code = '') => words[code] ?? code
const counted = (text = '0') => number.format(Number(text))
const personOf = ({ person }: About) => person ?? 'a former member'
const version = ({ said }: About) => `version ${said('number') ?? ''}`.trimEnd()

const events: Readonly<Record<AuditAction, (about: About) => string>> = {
  project_created: () => 'made the project',
  project_renamed: ({ said }) => `renamed the project from${quoted(said('from'))} to${quoted(said('to'))}`,
  project_deleted: () => 'deleted the project',
  plan_set: ({ said }) =>
    `put the project on the ${named(plans, said('to'))} plan; it was on ${named(plans, said('from'))}`,
  member_changed: (about) =>
    `made ${about.isOneself ? 'themselves' : personOf(about)} ${named(roles, about.said('to'))}; before that ${named(roles, about.said('from'))}`,
  member_removed: (about) => (about.isOneself ? 'left the project' : `removed ${personOf(about)} from the project`),
  invitation_created: ({ said }) => `invited somebody as ${named(roles, said('role'))}${noteOf(said('note'))}`,
  invitation_revoked: ({ said }) => `revoked an invitation as ${named(roles, said('role'))}`,
  invitation_accepted: ({ said }) => `accepted an invitation and is ${named(roles, said('role'))}`,
  key_created: ({ said }) => `made the API key${quoted(said('label'))}`,
  key_rotated: ({ said }) => `replaced the API key${quoted(said('label'))} by a new one`,
  key_revoked: ({ said }) => `revoked the API key${quoted(said('label'))}`,
  animal_created: ({ said }) => `added the animal${quoted(said('name'))}`,
  animal_changed: ({ subject, said }) =>
    said('name') === undefined ? `changed animal ${subject}` : `changed the animal${quoted(said('name'))}`,
  animal_deleted: ({ said }) => `deleted the animal${quoted(said('name'))}`,
  animal_status_set: ({ subject, said }) =>
    `marked animal ${subject} as ${named(statuses, said('to'))}; it was ${named(statuses, said('from'))}`,
  animal_statuses_set: ({ said }) => `marked ${counted(said('count'))} animals as ${named(statuses, said('to'))}`,
  category_created: ({ said }) => `added the category${quoted(said('name'))}`,
  category_renamed: ({ said }) => `renamed a category to${quoted(said('name'))}`,
  category_deleted: ({ said }) => `deleted the category${quoted(said('name'))}`,
  import_created: () => 'began an import',
  import_started: () => 'sent a table to be imported',
  import_succeeded: ({ said }) =>
    `finished an import: ${counted(said('added'))} animals added, ${counted(said('bad'))} lines left out`,
  import_failed: ({ said }) => `stopped an import, and added nothing: ${counted(said('bad'))} lines had mistakes`,
  order_placed: ({ subject }) => `placed order ${subject}`,
  order_approved: ({ subject }) => `approved order ${subject}`,
  order_delivered: ({ subject }) => `noted that the animal of order ${subject} was handed over`,
  order_declined: ({ subject }) => `declined order ${subject}`,
  order_expired: ({ subject }) => `let order ${subject} expire, since nobody decided in time`,
  site_changed: () => 'changed the draft of the site',
  logo_changed: () => 'changed the logo in the draft',
  logo_removed: () => 'removed the logo from the draft',
  deployment_created: (about) => `asked for ${version(about)} of the site`,
  deployment_succeeded: (about) =>
    about.said('isShown') === 'false'
      ? `made ${version(about)} of the site; something later was shown already`
      : `published ${version(about)} of the site`,
  deployment_failed: (about) => `could not publish ${version(about)} of the site${noteOf(about.said('reason'))}`,
  deployment_published: (about) => `showed ${version(about)} of the site again`,
  domain_added: ({ subject }) => `added the domain ${subject}`,
  domain_verified: ({ subject }) => `verified the domain ${subject}`,
  domain_moved: ({ subject }) => `took the domain ${subject} out, since another project proved that it is theirs`,
  domain_removed: ({ subject }) => `removed the domain ${subject}`,
  domain_shared: ({ subject }) => `made a link to the DNS records of ${subject}`,
  domain_share_revoked: ({ subject }) => `revoked the links to the DNS records of ${subject}`,
  primary_domain_chosen: ({ subject }) => `made ${subject} the primary domain`,
  redirects_set: ({ said }) => `saved the redirects: ${counted(said('count'))} now`,
}

function noteOf(text: string | undefined): string {
  return text === undefined || text === '' ? '' : ` (${text})`
}

const actors: Readonly<Record<ActorKind, string>> = {
  account: 'A former member',
  visitor: 'A visitor',
  operator: 'Whoever runs this Petstore',
  petstore: 'Petstore',
}

export const activity = {
  title: 'Activity',
  lead: 'Who did what in this project, the newest first. Nobody can change what is written here.',
  empty: 'Nothing has happened yet',
  viewer: 'Only for admins and owners',
  viewerText: 'What people did in the project is shown to its admins and owners. Ask one of them if you need to know.',
  today: 'Today',
  yesterday: 'Yesterday',
  events,
  actors,
}
