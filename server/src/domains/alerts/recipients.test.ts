import { expect, test } from 'vitest'
import { dependsOn, recipientsOf } from './recipients.ts'

const owner = (email: string) => ({ account: `owner ${email}`, role: 'owner' as const, email })
const admin = { account: 'admin', role: 'admin' as const, email: 'jonas@elsewhere.example' }
const viewer = { account: 'viewer', role: 'viewer' as const, email: 'eve@elsewhere.example' }

test('alerts go to owners and admins, what only owners must know to them alone', () => {
  const members = [owner('mia@elsewhere.example'), admin, viewer]
  expect(recipientsOf('domain_alert', 'www.paws.example', members)).toEqual(['owner mia@elsewhere.example', 'admin'])
  expect(recipientsOf('renewal_failing', 'www.paws.example', members)).toEqual(['owner mia@elsewhere.example'])
})

test('if the addresses of all owners depend on the domain, admins are mailed too', () => {
  const below = owner('mia@paws.example')
  expect(recipientsOf('domain_moved', 'www.paws.example', [below, admin])).toEqual([below.account, 'admin'])
  const another = owner('tom@elsewhere.example')
  expect(recipientsOf('domain_moved', 'www.paws.example', [below, another, admin])).toEqual([
    below.account,
    another.account,
  ])
})

test('an address depends on a domain that it lies at or below, and on no other', () => {
  expect(dependsOn('mia@paws.example', 'www.paws.example')).toBe(true)
  expect(dependsOn('mia@mail.PAWS.example', 'paws.example')).toBe(true)
  expect(dependsOn('mia@other-paws.example', 'paws.example')).toBe(false)
})
