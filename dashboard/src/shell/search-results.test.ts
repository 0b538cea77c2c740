// What the search offers: animals, requests and pages, in this order.

import { expect, test } from 'vitest'
import * as texts from '../texts/texts.ts'
import { resultsFor } from './search-results.ts'

const { nav, search: words } = texts.common
const none = { animals: [], orders: [] }
const bella = { id: 7n, name: 'Bella' }
const order = { id: 9n, petName: 'Bella', visitor: { name: 'Ben', contact: 'ben@visitor.example', phone: '' } }

test('without a text all pages are offered, Home first', () => {
  const labels = resultsFor('', none).map(({ label }) => label)
  expect(labels.slice(0, 3)).toEqual([nav.start, nav.animals, nav.orders])
  expect(labels).toContain(nav.domains)
})

test('pages are found by any part of their names, ignoring case', () => {
  expect(resultsFor(' DOMA ', none).map(({ label }) => label)).toEqual([nav.domains])
  expect(resultsFor('xyz', none)).toEqual([])
})

test('animals come first, then requests, each with the way to it', () => {
  const results = resultsFor('be', { animals: [bella], orders: [order] })
  expect(results.slice(0, 2).map(({ label, kind }) => [label, kind])).toEqual([
    ['Bella', words.animal],
    ['Ben', words.order('Bella')],
  ])
  expect(results[0]).toMatchObject({ to: '/projects/$project/animals/$animal', animal: String(bella.id) })
  expect(results[1]).toMatchObject({ to: '/projects/$project/requests/$order', order: '9' })
})
