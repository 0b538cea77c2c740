// The content of a site as flat fields: what the form edits, what two members can both
// have changed, and what differs between two versions. Flat, so that all of it is
// compared in one way; it is converted to the server's shape when it is sent.

import type { Received, Sent } from '@petstore/contract/platform/client'

export type Site = Received<'getSite'>
/** With the look, which only clients from before there was a choice leave out. */
type Settings = Omit<Sent<'putSite'>['body'], 'version' | 'look'> & Pick<Site, 'look'>

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
  email: true,
  phone: true,
  address: true,
  hiddenCategories: true,
}
export const fieldNames = Object.keys(inOrder) as readonly FieldName[]

export function fieldsOf({ contact, ...settings }: Settings): Fields {
  const { look, themeColor, title, tagline, about, language, hiddenCategories } = settings
  const { email, phone, address } = contact
  return { look, themeColor, title, tagline, about, language, email, phone, address, hiddenCategories }
}

export const settingsOf = ({ email, phone, address, ...settings }: Fields): Settings => ({
  ...settings,
  contact: { email, phone, address },
})

/** The order in which categories were hidden has no meaning. */
const textOf = (fields: Fields, name: FieldName): string =>
  name === 'hiddenCategories' ? fields.hiddenCategories.map(String).toSorted().join() : fields[name]

export const isSame = (one: Fields, other: Fields, name: FieldName): boolean =>
  textOf(one, name) === textOf(other, name)
