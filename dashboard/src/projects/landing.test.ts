import { expect, test } from 'vitest'
import { landingOf } from './landing.ts'

test('a person with one store lands in it, and with none or several on the list', () => {
  expect(landingOf([{ slug: 'happy-paws' }])).toEqual({ to: '/projects/$project', params: { project: 'happy-paws' } })
  expect(landingOf([])).toEqual({ to: '/projects' })
  expect(landingOf([{ slug: 'happy-paws' }, { slug: 'willow' }])).toEqual({ to: '/projects' })
})
