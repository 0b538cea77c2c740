// The profile of an animal: what visitors read about it, and what members keep to themselves. An
// animal without one is complete in every other respect; `/v1` does not know profiles.

import { Type, type Static } from 'typebox'
import { petId as animalId } from '../parameters.ts'
import { portraitNames, type PortraitName } from '../portraits.ts'
import { MARKS_DESCRIPTION } from './markdown.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'

export const HEADLINE_LENGTH_MAX = 120
export const STORY_LENGTH_MAX = 10_000
export const TRAITS_MAX = 12
export const FEE_MAX = 1_000_000_000
/** The longest story in characters of four bytes, escaped, plus everything else. */
const PROFILE_BYTES_MAX = 96 * 1024

export const sexes = ['female', 'male'] as const
export const sizes = ['small', 'medium', 'large', 'extra_large'] as const
export const coats = ['hairless', 'short', 'medium', 'long', 'wire', 'curly'] as const
export const answers = ['yes', 'no', 'unknown'] as const
export const datePrecisions = ['day', 'month', 'year'] as const
export type Sex = (typeof sexes)[number]
export type Size = (typeof sizes)[number]
export type Coat = (typeof coats)[number]
export type Answer = (typeof answers)[number]
export type DatePrecision = (typeof datePrecisions)[number]

const line = (most: number, description: string) =>
  Type.Unsafe<string>({
    type: 'string',
    maxLength: most,
    pattern: '^[^\\u0000-\\u001F\\u007F]*$',
    description,
  })
const text = (most: number, description: string) =>
  Type.Unsafe<string>({
    type: 'string',
    maxLength: most,
    pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F]*$',
    description,
  })
const oneOrNull = <One extends string>(values: readonly One[], description: string) =>
  Type.Unsafe<One | null>({ type: ['string', 'null'], enum: [...values, null], description })
const answer = (description: string) => Type.Unsafe<Answer>({ type: 'string', enum: [...answers], description })
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

/** Everything that visitors may see, and nothing else: sites, feeds and mails receive this type alone. */
export const PublicProfile = Type.Object(
  {
    headline: line(HEADLINE_LENGTH_MAX, 'One sentence; empty if there is none.'),
    story: text(
      STORY_LENGTH_MAX,
      `The story of the animal, in Markdown. HTML in it is shown as text. ${MARKS_DESCRIPTION}`,
    ),
    breed: line(80, 'Empty if it is not known.'),
    secondBreed: line(80, 'Of a cross between two; empty otherwise.'),
    isMixed: Type.Boolean({ description: 'Whether it is a mixed breed.' }),
    sex: oneOrNull(sexes, 'Null if it is not known.'),
    size: oneOrNull(sizes, 'As an adult; null if it is not known.'),
    coat: oneOrNull(coats, 'Null if it is not known.'),
    color: line(60, 'Colour of the coat, as people say it.'),
    weightGrams: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 2_000_000,
      description: 'Null if it is not known.',
    }),
    born: Type.Unsafe<Born | null>({ oneOf: [Born, { type: 'null' }], description: 'Null if it is not known.' }),
    goodWithChildren: answer('Whether it gets along with children.'),
    goodWithDogs: answer('Whether it gets along with dogs.'),
    goodWithCats: answer('Whether it gets along with cats.'),
    goodWithNote: line(200, 'More about whom it gets along with.'),
    isNeutered: answer('Whether it is neutered.'),
    isVaccinated: answer('Whether it is vaccinated.'),
    isHouseTrained: answer('Whether it is house-trained.'),
    specialNeeds: text(500, 'What a new home must know; empty if there is nothing.'),
    traits: Type.Array(Type.Unsafe<string>({ ...line(30, 'Such as "calm".'), minLength: 1 }), {
      maxItems: TRAITS_MAX,
      uniqueItems: true,
      description: 'Its character in single words.',
    }),
    fee: Type.Unsafe<Fee | null>({ oneOf: [Fee, { type: 'null' }], description: 'Null means: ask us.' }),
    location: line(80, 'Where it lives, such as a town; never a full address.'),
    inCareSince: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      pattern: DATE_PATTERN,
      description: 'Since when it has been waiting; null if it is not known.',
    }),
    portrait: oneOrNull<PortraitName>(
      portraitNames,
      'The drawing that stands in for a photo; null for the one of its category.',
    ),
  },
  { $id: 'PublicProfile', description: 'What visitors read about an animal.' },
)
export type PublicProfile = Static<typeof PublicProfile>

const settings = {
  isHidden: Type.Boolean({ description: 'Whether the site does not show the animal.' }),
  isFeatured: Type.Boolean({ description: 'Whether the site shows the animal first.' }),
}
const internal = {
  externalId: line(100, 'Identifier in another system, unique in the project; empty if there is none.'),
  chipNumber: line(23, 'Empty if there is none.'),
  internalNotes: text(5000, 'For members alone.'),
}
const version = Type.Integer({
  minimum: 0,
  maximum: 999_999_999,
  description: 'Increases with each change of the profile; 0 until it is written for the first time.',
})

export const Profile = Type.Object(
  { version, ...PublicProfile.properties, ...settings, ...internal },
  {
    $id: 'Profile',
    description: 'The profile of an animal. `externalId`, `chipNumber` and `internalNotes` are never published.',
  },
)
export type Profile = Static<typeof Profile>

export const ProfileChange = Type.Object(
  { version, ...PublicProfile.properties, ...settings, ...internal },
  { $id: 'ProfileChange', additionalProperties: false },
)
export type ProfileChange = Static<typeof ProfileChange>

/** Of an animal about which nothing has been written yet. */
export const emptyProfile: Profile = {
  version: 0,
  headline: '',
  story: '',
  breed: '',
  secondBreed: '',
  isMixed: false,
  sex: null,
  size: null,
  coat: null,
  color: '',
  weightGrams: null,
  born: null,
  goodWithChildren: 'unknown',
  goodWithDogs: 'unknown',
  goodWithCats: 'unknown',
  goodWithNote: '',
  isNeutered: 'unknown',
  isVaccinated: 'unknown',
  isHouseTrained: 'unknown',
  specialNeeds: '',
  traits: [],
  fee: null,
  location: '',
  inCareSince: null,
  portrait: null,
  isHidden: false,
  isFeatured: false,
  externalId: '',
  chipNumber: '',
  internalNotes: '',
}

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
    breed: PublicProfile.properties.breed,
    sex: PublicProfile.properties.sex,
    born: PublicProfile.properties.born,
    inCareSince: PublicProfile.properties.inCareSince,
    portrait: PublicProfile.properties.portrait,
    ...settings,
    completeness: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'How much of what visitors ask for is filled in, in percent.',
    }),
  },
  { $id: 'ProfileSummary', description: 'The profile of an animal in a list.' },
)
export type ProfileSummary = Static<typeof ProfileSummary>

const lineFault = (field: string, most: number) =>
  `'${field}' must be text of at most ${most} characters without control characters.`
const textFault = (field: string, most: number) =>
  `'${field}' must be text of at most ${most} characters, without control characters but line breaks and tabs.`
const enumFault = (field: string, values: readonly string[]) =>
  `'${field}' must be one of ${values.join(', ')} or null.`
const answerFault = (field: string) => `'${field}' must be one of ${answers.join(', ')}.`
const booleanFault = (field: string) => `'${field}' must be true or false.`

export const profileFaults: Record<keyof ProfileChange, string> = {
  version: "'version' must be the version at which the profile was read, an integer from 0.",
  headline: lineFault('headline', HEADLINE_LENGTH_MAX),
  story: textFault('story', STORY_LENGTH_MAX),
  breed: lineFault('breed', 80),
  secondBreed: lineFault('secondBreed', 80),
  isMixed: booleanFault('isMixed'),
  sex: enumFault('sex', sexes),
  size: enumFault('size', sizes),
  coat: enumFault('coat', coats),
  color: lineFault('color', 60),
  weightGrams: "'weightGrams' must be an integer from 1 to 2000000, or null.",
  born: "'born' must be null, or hold a date such as 2023-04-01, a precision (day, month or year) and isEstimated.",
  goodWithChildren: answerFault('goodWithChildren'),
  goodWithDogs: answerFault('goodWithDogs'),
  goodWithCats: answerFault('goodWithCats'),
  goodWithNote: lineFault('goodWithNote', 200),
  isNeutered: answerFault('isNeutered'),
  isVaccinated: answerFault('isVaccinated'),
  isHouseTrained: answerFault('isHouseTrained'),
  specialNeeds: textFault('specialNeeds', 500),
  traits: `'traits' must be a list of at most ${TRAITS_MAX} different texts of 1 to 30 characters.`,
  fee: `'fee' must be null, or hold an amount from 0 to ${FEE_MAX} and a currency such as EUR.`,
  location: lineFault('location', 80),
  inCareSince: "'inCareSince' must be a date such as 2026-03-14 that is not in the future, or null.",
  portrait: "'portrait' must be the name of a portrait, or null.",
  isHidden: booleanFault('isHidden'),
  isFeatured: booleanFault('isFeatured'),
  externalId: lineFault('externalId', 100),
  chipNumber: lineFault('chipNumber', 23),
  internalNotes: textFault('internalNotes', 5000),
}

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
