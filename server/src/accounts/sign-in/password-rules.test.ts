// The rules for new passwords: what each rejects, what none rejects, and that without the list and the words of the
// person weak passwords pass.

import { describe, expect, test } from 'vitest'
import { readCommonPasswords } from './password.io.ts'
import { commonPasswordsIn, weaknessOf, weaknessText } from './password-rules.ts'

const common = readCommonPasswords()
const about = ['mia.stone+shop@happy-paws.example', 'Mía Stone', 'Willow Street Shelter', 'willow-street']
const weakness = (password: string) => weaknessOf(password, { about, common })

describe('a new password', () => {
  test.each([
    'a good long password',
    'seven otters juggle',
    'ünterwegs mit Hühnern',
    '四つの言葉を並べて長い鍵にする',
    'aB3$kf9!xQ2@',
    'petstore sells nine gentle llamas',
    'mia keeps bees on the roof',
    '🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧',
  ])('may be %s', (password) => {
    expect(weakness(password)).toBeUndefined()
  })

  test.each([
    ['eleven characters', 'otters jugg'],
    ['eleven characters in a form that is composed', 'e\u0301otters jug'],
    ['257 characters', `${'otters juggle '.repeat(18)}otter`],
    ['more than 256 after normalisation', 'otters juggle ﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺ'],
    ['ten spaces', ' '.repeat(10)],
    ['password12', 'password12'],
  ])('must not have %s', (_, password) => {
    expect(weakness(password)).toBe('length')
  })

  test.each(['aaaaaaaaaaaa', '121212121212', 'abcdabcdabcdabcd', ' '.repeat(20)])(
    'must have five different characters, unlike %s',
    (password) => {
      expect(weakness(password)).toBe('variety')
    },
  )

  test.each([
    'password1234',
    'Password1234',
    'PASSWORD PASSWORD',
    'ｐａｓｓｗｏｒｄ１２３４',
    'correct horse battery staple',
    'To be or not to be',
    'qwerty-uiop-1234',
    '1q2w3e4r5t6y',
    '#edc$rfv%tgb',
  ])('must not be common, unlike %s', (password) => {
    expect(weakness(password)).toBe('common')
  })

  test.each([
    'petstore2026!',
    'Petstore-Petstore',
    'mia.stone+shop@happy-paws.example',
    'happypaws2026',
    'MIA-STONE-1984',
    'willow street 12',
    'willowstreetshelter',
    'shelter-willow-1',
    'miastone1234!',
  ])('must be more than the words of the person, unlike %s', (password) => {
    expect(weakness(password)).toBe('personal')
  })

  test.each(['password1234', 'petstore2026!', 'willow street 12'])(
    'may be %s without the list and the words, except for the name of the service (negative control)',
    (password) => {
      const found = weaknessOf(password, { about: [], common: new Set() })
      expect(found).toBe(password.startsWith('petstore') ? 'personal' : undefined)
    },
  )
})

test('every message names the field, the rule and a way out', () => {
  for (const text of Object.values(weaknessText)) expect(text('next')).toMatch(/^'next' must .*(Use|Add) a few /)
})

describe('the list of common passwords', () => {
  test('has more than three thousand entries, each in the form in which passwords are compared', () => {
    expect(common.size).toBeGreaterThan(3000)
    for (const entry of common) {
      expect(entry).toBe(entry.normalize('NFKC').toLowerCase())
      expect(weaknessOf(entry, { about: [], common })).toBe('common')
    }
  })

  test('is one password a line, with comments', () => {
    expect([...commonPasswordsIn('# a comment\n#\n\n#edc$rfv%tgb\nqwertyqwerty\n')]).toEqual([
      '#edc$rfv%tgb',
      'qwertyqwerty',
    ])
  })
})
