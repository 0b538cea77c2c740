import { describe, expect, test } from 'vitest'
import { digestOf } from '../../foundation/key-format.ts'
import { allowancesOf, passwordsOff, refusalOf } from './sign-in-limits.ts'

const allowances = allowancesOf({ signInsPerAddress: 30, signInsPerAccount: 20 })
const mia = digestOf('mia@shop.example')
const group = '192.0.2.7'
const figuresOf = (charges: readonly { kind: string; most: number; seconds: number }[]) =>
  Object.fromEntries(charges.map(({ kind, most, seconds }) => [kind, [most, seconds]]))

describe('an attempt is charged', () => {
  test('on an unknown device to the pair, the group, its network and the account', () => {
    expect(figuresOf(allowances.unknownDevice({ email: mia, group }))).toEqual({
      sign_in_pair: [5, 900],
      sign_in_group_minute: [30, 60],
      sign_in_network_minute: [300, 60],
      sign_in_group_hour: [100, 3600],
      sign_in_network_hour: [1000, 3600],
      sign_in_account: [20, 3600],
    })
  })

  test('on a known device to this device of the account alone, and never to its address', () => {
    expect(figuresOf(allowances.knownDevice(mia, digestOf('laptop')))).toEqual({ sign_in_device: [10, 900] })
  })

  test('with a passkey to the address group and its network alone, so that strangers lock no owner out', () => {
    expect(figuresOf(allowances.passkey(group))).toEqual({
      passkey_group_minute: [60, 60],
      passkey_network_minute: [600, 60],
    })
  })

  test('to others for another person, and for another address', () => {
    const keysOf = (email: Buffer, from: string) =>
      new Map(allowances.unknownDevice({ email, group: from }).map(({ kind, key }) => [kind, key.toString('hex')]))
    const [first, person, neighbour] = [
      keysOf(mia, group),
      keysOf(digestOf('ben@shop.example'), group),
      keysOf(mia, '192.0.2.8'),
    ]
    const shared = (other: typeof first) => [...first].filter(([kind, key]) => other.get(kind) === key).map(([k]) => k)
    expect(shared(person)).toEqual([
      'sign_in_group_minute',
      'sign_in_network_minute',
      'sign_in_group_hour',
      'sign_in_network_hour',
    ])
    expect(shared(neighbour)).toEqual(['sign_in_network_minute', 'sign_in_network_hour', 'sign_in_account'])
  })

  test('at least once, however low the limits of an operator are', () => {
    const low = allowancesOf({ signInsPerAddress: 1, signInsPerAccount: 1 })
    const all = [...low.unknownDevice({ email: mia, group }), ...low.knownDevice(mia, digestOf('laptop'))]
    expect(Math.min(...all.map(({ most }) => most))).toBe(1)
    expect(low.consecutive).toBe(5)
  })
})

describe('a refusal', () => {
  test('says which limit was reached, how much it allows, when to retry, and another way in', () => {
    const charges = allowances.unknownDevice({ email: mia, group })
    const refusal = refusalOf([{ kind: 'sign_in_pair', retrySeconds: 840 }], charges)
    expect(refusal).toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '840' } })
    expect(refusal.message).toBe(
      'Too many wrong passwords for this account from this address (5 in 15 minutes). Retry in 840 s, or use a device ' +
        'that signed in before, a passkey or a mailed sign-in link.',
    )
  })

  test('is about the longest wait of several', () => {
    const reached = [
      { kind: 'sign_in_group_minute', retrySeconds: 20 },
      { kind: 'sign_in_group_hour', retrySeconds: 2000 },
    ]
    const refusal = refusalOf(reached, allowances.unknownDevice({ email: mia, group }))
    expect(refusal.message).toContain('Too many failed sign-ins from this address (100 in an hour). Retry in 2000 s')
  })

  test('for the whole account leaves the ways in that strangers cannot use up', () => {
    const refusal = refusalOf(
      [{ kind: 'sign_in_account', retrySeconds: 60 }],
      allowances.unknownDevice({ email: mia, group }),
    )
    expect(refusal).toMatchObject({ code: 'password_not_accepted', status: 403 })
    expect(refusal.message).toContain('20 in an hour from new devices')
    expect(passwordsOff('100 in a row').message).toContain('Until the next sign-in by one of these')
  })
})
