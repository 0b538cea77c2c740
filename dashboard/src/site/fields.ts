// The content of a site as flat fields: what the form edits, what two members can both
// have changed, and what differs between two versions. Flat, so that all of it is
// compared in one way; it is converted to the server's shape when it is sent.

import type { Received, Sent } from '@petstore-platform/contract/platform/client'
import { sentQuestions } from './question-list.ts'

export type Site = Received<'getSite'>
/** With what only clients from before there was a choice leave out. */
type Settings = Omit<Sent<'putSite'>['body'], 'version' | 'look' | 'languages' | 'questions'> &
  Pick<Site, 'look' | 'languages' | 'questions'>

export type Fields = Omit<Settings, 'contact'> & Settings['contact']
export type FieldName = keyof Fields

/** Every field, in the order in which the form shows them: one that is missing here does not compile. */
const inOrder: Record<FieldName, true> = {
  look: true,
  themeColor: true,
  title: true,
  tagline: true,
  about: true,
  language: true,
  languages: true,
  email: true,
  phone: true,
  address: true,
  questions: true,
  hiddenCategories: true,
}
export const fieldNames = Object.keys(inOrder) as readonly FieldName[]

export function fieldsOf({ contact, ...settings }: Settings): Fields {
  const { look, themeColor, title, tagline, about, language, languages, questions, hiddenCategories } = settings
  const { email, phone, address } = contact
  const owned = { look, themeColor, title, tagline, about, language, languages }
  return { ...owned, email, phone, address, questions, hiddenCategories }
}

export const settingsOf = ({ email, phone, address, ...settings }: Fields): Settings => ({
  ...settings,
  languages: furtherLanguages(settings),
  questions: sentQuestions(settings.questions),
  contact: { email, phone, address },
})

/** Without the main one, which may have been chosen since, here or by another member. */
export const furtherLanguages = ({
  language,
  languages,
}: Pick<Fields, 'language' | 'languages'>): Fields['languages'] => languages.filter((one) => one !== language)

/** The order in which categories were hidden, or languages chosen, has no meaning. */
function textOf(fields: Fields, name: FieldName): string {
  if (name === 'questions') return JSON.stringify(sentQuestions(fields.questions))
  if (name === 'hiddenCategories') return fields.hiddenCategories.map(String).toSorted().join()
  return name === 'languages' ? furtherLanguages(fields).toSorted().join() : fields[name]
}

export const isSame = (one: Fields, other: Fields, name: FieldName): boolean =>
  textOf(one, name) === textOf(other, name)
