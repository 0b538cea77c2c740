// The profile of an animal: what visitors read about it, and what members keep to themselves. An
// animal without one is complete in every other respect; `/v1` does not know profiles.

import { Type, type Static } from 'typebox'
import { petId as animalId } from '../parameters.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'
import {
  fieldsWith,
  profileFieldNames,
  profileFields,
  type ProfileFieldEntry,
  type ProfileFieldName,
  type ProfileFieldsWith,
} from './profile-fields.ts'

export const STORY_LENGTH_MAX = profileFields.story.lengthMax
export const TRAITS_MAX = profileFields.traits.itemsMax
export const FEE_MAX = profileFields.fee.amountMax
/** The longest story in characters of four bytes, escaped, plus everything else. */
const PROFILE_BYTES_MAX = 96 * 1024

export const sexes = profileFields.sex.values
export const sizes = profileFields.size.values
export const coats = profileFields.coat.values
export const answers = ['yes', 'no', 'unknown'] as const
export const datePrecisions = ['day', 'month', 'year'] as const
export type Sex = (typeof sexes)[number]
export type Size = (typeof sizes)[number]
export type Coat = (typeof coats)[number]
export type Answer = (typeof answers)[number]
export type DatePrecision = (typeof datePrecisions)[number]

const DATE_PATTERN = '^(19|20)\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$'

/** Of a month or a year, the date is its first day. */
export const Born = Type.Object(
  {
    date: Type.Unsafe<string>({ type: 'string', pattern: DATE_PATTERN, description: 'The first day that it can be.' }),
    precision: Type.Unsafe<DatePrecision>({
      type: 'string',
      enum: [...datePrecisions],
      description: 'How exactly the date is known.',
    }),
    isEstimated: Type.Boolean({ description: 'Whether it was estimated.' }),
  },
  { $id: 'Born', additionalProperties: false, description: 'When the animal was born.' },
)
export type Born = Static<typeof Born>

export const Fee = Type.Object(
  {
    amount: Type.Integer({ minimum: 0, maximum: FEE_MAX, description: 'In the smallest unit of the currency.' }),
    currency: Type.Unsafe<string>({ type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
  },
  { $id: 'Fee', additionalProperties: false, description: 'What the animal costs.' },
)
export type Fee = Static<typeof Fee>

type Values = {
  line: string
  text: string
  integer: number | null
  list: string[]
  fee: Fee | null
  answer: Answer
  flag: boolean
  born: Born | null
  day: string | null
}
/** The value of a field, by its entry. */
type ValueOf<Entry> = Entry extends { type: 'choice'; values: readonly (infer One)[] }
  ? One | null
  : Entry extends { type: keyof Values }
    ? Values[Entry['type']]
    : never
type Schemas = { [Name in ProfileFieldName]: Type.TUnsafe<ValueOf<(typeof profileFields)[Name]>> }

const LINE_PATTERN = '^[^\\u0000-\\u001F\\u007F]*$'
const TEXT_PATTERN = '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F]*$'

function schemaOf(entry: ProfileFieldEntry): Type.TSchema {
  const { description } = entry
  switch (entry.type) {
    case 'line':
      return Type.Unsafe({ type: 'string', maxLength: entry.lengthMax, pattern: LINE_PATTERN, description })
    case 'text':
      return Type.Unsafe({ type: 'string', maxLength: entry.lengthMax, pattern: TEXT_PATTERN, description })
    case 'choice':
      return Type.Unsafe({ type: ['string', 'null'], enum: [...entry.values, null], description })
    case 'integer':
      return Type.Unsafe({ type: ['integer', 'null'], minimum: entry.min, maximum: entry.max, description })
    case 'list':
      return Type.Array(itemOf(entry.lengthMax), { maxItems: entry.itemsMax, uniqueItems: true, description })
    case 'fee':
      return Type.Unsafe({ oneOf: [Fee, { type: 'null' }], description })
    case 'answer':
      return Type.Unsafe({ type: 'string', enum: [...answers], description })
    case 'flag':
      return Type.Boolean({ description })
    case 'born':
      return Type.Unsafe({ oneOf: [Born, { type: 'null' }], description })
    case 'day':
      return Type.Unsafe({ type: ['string', 'null'], pattern: DATE_PATTERN, description })
  }
}

const itemOf = (maxLength: number) =>
  Type.Unsafe({ type: 'string', maxLength, pattern: LINE_PATTERN, description: 'Such as "calm".', minLength: 1 })

const schemas = Object.fromEntries(profileFieldNames.map((name) => [name, schemaOf(profileFields[name])])) as Schemas

const schemasOf = <Name extends ProfileFieldName>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, schemas[name]])) as Pick<Schemas, Name>

/** Everything that visitors may see, and nothing else: sites, feeds and mails receive this type alone. */
export const PublicProfile = Type.Object(schemasOf(fieldsWith({ shown: ['card', 'page'] })), {
  $id: 'PublicProfile',
  description: 'What visitors read about an animal.',
})
export type PublicProfile = Static<typeof PublicProfile>

/** What a card shows of a profile. Without the long texts, so that a page of animals stays small. */
export type CardProfile = Pick<PublicProfile, ProfileFieldsWith<{ shown: 'card' }>>

const version = Type.Integer({
  minimum: 0,
  maximum: 999_999_999,
  description: 'Increases with each change of the profile; 0 until it is written for the first time.',
})

export const Profile = Type.Object(
  { version, ...schemas },
  {
    $id: 'Profile',
    description: 'The profile of an animal. `externalId`, `chipNumber` and `internalNotes` are never published.',
  },
)
export type Profile = Static<typeof Profile>

export const ProfileChange = Type.Object({ version, ...schemas }, { $id: 'ProfileChange', additionalProperties: false })
export type ProfileChange = Static<typeof ProfileChange>

const emptyValues: { [Type in ProfileFieldEntry['type']]: unknown } = {
  line: '',
  text: '',
  choice: null,
  integer: null,
  list: [],
  fee: null,
  answer: 'unknown',
  flag: false,
  born: null,
  day: null,
}

/** Of an animal about which nothing has been written yet. */
export const emptyProfile = {
  version: 0,
  ...Object.fromEntries(profileFieldNames.map((name) => [name, emptyValues[profileFields[name].type]])),
} as Profile

export const profileExample = {
  ...emptyProfile,
  version: 3,
  headline: 'Walks like a gentleman, sleeps like a log',
  story: 'Rex came to us in **spring**.',
  breed: 'Labrador',
  isMixed: true,
  sex: 'male',
  size: 'large',
  born: { date: '2023-04-01', precision: 'month', isEstimated: true },
  goodWithChildren: 'yes',
  traits: ['calm', 'curious'],
  fee: { amount: 25_000, currency: 'EUR' },
  location: 'Berlin',
  inCareSince: '2026-03-14',
}

/** What a list says of each animal. */
export const ProfileSummary = Type.Object(
  {
    ...schemasOf(['breed', 'sex', 'born', 'inCareSince', 'portrait', 'isHidden', 'isFeatured']),
    completeness: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'How much of what visitors ask for is filled in, in percent.',
    }),
  },
  { $id: 'ProfileSummary', description: 'The profile of an animal in a list.' },
)
export type ProfileSummary = Static<typeof ProfileSummary>

function faultOf(entry: ProfileFieldEntry): string {
  if (entry.fault !== undefined) return entry.fault
  switch (entry.type) {
    case 'line':
      return `must be text of at most ${entry.lengthMax} characters without control characters.`
    case 'text':
      return `must be text of at most ${entry.lengthMax} characters, without control characters but line breaks and tabs.`
    case 'choice':
      return `must be one of ${entry.values.join(', ')} or null.`
    case 'integer':
      return `must be an integer from ${entry.min} to ${entry.max}, or null.`
    case 'list':
      return `must be a list of at most ${entry.itemsMax} different texts of 1 to ${entry.lengthMax} characters.`
    case 'fee':
      return `must be null, or hold an amount from 0 to ${entry.amountMax} and a currency such as EUR.`
    case 'answer':
      return `must be one of ${answers.join(', ')}.`
    case 'flag':
      return 'must be true or false.'
    case 'born':
      return 'must be null, or hold a date such as 2023-04-01, a precision (day, month or year) and isEstimated.'
    case 'day':
      return 'must be a date such as 2026-03-14 that is not in the future, or null.'
  }
}

export const profileFaults = {
  version: "'version' must be the version at which the profile was read, an integer from 0.",
  ...Object.fromEntries(profileFieldNames.map((name) => [name, `'${name}' ${faultOf(profileFields[name])}`])),
} as Record<keyof ProfileChange, string>

const { version: versionRead, ...changeExample } = profileExample

export const putProfile = {
  operationId: 'putProfile',
  method: 'PUT',
  path: '/projects/{project}/animals/{petId}/profile',
  tag: 'animals',
  access: 'admin',
  summary: 'Write the profile of an animal',
  description:
    'Replaces the whole profile, based on the given version. Rejected if it has changed since that version, so that no change is overwritten unseen. It is on the site at once.',
  parameters: { project: projectSlug, petId: animalId },
  body: {
    schema: ProfileChange,
    bytesMax: PROFILE_BYTES_MAX,
    faults: profileFaults,
    examples: { one: { summary: 'A dog', value: { version: versionRead - 1, ...changeExample } } },
  },
  success: { status: 200, description: 'The profile.', schema: Profile, headers: [], example: profileExample },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const profileOperations: readonly PlatformOperation[] = [putProfile]
