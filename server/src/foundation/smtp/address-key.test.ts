// Keys of addresses: every spelling has one, and what people cannot tell apart is not accepted.

import { describe, expect, test } from 'vitest'
import { addressKey, isAddress } from './address.ts'

describe('the key of an address', () => {
  test.each([
    ['Mia@Shop.Example', 'mia@shop.example'],
    ['mia@shop.example.', 'mia@shop.example'],
    ['ｍｉａ@shop.example', 'mia@shop.example'],
    ['mia＠shop.example', 'mia@shop.example'],
    ['mia@shop。example', 'mia@shop.example'],
    ['mia@bücher.example', 'mia@xn--bcher-kva.example'],
    ['mia@XN--BCHER-KVA.example', 'mia@xn--bcher-kva.example'],
    ['mia@bu\u0308cher.example', 'mia@xn--bcher-kva.example'],
    ['jörg@shop.example', 'jörg@shop.example'],
    ['jo\u0308rg@shop.example', 'jörg@shop.example'],
    ['a@b@shop.example', 'a@b@shop.example'],
    ['mia@shop%2eexample', 'mia@shop%2eexample'],
    ['No Address', 'no address'],
  ])('%s is %s', (text, key) => {
    expect(addressKey(text)).toBe(key)
    expect(addressKey(key)).toBe(key)
  })
})

describe('an address', () => {
  test.each(['mia@shop.example', 'jörg@bücher.example', '用户@例え.jp', 'a+b@shop.example', "o'hara@shop.example"])(
    '%s is accepted',
    (text) => {
      expect(isAddress(text)).toBe(true)
    },
  )

  test.each([
    ['a blank', 'mi a@shop.example'],
    ['a zero-width space', 'mi\u200ba@shop.example'],
    ['a zero-width space in the domain', 'mia@sh\u200bop.example'],
    ['a soft hyphen', 'mi\u00ada@shop.example'],
    ['a mark for the direction of writing', 'mi\u202ea@shop.example'],
    ['a variation selector', 'mia\ufe0f@shop.example'],
    ['a Hangul filler', 'mia\u3164@shop.example'],
    ['a tag character', 'mia\u{e0061}@shop.example'],
    ['a line separator', 'mia\u2028@shop.example'],
    ['a control character', 'mia\u0085@shop.example'],
    ['an unassigned code point', 'mia\u0378@shop.example'],
    ['half a surrogate pair', 'mia\ud800@shop.example'],
    ['a character that becomes a blank', 'mia\u00a8@shop.example'],
    ['two signs, one of which is full width', 'mia＠x@shop.example'],
    ['no sign', 'mia.shop.example'],
    ['more than 254 characters once it is normalised', `${'ﷺ'.repeat(20)}@shop.example`],
  ])('with %s is not accepted', (_, text) => {
    expect(isAddress(text)).toBe(false)
  })
})
