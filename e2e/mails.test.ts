// Every mail in a browser: it fits a phone, can be read in light and dark, and has no barrier that
// axe knows. With SHOTS=<folder>, a screenshot of each is stored.

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isMailKind, mailKinds, type MailKindName } from '../server/src/program/mail-kinds.ts'
import type { Mail } from '../server/src/mail/mail.ts'
import { mailHtml } from '../server/src/mail/render.ts'
import { mailSamples } from '../testbed/samples/mails.ts'
import { startBrowser } from '../testbed/harness/browser.ts'
import { overflowOf } from './dashboard/browser-environment.ts'
import { barriersIn } from './accessibility.ts'

let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await startBrowser()
  page = await browser.newPage()
})
afterAll(() => browser?.close())

const wide = { width: 760, height: 800 }
const phone = { width: 360, height: 740 }
const forms = [
  ['light', wide],
  ['light', phone],
  ['dark', phone],
] as const

/** The text of people in the samples: as long as some names are. */
const TEXT = 'Happy Paws'
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüsselanhänger.happy-paws.example'

async function look(mail: Mail, name: string): Promise<void> {
  await page.setContent(mailHtml(mail))
  for (const [colorScheme, size] of forms) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    const shots = process.env['SHOTS']
    if (shots) await page.screenshot({ path: `${shots}/mail-${name}-${colorScheme}-${size.width}.png`, fullPage: true })
    expect(await barriersIn(colorScheme, page), `${name} ${colorScheme}`).toEqual([])
    expect(await overflowOf(page), `${name} ${size.width}`).toEqual([])
  }
}

test.each(Object.keys(mailKinds).filter(isMailKind))('%s', async (kind: MailKindName) => {
  await look(mailSamples[kind]('en', TEXT), kind)
  await page.setContent(mailHtml(mailSamples[kind]('de', LONG)))
  expect(await overflowOf(page)).toEqual([])
})

test('a mail that does not fit is noticed (negative control)', async () => {
  await page.setContent(mailHtml(mailSamples.recovery('en', '')).replace('max-width: 520px', 'min-width: 900px'))
  expect(await overflowOf(page)).not.toEqual([])
})
