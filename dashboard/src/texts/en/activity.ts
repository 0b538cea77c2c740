// The texts of audit events. Every action that the server can record has a text here,
// phrased to follow the name of the actor.

import type { ActorKind, AuditAction } from '@petstore-platform/contract/platform/audit'

/** The details of an audit event, as text; missing ones are undefined. */
export type About = {
  subject: string
  /** What the person is called to whom it was done, if it was a member. */
  person: string | undefined
  isOneself: boolean
  /** How many such events of one person are shown as one. */
  count?: number
  said: (name: string) => string | undefined
}

const number = new Intl.NumberFormat()
const roles: Readonly<Record<string, string>> = { viewer: 'viewer', admin: 'admin', owner: 'owner' }
const statuses: Readonly<Record<string, string>> = { available: 'available', pending: 'reserved', sold: 'sold' }
const kinds: Readonly<Record<string, string>> = { shelter: 'shelter', shop: 'shop' }
const plans: Readonly<Record<string, string>> = { free: 'Free', pro: 'Pro', enterprise: 'Enterprise' }

const quoted = (text: string | undefined) => (text === undefined ? '' : ` “${text}”`)
const named = (words: Readonly<Record<string, string>>, code = '') => words[code] ?? code
const counted = (text = '0') => number.format(Number(text))
const personOf = ({ person }: About) => person ?? 'a former member'
const photosOf = ({ subject, count = 1 }: About) =>
  `${count === 1 ? 'a photo' : `${number.format(count)} photos`} of animal ${subject}`
const version = ({ said }: About) => `version ${said('number') ?? ''}`.trimEnd()

const events: Readonly<Record<AuditAction, (about: About) => string>> = {
  project_created: () => 'created the store',
  project_renamed: ({ said }) => `renamed the store from${quoted(said('from'))} to${quoted(said('to'))}`,
  project_kind_set: ({ said }) => `set the kind of the store to ${named(kinds, said('to'))}`,
  project_deleted: () => 'deleted the store',
  project_suspended: () => 'suspended the store',
  project_restored: () => 'restored the data of the store from a backup',
  project_held: () => 'put the data of the store on legal hold',
  project_released: () => 'ended the legal hold',
  project_erased: () => 'erased the store',
  project_resumed: () => 'opened the store again',
  plan_set: ({ said }) => `changed the plan from ${named(plans, said('from'))} to ${named(plans, said('to'))}`,
  plan_requested: ({ said }) => `asked for the plan ${named(plans, said('plan'))}`,
  plan_declined: ({ said }) =>
    `declined the plan ${named(plans, said('plan'))}${said('by') === undefined ? noteOf(said('reason')) : ''}`,
  owner_added: (about) => `made ${personOf(about)} an owner`,
  visitor_mails_set: ({ said }) => `turned mails to visitors ${said('to') === 'true' ? 'on' : 'off'}`,
  member_changed: (about) =>
    `changed ${about.isOneself ? 'their own role' : `the role of ${personOf(about)}`} from ${named(roles, about.said('from'))} to ${named(roles, about.said('to'))}`,
  member_removed: (about) => (about.isOneself ? 'left the store' : `removed ${personOf(about)} from the store`),
  invitation_created: ({ said }) => `created an invitation as ${named(roles, said('role'))}${noteOf(said('note'))}`,
  invitation_revoked: ({ said }) => `revoked an invitation as ${named(roles, said('role'))}`,
  invitation_accepted: ({ said }) => `accepted an invitation and joined as ${named(roles, said('role'))}`,
  key_created: ({ said }) => `created the API key${quoted(said('label'))}`,
  key_rotated: ({ said }) => `replaced the API key${quoted(said('label'))}`,
  key_revoked: ({ said }) => `revoked the API key${quoted(said('label'))}`,
  animal_created: ({ said }) =>
    `added the animal${quoted(said('name'))}${said('copyOf') === undefined ? '' : ` as a copy of animal ${said('copyOf')}`}`,
  animal_changed: ({ subject, said }) =>
    said('name') === undefined ? `changed animal ${subject}` : `changed the animal${quoted(said('name'))}`,
  animal_deleted: ({ said }) => `deleted the animal${quoted(said('name'))}`,
  profile_changed: ({ subject }) => `changed the profile of animal ${subject}`,
  photo_added: (about) => `added ${photosOf(about)}`,
  photo_changed: ({ subject }) => `changed a photo of animal ${subject}`,
  photo_deleted: (about) => `deleted ${photosOf(about)}`,
  photos_ordered: ({ subject }) => `put the photos of animal ${subject} in another order`,
  animal_status_set: ({ subject, said }) =>
    `changed the status of animal ${subject} from ${named(statuses, said('from'))} to ${named(statuses, said('to'))}`,
  animal_statuses_set: ({ said }) => `marked ${counted(said('count'))} animals as ${named(statuses, said('to'))}`,
  animals_changed: ({ said }) => changeOf(said('isHidden'), `${counted(said('count'))} animals`, said('categoryId')),
  category_created: ({ said }) => `added the category${quoted(said('name'))}`,
  category_renamed: ({ said }) => `renamed a category to${quoted(said('name'))}`,
  category_deleted: ({ said }) => `deleted the category${quoted(said('name'))}`,
  import_created: () => 'created an import',
  import_started: () => 'uploaded a file and started the import',
  import_succeeded: ({ said }) =>
    `finished an import: ${counted(said('added'))} animals added, ${counted(said('bad'))} rows skipped`,
  import_failed: ({ said }) =>
    said('bad') === '0'
      ? 'could not read or finish an import; nothing was added'
      : `rejected an import because ${counted(said('bad'))} rows had errors; nothing was added`,
  import_applied: () => 'reviewed an import and applied it',
  import_undo_started: () => 'undid an import',
  import_undone: ({ said }) =>
    `finished undoing an import: ${counted(said('undone'))} animals as before, ${counted(said('kept'))} left as they are`,
  import_discarded: () => 'discarded an import',
  order_placed: ({ subject }) => `placed request ${subject}`,
  order_contacted: ({ subject }) => `contacted the visitor of request ${subject}`,
  order_visit_set: ({ subject }) => `arranged a visit for request ${subject}`,
  order_approved: ({ subject }) => `approved request ${subject}`,
  order_delivered: ({ subject }) => `marked request ${subject} as handed over`,
  order_declined: ({ subject }) => `declined request ${subject}`,
  order_withdrawn: ({ subject }) => `withdrew request ${subject}`,
  order_closed: ({ subject }) => `closed request ${subject}, because the animal has found a home`,
  order_expired: ({ subject }) => `expired request ${subject}, because there was no answer in time`,
  order_reopened: ({ subject }) => `reopened request ${subject}`,
  order_undone: ({ subject }) => `undid the last change of request ${subject}`,
  order_held: ({ subject }) => `held the animal for request ${subject}`,
  order_released: ({ subject }) => `ended the hold of the animal for request ${subject}`,
  order_noted: ({ subject }) => `added a note to request ${subject}`,
  order_erased: ({ subject }) => `erased the visitor's data of request ${subject}`,
  request_settings_set: () => 'changed how requests work',
  site_changed: () => 'changed the draft of the site',
  logo_changed: () => 'changed the logo in the draft',
  logo_removed: () => 'removed the logo from the draft',
  deployment_created: (about) => `started publishing ${version(about)} of the site`,
  deployment_succeeded: (about) =>
    about.said('isShown') === 'false'
      ? `built ${version(about)} of the site, but a later one was already published`
      : `published ${version(about)} of the site`,
  deployment_failed: (about) => `could not publish ${version(about)} of the site${noteOf(about.said('reason'))}`,
  deployment_published: (about) => `republished ${version(about)} of the site`,
  domain_added: ({ subject }) => `added the domain ${subject}`,
  domain_verified: ({ subject }) => `verified the domain ${subject}`,
  domain_moved: ({ subject }) => `removed the domain ${subject}, because another store proved ownership of it`,
  domain_removed: ({ subject }) => `removed the domain ${subject}`,
  domain_shared: ({ subject }) => `created a link to the DNS records of ${subject}`,
  domain_share_revoked: ({ subject }) => `revoked the links to the DNS records of ${subject}`,
  primary_domain_chosen: ({ subject }) => `made ${subject} the primary domain`,
  redirects_set: ({ said }) => `saved the redirects: ${counted(said('count'))} in total`,
}

function changeOf(isHidden: string | undefined, animals: string, category: string | undefined): string {
  const hidden = isHidden !== undefined && `${isHidden === 'true' ? 'hid' : 'showed'} ${animals}`
  const moved = category !== undefined && `changed the category of ${animals}`
  return [hidden, moved].filter(Boolean).join(' and ') || `changed ${animals}`
}

function noteOf(text: string | undefined): string {
  return text === undefined || text === '' ? '' : ` (${text})`
}

/** The operator's name and reason. */
const operatorNote = (by: string, reason: string | undefined) => noteOf(reason === undefined ? by : `${by}: ${reason}`)

const actors: Readonly<Record<ActorKind, string>> = {
  account: 'A former member',
  visitor: 'A visitor',
  operator: 'The operator of this Petstore',
  petstore: 'Petstore',
}

export const activity = {
  title: 'Activity',
  lead: 'Everything done in this store, newest first. Entries cannot be changed.',
  empty: 'No activity yet',
  viewer: 'Only for admins and owners',
  viewerText: 'Only admins and owners of the store can see its activity.',
  today: 'Today',
  yesterday: 'Yesterday',
  /** Behind an event that occurred several times in succession. */
  times: (count: number) => `(${number.format(count)} times)`,
  events,
  operatorNote,
  actors,
}
