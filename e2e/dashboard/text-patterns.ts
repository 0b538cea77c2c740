// Locators by the dashboard's own texts, for texts with values that a test does not know, such
// as a time of day.

import type { Locator, Page } from 'playwright-core'

/** Placeholder for a value that the test does not know. */
export const ANY = '\u{fffc}'

/** Matches exactly one of these texts, with any value for each `ANY`. */
export const like = (...texts: readonly string[]): RegExp => new RegExp(`^(?:${texts.map(sourceOf).join('|')})$`)

const sourceOf = (text: string): string =>
  text
    .split(ANY)
    .map((part) => RegExp.escape(part))
    .join('[^]+')

/** Substitutions match literally, the rest is a pattern: pattern`${label}\s+${value}`. */
export const pattern = ({ raw }: TemplateStringsArray, ...texts: readonly string[]): RegExp =>
  new RegExp(String.raw({ raw }, ...texts.map((text) => RegExp.escape(text))))

/** A text with a large number as the test browser formats it, whatever the locale of this machine. */
export const counting = (count: number, words: (count: number) => string): string =>
  words(count).replace(count.toLocaleString(), count.toLocaleString('en-GB'))

export const saying = (within: Page | Locator, ...texts: readonly string[]): Locator => within.getByText(like(...texts))

export const alertOf = (within: Page | Locator, hasText: string): Locator =>
  within.getByRole('alert').filter({ hasText })

export const press = (within: Page | Locator, name: string | RegExp): Promise<void> =>
  within.getByRole('button', { name }).click()
