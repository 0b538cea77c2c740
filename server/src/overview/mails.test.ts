import { expect, test } from 'vitest'
import { overviewMails } from './mails.ts'

const facts = {
  language: 'en',
  project: 'Happy Paws',
  projectUrl: 'https://petstore.example/projects/happy-paws',
  sales: 0,
  domains: [],
} as const

test('a digest about nothing is no mail', () => {
  expect(overviewMails.digest({ ...facts, requests: { count: 0, animals: [] } })).toBeUndefined()
})

test('a digest names ten animals, and says how many more there are', () => {
  const animals = Array.from({ length: 10 }, (_, n) => `Rex ${n}`)
  const mail = overviewMails.digest({ ...facts, requests: { count: 13, animals } })
  expect(mail?.subject).toBe('Happy Paws: 13 new requests')
  const listed = mail?.blocks.flatMap((block) => (block.kind === 'facts' ? block.facts : [])) ?? []
  expect(listed.at(-1)).toEqual(['Request', 'and 3 more'])
  expect(listed).toHaveLength(11)
})
