// Every German text, on the sites and in mails, addresses people in one way.

import { questionsIn } from '@petstore-platform/contract/platform/usual-questions'
import { expect, test } from 'vitest'
import { mailSamples } from '../../../../testbed/samples/mails.ts'
import { accountTexts } from '../../accounts/mails.ts'
import { domainTexts } from '../../domains/alerts/mail-texts.ts'
import { importTexts } from '../../imports/mails.ts'
import { orderTexts } from '../../orders/mail-texts.ts'
import { digestTexts } from '../../overview/mails.ts'
import { isMailKind, mailKinds } from '../../program/mail-kinds.ts'
import { projectTexts } from '../../projects/mail-texts.ts'
import { deploymentTexts } from '../publishing/mails.ts'
import { wordsFor } from '../strings/strings.ts'

/** Every text in a table of texts; those that are made of names are made of some. */
function textsIn(table: unknown): string[] {
  if (typeof table === 'string') return [table]
  if (typeof table === 'function')
    return textsIn((table as (...values: unknown[]) => unknown)('Rex', 'Willow', 'Mia', 2))
  return typeof table === 'object' && table !== null ? Object.values(table).flatMap(textsIn) : []
}

const kinds = ['shop', 'shelter'] as const
const mails = Object.keys(mailKinds)
  .filter(isMailKind)
  .map((kind) => mailSamples[kind]('de', 'Rex'))
const german = textsIn([
  ...kinds.flatMap((kind) => [wordsFor('de', kind), questionsIn(null, kind, 'de')]),
  ...[accountTexts, deploymentTexts, domainTexts, orderTexts, digestTexts, importTexts, projectTexts].map(
    ({ de }) => de,
  ),
  ...mails,
])

/** "du" and its forms, and the imperatives that belong to it. */
const familiar =
  /(?<!\p{L})(du|dich|dir|dein(e[mnrs]?)?|euch|eu(re|er)[mnrs]?|(gib|schreib|sende|prüf|wähl|öffne|sag|schau|lern|drück|sieh|heb|nenn|ruf|beantwort|scann|druck|klick|bestätig|melde|komm|lies|nimm|wart|trag|lad|schick)e?)(?!\p{L})/iu
const polite = /(?<!\p{L})(Sie|Ihnen|Ihr(e[mnrs]?)?)(?!\p{L})/u

test('all German texts say Sie, and none says du', () => {
  expect(german.filter((text) => polite.test(text)).length).toBeGreaterThan(150)
  expect(german.filter((text) => familiar.test(text))).toEqual([])
})

test('a text that says du is noticed (negative control)', () => {
  for (const text of [
    'Wir melden uns bei dir.',
    'Deine Anfrage',
    'Bitte gib eine Zahl ein.',
    'Öffne den Link.',
    'Eure Anfrage',
    'Lies sie noch einmal.',
  ]) {
    expect(text).toMatch(familiar)
  }
})
