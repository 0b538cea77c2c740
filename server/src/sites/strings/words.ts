// What the built-in texts of a site are, whatever the language.

import type { PetStatus } from '@petstore-platform/contract/pets'
import type { ProfileFieldsWith } from '@petstore-platform/contract/platform/profile-fields'
import type { Coat, Sex, Size } from '@petstore-platform/contract/platform/profiles'
import type { Age, Sort } from '../pages/filters.ts'
import type { PrivacyTexts } from './strings-privacy.ts'
import type { ReportTexts } from './strings-report.ts'
import type { RequestMistake, RequestTexts } from './strings-requests.ts'

/** The statuses of animals that lists show. */
export type Counted = Exclude<PetStatus, 'sold'>

/** Whom an animal gets along with, and its health. */
export type AnswerField = ProfileFieldsWith<{ type: 'answer' }>
/** Everything else that is a line of its own on the page of an animal. */
export type FactField = Exclude<
  ProfileFieldsWith<{ shown: 'card' | 'page'; group: 'facts' | 'terms' }>,
  'secondBreed' | 'isMixed'
>
/** Longer texts below the story, each with a heading. */
export type TextField = Exclude<ProfileFieldsWith<{ type: 'text'; shown: 'page' }>, 'story'>

type YesNo = readonly [yes: string, no: string]

export type Words = {
  skip: string
  categories: string
  more: string
  everyone: string
  newest: string
  /** How many animals a list shows of each status; the two are joined by a comma. */
  counted: Record<Counted, (count: number) => string>
  menu: string
  language: string
  meet: string
  others: string
  noAnimals: string
  newer: string
  older: string
  pages: string
  about: string
  contact: string
  phone: string
  email: string
  address: string
  back: string
  status: Record<PetStatus, string>
  /** How many people have asked for an animal, at least one. */
  asked: (count: number) => string
  unavailable: Record<Exclude<PetStatus, 'available'>, string>
  /** What a visitor does to get the animal. */
  ask: (name: string) => [before: string, name: string, after: string]
  reserveHint: string
  name: string
  reach: string
  reachHint: string
  message: string
  optional: string
  send: string
  privacy: string
  leaveEmpty: string
  mistakes: string
  thanks: string
  thanksFor: (name: string) => [before: string, name: string, after: string]
  next: string
  missing: string
  missingHint: string
  /** A field for the beginning of a name. */
  search: string
  filters: string
  /** The filters that a list has. */
  chosen: string
  leaveOut: string
  /** The choice that leaves a filter out. */
  anything: string
  show: string
  clear: string
  seeAll: string
  noMatch: string
  /** Where a list ends before all animals were looked at. */
  scanned: string
  goOn: string
  onward: string
  toStart: string
  kind: string
  sort: string
  sorts: Record<Sort, string>
  ages: Record<Age, string>
  aboutAge: (age: string) => string
  underOneYear: string
  facts: Record<FactField, string>
  /** Empty if nothing is known. */
  breedOf: (breed: string, second: string, isMixed: boolean) => string
  sexes: Record<Sex, string>
  sizes: Record<Size, string>
  coats: Record<Coat, string>
  askFee: string
  free: string
  since: (month: string) => string
  goodWith: string
  answers: Record<AnswerField, YesNo>
  health: string
  story: (name: string) => [before: string, name: string, after: string]
  texts: Record<TextField, string>
  traits: string
  share: string
  /** Within a sentence. */
  photo: (number: number, count: number) => string
  photosOf: (name: string) => string
  wrong: Record<Mistake, string>
  privacyPage: PrivacyTexts
  requests: RequestTexts
  report: ReportTexts
  /** The link to the printable page. */
  print: string
  printHint: string
  /** Of several animals. */
  printHintMany: string
  /** Before an address, beside its QR code. */
  scan: string
}

/** The reason why a form was rejected. */
export type Mistake =
  | 'name_missing'
  | 'name_long'
  | 'contact_missing'
  | 'contact_unusable'
  | 'phone_unusable'
  | 'contact_long'
  | 'message_long'
  | 'characters'
  | 'stale'
  | 'busy'
  | 'taken'
  | RequestMistake

/** What a shelter says instead of a shop. */
export type ShelterWords = { sold: string; isSold: string; fee: string; privacy: string }
