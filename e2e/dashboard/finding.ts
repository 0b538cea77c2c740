// Finding things on a page by the dashboard's own texts, also where a test does not know
// every value in a text, or where the browser writes a value in its own way.

import type { Locator, Page } from 'playwright-core'

/** Stands for a value that a test does not know, such as a time of day. Nobody types it. */
export const anything = '\u{F8FF}'

/** Exactly one of these texts, with something wherever `anything` stands: the order of the words is the text's own. */
export const like = (...texts: readonly string[]): RegExp => new RegExp(`^(?:${texts.map(sourceOf).join('|')})$`)

const sourceOf = (text: string): string =>
  text
    .split(anything)
    .map((part) => RegExp.escape(part))
    .join('[^]+')

/** A text with a large number as the browsers of the tests write it, whatever the language of this machine is. */
export const counting = (count: number, words: (count: number) => string): string =>
  words(count).replace(count.toLocaleString(), count.toLocaleString('en-GB'))

/** What went wrong beside a form, and every word in the corner. */
export const alertOf = (within: Page | Locator, hasText: string): Locator =>
  within.getByRole('alert').filter({ hasText })

export const press = (within: Page | Locator, name: string | RegExp): Promise<void> =>
  within.getByRole('button', { name }).click()

export const saying = (within: Page | Locator, ...texts: readonly string[]): Locator => within.getByText(like(...texts))
